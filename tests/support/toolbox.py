"""The passes on allocations that tests and measurements run side by side."""

ON_ALLOCATIONS = (
    "promote-buffers-to-stack",
    "buffer-hoisting",
    "buffer-loop-hoisting",
    "clone-removal",
    "copy-removal",
    "sink-allocations",
    "plan-memory",
)
