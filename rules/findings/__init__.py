"""What there is to find in a module: rule files that declare findings, one question a file."""
