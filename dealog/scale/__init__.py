"""Functions as the unit of work: a module is cut by function, decided side by side, and put together again."""
