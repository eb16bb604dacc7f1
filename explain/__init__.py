"""Accounts for what the rules derived: queries, why, and why not."""
