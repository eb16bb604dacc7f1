"""Programs in which each buffer is what something else gives, down to a few levels: a conditional, a loop, a switch, a
region of blocks, a choice, a view, a call. Sizes are dynamic, and the bits come from comparisons with what is counted.

What is read goes into a sum, which `@f` returns.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

BUFFER = "memref<?xf32>"
SUM = "memref<1xf32>"
DEEPEST = 3
POSITIVE = "affine_set<(d0) : (d0 - 1 >= 0)>"
WAYS = (
    "if_", "affine_if", "switch", "for_", "affine_for", "while_", "execute", "scope", "select", "view", "clone", "call",
)  # fmt: skip


def program(seed: int, size: int = 4) -> str:
    """The program number `seed`: `@f` with about `size` statements, and private functions that give a buffer back."""
    return _Generator(random.Random(f"composed/{seed}/{size}"), size).module()


class _Generator:
    def __init__(self, chance: random.Random, size: int) -> None:
        self.chance, self.size = chance, size
        self.lines: list[str] = []
        self.counter = 0
        self.counted = ["%n"]  # indices in scope
        self.calls = False

    # ---- text

    def fresh(self, hint: str) -> str:
        self.counter += 1
        return f"%{hint}{self.counter}"

    def op(self, text: str, hint: str = "v") -> str:
        name = self.fresh(hint)
        self.lines.append(f"{name} = {text}")
        return name

    def module(self) -> str:
        self.lines.append("module {")
        for number in range(3):
            self.function(f"func.func private @p{number}(%c: i1, %x: {BUFFER}, %y: {BUFFER}, %n: index) -> {BUFFER} {{")
            way = self.chance.choice(("select", "second", "any", "any"))
            if way == "select":
                given = self.op(f"arith.select %c, %x, %y : {BUFFER}")
            else:
                given = "%y" if way == "second" else self.buffer(["%x", "%y"], 1)
            self.lines += [f"return {given} : {BUFFER}", "}"]
        self.calls = True
        self.function("func.func @f(%n: index) -> f32 {")
        scope = [self.new()]
        self.statements(scope, self.chance.randint(self.size - 1, self.size + 2), 0)
        for name in self.chance.sample(scope, min(2, len(scope))):
            self.read(name)
        total = self.op(f"memref.load %sum[%c0] : {SUM}")
        self.lines += [f"return {total} : f32", "}", "}"]
        return "\n".join(self.lines) + "\n"

    def function(self, header: str) -> None:
        self.counted = ["%n"]
        self.lines.append(header)
        self.lines += ["%c0 = arith.constant 0 : index", "%c1 = arith.constant 1 : index"]
        self.lines += ["%size = arith.constant 4 : index", "%zero = arith.constant 0.0 : f32"]
        self.lines += [f"%sum = memref.alloc() : {SUM}", f"memref.store %zero, %sum[%c0] : {SUM}"]

    # ---- statements

    def statements(self, scope: list[str], count: int, depth: int) -> None:
        for _ in range(count):
            if self.chance.random() < 0.4:
                self.read(self.chance.choice(scope))
            else:
                scope.append(self.buffer(scope, depth))

    def read(self, name: str) -> None:
        value, old = self.op(f"memref.load {name}[%c0] : {BUFFER}"), self.op(f"memref.load %sum[%c0] : {SUM}")
        total = self.op(f"arith.addf {old}, {value} : f32")
        self.lines.append(f"memref.store {total}, %sum[%c0] : {SUM}")

    def bit(self) -> str:
        other = self.op(f"arith.constant {self.chance.randrange(4)} : index")
        predicate = self.chance.choice(("ult", "eq", "ugt"))
        return self.op(f"arith.cmpi {predicate}, {self.chance.choice(self.counted)}, {other} : index")

    # ---- buffers

    def new(self) -> str:
        made = self.op(f"memref.alloc(%size) : {BUFFER}")
        value = self.op(f"arith.constant {self.chance.randrange(9)}.0 : f32")
        self.lines.append(f"linalg.fill ins({value} : f32) outs({made} : {BUFFER})")
        return made

    def buffer(self, scope: Sequence[str], depth: int) -> str:
        """A buffer: a new one, one of `scope`, or what something gives that is put together of such."""
        lot = self.chance.random()
        if lot < 0.3 or (depth > DEEPEST and lot < 0.7):
            return self.new()
        if lot < 0.55 or depth > DEEPEST:
            return self.chance.choice(scope)
        way = self.chance.choice(WAYS if self.calls else WAYS[:-1])
        made: Callable[[Sequence[str], int], str] = getattr(self, way)
        return made(scope, depth + 1)

    def start(self, scope: Sequence[str]) -> str:
        return self.chance.choice(scope) if self.chance.random() < 0.6 else self.new()

    def region(self, scope: Sequence[str], depth: int, end: str, *own: str) -> None:
        """Statements of a region, and its terminator, which hands on a buffer."""
        inside, counted = [*scope, *own], list(self.counted)
        self.statements(inside, self.chance.randrange(2), depth)
        self.lines.append(f"{end} {self.buffer(inside, depth)} : {BUFFER}")
        self.counted = counted

    def if_(self, scope: Sequence[str], depth: int) -> str:
        return self.both(f"scf.if {self.bit()} -> ({BUFFER}) {{", scope, depth, "scf.yield")

    def affine_if(self, scope: Sequence[str], depth: int) -> str:
        return self.both(f"affine.if {POSITIVE}(%n) -> {BUFFER} {{", scope, depth, "affine.yield")

    def both(self, header: str, scope: Sequence[str], depth: int, end: str) -> str:
        made = self.op(header)
        self.region(scope, depth, end)
        self.lines.append("} else {")
        self.region(scope, depth, end)
        self.lines.append("}")
        return made

    def switch(self, scope: Sequence[str], depth: int) -> str:
        made = self.op(f"scf.index_switch {self.chance.choice(self.counted)} -> {BUFFER}")
        for header in (*(f"case {number} {{" for number in range(self.chance.randint(1, 2))), "default {"):
            self.lines.append(header)
            self.region(scope, depth, "scf.yield")
            self.lines.append("}")
        return made

    def for_(self, scope: Sequence[str], depth: int) -> str:
        return self.loop("scf.for {0} = %c0 to %n step %c1", scope, depth, "scf.yield")

    def affine_for(self, scope: Sequence[str], depth: int) -> str:
        return self.loop("affine.for {0} = 0 to 3", scope, depth, "affine.yield")

    def loop(self, header: str, scope: Sequence[str], depth: int, end: str) -> str:
        start, index, carried = self.start(scope), self.fresh("i"), self.fresh("w")
        made = self.op(f"{header.format(index)} iter_args({carried} = {start}) -> ({BUFFER}) {{")
        counted = self.counted
        self.counted = [*counted, index]
        self.region(scope, depth, end, carried)
        self.counted = counted
        self.lines.append("}")
        return made

    def while_(self, scope: Sequence[str], depth: int) -> str:
        start, carried, taken, made = self.start(scope), self.fresh("w"), self.fresh("u"), self.fresh("r")
        count, counted = self.fresh("n"), self.fresh("n")
        types = f"({BUFFER}, index)"
        self.lines.append(f"{made}:2 = scf.while ({carried} = {start}, {count} = %c0) : {types} -> {types} {{")
        inside = [*scope, carried]
        self.statements(inside, self.chance.randrange(2), depth)
        given, more = self.buffer(inside, depth), self.op(f"arith.cmpi ult, {count}, %n : index")
        self.lines += [f"scf.condition({more}) {given}, {count} : {BUFFER}, index", "} do {"]
        self.lines.append(f"^bb0({taken}: {BUFFER}, {counted}: index):")
        inside = [*scope, taken]
        self.statements(inside, self.chance.randrange(2), depth)
        given, following = self.buffer(inside, depth), self.op(f"arith.addi {counted}, %c1 : index")
        self.lines += [f"scf.yield {given}, {following} : {BUFFER}, index", "}"]
        return f"{made}#0"

    def execute(self, scope: Sequence[str], depth: int) -> str:
        bit, made, joined = self.bit(), self.op(f"scf.execute_region -> {BUFFER} {{"), self.fresh("p")
        side, last = f"^side{self.counter}", f"^last{self.counter}"
        counted = list(self.counted)
        self.lines += [f"cf.cond_br {bit}, {side}, {last}({self.buffer(scope, depth)} : {BUFFER})", f"{side}:"]
        self.lines += [f"cf.br {last}({self.buffer(scope, depth)} : {BUFFER})", f"{last}({joined}: {BUFFER}):"]
        self.read(joined)
        self.region(scope, depth, "scf.yield", joined)
        self.lines.append("}")
        self.counted = counted
        return made

    def scope(self, scope: Sequence[str], depth: int) -> str:
        made = self.op(f"memref.alloca_scope -> ({BUFFER}) {{")
        self.region(scope, depth, "memref.alloca_scope.return")
        self.lines.append("}")
        return made

    def select(self, scope: Sequence[str], depth: int) -> str:
        one, other = self.buffer(scope, depth), self.buffer(scope, depth)
        return self.op(f"arith.select {self.bit()}, {one}, {other} : {BUFFER}")

    def view(self, scope: Sequence[str], depth: int) -> str:
        viewed, way = self.buffer(scope, depth), self.chance.randrange(3)
        if way == 0:
            fixed = self.op(f"memref.cast {viewed} : {BUFFER} to memref<4xf32>")
            return self.op(f"memref.cast {fixed} : memref<4xf32> to {BUFFER}")
        if way == 1:
            shape = "output_shape [%c1, %size]"
            wide = self.op(f"memref.expand_shape {viewed} [[0, 1]] {shape} : {BUFFER} into memref<?x?xf32>")
            return self.op(f"memref.collapse_shape {wide} [[0, 1]] : memref<?x?xf32> into {BUFFER}")
        layout = "offset: [0], sizes: [%size], strides: [1]"
        return self.op(f"memref.reinterpret_cast {viewed} to {layout} : {BUFFER} to {BUFFER}")

    def clone(self, scope: Sequence[str], depth: int) -> str:
        return self.op(f"bufferization.clone {self.chance.choice(scope)} : {BUFFER} to {BUFFER}")

    def call(self, scope: Sequence[str], depth: int) -> str:
        bit, one, other = self.bit(), self.buffer(scope, depth), self.buffer(scope, depth)
        types = f"(i1, {BUFFER}, {BUFFER}, index) -> {BUFFER}"
        return self.op(f"func.call @p{self.chance.randrange(3)}({bit}, {one}, {other}, %n) : {types}")
