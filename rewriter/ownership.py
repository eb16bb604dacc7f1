"""Carry out `--ownership-based-buffer-deallocation`: write in what its rules derived.

Ownership indicators are names in the rules (`true`, `own %x`, `end %x`, …); here each becomes an i1 value.
First everything grows that ownership travels through (block arguments, results, region entries), then each
block gets its deallocations, predecessors first, so that an indicator is there before it is asked for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from dealog.frontend import Module, edits
from dealog.frontend.facts import Facts
from dealog.frontend.ir import Block, Operation, Region, Value
from dealog.frontend.types import parse_memref

from .build import Builder
from .replacing import Relations

NOT_OWNED_MESSAGE = "expected that the block does not have ownership"


def insert_deallocations(module: Module, facts: Facts, relations: Relations) -> None:
    """Rewrite `module` in place.

    `facts` are those that `relations` were derived from; `relations` holds the output relations of the pass.
    """
    tables = _Tables(facts, relations)
    for function in facts.functions.values():
        if any(region.blocks for region in function.regions):
            _Function(module, function, facts, tables).rewrite()


class _Tables:
    """The derived relations, indexed by the identifier that each is looked up by."""

    def __init__(self, facts: Facts, relations: Relations) -> None:
        self.relations = relations
        self.block_id = {block: name for name, block in facts.blocks.items()}
        self.operation_id = {op: name for name, op in facts.operations.items()}
        self.function_id = {op: name for name, op in facts.functions.items()}
        self.order: dict[str, int] = dict(relations["definition_order"])  # type: ignore[arg-type]
        self.grows_argument = self._index("grows_argument")
        self.grows_result = self._index("grows_result")
        self.grows_entry = self._index("grows_entry")
        self.grows_function_result = self._index("grows_function_result")
        self.freed_if = self._index("freed_if")
        self.starts_allocation = self._index("starts_allocation")
        self.leaves = self._index("leaves")
        self.edge_condition = self._index("edge_condition")
        self.retained = self._index("retained")
        self.forwards = self._index("forwards")
        self.passes_ownership = self._index("passes_ownership")
        self.ends_with = self._index("ends_with", column=1)
        self.ends_with_choice = self._index("ends_with_choice", column=1)
        self.selected = self._index("selected")
        self.cloned = self._index("cloned")
        self.cloned_for = self._index("cloned_for")
        self.must_not_own = self._index("must_not_own")
        self.made_at_start = self._index("made_at_start")
        self.made_before = self._index("made_before")
        self.made_behind = self._index("made_behind")
        self.made_late = self._index("made_late")

    def _index(self, relation: str, column: int = 0) -> dict[str, list[tuple[str | int, ...]]]:
        index: dict[str, list[tuple[str | int, ...]]] = defaultdict(list)
        for row in self.relations[relation]:
            index[row[column]].append(row[:column] + row[column + 1 :])  # type: ignore[index]
        return dict(index)


class _Function:
    """The rewriting of one function."""

    def __init__(self, module: Module, function: Operation, facts: Facts, tables: _Tables) -> None:
        self.module = module
        self.function = function
        self.facts = facts
        self.tables = tables
        self.entry = function.regions[0].blocks[0]
        self.original = list(function.walk())
        self.indicators: dict[str, Value] = {}  # ownership indicator -> i1
        self.constants: dict[str, Operation] = {}

    def rewrite(self) -> None:
        for op in self.original:
            self._grow(op)
        for op in self.original:
            self._hand_over(op)
        for op in self.original:
            for region in op.regions:
                for block in _predecessors_first(region):
                    self._leave(block)
        for op in self.original:
            self._guard(op)  # last: the indicator may be what an earlier block ends with
        self._place_constants()

    # ---- ownership travels along

    def _grow(self, op: Operation) -> None:
        tables = self.tables
        name = tables.operation_id[op]
        entry = tables.grows_entry.get(name)
        if entry:
            beside = max(_numbers(entry))
            edits.grow_operands(op, beside, [self._constant("false")] * len(entry))
        results = sorted(tables.grows_result.get(name, ()))
        if results:
            companions = edits.grow_results(op, ["i1"] * len(results), "own")
            self._own(results, companions)
        for region in op.regions:
            for block in region.blocks:
                arguments = sorted(tables.grows_argument.get(tables.block_id[block], ()))
                if arguments:
                    self._own(arguments, edits.grow_arguments(block, ["i1"] * len(arguments), "own"))

    def _own(self, rows: Iterable[tuple[str | int, ...]], companions: Iterable[Value]) -> None:
        for (_, value), companion in zip(rows, companions, strict=True):
            self.indicators[f"own {value}"] = companion

    # ---- deallocation by hand

    def _guard(self, op: Operation) -> None:
        for _, indicator in sorted(self.tables.must_not_own.get(self.tables.operation_id[op], ())):
            build = self._builder(op)
            block = op.block
            assert block is not None
            negation = build.negation(self._indicator(str(indicator)), self._constant("true"))
            block.insert_before(op, negation)
            block.insert_before(op, build.check(negation.results[0], NOT_OWNED_MESSAGE))

    # ---- buffers that operations take over

    def _hand_over(self, op: Operation) -> None:
        for operand in sorted(_numbers(self.tables.cloned_for.get(self.tables.operation_id[op], ()))):
            block = op.block
            assert block is not None
            clone = self._builder(op).clone(op.operands[operand])
            block.insert_before(op, clone)
            edits.set_operand(op, operand, clone.results[0])

    # ---- leaving a block

    def _leave(self, block: Block) -> None:
        tables = self.tables
        name = tables.block_id[block]
        edges = sorted(_numbers(tables.leaves.get(name, ())))
        if not edges:
            return
        terminator = block.operations[-1]
        build = self._builder(terminator)
        clones = self._clone_returned(block, terminator, build)
        buffers, conditions = self._to_free(name, block, terminator, build)
        for clone in clones:
            base = clone.results[0]
            if clone.name != "bufferization.clone" or _is_unranked(base):
                base = self._base(base, block, terminator, build)
            buffers.append(base)
            conditions.append("true")

        updated: dict[tuple[int, str], Value] = {}
        retained_by_edge: dict[int, list[str]] = {}
        for index in edges:
            ids, values = self._to_retain(name, index, terminator)
            retained_by_edge[index] = ids
            if not buffers:
                continue
            i1s = self._on_edge(name, index, conditions, block, terminator, build)
            dealloc = build.dealloc(buffers, i1s, values)
            block.insert_before(terminator, dealloc)
            updated.update({(index, i): result for i, result in zip(ids, dealloc.results, strict=True)})
        if updated:
            self._end_ownership(name, updated, retained_by_edge, block, terminator, build)
        self._pass_on(terminator, updated)

    def _clone_returned(self, block: Block, terminator: Operation, build: Builder) -> list[Operation]:
        """Make the buffers that a function returns owned; the operations that do so, in the order of the operands."""
        clones = []
        for operand, value, indicator in sorted(self.tables.cloned.get(self.tables.operation_id[terminator], ())):
            buffer = self.facts.values[str(value)]
            if indicator == "false":
                clone = build.clone(buffer)
            else:
                if indicator == f"select {value}":
                    self._select(str(value), block, terminator, build)
                clone = build.unless_owned(buffer, self._indicator(str(indicator)))
            block.insert_before(terminator, clone)
            edits.set_operand(terminator, int(operand), clone.results[0])
            clones.append(clone)
        return clones

    def _select(self, value: str, block: Block, terminator: Operation, build: Builder) -> None:
        if f"select {value}" in self.indicators:
            return
        ((condition, then, otherwise),) = self.tables.selected[value]
        choice = build.choice(
            self.facts.values[str(condition)], self._indicator(str(then)), self._indicator(str(otherwise))
        )
        block.insert_before(terminator, choice)
        self.indicators[f"select {value}"] = choice.results[0]

    def _to_free(
        self, name: str, block: Block, terminator: Operation, build: Builder
    ) -> tuple[list[Value], list[str]]:
        """What to free, as base buffers, and the indicators that tell whether."""
        rows = [(self.facts.values[str(v)], str(v), str(o)) for v, o in self.tables.freed_if.get(name, ())]
        rows.sort(key=lambda row: self._freeing_order(row[0], row[1], block))
        buffers, indicators = [], []
        for value, value_id, indicator in rows:
            is_base = value_id in self.tables.starts_allocation
            buffers.append(value if is_base else self._base(value, block, terminator, build))
            indicators.append(indicator)
        return buffers, indicators

    def _freeing_order(self, value: Value, value_id: str, block: Block) -> tuple[int, ...]:
        """MLIR's order: what flows in, then the arguments, then what the operations make."""
        order = self.tables.order[value_id]
        is_argument = isinstance(value.owner, Block)
        if _block_of(value) is not block:
            return (0, *self._live_order(value, value_id))
        return (1 if is_argument else 2, order)

    def _live_order(self, value: Value, value_id: str) -> tuple[int, ...]:
        """MLIR's order of live buffers: block arguments by number, then results as the text defines them."""
        order = self.tables.order[value_id]
        return (0, value.index, order) if isinstance(value.owner, Block) else (1, 0, order)

    def _base(self, buffer: Value, block: Block, terminator: Operation, build: Builder) -> Value:
        if _is_unranked(buffer):
            ranked = build.ranked(buffer)
            block.insert_before(terminator, ranked)
            buffer = ranked.results[0]
        metadata = build.metadata(buffer)
        block.insert_before(terminator, metadata)
        return metadata.results[0]

    def _to_retain(self, name: str, index: int, terminator: Operation) -> tuple[list[str], list[Value]]:
        """What to retain on one edge: forwarded operands first, then what is live; as keys and as values."""
        ids: list[str] = []
        values: list[Value] = []
        forwarded = sorted(row for row in self.tables.forwards.get(name, ()) if row[0] == index)
        for _, operand, value in forwarded:
            current = terminator.operands[int(operand)]
            if current not in values:
                values.append(current)
                ids.append(str(value) if current is self.facts.values[str(value)] else f"operand {operand}")
        live = {str(v) for i, v in self.tables.retained.get(name, ()) if i == index}.difference(ids)
        for value_id in sorted(live, key=lambda v: self._live_order(self.facts.values[v], v)):
            ids.append(value_id)
            values.append(self.facts.values[value_id])
        return ids, values

    def _on_edge(
        self, name: str, index: int, indicators: list[str], block: Block, terminator: Operation, build: Builder
    ) -> list[Value]:
        """The conditions of the deallocation on one edge: owned, and the edge is taken."""
        taken: Value | None = None
        for edge, condition, when in self.tables.edge_condition.get(name, ()):
            if edge == index:
                taken = self.facts.values[str(condition)]
                if not when:
                    negation = build.negation(taken, self._constant("true"))
                    block.insert_before(terminator, negation)
                    taken = negation.results[0]
        if taken is None:
            return [self._indicator(indicator) for indicator in indicators]
        result: list[Value] = []
        for indicator in indicators:
            if indicator == "true":
                result.append(taken)
            else:
                both = build.conjunction(self._indicator(indicator), taken)
                block.insert_before(terminator, both)
                result.append(both.results[0])
        return result

    def _end_ownership(
        self,
        name: str,
        updated: Mapping[tuple[int, str], Value],
        retained: Mapping[int, list[str]],
        block: Block,
        terminator: Operation,
        build: Builder,
    ) -> None:
        """Give a value to the indicators `end %x` of the buffers defined in this block."""
        for value, index in self.tables.ends_with.get(name, ()):
            self.indicators[f"end {value}"] = updated[int(index), str(value)]
        chosen = {str(value) for (value,) in self.tables.ends_with_choice.get(name, ())}
        if not chosen:
            return
        conditions = {int(i): str(c) for i, c, when in self.tables.edge_condition[name] if when}
        condition = self.facts.values[conditions[0]]
        for value in retained[1]:
            if value in chosen:
                choice = build.choice(condition, updated[0, value], updated[1, value])
                block.insert_before(terminator, choice)
                self.indicators[f"end {value}"] = choice.results[0]

    def _pass_on(self, terminator: Operation, updated: Mapping[tuple[int, str], Value]) -> None:
        rows = self.tables.passes_ownership.get(self.tables.operation_id[terminator], ())
        by_edge: dict[int, list[tuple[int, str]]] = defaultdict(list)
        for operand, index, value in rows:
            by_edge[int(index)].append((int(operand), str(value)))
        grown: list[Value] = []
        for index in sorted(by_edge, reverse=True):  # back to front: growing one list moves the operands behind it
            operands = sorted(by_edge[index])
            grown = [
                updated[index, value] if (index, value) in updated else self._constant("false")
                for _, value in operands
            ]
            edits.grow_operands(terminator, operands[-1][0], grown)
        returns = self.tables.grows_function_result.get(self.tables.function_id[self.function], ())
        if grown and min(returns, default=None) == (self.tables.operation_id[terminator],):
            edits.grow_function_results(self.function, ["i1"] * len(grown))

    # ---- values for indicators

    def _indicator(self, name: str) -> Value:
        if name in ("true", "false"):
            return self._constant(name)
        return self.indicators[name]

    def _constant(self, name: str) -> Value:
        if name not in self.constants:
            self.constants[name] = self._builder(self.entry.operations[0]).constant(name == "true")
        return self.constants[name].results[0]

    def _place_constants(self) -> None:
        """Put each constant where the rules first want one; deep inside, that means at the start of the function."""
        missing = dict(self.constants)
        at_start = 0  # how many constants lead the entry block
        for name, block, before in self._constant_places():
            constant = missing.pop(name, None)
            if constant is None:
                continue
            if block is not self.entry:
                self.entry.prepend(constant)
            else:
                self.entry.insert_before(before or self.entry.operations[at_start], constant)
                at_start += before is None
            if not missing:
                return
        for constant in missing.values():
            self.entry.prepend(constant)

    def _constant_places(self) -> Iterator[tuple[str, Block | None, Operation | None]]:
        """Where the rules want constants, the first place first: a block, and an operation of it (None: its start)."""
        tables = self.tables
        for op in self.original:
            name = tables.operation_id[op]
            for (constant,) in tables.made_before.get(name, ()):
                yield str(constant), op.block, op
            for (constant,) in tables.made_behind.get(name, ()):
                yield str(constant), None, op
            for region in op.regions:
                for block in region.blocks:
                    rows = tables.made_at_start.get(tables.block_id[block], ())
                    for constant, _ in sorted(rows, key=lambda row: -int(row[1])):
                        yield str(constant), block, None
        for op in self.original:
            if tables.operation_id[op] in tables.made_late:
                yield "false", op.block, op

    def _builder(self, beside: Operation) -> Builder:
        return Builder(lambda hint: self.module.fresh_name(self.function, hint), beside.generic)


def _numbers(rows: Iterable[tuple[str | int, ...]]) -> list[int]:
    return [int(row[0]) for row in rows]


def _is_unranked(buffer: Value) -> bool:
    return parse_memref(buffer.type).rank is None


def _block_of(value: Value) -> Block | None:
    return value.owner if isinstance(value.owner, Block) else value.owner.block


def _predecessors_first(region: Region) -> list[Block]:
    """The blocks of `region` such that a block follows every block that dominates it; unreachable ones last."""
    if len(region.blocks) <= 1:
        return list(region.blocks)
    done: list[Block] = []
    seen = {region.blocks[0]}
    stack = [(region.blocks[0], _next_blocks(region.blocks[0]))]
    while stack:
        block, successors = stack[-1]
        if successors:
            following = successors.pop()
            if following not in seen:
                seen.add(following)
                stack.append((following, _next_blocks(following)))
        else:
            done.append(block)
            stack.pop()
    done.reverse()
    return done + [block for block in region.blocks if block not in seen]


def _next_blocks(block: Block) -> list[Block]:
    return [successor.block for successor in block.operations[-1].successors] if block.operations else []
