"""The rules as a book: its catalogue, its graph, its tests."""
