"""Collects what the page of `dealog report` shows."""
