"""What a report tells of each function: its control flow, its live ranges, its alias classes.

What the rules say is taken down when the pass comes up that decides where buffers are freed (`Analysis`), for the
module as that pass sees it; the operations drawn are those of the output.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dealog.asking.reasons import origin
from dealog.asking.stage import Stage
from dealog.extensions import Extensions
from dealog.frontend import Block, Operation, Region, Value, is_memref
from dealog.report.model import (
    Class,
    FlowBlock,
    FlowEdge,
    FlowRegion,
    Function,
    Item,
    Leaving,
    LiveRange,
    Mark,
    Owned,
    Ownership,
    Span,
    Timeline,
)
from dealog.report_contents.sizes import bytes_of
from dealog.report_contents.text import Text

_FEW = 14  # operations of a block that are all shown
_SHOWN = 18  # items of a block, at most
_WIDTH = 46  # of what is shown of an operation
_MERGED: Sequence[Sequence[Sequence[str]]] = (
    (("inserted",),),
    (("inserted",), ("plain",)),
    (("inserted", "plain"),),
    (("inserted", "plain", "allocates"), ("frees",)),
    (("inserted", "plain", "allocates", "frees"),),
)
"""What is merged where a block has many operations: kinds of items that go together, distinguished less and less."""
_MADE_BUFFERS = ("memref.alloc", "scf.if", "arith.select")  # what of clones and choices is left at the end
_ROLES = {
    "scf.if": ("then", "else"),
    "affine.if": ("then", "else"),
    "scf.while": ("before", "after"),
}


@dataclass
class Analysis:
    """What the rules say about blocks, buffers and allocations."""

    allocated: dict[Value, Operation] = field(default_factory=dict)
    freed: dict[Block, list[tuple[Value, str]]] = field(default_factory=lambda: defaultdict(list))
    retained: dict[Block, dict[int, list[Value]]] = field(default_factory=lambda: defaultdict(dict))
    conditions: dict[Block, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))
    ownership: dict[tuple[Value, Block], str] = field(default_factory=dict)
    owned: dict[Block, list[tuple[Value, str]]] = field(default_factory=lambda: defaultdict(list))
    live_in: dict[Block, set[Value]] = field(default_factory=lambda: defaultdict(set))
    live_out: dict[Block, set[Value]] = field(default_factory=lambda: defaultdict(set))
    first: dict[Value, Value] = field(default_factory=dict)  # the buffer that something is a view of
    sites: dict[Operation, dict[str, list[Value]]] = field(default_factory=dict)
    surely: set[Value] = field(default_factory=set)  # buffers that lie in one allocation only
    site_values: dict[str, Value] = field(default_factory=dict)
    site_kinds: dict[str, tuple[str, str]] = field(default_factory=dict)  # the kind of a site, and what it is known as
    functions: dict[Operation, str] = field(default_factory=dict)
    leaving: dict[tuple[Block, int], Leaving] | None = None  # where the rules say it of each edge
    freeing: set[str] = field(default_factory=lambda: {"memref.dealloc"})  # the operations that are inserted to free
    text_frees: dict[Operation, list[Value]] = field(default_factory=lambda: defaultdict(list))


_ANALYSED = ("allocation", "ownership", "live_in", "live_out", "freed_if", "retained", "edge_condition", "text_frees")
_ALIASING = ("may_refer_to", "same_allocation", "refers_to_one", "site_kind")


_DECIDED = (
    "allocation", "owned_if", "freed_ahead", "freed_on_edge", "dies_on_edge", "handed_over",
    "on_loan_in", "on_loan_out", "text_frees", "freed_by",
)  # fmt: skip
_LIVE = ("live_in", "live_out")


def analyse(stage: Stage, extensions: Extensions) -> Analysis | None:
    """Take down what the rules say at `stage`; nothing where its pass does not decide where buffers are freed."""
    relations = stage.program.relations
    if stage.idle or not ("freed_if" in relations or "owned_if" in relations):
        return None
    return _of_blocks(stage, extensions) if "freed_if" in relations else _of_definers(stage, extensions)


def _of_definers(stage: Stage, extensions: Extensions) -> Analysis:
    """What the rules of the static deallocation say."""
    stage.require(_DECIDED)
    out = Analysis(leaving={})
    assert out.leaving is not None
    everything = Stage(stage.name, stage.module, extensions.everything(), stage.facts, stage.engine)
    everything.require((*_ALIASING, *_LIVE))
    tuples, every, facts = stage.database.tuples, everything.database.tuples, stage.facts
    values, blocks, operations = facts.values, facts.blocks, facts.operations
    out.functions = {op: name for name, op in facts.functions.items()}
    order = {values[str(v)]: int(n) for v, n in tuples("definition_order")}
    for value, op in tuples("allocation"):
        out.allocated[values[str(value)]] = operations[str(op)]
    for value, first in every("same_allocation"):
        out.first[values[str(value)]] = values[str(first)]
    for block, value in (*every("live_in"), *tuples("on_loan_in")):
        out.live_in[blocks[str(block)]].add(values[str(value)])
    for block, value in (*every("live_out"), *tuples("on_loan_out")):
        out.live_out[blocks[str(block)]].add(values[str(value)])
    owned = {values[str(value)]: str(indicator) for value, indicator in tuples("owned_if")}
    for buffer, indicator in sorted(owned.items(), key=lambda row: order[row[0]]):
        home = buffer.owner if isinstance(buffer.owner, Block) else buffer.owner.block
        assert home is not None
        out.owned[home].append((buffer, indicator))
        out.ownership[buffer, home] = indicator
    for at, live in out.live_in.items():
        out.ownership |= {(buffer, at): owned[buffer] for buffer in live if buffer in owned}
    frees: dict[tuple[Block, int], set[Value]] = defaultdict(set)
    keeps: dict[tuple[Block, int], set[Value]] = defaultdict(set)
    for value, op in tuples("freed_ahead"):
        frees[_edge(operations[str(op)], 0)].add(values[str(value)])
    for value, op, index, _ in tuples("dies_on_edge"):
        frees[_edge(operations[str(op)], int(index))].add(values[str(value)])
    for value, op, path, _, _ in tuples("handed_over"):
        edge = _edge(operations[str(op)], max(0, int(path)))
        if operations[str(op)] is edge[0].operations[-1]:
            keeps[edge].add(values[str(value)])
    out.freeing |= {str(freeing) for _, freeing in tuples("freed_by")}
    for edge in {**frees, **keeps}:
        freed, kept = (sorted(found[edge], key=order.__getitem__) for found in (frees, keeps))
        names = (v.name if owned.get(v) == "true" else f"{v.name} if owned" for v in freed)
        out.leaving[edge] = Leaving("", tuple(names), tuple(v.name for v in kept))
    _text_frees(stage, out)
    _aliasing(everything, out, order)
    return out


def _edge(op: Operation, index: int) -> tuple[Block, int]:
    assert op.block is not None
    return op.block, index


def _of_blocks(stage: Stage, extensions: Extensions) -> Analysis:
    """What the rules of the ownership-based deallocation say."""
    stage.require(_ANALYSED)
    out = Analysis()
    everything = Stage(stage.name, stage.module, extensions.everything(), stage.facts, stage.engine)
    everything.require(_ALIASING)
    tuples, values, blocks = stage.database.tuples, stage.facts.values, stage.facts.blocks
    out.functions = {op: name for name, op in stage.facts.functions.items()}
    order = {values[str(v)]: int(n) for v, n in tuples("definition_order")}
    for value, op in tuples("allocation"):
        out.allocated[values[str(value)]] = stage.facts.operations[str(op)]
    for block, value, indicator in tuples("freed_if"):
        out.freed[blocks[str(block)]].append((values[str(value)], str(indicator)))
    for block, index, value in tuples("retained"):
        out.retained[blocks[str(block)]].setdefault(int(index), []).append(values[str(value)])
    for block, index, condition, taken in tuples("edge_condition"):
        name = values[str(condition)].name
        out.conditions[blocks[str(block)]][int(index)] = f"if {name}" if taken else f"unless {name}"
    for value, first in everything.database.tuples("same_allocation"):
        out.first[values[str(value)]] = values[str(first)]
    own = {value for value in order if out.first.get(value, value) is value}  # a view goes with what it views
    for value, block, indicator in tuples("ownership"):
        out.ownership[values[str(value)], blocks[str(block)]] = str(indicator)
        if indicator != "false" and values[str(value)] in own:
            out.owned[blocks[str(block)]].append((values[str(value)], str(indicator)))
    for block, value in tuples("live_in"):
        out.live_in[blocks[str(block)]].add(values[str(value)])
    for block, value in tuples("live_out"):
        out.live_out[blocks[str(block)]].add(values[str(value)])
    for rows in (*out.freed.values(), *out.owned.values()):
        rows.sort(key=lambda row: order[row[0]])
    for edges in out.retained.values():
        for kept in edges.values():
            kept.sort(key=order.__getitem__)
    _text_frees(stage, out)
    _aliasing(everything, out, order)
    return out


def _text_frees(stage: Stage, out: Analysis) -> None:
    for name, operand in stage.database.tuples("text_frees"):
        op = stage.facts.operations[str(name)]
        out.text_frees[op].append(op.operands[int(operand)])


def _aliasing(everything: Stage, out: Analysis, order: dict[Value, int]) -> None:
    tuples, values = everything.database.tuples, everything.facts.values
    out.surely = {values[str(value)] for value, _ in tuples("refers_to_one")}
    out.site_kinds = {str(site): (str(kind), str(name)) for site, kind, name in tuples("site_kind")}
    out.site_values = {s: values[name] for s, (kind, name) in out.site_kinds.items() if kind == "buffer"}
    for value, site in tuples("may_refer_to"):
        buffer = values[str(value)]
        if buffer in order:
            function = _function_of(buffer, out)
            if function is not None:
                out.sites.setdefault(function, {}).setdefault(str(site), []).append(buffer)
    for function, classes in out.sites.items():
        for buffers in classes.values():
            buffers.sort(key=order.__getitem__)
        out.sites[function] = dict(sorted(classes.items(), key=lambda row: _site_order(row[0], out, order)))


def _site_order(site: str, analysis: Analysis, order: Mapping[Value, int]) -> tuple[int, int, str]:
    """Allocations as the text has them, then what calls returned, globals, and what comes from outside."""
    value = analysis.site_values.get(site)
    if value is not None:
        return 0, order.get(value, 0), site
    kind, _ = analysis.site_kinds[site]
    return list(_SITES).index(kind), 0, site


_SITES = {
    "buffer": "{}",
    "call": "what {} returned",
    "global": "the global variable {}",
    "outside": "whatever the callers of {}, or memory, may hold",
}
"""How the page calls the allocations of each kind, in the order in which it lists them."""


def _function_of(value: Value, analysis: Analysis) -> Operation | None:
    op: Operation | None = value.owner.parent_op if isinstance(value.owner, Block) else value.owner
    while op is not None and op not in analysis.functions:
        op = op.parent
    return op


def tell(analysis: Analysis, text: Text) -> Iterator[tuple[Operation, Function]]:
    """What there is to tell of each function with a body, in the order of the text."""
    for op, name in analysis.functions.items():
        if any(region.blocks for region in op.regions):
            yield op, _Teller(name, op, analysis, text).function()


# -------------------------------------------------------------------------------------------- in words


def ownership_of(indicator: str | None) -> Ownership:
    """The kind of an ownership indicator of the rules."""
    if indicator in (None, "false"):
        return "never"
    return {"true": "owned", "unknown": "unknown"}.get(str(indicator), "run-time")  # type: ignore[return-value]


def says_ownership(value: Value, indicator: str | None) -> str:
    """A sentence on who owns `value`, by the indicator that goes with it."""
    kind = ownership_of(indicator)
    if kind == "owned":
        return f"{value.name} is owned"
    if kind == "unknown":
        return f"no single indicator tells who owns {value.name}: several meet"
    if kind == "run-time":
        return f"an i1 tells whether {value.name} is owned"
    return f"{value.name} is never owned"


class _Teller:
    def __init__(self, name: str, function: Operation, analysis: Analysis, text: Text) -> None:
        self.name, self.op, self.analysis, self.text = name, function, analysis, text

    def function(self) -> Function:
        flow = self._region(self.op.regions[0], "")
        return Function(
            self.name, self.text.of(self.op), self._counts(), flow, self._timeline(), tuple(self._classes())
        )

    def _counts(self) -> tuple[str, ...]:
        found = counted(self.op.walk(), self.analysis)
        return tuple(f"{len(ops)} {name if len(ops) > 1 else COUNTED[name][0]}" for name, ops in found.items() if ops)

    # ---- control flow

    def _region(self, region: Region, role: str) -> FlowRegion:
        number = {block: i for i, block in enumerate(region.blocks)}
        blocks = tuple(self._block(block) for block in region.blocks)
        edges = []
        for block in region.blocks:
            for i, successor in enumerate(block.operations[-1].successors if block.operations else ()):
                edges.append(FlowEdge(number[block], number[successor.block], self._leaving(block, i)))
        return FlowRegion(blocks, tuple(edges), role)

    def _block(self, block: Block) -> FlowBlock:
        arguments = ", ".join(value.name for value in block.arguments)
        label = block.label or ("^bb0" if block.parent_op is self.op else "")
        label = f"{label}({arguments})" if arguments else label
        owned = tuple(
            Owned(value.name, ownership_of(indicator), says_ownership(value, indicator))
            for value, indicator in self.analysis.owned.get(block, ())
        )
        successors = block.operations[-1].successors if block.operations else []
        leaving = None if successors else self._leaving(block, 0)
        if leaving is not None and not leaving.frees and not leaving.keeps:
            leaving = None
        return FlowBlock(label, tuple(self._items(block)), owned, leaving, self.text.of(block))

    def _leaving(self, block: Block, index: int) -> Leaving:
        analysis = self.analysis
        if analysis.leaving is not None:
            return analysis.leaving.get((block, index), Leaving("", (), ()))
        kept = analysis.retained.get(block, {}).get(index, [])
        same = {analysis.first.get(value, value) for value in kept}
        frees = [
            value.name if indicator == "true" else f"{value.name} if owned"
            for value, indicator in analysis.freed.get(block, ())
            if analysis.first.get(value, value) not in same
        ]
        condition = analysis.conditions.get(block, {}).get(index, "")
        return Leaving(condition, tuple(frees), tuple(value.name for value in kept))

    def _items(self, block: Block) -> Iterable[Item]:
        operations = [op for op in block.operations if not op.elided]
        every = [self._item(op) for op in operations]
        if len(every) <= _FEW:
            return every
        items = every
        for merged in _MERGED:
            items = list(_grouped(every, *merged))
            if len(items) <= _SHOWN:
                break
        return items

    def _item(self, op: Operation) -> Item:
        row = self.text.of(op)
        full = self.text.rows[row].text.strip() if row is not None else op.name
        kind: str = "plain"
        regions: tuple[FlowRegion, ...] = ()
        shown = _shortened(full)
        if op.inserted:
            frees = [origin(o.operands[0]).name for o in op.walk() if o.name in self.analysis.freeing]
            kind = "frees" if frees and not _is_list(op) else "inserted"
            if frees and op.regions:
                shown = f"if {op.operands[0].name}: free {', '.join(dict.fromkeys(frees))}"
        elif any(result in self.analysis.allocated for result in op.results):
            kind = "allocates"
        elif op.block is not None and op is op.block.operations[-1] and op.parent is not None:
            kind = "terminator"
        if not op.inserted and op.regions and self._is_shown(op):
            roles = _ROLES.get(op.name, ())
            regions = tuple(
                self._region(region, roles[i] if i < len(roles) else "body" if len(op.regions) == 1 else f"region {i}")
                for i, region in enumerate(op.regions)
                if region.blocks
            )
        return Item(shown, kind, row, full, regions)  # type: ignore[arg-type]

    def _is_shown(self, op: Operation) -> bool:
        """Whether something happens in the regions of `op` that a reader of a report asks for."""
        analysis = self.analysis
        return any(
            block in analysis.freed
            or any(o.inserted or any(r in analysis.allocated for r in o.results) for o in block.operations)
            or any(a.offset < 0 for a in block.arguments)
            or any(self._is_shown(o) for o in block.operations if o.regions)
            for region in op.regions
            for block in region.blocks
        )

    # ---- live ranges

    def _line(self, entity: Operation | Block | Value) -> int:
        row = self.text.of(entity)
        while row is not None and row >= 0:
            number = self.text.rows[row].number
            if number is not None:
                return number
            row -= 1
        return 1

    def _end(self, op: Operation) -> int:
        """The last line of `op`."""
        *_, last = op.walk()
        return self._line(last) + (1 if last is not op else 0)

    def _timeline(self) -> Timeline:
        first, last = self._line(self.op), self._end(self.op)
        starts = []
        for block in self.op.regions[0].blocks:
            starts.append((self._line(block), block.label or "^bb0"))
        self.block_end: dict[Block, int] = {}
        for op in self.op.walk():
            for region in op.regions:
                for i, block in enumerate(region.blocks):
                    following = region.blocks[i + 1] if i + 1 < len(region.blocks) else None
                    end = self._line(following) - 1 if following is not None else self._end(op)
                    self.block_end[block] = max(end, self._line(block))
        views: dict[Value, list[Value]] = defaultdict(list)
        for op in self.op.walk():
            for value in (*op.results, *(a for r in op.regions for b in r.blocks for a in b.arguments)):
                if value in self.analysis.first or (value.offset >= 0 and is_memref(value.type)):
                    views[self.analysis.first.get(value, value)].append(value)
                elif op.inserted and op.name in _MADE_BUFFERS and is_memref(value.type) and self._is_shown_with(op):
                    views[value].append(value)
        uses: dict[Value, list[Operation]] = defaultdict(list)
        frees: dict[Value, list[Operation]] = defaultdict(list)
        for op in self.op.walk():
            if op.inserted:
                if op.name in self.analysis.freeing:
                    buffer = origin(op.operands[0])
                    frees[self.analysis.first.get(buffer, buffer)].append(op)
                for operand in dict.fromkeys(op.operands):  # a clone is filled and handed out by what was inserted
                    if operand in views and operand.offset < 0 and op.name in ("memref.copy", "scf.yield"):
                        uses[operand].append(op)
                continue
            for operand in dict.fromkeys(op.operands):
                if is_memref(operand.type):
                    uses[self.analysis.first.get(operand, operand)].append(op)
        ranges = [self._range(value, members, uses[value], frees[value]) for value, members in views.items()]
        ranges = sorted((r for r in ranges if r.spans), key=lambda r: (r.ownership == "never", r.spans[0].start))
        return Timeline(first, last, tuple(starts), tuple(ranges))

    def _is_shown_with(self, op: Operation) -> bool:
        """Whether an inserted operation makes a clone or a choice, and no list of a helper."""
        return self.text.of(op) is not None and (
            op.name != "memref.alloc" or (op.ancestor is not None and op.ancestor.name == "bufferization.clone")
        )

    def _range(
        self, value: Value, members: Sequence[Value], uses: Sequence[Operation], frees: Sequence[Operation]
    ) -> LiveRange:
        analysis = self.analysis
        home = value.owner if isinstance(value.owner, Block) else value.owner.block
        assert home is not None
        defined = self._line(value)
        made = value.offset < 0 and isinstance(value.owner, Operation)
        heap = value in analysis.allocated or (made and _is_alloc(value))
        end_of_use: dict[Block, int] = {}
        for op in uses:
            at = _within(op, home.region)
            if at is not None and at.block is not None:
                end = self._end(at) if at is not op else self._line(op)
                end_of_use[at.block] = max(end, end_of_use.get(at.block, 0))
        marks: list[Mark] = [(defined, "alloc")] if heap else []
        marks += [(self._line(op), "use") for op in uses]
        freed: dict[Block, int] = {}
        for op in frees:
            at = _within(op, home.region)
            conditional = op.parent is not None and op.parent.inserted
            marks.append((self._line(op), "free-if" if conditional else "free"))
            if at is not None and at.block is not None:
                freed[at.block] = max(self._line(op), freed.get(at.block, 0))
        spans: list[Span] = []
        for block in home.region.blocks:
            here = block is home
            comes = any(m in analysis.live_in[block] for m in members) if block in analysis.live_in else False
            goes = any(m in analysis.live_out[block] for m in members) if block in analysis.live_out else False
            if not (here or comes or block in freed):
                continue
            start = max(defined, self._line(block)) if here else self._line(block)
            indicator = analysis.ownership.get((value, block))
            if indicator is None:
                known = (analysis.ownership.get((m, block)) for m in members)
                indicator = next((o for o in known if o is not None), None)
            kind = "owned" if made else ownership_of(indicator)
            end = self.block_end[block] if goes else max(end_of_use.get(block, start), start)
            if here or comes:
                spans.append(Span(start, end, kind, True))
            if freed.get(block, 0) > end or not (here or comes):
                spans.append(Span(end if here or comes else start, freed[block], kind, False))
        indicator = analysis.ownership.get((value, home))
        return LiveRange(
            value.name,
            value.type,
            tuple(m.name for m in members if m is not value),
            "owned" if made else ownership_of(indicator),
            f"{value.name} was inserted, and is owned" if made else says_ownership(value, indicator),
            tuple(spans),
            tuple(dict.fromkeys(sorted(marks))),
            self.text.of(value),
            bytes_of(value.type),
            heap,
            made,
        )

    # ---- alias classes

    def _classes(self) -> Iterator[Class]:
        analysis = self.analysis
        for site, buffers in analysis.sites.get(self.op, {}).items():
            value = analysis.site_values.get(site)
            surely = [(v.name, self.text.of(v)) for v in buffers if v in analysis.surely]
            perhaps = [(v.name, self.text.of(v)) for v in buffers if v not in analysis.surely]
            row = self.text.of(value) if value is not None else None
            yield Class(self._site(site), tuple(surely), tuple(perhaps), row)

    def _site(self, site: str) -> str:
        kind, name = self.analysis.site_kinds[site]
        return _SITES[kind].format(name.replace(f"{self.name}/", ""))


def _is_alloc(value: Value) -> bool:
    return isinstance(value.owner, Operation) and value.owner.name == "memref.alloc"


def _within(op: Operation, region: Region) -> Operation | None:
    """The operation of a block of `region` that is `op` or around it."""
    at: Operation | None = op
    while at is not None and at.block is not None:
        if at.block.region is region:
            return at
        at = at.parent
    return None


def _is_list(op: Operation) -> bool:
    """Whether `op` frees one of the lists that a helper function works on."""
    owner = origin(op.operands[0]).owner if op.operands else None
    return op.name == "memref.dealloc" and isinstance(owner, Operation) and owner.inserted


def _shortened(text: str) -> str:
    text = text.partition("  //")[0].removesuffix("{").strip()
    for separator in (" : ", " -> ", " ins("):
        if len(text) > _WIDTH:
            text = text.partition(separator)[0]
    cut = text[: _WIDTH - 1] if len(text) > _WIDTH else text
    return f"{cut}…" if cut != text or text.count("(") > text.count(")") else text


def _grouped(items: Sequence[Item], *merged: Sequence[str]) -> Iterator[Item]:
    """`items`, with one in place of each run of several whose kinds are in the same list of `merged`; what has
    regions, and the last, stays."""
    run: list[Item] = []
    group: Sequence[str] | None = None

    def flush() -> Iterator[Item]:
        if len(run) <= 1:
            yield from run
        else:
            kinds = Counter(item.kind for item in run)
            rest = kinds["plain"] + kinds["terminator"]
            parts = [f"{kinds['allocates']} allocations"] if kinds["allocates"] else []
            parts += [f"{kinds['frees']} deallocations"] if kinds["frees"] else []
            parts += [f"{kinds['inserted']} inserted"] if kinds["inserted"] else []
            if rest:
                parts.append(f"{rest} other operations" if parts else f"{rest} operations")
            kind = "frees" if kinds["frees"] else "inserted" if set(kinds) == {"inserted"} else "more"
            listed = "\n".join(item.full for item in run[:40])
            yield Item(f"⋯ {', '.join(parts)}", kind, run[0].row, listed)  # type: ignore[arg-type]
        run.clear()

    for i, item in enumerate(items):
        own = None if item.regions or i == len(items) - 1 else next((m for m in merged if item.kind in m), None)
        if own is None or own != group:
            yield from flush()
        group = own
        if own is None:
            yield item
        else:
            run.append(item)
    yield from flush()


# ------------------------------------------------------------------------------------------- counting

COUNTED = {
    "allocations": ("allocation", "operations of the source that allocate on the heap"),
    "deallocations": ("deallocation", "of the module's buffers, inserted; those on a condition included"),
    "run-time checks": ("run-time check", "comparisons of addresses that are left"),
    "clones": ("clone", "copies made since only owned buffers may be returned"),
    "helper calls": ("helper call", "calls of a function that compares several buffers with each other"),
    "operations inserted": ("operation inserted", "in all, without the helper function"),
}
"""What is counted, for one of it, and what is meant."""


def counted(operations: Iterable[Operation], analysis: Analysis) -> dict[str, list[Operation]]:
    """What of `operations`, of the output and in its order, has to do with deallocation."""
    found: dict[str, list[Operation]] = {name: [] for name in COUNTED}
    helpers: set[Operation] = set()
    for op in operations:
        if op.parent in helpers or (op.inserted and op.name == "func.func"):
            helpers.add(op)
            continue
        if any(result in analysis.allocated for result in op.results):
            found["allocations"].append(op)
        if not op.inserted or op.elided:
            continue
        found["operations inserted"].append(op)
        if op.name in analysis.freeing and not _is_list(op):
            found["deallocations"].append(op)
        elif op.name == "arith.cmpi" and any(_is_address(v) for v in op.operands):
            found["run-time checks"].append(op)
        elif op.name == "func.call":
            found["helper calls"].append(op)
        elif op.name == "memref.copy" and _lowers_clone(op):
            found["clones"].append(op)
    return found


def _is_address(value: Value) -> bool:
    return isinstance(value.owner, Operation) and value.owner.name == "memref.extract_aligned_pointer_as_index"


def _lowers_clone(op: Operation) -> bool:
    return op.ancestor is not None and op.ancestor.name == "bufferization.clone" and op.ancestor.inserted
