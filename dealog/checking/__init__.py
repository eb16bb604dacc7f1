"""Findings: what rules mark as worth telling, looked for and told."""
