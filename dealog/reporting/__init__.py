"""What a page about a run tells, gathered."""
