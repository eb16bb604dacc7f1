"""What has to be known of operations, by their names, before any rule runs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Structure:
    """The names of the operations that give a module its structure: `functions` define a function, the ones whose
    bodies are looked at, and `symbol_tables` hold symbols of their own.

    The rest is about which operations are alike. What is valid of those that are `entangled` depends on others, and of
    those that are valid `anywhere`, not on what is around. Of memrefs and tensors, all that matters to those that are
    `comparing_sizes`, `comparing_shapes` or `comparing_types` is which of these are the same. To those `by_arguments`
    it matters to what the arguments of blocks belong that they use.

    Rule files that were added speak of the operations that are `mentioned`. `terminators` are those of which they, or
    the rules that come with Dealog, say that they end a block; there are none where no rule files were added.
    """

    functions: frozenset[str] = frozenset()
    symbol_tables: frozenset[str] = frozenset()
    entangled: frozenset[str] = frozenset()
    anywhere: frozenset[str] = frozenset()
    by_arguments: frozenset[str] = frozenset()
    comparing_sizes: frozenset[str] = frozenset()
    comparing_shapes: frozenset[str] = frozenset()
    comparing_types: frozenset[str] = frozenset()
    mentioned: frozenset[str] = frozenset()
    terminators: frozenset[str] = frozenset()
