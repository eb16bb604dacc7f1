"""The function that lowered deallocations call where several buffers may be freed.

Source of what it does: MLIR's documentation of its pass Lower Deallocations.
"""

from __future__ import annotations

from dealog.frontend.ir import Operation, Value

from .build import Builder

INDICES, CONDITIONS = "memref<?xindex>", "memref<?xi1>"


def dealloc_helper(name: str, generic: bool) -> Operation:
    """The function that finds out what may be freed.

    It takes the allocations to free, those retained, and the conditions of the former; it writes which are to
    be freed (the condition holds, nothing retained and nothing before it in the list is the same allocation),
    and for each that is retained whether the condition holds of any buffer that shares its allocation.
    """
    taken: dict[str, int] = {}

    def fresh(hint: str) -> str:
        number = taken[hint] = taken.get(hint, -1) + 1
        return f"%{hint}_{number}" if number else f"%{hint}"

    types = (INDICES, INDICES, CONDITIONS, CONDITIONS, CONDITIONS)
    hints = ("buffers", "retained", "conditions", "free", "owned")
    function = _HelperFunction(Builder(fresh, generic))
    return function.build.private_function(name, types, hints, function.body)


class _HelperFunction:
    """Makes the operations of the helper function."""

    def __init__(self, build: Builder) -> None:
        self.build = build

    def body(
        self, buffers: Value, retained: Value, conditions: Value, free: Value, owned: Value
    ) -> list[Operation]:
        build = self.build
        self.buffers, self.retained, self.conditions = buffers, retained, conditions
        self.free, self.owned = free, owned
        constants = [build.index(0), build.index(1), build.constant(True), build.constant(False)]
        self.zero, self.one, self.true, false = (constant.results[0] for constant in constants)
        sizes = [build.dim(one, self.zero) for one in (buffers, retained)]
        count, self.retained_count = (size.results[0] for size in sizes)
        clear = build.loop(
            (self.zero, self.retained_count, self.one), lambda i: [build.store(false, owned, i)]
        )
        decide = build.loop((self.zero, count, self.one), self._decide)
        return [*constants, *sizes, clear, decide]

    def _decide(self, i: Value) -> list[Operation]:
        """Whether to free buffer `i`."""
        build = self.build
        buffer, condition = build.load(self.buffers, i, "buffer"), build.load(self.conditions, i, "condition")

        def against_retained(j: Value, distinct: Value) -> tuple[list[Operation], Value]:
            other = build.load(self.retained, j, "other")
            same = build.compare("eq", other.results[0], buffer.results[0], "same")
            own = build.load(self.owned, j)
            either = build.disjunction(own.results[0], condition.results[0])
            update = build.when(same.results[0], [own, either, build.store(either.results[0], self.owned, j)])
            differs, both = self._still_distinct(other.results[0], buffer.results[0], distinct)
            return [other, same, update, differs, both], both.results[0]

        def against_earlier(j: Value, distinct: Value) -> tuple[list[Operation], Value]:
            other = build.load(self.buffers, j, "other")
            differs, both = self._still_distinct(other.results[0], buffer.results[0], distinct)
            return [other, differs, both], both.results[0]

        bounds = (self.zero, self.retained_count, self.one)
        unretained = build.fold(bounds, self.true, against_retained, "distinct")
        first = build.fold((self.zero, i, self.one), unretained.results[0], against_earlier, "distinct")
        free = build.conjunction(first.results[0], condition.results[0])
        return [buffer, condition, unretained, first, free, build.store(free.results[0], self.free, i)]

    def _still_distinct(self, other: Value, buffer: Value, so_far: Value) -> tuple[Operation, Operation]:
        differs = self.build.compare("ne", other, buffer, "differs")
        return differs, self.build.conjunction(so_far, differs.results[0])
