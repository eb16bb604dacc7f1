"""The rewriter: carries derived relations out on the IR, and asks nothing back."""
