"""Builders for the operations that Dealog creates, each in the form, custom or generic, of its surroundings."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from dealog.frontend import Module
from dealog.frontend.ir import Block, Operation, Successor, Value
from dealog.frontend.layouts import strides
from dealog.frontend.types import MemRefType, parse_memref

Namer = Callable[[str], str]
"""Gives a fresh SSA name (`%own_1`) from a hint (`own`)."""

_PREDICATES = {"eq": 0, "ne": 1, "ult": 6}  # of arith.cmpi
_TO_TYPE = "{name} {{o0:}} : {{ot0:}} to {{rt0:}}"
_CONVERSIONS = {
    name: _TO_TYPE.format(name=name)
    for name in (
        "bufferization.to_buffer", "bufferization.to_tensor", "builtin.unrealized_conversion_cast", "memref.cast",
    )
}  # fmt: skip
"""The operations of any number of operands that `Builder.operation` can write in their custom form."""
_ARITHMETIC = ("arith.addi", "arith.maxsi", "arith.muli")  # operations that are written `name %left, %right : type`
_SIMPLE = ("memref.dealloc", "gpu.dealloc")  # operations that are written `name %operand : type`
_NOT_PLAIN = re.compile(r'["\\\x00-\x1f\x7f]')  # what a string has to write in another way
_DYNAMIC = -(2**63)  # how the generic form writes a size that is an operand


class Builder:
    """Creates operations in one form: generic where `generic` is true, custom otherwise. With a `module`, types may be
    aliases there, and block arguments get names that are fresh at `where`.

    Every method returns a new operation that stands nowhere yet; `fresh` is asked for the names of results.
    """

    def __init__(
        self, fresh: Namer, generic: bool, module: Module | None = None, where: Operation | None = None
    ) -> None:
        self.fresh = fresh
        self.generic = generic
        self.module = module
        self.where = where

    def constant(self, value: bool) -> Operation:
        """`arith.constant true` or `false`."""
        text = "true" if value else "false"
        return self._make("arith.constant", (), ["i1"], [text], f"arith.constant {text}", {"value": text})

    def constant_of(self, text: str) -> Operation:
        """The constant that is written `text`: `true`, `false`, or an index such as `3 : index`."""
        return self.constant(text == "true") if text in ("true", "false") else self.index(int(text.partition(" ")[0]))

    def any_of(self, values: Sequence[Value]) -> list[Operation]:
        """The disjunction of some i1, which is that of the last operation; of a single one, there is none."""
        made: list[Operation] = []
        for value in values[1:]:
            made.append(self.disjunction(made[-1].results[0] if made else values[0], value))
        return made

    def negation(self, condition: Value, true: Value) -> Operation:
        """The negation of an i1."""
        return self._i1("arith.xori", condition, true, "not")

    def conjunction(self, left: Value, right: Value) -> Operation:
        """Both of two i1."""
        return self._i1("arith.andi", left, right)

    def choice(self, condition: Value, then: Value, otherwise: Value) -> Operation:
        """`arith.select` between two i1, or two buffers of one type."""
        operands, name = (condition, then, otherwise), "own" if then.type == "i1" else "other"
        return self._make("arith.select", operands, [then.type], [name], "arith.select {0}, {1}, {2} : {t1}")

    def check(self, condition: Value, message: str) -> Operation:
        """`cf.assert`: fail with `message` at run time unless `condition` holds."""
        quoted = _NOT_PLAIN.sub(lambda match: "".join(f"\\{byte:02X}" for byte in match[0].encode()), message)
        custom = 'cf.assert {0}, "' + quoted + '"'
        return self._make("cf.assert", (condition,), [], [], custom, {"msg": f'"{quoted}"'})

    def clone(self, buffer: Value) -> Operation:
        """`bufferization.clone` of `buffer`."""
        custom = "bufferization.clone {0} : {t0} to {t0}"
        return self._make("bufferization.clone", (buffer,), [buffer.type], ["clone"], custom)

    def unless_owned(self, kept: Value, buffer: Value, owned: Value) -> Operation:
        """`scf.if owned` that yields `kept`, or else a clone of `buffer`."""
        op = self._make(
            "scf.if", (owned,), [buffer.type], ["owned"], "scf.if {0} -> ({rt0:}) {region0} else {region1}"
        )
        keep, copy = op.add_region().add_block(), op.add_region().add_block()
        keep.append(self._yield(kept))
        clone = self.clone(buffer)
        copy.append(clone)
        copy.append(self._yield(clone.results[0]))
        return op

    def ranked(self, buffer: Value) -> Operation:
        """`memref.reinterpret_cast` of an unranked `buffer` to rank 0, which gives access to its metadata."""
        type = str(replace(parse_memref(buffer.type), shape=(), layout="strided<[]>"))
        custom = "memref.reinterpret_cast {0} to offset: [0], sizes: [], strides: [] : {t0} to {rt0}"
        attributes = {
            "operandSegmentSizes": "array<i32: 1, 0, 0, 0>",
            "static_offsets": "array<i64: 0>",
            "static_sizes": "array<i64>",
            "static_strides": "array<i64>",
        }
        return self._make("memref.reinterpret_cast", (buffer,), [type], ["ranked"], custom, attributes)

    def metadata(self, buffer: Value) -> Operation:
        """`memref.extract_strided_metadata` of a ranked `buffer`; result 0 is its base buffer."""
        memref = parse_memref(buffer.type)
        rank = len(memref.shape or ())
        types = [memref.base] + ["index"] * (1 + 2 * rank)
        names = ["base_buffer", "offset"] + ["sizes"] * rank + ["strides"] * rank
        custom = f"memref.extract_strided_metadata {{0}} : {{t0}} -> {', '.join(types)}"
        return self._make("memref.extract_strided_metadata", (buffer,), types, names, custom)

    def dealloc(
        self, buffers: Sequence[Value], conditions: Sequence[Value], retained: Sequence[Value]
    ) -> Operation:
        """`bufferization.dealloc`: frees each of `buffers` whose condition holds and that nothing retained
        aliases.

        Its results are the updated conditions, one for each of `retained`.
        """
        n, m = len(buffers), len(retained)
        custom = "bufferization.dealloc"
        if n:
            custom += f" ({{o0:{n}}} : {{ot0:{n}}}) if ({{o{n}:{2 * n}}})"
        if m:
            custom += f" retain ({{o{2 * n}:{2 * n + m}}} : {{ot{2 * n}:{2 * n + m}}})"
        return self._make(
            "bufferization.dealloc",
            (*buffers, *conditions, *retained),
            ["i1"] * m,
            ["own"] * m,
            custom,
            {"operandSegmentSizes": f"array<i32: {n}, {n}, {m}>"},
        )

    def dealloc_of(self, operands: Sequence[Value], retained: int) -> Operation:
        """The same of its operands: buffers, as many conditions, and the last `retained` that it retains."""
        count = (len(operands) - retained) // 2
        return self.dealloc(operands[:count], operands[count : 2 * count], operands[2 * count :])

    # ---- lowered to memref, scf and func

    def index(self, value: int) -> Operation:
        """`arith.constant` of type index."""
        text = f"{value} : index"
        hints = [f"c{value}"]
        return self._make("arith.constant", (), ["index"], hints, f"arith.constant {text}", {"value": text})

    def compare(self, predicate: str, left: Value, right: Value, hint: str = "alias") -> Operation:
        """`arith.cmpi` of two indices; `predicate` is one of `eq`, `ne` and `ult`."""
        custom = f"arith.cmpi {predicate}, {{0}}, {{1}} : index"
        attributes = {"predicate": f"{_PREDICATES[predicate]} : i64"}
        return self._make("arith.cmpi", (left, right), ["i1"], [hint], custom, attributes)

    def disjunction(self, left: Value, right: Value) -> Operation:
        """At least one of two i1."""
        return self._i1("arith.ori", left, right)

    def product(self, left: Value, right: Value) -> Operation:
        """The product of two indices."""
        return self._make("arith.muli", (left, right), ["index"], ["size"], "arith.muli {0}, {1} : index")

    def alloc(self, type: str, sizes: Sequence[Value] = (), alignment: str | None = None) -> Operation:
        """`memref.alloc`; `alignment` is the text of the attribute."""
        return self._allocation("memref.alloc", type, sizes, alignment)

    def row_major(self, type: str, sizes: Sequence[Value], alignment: str | None) -> Operation:
        """`memref.alloc` of `type` without its layout."""
        return self.alloc(str(replace(self._memref(type), layout=None)), sizes, alignment)

    def unranked(self, source: Value, zero: Value, one: Value, type: str) -> list[Operation]:
        """What allocates a buffer of the unranked `type` with the sizes of `source`, which are collected in a loop; the
        last operation gives it. `zero` and `one` are these indices."""
        rank = self.rank(source)
        shape = self.alloca("memref<?xindex>", [rank.results[0]])

        def collect(dimension: Value, so_far: Value) -> tuple[list[Operation], Value]:
            dim = self.dim(source, dimension)
            product = self.product(so_far, dim.results[0])
            store = self.store(dim.results[0], shape.results[0], dimension)
            return [dim, store, product], product.results[0]

        size = self.fold((zero, rank.results[0], one), one, collect, "size")
        alloc = self.alloc(str(replace(self._memref(type), shape=(None,))), [size.results[0]])
        return [rank, shape, size, alloc, self.reshape(alloc.results[0], shape.results[0], type)]

    def alloca(self, type: str, sizes: Sequence[Value]) -> Operation:
        """`memref.alloca`."""
        return self._allocation("memref.alloca", type, sizes, None)

    def free(self, buffer: Value, name: str = "memref.dealloc") -> Operation:
        """The operation `name`, whose one operand is `buffer`."""
        custom = f"{name} {{0}} : {{t0}}" if name in _SIMPLE else None
        return self._make(name, (buffer,), [], [], custom)

    def copy(self, source: Value, target: Value) -> Operation:
        """`memref.copy`."""
        return self._make("memref.copy", (source, target), [], [], "memref.copy {0}, {1} : {t0} to {t1}")

    def cast(self, buffer: Value, type: str) -> Operation:
        """`memref.cast`."""
        return self._make("memref.cast", (buffer,), [type], ["cast"], "memref.cast {0} : {t0} to {rt0}")

    def pointer(self, buffer: Value) -> Operation:
        """`memref.extract_aligned_pointer_as_index`: where the allocation of `buffer` starts."""
        name = "memref.extract_aligned_pointer_as_index"
        return self._make(name, (buffer,), ["index"], ["pointer"], f"{name} {{0}} : {{t0}} -> index")

    def dim(self, buffer: Value, dimension: Value) -> Operation:
        """`memref.dim`: the size of `buffer` in a dimension."""
        return self._make("memref.dim", (buffer, dimension), ["index"], ["dim"], "memref.dim {0}, {1} : {t0}")

    def rank(self, buffer: Value) -> Operation:
        """`memref.rank`: the number of dimensions of `buffer`."""
        return self._make("memref.rank", (buffer,), ["index"], ["rank"], "memref.rank {0} : {t0}")

    def load(self, buffer: Value, index: Value, hint: str = "own") -> Operation:
        """`memref.load` from a `buffer` with one dimension."""
        type = parse_memref(buffer.type).element
        return self._make("memref.load", (buffer, index), [type], [hint], "memref.load {0}[{1}] : {t0}")

    def store(self, value: Value, buffer: Value, index: Value) -> Operation:
        """`memref.store` to a `buffer` with one dimension."""
        return self._make("memref.store", (value, buffer, index), [], [], "memref.store {0}, {1}[{2}] : {t1}")

    def subview(self, buffer: Value, size: Value | int) -> Operation:
        """`memref.subview` of the first `size` elements of a `buffer` with one dimension."""
        static = size if isinstance(size, int) else None
        type = replace(parse_memref(buffer.type), shape=(static,), layout="strided<[1]>")
        custom = f"memref.subview {{0}}[0] [{_mixed(size)}] [1] : {{t0}} to {{rt0}}"
        return self._slice("memref.subview", buffer, size, str(type), "subview", custom)

    def view(self, buffer: Value, offset: Value, type: str) -> Operation:
        """`memref.view` of a `buffer` of bytes from `offset` on."""
        custom = "memref.view {0}[{1}][] : {t0} to {rt0}"
        return self._make("memref.view", (buffer, offset), [type], ["view"], custom)

    def global_variable(self, symbol: str, type: str, alignment: str) -> Operation:
        """A private `memref.global` called `symbol`, without `@`, that is not initialized."""
        properties = {
            "alignment": alignment,
            "initial_value": "",
            "sym_name": f'"{symbol}"',
            "sym_visibility": '"private"',
            "type": type,
        }
        custom = f'memref.global "private" @{symbol} : {type} = uninitialized {{alignment = {alignment}}}'
        return self._make("memref.global", (), [], [], custom, properties)

    def get_global(self, symbol: str, type: str) -> Operation:
        """`memref.get_global` of the variable called `symbol`, without `@`."""
        custom = f"memref.get_global @{symbol} : {{rt0}}"
        return self._make("memref.get_global", (), [type], ["arena"], custom, {"name": f"@{symbol}"})

    def resized(self, buffer: Value, size: Value | int, type: str) -> Operation:
        """`memref.reinterpret_cast` of a `buffer` with one dimension to `size` elements."""
        sizes = f"offset: [0], sizes: [{_mixed(size)}], strides: [1]"
        custom = f"memref.reinterpret_cast {{0}} to {sizes} : {{t0}} to {{rt0}}"
        return self._slice("memref.reinterpret_cast", buffer, size, type, "resized", custom)

    def strided(self, buffer: Value, sizes: Sequence[Value], type: str) -> Operation:
        """`memref.reinterpret_cast` of a `buffer` with one dimension to a `type` with strides.

        `sizes` are first the sizes that the type leaves open, then the strides. An offset that it leaves open is 0.

        Raises `ValueError` where the layout of `type` is not a strided one, or leaves another number of sizes and
        strides open.
        """
        target = parse_memref(type)
        layout = strides(target)
        if layout is None:
            raise ValueError(f"the layout of '{type}' is not strided")
        shape = target.shape or ()
        opened = [each.count(None) for each in (shape, layout.strides)]
        if sum(opened) != len(sizes):
            raise ValueError(f"'{type}' leaves open {sum(opened)} of its sizes and strides, and {len(sizes)} are given")
        attributes = {"operandSegmentSizes": f"array<i32: 1, 0, {opened[0]}, {opened[1]}>"}
        written = []
        given = 0
        lists = {"offset": (layout.offset or 0,), "sizes": shape, "strides": layout.strides}
        for word, attribute in zip(lists, ("static_offsets", "static_sizes", "static_strides"), strict=True):
            numbers = lists[word]
            static = ", ".join(str(_DYNAMIC if each is None else each) for each in numbers)
            attributes[attribute] = f"array<i64: {static}>" if static else "array<i64>"
            mixed = []
            for each in numbers:
                given += each is None
                mixed.append(f"{{{given}}}" if each is None else str(each))
            written.append(f"{word}: [{', '.join(mixed)}]")
        custom = f"memref.reinterpret_cast {{0}} to {', '.join(written)} : {{t0}} to {{rt0}}"
        return self._make("memref.reinterpret_cast", (buffer, *sizes), [type], ["strided"], custom, attributes)

    def reshape(self, buffer: Value, shape: Value, type: str) -> Operation:
        """`memref.reshape` of `buffer` to the sizes in the buffer `shape`."""
        custom = "memref.reshape {0}({1}) : ({t0}, {t1}) -> {rt0}"
        return self._make("memref.reshape", (buffer, shape), [type], ["reshape"], custom)

    def call(self, function: str, operands: Sequence[Value]) -> Operation:
        """`func.call` of a function without results; `function` is its symbol without `@`."""
        n = len(operands)
        custom = f"func.call @{function}({{o0:{n}}}) : ({{ot0:{n}}}) -> ()"
        return self._make("func.call", operands, [], [], custom, {"callee": f"@{function}"})

    def operation(
        self, name: str, operands: Sequence[Value], types: Sequence[str], attributes: dict[str, str]
    ) -> Operation:
        """Any operation without regions, with results of these `types`."""
        custom = None if attributes or not operands else _CONVERSIONS.get(name)
        if name in _ARITHMETIC and not attributes and (len(operands), len(types)) == (2, 1):
            custom = f"{name} {{0}}, {{1}} : {{t0}}"
        return self._make(name, operands, types, [name.rpartition(".")[2]] * len(types), custom, attributes)

    def when(self, condition: Value, body: Sequence[Operation]) -> Operation:
        """`scf.if` without results that runs `body`."""
        op = self._make("scf.if", (condition,), [], [], "scf.if {0} {region0}")
        self._fill(op.add_region().add_block(), body)
        op.add_region()
        return op

    def when_else(
        self,
        condition: Value,
        then: Sequence[Operation],
        then_value: Value,
        otherwise: Sequence[Operation],
        else_value: Value,
    ) -> Operation:
        """`scf.if` that runs `then` and yields `then_value`, or runs `otherwise` and yields `else_value`."""
        custom = "scf.if {0} -> ({rt0:}) {region0} else {region1}"
        op = self._make("scf.if", (condition,), [then_value.type], ["chosen"], custom)
        self._fill(op.add_region().add_block(), then, then_value)
        self._fill(op.add_region().add_block(), otherwise, else_value)
        return op

    def loop(
        self, bounds: tuple[Value, Value, Value], body: Callable[[Value], Sequence[Operation]]
    ) -> Operation:
        """`scf.for` from, to and by `bounds`; `body` makes its operations from the induction variable."""
        name = self.fresh("i")
        op = self._make("scf.for", bounds, [], [], f"scf.for {name} = {{0}} to {{1}} step {{2}} {{body0}}")
        block = op.add_region().add_block(["index"], [name])
        self._fill(block, body(block.arguments[0]))
        return op

    def fold(
        self,
        bounds: tuple[Value, Value, Value],
        initial: Value,
        body: Callable[[Value, Value], tuple[Sequence[Operation], Value]],
        hint: str,
    ) -> Operation:
        """`scf.for` that carries one value, `initial` at first; `body` makes its operations, and the value
        that it yields, from the induction variable and the value carried."""
        names = [self._argument("i"), self._argument(hint)]
        carried = f"iter_args({names[1]} = {{3}}) -> ({{rt0}})"
        custom = f"scf.for {names[0]} = {{0}} to {{1}} step {{2}} {carried} {{body0}}"
        op = self._make("scf.for", (*bounds, initial), [initial.type], [hint], custom)
        block = op.add_region().add_block(["index", initial.type], names)
        operations, result = body(*block.arguments)
        self._fill(block, operations, result)
        return op

    def private_function(
        self, name: str, types: Sequence[str], hints: Sequence[str], body: Callable[..., Sequence[Operation]]
    ) -> Operation:
        """A private `func.func` without results; `body` makes its operations from its arguments."""
        names = [self.fresh(hint) for hint in hints]
        arguments = ", ".join(f"{value}: {type}" for value, type in zip(names, types, strict=True))
        attributes = {
            "function_type": f"({', '.join(types)}) -> ()",
            "sym_name": f'"{name}"',
            "sym_visibility": '"private"',
        }
        custom = f"func.func private @{name}({arguments}) {{body0}}"
        op = self._make("func.func", (), [], [], custom, attributes)
        block = op.add_region().add_block(types, names)
        for inner in body(*block.arguments):
            block.append(inner)
        block.append(self._make("func.return", (), [], [], "return"))
        return op

    def branch(self, target: Block, values: Sequence[Value]) -> Operation:
        """`cf.br` to `target`, which is handed `values`."""
        op = self._make("cf.br", values, [], [], "cf.br {s0}")
        op.successors.append(Successor(target, 0, len(values)))
        return op

    def nothing_yielded(self, dialect: str, in_generic: bool) -> Operation:
        """The terminator, a yield of nothing, that `scf` and `affine` leave out unless the operation around it stands
        `in_generic` form."""
        end = self._make(f"{dialect}.yield", (), [], [], f"{dialect}.yield")
        end.elided = not in_generic
        return end

    def base(self, buffer: Value) -> list[Operation]:
        """What extracts the base buffer of `buffer`: it is the first result of the last operation."""
        if parse_memref(buffer.type).rank is not None:
            return [self.metadata(buffer)]
        ranked = self.ranked(buffer)
        return [ranked, self.metadata(ranked.results[0])]

    def alloc_like(self, buffer: Value, type: str) -> list[Operation]:
        """What allocates a buffer of `type` whose dynamic sizes are those of `buffer`; the last operation does."""
        operations, sizes = [], []
        for dimension, size in enumerate(parse_memref(type).shape or ()):
            if size is None:
                index = self.index(dimension)
                dim = self.dim(buffer, index.results[0])
                operations += [index, dim]
                sizes.append(dim.results[0])
        return [*operations, self.alloc(type, sizes)]

    def _allocation(self, name: str, type: str, sizes: Sequence[Value], alignment: str | None) -> Operation:
        n = len(sizes)
        attributes = {"operandSegmentSizes": f"array<i32: {n}, 0>"}
        custom = f"{name}({{o0:{n}}})" if n else f"{name}()"
        if alignment is not None:
            attributes = {"alignment": alignment, **attributes}
            custom += f" {{{{alignment = {alignment}}}}}"
        return self._make(name, sizes, [type], [name.partition(".")[2]], custom + " : {rt0}", attributes)

    def _slice(
        self, name: str, buffer: Value, size: Value | int, type: str, hint: str, custom: str
    ) -> Operation:
        """An operation on the first `size` elements: offset 0, stride 1."""
        dynamic = isinstance(size, Value)
        attributes = {
            "operandSegmentSizes": f"array<i32: 1, 0, {int(dynamic)}, 0>",
            "static_offsets": "array<i64: 0>",
            "static_sizes": f"array<i64: {_DYNAMIC if dynamic else size}>",
            "static_strides": "array<i64: 1>",
        }
        operands = (buffer, size) if isinstance(size, Value) else (buffer,)
        return self._make(name, operands, [type], [hint], custom, attributes)

    def _fill(self, block: Block, body: Sequence[Operation], value: Value | None = None) -> None:
        """Put `body` into a block of an scf operation, and a yield of `value`; one of nothing is left out."""
        for op in body:
            block.append(op)
        if value is not None:
            block.append(self._yield(value))
            return
        block.append(self.nothing_yielded("scf", self.generic))

    def _yield(self, value: Value) -> Operation:
        return self._make("scf.yield", (value,), [], [], "scf.yield {o0:} : {ot0:}")

    def _memref(self, type: str) -> MemRefType:
        return parse_memref(type if self.module is None else self.module.expanded(type))

    def _argument(self, hint: str) -> str:
        """The name of a block argument, which templates state."""
        if self.module is None or self.where is None:
            return self.fresh(hint)
        return self.module.fresh_name(self.where, hint)

    def _i1(self, name: str, left: Value, right: Value, hint: str = "own") -> Operation:
        return self._make(name, (left, right), ["i1"], [hint], f"{name} {{0}}, {{1}} : i1")

    def _make(
        self,
        name: str,
        operands: Sequence[Value],
        types: Sequence[str],
        hints: Sequence[str],
        custom: str | None,
        properties: dict[str, str] | None = None,
    ) -> Operation:
        return Operation.create(
            name,
            operands,
            types,
            [self.fresh(hint) for hint in hints],
            attributes=properties or {},
            properties=tuple(properties or ()),
            generic=self.generic,
            custom=custom,
        )


def _mixed(size: Value | int) -> str:
    """How the template of a custom form writes a size: a number, or operand 1."""
    return str(size) if isinstance(size, int) else "{1}"
