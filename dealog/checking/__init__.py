"""Findings: what rules mark as worth reporting, looked for and reported."""
