"""Carry out `--bufferization-lower-deallocations` and `--convert-bufferization-to-memref`: write in what
`rules/passes/lowering/dealloc_lowering.dl` and `rules/passes/convert_bufferization_to_memref.dl` derived.

Source of the lowerings, and of the helper function: MLIR's documentation of its pass Lower Deallocations.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from dealog.frontend import Module
from dealog.frontend.facts import Facts
from dealog.frontend.ir import Operation, Value
from dealog.frontend.types import MemRefType, parse_memref

from .build import Builder, memref_count
from .replacing import Relations, Replacing, Sequel

_INDICES, _CONDITIONS = "memref<?xindex>", "memref<?xi1>"


def lower_deallocations(module: Module, facts: Facts, relations: Relations) -> None:
    """Rewrite every `bufferization.dealloc` of `module`, in place.

    `facts` are those that `relations` were derived from; `relations` holds the output relations of the pass.
    """
    _Lowering(module, facts, relations).rewrite()


def convert_to_memref(module: Module, facts: Facts, relations: Relations) -> None:
    """Rewrite every `bufferization.dealloc` and `bufferization.clone` of `module`, in place.

    `facts` are those that `relations` were derived from; `relations` holds the output relations of the pass.
    """
    _Conversion(module, facts, relations).rewrite()


class _Lowering:
    """The lowering of deallocations."""

    def __init__(self, module: Module, facts: Facts, relations: Relations) -> None:
        self.module = module
        self.facts = facts
        self.replacing = Replacing(module)
        self.how = {facts.operations[str(op)]: str(how) for op, how in relations["lowering"]}
        self.guards = {facts.operations[str(op)]: facts.values[str(c)] for op, c in relations["guard"]}
        self.never = {facts.operations[str(op)]: facts.values[str(c)] for op, c in relations["never_frees"]}
        self.used: dict[Operation, list[int]] = defaultdict(list)
        for op, index in relations["result_used"]:
            self.used[facts.operations[str(op)]].append(int(index))
        self.names = {str(table): str(name) for table, name in relations["helper_function"]}
        calls = [(facts.operations[str(op)], str(table)) for table, op in relations["needs_helper"]]
        self.helpers = {op: self.names[table] for op, table in calls}
        self.generic = {table: op.generic for op, table in calls}

    def rewrite(self) -> None:
        for op in self.module.walk():
            self.lower(op)
        self.replacing.finish()
        for table, name in self.names.items():
            body = self.facts.operations[table].regions[0].blocks[0]
            body.append(_helper_function(name, self.generic[table]))

    def lower(self, op: Operation) -> None:
        """Replace `op`, if it is one that is lowered."""
        how = self.how.get(op)
        if how is None:
            return
        sequel = self.replacing.replace(op)
        used = sorted(self.used[op])
        if how == "erase":
            for index in used:
                sequel.replaces(self.never.get(op) or sequel.constant(False), index)
        elif how == "free":
            self._free_if(sequel, self.guards.get(op), op.operands[0])
        elif how == "compare":
            self._compare(sequel, used)
        else:
            self._call(sequel, used)

    def _free_if(self, sequel: Sequel, condition: Value | None, buffer: Value) -> None:
        free = sequel.build.free(buffer)
        sequel.do(free if condition is None else sequel.build.when(condition, [free]))

    def _compare(self, sequel: Sequel, used: list[int]) -> None:
        """One buffer is freed, some are retained: compare it with each of them."""
        op, build = sequel.op, sequel.build
        buffer, retained = op.operands[0], op.operands[2:]
        guard = self.guards.get(op)
        pointer = sequel.add(build.pointer(buffer))
        pointers, distinct = [], []
        for other in retained:
            pointers.append(sequel.add(build.pointer(other)))
            distinct.append(sequel.add(build.compare("ne", pointer, pointers[-1], "distinct")))
        free = distinct[0]
        for one in distinct[1:]:
            free = sequel.add(build.conjunction(free, one))
        if guard is not None:
            free = sequel.add(build.conjunction(free, guard))
        self._free_if(sequel, free, buffer)
        for index in used:
            if guard is None:
                result = sequel.add(sequel.naming(index).compare("eq", pointer, pointers[index]))
            else:
                alias = sequel.add(build.compare("eq", pointer, pointers[index]))
                result = sequel.add(sequel.naming(index).conjunction(alias, guard))
            sequel.replaces(result, index)

    def _call(self, sequel: Sequel, used: list[int]) -> None:
        """Several buffers are freed: let the helper function compare all of them."""
        op, build = sequel.op, sequel.build
        count, retained_count = memref_count(op), len(op.results)
        buffers, conditions = op.operands[:count], op.operands[count : 2 * count]
        retained = op.operands[2 * count :]

        buffer_list = sequel.add(build.alloc(f"memref<{count}xindex>"))
        condition_list = sequel.add(build.alloc(f"memref<{count}xi1>"))
        retained_list = sequel.add(build.alloc(f"memref<{retained_count}xindex>"))
        self._store_pointers(sequel, buffers, buffer_list)
        for index, condition in enumerate(conditions):
            sequel.do(build.store(condition, condition_list, sequel.constant(index)))
        self._store_pointers(sequel, retained, retained_list)
        arguments = [
            sequel.add(build.cast(buffer_list, _INDICES)),
            sequel.add(build.cast(condition_list, _CONDITIONS)),
            sequel.add(build.cast(retained_list, _INDICES)),
        ]
        free_list = sequel.add(build.alloc(f"memref<{count}xi1>"))
        owned_list = sequel.add(build.alloc(f"memref<{retained_count}xi1>"))
        outputs = [sequel.add(build.cast(one, _CONDITIONS)) for one in (free_list, owned_list)]
        sequel.do(build.call(self.helpers[op], [arguments[0], arguments[2], arguments[1], *outputs]))

        for index, buffer in enumerate(buffers):
            self._free_if(sequel, sequel.add(build.load(free_list, sequel.constant(index), "free")), buffer)
        for index in used:
            at = sequel.constant(index)
            sequel.replaces(sequel.add(sequel.naming(index).load(owned_list, at)), index)
        for one in (buffer_list, retained_list, condition_list, free_list, owned_list):
            sequel.do(build.free(one))

    def _store_pointers(self, sequel: Sequel, buffers: Sequence[Value], pointers: Value) -> None:
        for index, buffer in enumerate(buffers):
            pointer = sequel.add(sequel.build.pointer(buffer))
            sequel.do(sequel.build.store(pointer, pointers, sequel.constant(index)))


class _Conversion(_Lowering):
    """The lowering of deallocations and of clones."""

    def __init__(self, module: Module, facts: Facts, relations: Relations) -> None:
        super().__init__(module, facts, relations)
        self.clones = {facts.operations[str(op)]: str(how) for op, how in relations["clone_lowering"]}
        self.sizes = {
            (facts.operations[str(op)], int(dimension)): int(size)
            for op, dimension, size in relations["clone_size"]
        }

    def lower(self, op: Operation) -> None:
        super().lower(op)
        how = self.clones.get(op)
        if how is None:
            return
        sequel = self.replacing.replace(op)
        type = parse_memref(self.module.expanded(op.results[0].type))
        result = self._reshape(sequel, type) if how == "reshape" else self._allocate(sequel, type, how == "cast")
        sequel.do(sequel.build.copy(op.operands[0], result))
        sequel.replaces(result)

    def _allocate(self, sequel: Sequel, type: MemRefType, cast: bool) -> Value:
        source, build = sequel.op.operands[0], sequel.build
        sizes = []
        for dimension, size in enumerate(type.shape or ()):
            if size is None:
                known = self.sizes.get((sequel.op, dimension))
                if known is None:
                    sizes.append(sequel.add(build.dim(source, sequel.constant(dimension))))
                else:
                    sizes.append(sequel.constant(known))
        row_major = str(replace(type, layout=None))
        if not cast:
            return sequel.add(sequel.naming().alloc(row_major, sizes))
        alloc = sequel.add(build.alloc(row_major, sizes))
        return sequel.add(sequel.naming().cast(alloc, sequel.op.results[0].type))

    def _reshape(self, sequel: Sequel, type: MemRefType) -> Value:
        """An unranked result: its sizes are collected in a loop."""
        source, build = sequel.op.operands[0], sequel.build
        zero, one = sequel.constant(0), sequel.constant(1)
        rank = sequel.add(build.rank(source))
        shape = sequel.add(build.alloca(_INDICES, [rank]))

        def collect(dimension: Value, so_far: Value) -> tuple[list[Operation], Value]:
            dim = build.dim(source, dimension)
            product = build.product(so_far, dim.results[0])
            return [dim, build.store(dim.results[0], shape, dimension), product], product.results[0]

        size = sequel.add(build.fold((zero, rank, one), one, collect, "size"))
        alloc = sequel.add(build.alloc(str(replace(type, shape=(None,))), [size]))
        return sequel.add(sequel.naming().reshape(alloc, shape, sequel.op.results[0].type))


# ---- the helper function ------------------------------------------------------------------------------


def _helper_function(name: str, generic: bool) -> Operation:
    """The function that finds out what may be freed.

    It takes the allocations to free, those retained, and the conditions of the former; it writes which are to
    be freed (the condition holds, nothing retained and nothing before it in the list is the same allocation),
    and for each that is retained whether the condition holds of any buffer that shares its allocation.
    """
    taken: dict[str, int] = {}

    def fresh(hint: str) -> str:
        number = taken[hint] = taken.get(hint, -1) + 1
        return f"%{hint}_{number}" if number else f"%{hint}"

    types = (_INDICES, _INDICES, _CONDITIONS, _CONDITIONS, _CONDITIONS)
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
