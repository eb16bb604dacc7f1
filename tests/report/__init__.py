"""The page of `dealog report`: what stands on it, that it is complete, and that it works in a browser."""
