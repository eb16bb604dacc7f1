"""Builders for the operations that Dealog creates, each in the form (custom or generic) of its surroundings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from dealog.frontend.ir import Operation, Value
from dealog.frontend.types import parse_memref


Namer = Callable[[str], str]
"""Gives a fresh SSA name (`%own_1`) from a hint (`own`)."""


class Builder:
    """Creates operations in one form: generic where `generic` is true, custom otherwise.

    Every method returns a new operation that stands nowhere yet; `fresh` is asked for the names of results.
    """

    def __init__(self, fresh: Namer, generic: bool) -> None:
        self.fresh = fresh
        self.generic = generic

    def constant(self, value: bool) -> Operation:
        """`arith.constant true` or `false`."""
        text = "true" if value else "false"
        return self._make("arith.constant", (), ["i1"], [text], f"arith.constant {text}", {"value": text})

    def negation(self, condition: Value, true: Value) -> Operation:
        """The negation of an i1."""
        return self._i1("arith.xori", condition, true, "not")

    def conjunction(self, left: Value, right: Value) -> Operation:
        """Both of two i1."""
        return self._i1("arith.andi", left, right)

    def choice(self, condition: Value, then: Value, otherwise: Value) -> Operation:
        """`arith.select` between two i1."""
        operands = (condition, then, otherwise)
        return self._make("arith.select", operands, ["i1"], ["own"], "arith.select {0}, {1}, {2} : {t1}")

    def check(self, condition: Value, message: str) -> Operation:
        """`cf.assert`: fail with `message` at run time unless `condition` holds."""
        custom = 'cf.assert {0}, "' + message + '"'
        return self._make("cf.assert", (condition,), [], [], custom, {"msg": f'"{message}"'})

    def clone(self, buffer: Value) -> Operation:
        """`bufferization.clone` of `buffer`."""
        custom = "bufferization.clone {0} : {t0} to {t0}"
        return self._make("bufferization.clone", (buffer,), [buffer.type], ["clone"], custom)

    def unless_owned(self, buffer: Value, owned: Value) -> Operation:
        """`scf.if owned` that yields `buffer`, or else a clone of it."""
        op = self._make(
            "scf.if", (owned,), [buffer.type], ["owned"], "scf.if {0} -> ({rt0}) {region0} else {region1}"
        )
        keep, copy = op.add_region().add_block(), op.add_region().add_block()
        keep.append(self._yield(buffer))
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

    def dealloc(self, buffers: Sequence[Value], conditions: Sequence[Value], retained: Sequence[Value]) -> Operation:
        """`bufferization.dealloc`: frees each of `buffers` whose condition holds and that nothing retained aliases.

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

    def _yield(self, value: Value) -> Operation:
        return self._make("scf.yield", (value,), [], [], "scf.yield {0} : {t0}")

    def _i1(self, name: str, left: Value, right: Value, hint: str = "own") -> Operation:
        return self._make(name, (left, right), ["i1"], [hint], f"{name} {{0}}, {{1}} : i1")

    def _make(
        self,
        name: str,
        operands: Sequence[Value],
        types: Sequence[str],
        hints: Sequence[str],
        custom: str,
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
