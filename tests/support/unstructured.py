"""Random programs whose control flow is a graph of blocks: valid MLIR that ends, the same for the same seed.

A program is a module with a public function ``@main`` over such a graph, and private functions that it calls. Blocks
hand buffers on as arguments, along any edge: forwards, backwards, to the middle of a loop, to the block itself; one
terminator may take the same block twice, with other operands. Each block uses up fuel, and without fuel control only
goes forwards. Every value loaded goes into a running checksum. A buffer is written only before anything else sees it,
so that a copy may stand for it.

The kinds are what a program is full of: ``loops`` (reducible or not, with several exits), ``switches`` (``cf.switch``),
``carried`` (loops, structured and not, that carry, swap and rotate buffers), ``calls`` (private functions that return
arguments, either of two, or something new; recursion), ``private`` (private functions that return an argument or
something new, by branches, regions, loops, views and mutual recursion; called in loops and branches, with one buffer as
two arguments), ``freed`` (buffers that the text frees on some paths), ``given`` (buffers that are given away: to
private functions that free them, always or on some paths, give them to others, or return them instead).
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

KINDS = ("loops", "switches", "carried", "calls", "private", "freed", "given")
T = "memref<4xf32>"
_MORE = """\
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %more = arith.cmpi sgt, %n, %zero : index"""
_PRIVATE = f"""
  func.func private @same(%x: {T}) -> {T} {{
    return %x : {T}
  }}
  func.func private @either(%c: i1, %x: {T}, %y: {T}) -> {T} {{
    %s = arith.select %c, %x, %y : {T}
    return %s : {T}
  }}
  func.func private @fresh(%c: i1, %x: {T}) -> {T} {{
    cf.cond_br %c, ^bb1, ^bb2(%x : {T})
  ^bb1:
    %a = memref.alloc() : {T}
    memref.copy %x, %a : {T} to {T}
    cf.br ^bb2(%a : {T})
  ^bb2(%r: {T}):
    return %r : {T}
  }}
  func.func private @both(%x: {T}) -> ({T}, {T}) {{
    %a = memref.alloc() : {T}
    memref.copy %x, %a : {T} to {T}
    return %x, %a : {T}, {T}
  }}
  func.func private @again(%n: index, %x: {T}, %y: {T}) -> {T} {{
{_MORE}
    cf.cond_br %more, ^bb1, ^bb2
  ^bb1:
    %less = arith.subi %n, %one : index
    %r = call @again(%less, %y, %x) : (index, {T}, {T}) -> {T}
    return %r : {T}
  ^bb2:
    return %x : {T}
  }}
  func.func private @dig(%n: index, %x: {T}) -> {T} {{
{_MORE}
    %r = scf.if %more -> ({T}) {{
      %less = arith.subi %n, %one : index
      %a = memref.alloc() : {T}
      memref.copy %x, %a : {T} to {T}
      %d = func.call @dig(%less, %a) : (index, {T}) -> {T}
      scf.yield %d : {T}
    }} else {{
      scf.yield %x : {T}
    }}
    return %r : {T}
  }}
"""
_PERHAPS = f"""
  memref.global "private" constant @fixed : {T} = dense<0.25>
  func.func private @perhaps(%c: i1, %x: {T}) -> {T} {{
    %r = scf.if %c -> ({T}) {{
      %a = memref.alloc() : {T}
      memref.copy %x, %a : {T} to {T}
      scf.yield %a : {T}
    }} else {{
      scf.yield %x : {T}
    }}
    return %r : {T}
  }}
  func.func private @odd(%n: index, %x: {T}) -> {T} {{
{_MORE}
    cf.cond_br %more, ^bb1, ^bb2
  ^bb1:
    %less = arith.subi %n, %one : index
    %a = memref.alloc() : {T}
    memref.copy %x, %a : {T} to {T}
    %r = call @even(%less, %a, %x) : (index, {T}, {T}) -> {T}
    return %r : {T}
  ^bb2:
    return %x : {T}
  }}
  func.func private @even(%n: index, %x: {T}, %y: {T}) -> {T} {{
{_MORE}
    cf.cond_br %more, ^bb1, ^bb2
  ^bb1:
    %less = arith.subi %n, %one : index
    %r = call @odd(%less, %y) : (index, {T}) -> {T}
    return %r : {T}
  ^bb2:
    return %x : {T}
  }}
  func.func private @two(%c: i1, %d: i1, %x: {T}, %y: {T}) -> {T} {{
    %s = arith.select %d, %x, %y : {T}
    cf.cond_br %c, ^bb1(%s : {T}), ^bb2
  ^bb1(%r: {T}):
    return %r : {T}
  ^bb2:
    %a = memref.alloc() : {T}
    memref.copy %s, %a : {T} to {T}
    cf.br ^bb1(%a : {T})
  }}
  func.func private @twice(%c: i1, %d: i1, %x: {T}) -> ({T}, {T}) {{
    %p = func.call @perhaps(%c, %x) : (i1, {T}) -> {T}
    %q = func.call @perhaps(%d, %x) : (i1, {T}) -> {T}
    return %p, %q : {T}, {T}
  }}
  func.func private @replaced(%n: index, %x: {T}) -> {T} {{
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %r = scf.for %i = %zero to %n step %one iter_args(%p = %x) -> ({T}) {{
      %a = memref.alloc() : {T}
      memref.copy %p, %a : {T} to {T}
      func.call @note(%p, %zero) : ({T}, index) -> ()
      scf.yield %a : {T}
    }}
    return %r : {T}
  }}
  func.func private @viewed(%c: i1, %x: {T}) -> {T} {{
    %v = memref.cast %x : {T} to memref<?xf32>
    %r = scf.if %c -> (memref<?xf32>) {{
      scf.yield %v : memref<?xf32>
    }} else {{
      %n = arith.constant 4 : index
      %a = memref.alloc(%n) : memref<?xf32>
      memref.copy %x, %a : {T} to memref<?xf32>
      scf.yield %a : memref<?xf32>
    }}
    %w = memref.cast %r : memref<?xf32> to {T}
    return %w : {T}
  }}
  func.func private @sides(%c: i1, %x: {T}) -> {T} {{
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    return %x : {T}
  ^bb2:
    %r = func.call @perhaps(%c, %x) : (i1, {T}) -> {T}
    %a = memref.alloc() : {T}
    memref.copy %r, %a : {T} to {T}
    return %a : {T}
  }}
  func.func private @passed(%c: i1, %d: i1, %x: {T}) -> {T} {{
    %r = func.call @sides(%c, %x) : (i1, {T}) -> {T}
    %s = func.call @sides(%d, %r) : (i1, {T}) -> {T}
    return %s : {T}
  }}
  func.func private @constant(%c: i1, %d: i1, %x: {T}) -> {T} {{
    %g = memref.get_global @fixed : {T}
    %s = arith.select %d, %x, %g : {T}
    %r = func.call @perhaps(%c, %s) : (i1, {T}) -> {T}
    return %r : {T}
  }}
  func.func private @fixed_one() -> {T} {{
    %g = memref.get_global @fixed : {T}
    return %g : {T}
  }}
  func.func private @table(%c: i1) -> {T} {{
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    %g = func.call @fixed_one() : () -> {T}
    return %g : {T}
  ^bb2:
    %a = memref.alloc() : {T}
    %g1 = memref.get_global @fixed : {T}
    memref.copy %g1, %a : {T} to {T}
    return %a : {T}
  }}
  func.func private @table_of(%n: index) -> {T} {{
{_MORE}
    %r = func.call @table(%more) : (i1) -> {T}
    return %r : {T}
  }}
  func.func private @used_up(%c: i1, %x: {T}) -> {T} {{
    %zero = arith.constant 0 : index
    func.call @note(%x, %zero) : ({T}, index) -> ()
    %a = memref.alloc() : {T}
    memref.copy %x, %a : {T} to {T}
    %r = func.call @perhaps(%c, %a) : (i1, {T}) -> {T}
    return %r : {T}
  }}
"""

_GIVEN = f"""
  func.func private @eats(%x: {T}) {{
    %zero = arith.constant 0 : index
    func.call @note(%x, %zero) : ({T}, index) -> ()
    memref.dealloc %x : {T}
    return
  }}
  func.func private @eats_at_times(%c: i1, %x: {T}) {{
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    memref.dealloc %x : {T}
    return
  ^bb2:
    %one = arith.constant 1 : index
    func.call @note(%x, %one) : ({T}, index) -> ()
    return
  }}
  func.func private @eats_later(%n: index, %x: {T}) {{
{_MORE}
    cf.cond_br %more, ^bb1, ^bb2
  ^bb1:
    %less = arith.subi %n, %one : index
    call @eats_later(%less, %x) : (index, {T}) -> ()
    return
  ^bb2:
    %v = memref.cast %x : {T} to memref<?xf32>
    %w = memref.cast %v : memref<?xf32> to {T}
    call @eats(%w) : ({T}) -> ()
    return
  }}
  func.func private @eats_one(%x: {T}, %y: {T}) {{
    %three = arith.constant 3 : index
    memref.copy %x, %y : {T} to {T}
    func.call @note(%y, %three) : ({T}, index) -> ()
    memref.dealloc %y : {T}
    return
  }}
  func.func private @grown(%c: i1, %x: {T}) -> {T} {{
    %r = scf.if %c -> ({T}) {{
      %a = memref.alloc() : {T}
      memref.copy %x, %a : {T} to {T}
      memref.dealloc %x : {T}
      scf.yield %a : {T}
    }} else {{
      scf.yield %x : {T}
    }}
    return %r : {T}
  }}
  func.func private @outgrown(%c: i1, %x: {T}) -> {T} {{
    cf.cond_br %c, ^bb1, ^bb2(%x : {T})
  ^bb1:
    %a = memref.alloc() : {T}
    memref.copy %x, %a : {T} to {T}
    memref.dealloc %x : {T}
    cf.br ^bb2(%a : {T})
  ^bb2(%r: {T}):
    return %r : {T}
  }}
  func.func private @traded(%c: i1, %x: {T}, %y: {T}) -> {T} {{
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    memref.dealloc %x : {T}
    return %y : {T}
  ^bb2:
    memref.dealloc %y : {T}
    return %x : {T}
  }}
  func.func private @reads(%x: {T}) -> {T} {{
    %zero = arith.constant 0 : index
    func.call @note(%x, %zero) : ({T}, index) -> ()
    %a = memref.alloc() : {T}
    memref.copy %x, %a : {T} to {T}
    return %a : {T}
  }}
  func.func private @digs(%n: index, %x: {T}) -> {T} {{
{_MORE}
    %r = scf.if %more -> ({T}) {{
      %less = arith.subi %n, %one : index
      %a = func.call @reads(%x) : ({T}) -> {T}
      %d = func.call @digs(%less, %a) : (index, {T}) -> {T}
      scf.yield %d : {T}
    }} else {{
      %b = memref.alloc() : {T}
      memref.copy %x, %b : {T} to {T}
      scf.yield %b : {T}
    }}
    return %r : {T}
  }}
"""


@dataclass
class _Block:
    arguments: list[str]
    targets: list[int]
    buffers: list[str] = field(default_factory=list)
    lent: str | None = None  # a buffer that only the block and those right behind it use, and some of them free


def program(kind: str, seed: int, size: int = 8) -> str:
    """The text of the program of a kind for a seed. ``size`` is about the number of its blocks."""
    return _Generator(kind, random.Random(f"{kind}/{seed}/{size}"), size).module()


class _Generator:
    def __init__(self, kind: str, chance: random.Random, size: int) -> None:
        self.kind = kind
        self.chance = chance
        self.size = size
        self.counter = 0
        self.lines: list[str] = []
        self.grouped: set[str] = set()  # by mlir-opt printed as `%0#1`, which it does not read behind `default`

    def fresh(self, hint: str) -> str:
        self.counter += 1
        return f"%{hint}{self.counter}"

    def emit(self, line: str) -> None:
        self.lines.append(f"    {line}")

    def op(self, hint: str, text: str) -> str:
        name = self.fresh(hint)
        self.emit(f"{name} = {text}")
        return name

    def likely(self, probability: float) -> bool:
        return self.chance.random() < probability

    def some(self, kind: str, much: float, little: float) -> bool:
        """What a kind is full of, the others have little of."""
        return self.likely(much if self.kind == kind else little)

    # -- the module ------------------------------------------------------------------------------------------

    def module(self) -> str:
        self.function()
        lines = "\n".join(self.lines)
        functions = {"private": _PERHAPS, "given": _GIVEN}.get(self.kind, _PRIVATE)
        return f"""module {{
  memref.global "private" @checksum : memref<1xf32> = dense<1.0>
  func.func private @note(%x: {T}, %i: index) {{
    %zero = arith.constant 0 : index
    %factor = arith.constant 0.75 : f32
    %sum = memref.get_global @checksum : memref<1xf32>
    %old = memref.load %sum[%zero] : memref<1xf32>
    %new = memref.load %x[%i] : {T}
    %less = arith.mulf %old, %factor : f32
    %all = arith.addf %less, %new : f32
    memref.store %all, %sum[%zero] : memref<1xf32>
    return
  }}{functions}{lines}
}}
"""

    def function(self) -> None:
        blocks = self.graph()
        dominators = _dominators(blocks)
        returns = self.likely(0.4)
        result = f"({T}, f32)" if returns else "f32"
        self.lines.append(f"  func.func @main(%n: index, %m: {T}) -> {result} {{")
        for name, value in (("zero", 0), ("one", 1), ("three", 3)):
            self.emit(f"%{name} = arith.constant {value} : index")
        self.emit(f"%some = arith.constant {self.chance.randint(3, 9)} : index")
        self.emit("%fuel0 = arith.addi %n, %some : index")
        last = max(blocks)
        # A block stands after those that dominate it, as what it uses has a name then.
        for number in sorted(blocks, key=lambda b: (len(dominators[b]), b)):
            block = blocks[number]
            if number:
                parameters = ", ".join([f"%fuel{number}: index", *(f"{a}: {T}" for a in block.arguments)])
                self.lines.append(f"  ^bb{number}({parameters}):")
            scope = ["%m"] if self.likely(0.7) else []
            for dominator in dominators[number] - {number}:
                scope += blocks[dominator].buffers
            own = list(block.arguments)
            self.handed_in(number, blocks)
            for _ in range(self.chance.randint(1, 3)):
                self.statement(f"%fuel{number}", scope, own)
            block.buffers = own
            if number == last:
                self.ending(returns, scope + own)
            else:
                self.branch(number, blocks, scope, own)
        self.lines.append("  }")

    def graph(self) -> dict[int, _Block]:
        """The blocks that control may reach, by number, with where it goes: the first is the way ahead."""
        targets = {}
        for number in range(self.size - 1):
            ahead = number + 1 if self.likely(0.7) else self.chance.randint(number + 1, self.size - 1)
            more = 0
            if self.likely(0.75):
                more = self.chance.randint(1, 3) if self.some("switches", 0.8, 0.1) else 1
            back = self.kind in ("loops", "carried") or self.likely(0.4)
            first = 1 if back else number + 1
            first = min(first, self.size - 1)
            targets[number] = [ahead, *(self.chance.randint(first, self.size - 1) for _ in range(more))]
        targets[self.size - 1] = []
        found, queue = {0}, [0]
        while queue:
            for target in targets[queue.pop()]:
                if target not in found:
                    found.add(target)
                    queue.append(target)
        count = (1, 3) if self.kind == "carried" else (0, 2)
        return {
            n: _Block([self.fresh("x") for _ in range(self.chance.randint(*count) if n else 0)], targets[n])
            for n in sorted(found)
        }

    # -- what is in a block ----------------------------------------------------------------------------------

    def allocated(self, fuel: str) -> str:
        name = self.op("a", f"memref.alloc() : {T}")
        number = self.op("i", f"arith.index_cast {fuel} : index to i32")
        left = self.op("f", f"arith.sitofp {number} : i32 to f32")
        salt = self.op("f", f"arith.constant {self.counter}.5 : f32")
        value = self.op("f", f"arith.addf {left}, {salt} : f32")
        for index in ("%zero", "%one", "%three"):
            self.emit(f"memref.store {value}, {name}[{index}] : {T}")
        return name

    def note(self, buffer: str) -> None:
        self.emit(f"func.call @note({buffer}, %{self.chance.choice(('zero', 'one', 'three'))}) : ({T}, index) -> ()")

    def bit(self, fuel: str) -> str:
        number = self.op("i", f"arith.constant {self.chance.randint(1, 7)} : index")
        shifted = self.op("i", f"arith.xori {fuel}, {number} : index")
        mask = self.op("i", f"arith.constant {self.chance.choice((1, 2, 4))} : index")
        masked = self.op("i", f"arith.andi {shifted}, {mask} : index")
        return self.op("c", f"arith.cmpi ne, {masked}, %zero : index")

    def statement(self, fuel: str, scope: list[str], own: list[str]) -> None:
        seen = scope + own
        if not seen or self.likely(0.3):
            own.append(self.allocated(fuel))
        elif self.kind == "given" and self.likely(0.5):
            self.give(fuel, seen, own)
        elif self.kind != "given" and self.some("calls", 0.5, 0.5 if self.kind == "private" else 0.08):
            self.call(fuel, seen, own)
        elif self.some("carried", 0.3, 0.05):
            self.loop(fuel, seen, own)
        else:
            what = self.chance.choice((self.use, self.use, self.use, self.choice, self.conditional, self.view))
            what(fuel, seen, own)

    def use(self, fuel: str, seen: list[str], own: list[str]) -> None:
        self.note(self.chance.choice(seen))

    def choice(self, fuel: str, seen: list[str], own: list[str]) -> None:
        x, y = self.chance.choice(seen), self.chance.choice(seen)
        own.append(self.op("s", f"arith.select {self.bit(fuel)}, {x}, {y} : {T}"))

    def view(self, fuel: str, seen: list[str], own: list[str]) -> None:
        dynamic = self.op("v", f"memref.cast {self.chance.choice(seen)} : {T} to memref<?xf32>")
        own.append(self.op("v", f"memref.cast {dynamic} : memref<?xf32> to {T}"))

    def conditional(self, fuel: str, seen: list[str], own: list[str]) -> None:
        condition = self.bit(fuel)
        results = self.chance.randint(0, 2)
        names = [self.fresh("r") for _ in range(results)]
        head = f"{', '.join(names)} = " if names else ""
        types = f" -> ({', '.join([T] * results)})" if names else ""
        self.emit(f"{head}scf.if {condition}{types} {{")
        for side in range(2):
            inner = list(seen)
            if self.likely(0.5):
                inner.append(self.allocated(fuel))
            self.called_inside(fuel, inner)
            if self.likely(0.5) or not names:
                self.note(self.chance.choice(inner))
            if names:
                given = [inner[-1] if self.likely(0.5) else self.chance.choice(inner) for _ in names]
                self.emit(f"scf.yield {', '.join(given)} : {', '.join([T] * results)}")
            if side == 0:
                if not names and self.likely(0.5):
                    break
                self.emit("} else {")
        self.emit("}")
        self.grouped |= set(names)
        own += names

    def loop(self, fuel: str, seen: list[str], own: list[str]) -> None:
        """A loop that carries two buffers: swapped, replaced, rotated."""
        x, y = self.chance.choice(seen), self.chance.choice(seen)
        if self.likely(0.5):
            x = self.allocated(fuel)
        r, q, p, o = (self.fresh(hint) for hint in "rqpo")
        types = f"({T}, {T})"
        end = self.chance.choice(("%three", "%one", "%zero", "%n"))
        before = self.likely(0.3)
        if before:
            i, j = self.fresh("i"), self.fresh("i")
            three = f"(index, {T}, {T})"
            self.emit(
                f"{self.fresh('n')}, {r}, {q} = scf.while ({i} = %zero, {p} = {x}, {o} = {y}) : {three} -> {three} {{"
            )
            go = self.op("c", f"arith.cmpi slt, {i}, {end} : index")
            self.note(p)
            first, second = (o, p) if self.likely(0.4) else (p, o)
            self.emit(f"scf.condition({go}) {i}, {first}, {second} : index, {T}, {T}")
            self.emit("} do {")
            p, o = self.fresh("p"), self.fresh("o")
            self.emit(f"^bb0({j}: index, {p}: {T}, {o}: {T}):")
        else:
            self.emit(
                f"{r}, {q} = scf.for {self.fresh('i')} = %zero to {end} step %one "
                f"iter_args({p} = {x}, {o} = {y}) -> {types} {{"
            )
        inner = [p, o, *seen]
        self.note(self.chance.choice(inner))
        if self.likely(0.6):
            inner.insert(0, self.allocated(fuel))
        self.called_inside(fuel, inner)
        given = (o, p) if self.likely(0.4) else (self.chance.choice(inner[:3]), self.chance.choice(inner))
        if self.likely(0.4):
            self.note(self.chance.choice(inner))
        if before:
            following = self.op("i", f"arith.addi {j}, %one : index")
            self.emit(f"scf.yield {following}, {given[0]}, {given[1]} : index, {T}, {T}")
        else:
            self.emit(f"scf.yield {given[0]}, {given[1]} : {T}, {T}")
        self.emit("}")
        self.grouped |= {r, q}
        own += [r, q]

    def call(self, fuel: str, seen: list[str], own: list[str]) -> None:
        x, y = self.chance.choice(seen), self.chance.choice(seen)
        if self.kind == "private":
            self.perhaps(fuel, x, x if self.likely(0.3) else y, own)
            self.grouped.add(own[-1])
            return
        callee = self.chance.choice(("same", "either", "fresh", "both", "again", "dig"))
        if callee == "same":
            own.append(self.op("r", f"func.call @same({x}) : ({T}) -> {T}"))
        elif callee == "either":
            own.append(self.op("r", f"func.call @either({self.bit(fuel)}, {x}, {y}) : (i1, {T}, {T}) -> {T}"))
        elif callee == "fresh":
            own.append(self.op("r", f"func.call @fresh({self.bit(fuel)}, {x}) : (i1, {T}) -> {T}"))
        elif callee == "both":
            names = [self.fresh("r"), self.fresh("r")]
            self.emit(f"{names[0]}, {names[1]} = func.call @both({x}) : ({T}) -> ({T}, {T})")
            self.grouped |= set(names)
            own += names
        elif callee == "again":
            own.append(self.op("r", f"func.call @again(%three, {x}, {y}) : (index, {T}, {T}) -> {T}"))
        else:
            depth = self.chance.choice(("%zero", "%three"))
            own.append(self.op("r", f"func.call @dig({depth}, {x}) : (index, {T}) -> {T}"))
        self.grouped.add(own[-1])  # as it may get an i1 beside it

    def called_inside(self, fuel: str, inner: list[str]) -> None:
        """A call in a region, of what is seen there."""
        if self.kind == "private" and self.likely(0.6):
            self.call(fuel, list(inner), inner)
        if self.kind == "given" and self.likely(0.6):
            self.give(fuel, list(inner), inner)

    def perhaps(self, fuel: str, x: str, y: str, own: list[str]) -> None:
        """Call a function that returns what it is given or something new."""
        depth = self.chance.choice(("%zero", "%one", "%three"))
        callee = self.chance.choice(
            ("perhaps", "odd", "even", "two", "twice", "replaced", "viewed", "constant", "used_up", "sides", "passed",
             "fixed_one", "table", "table_of")
        )  # fmt: skip
        if callee in ("odd", "replaced"):
            own.append(self.op("r", f"func.call @{callee}({depth}, {x}) : (index, {T}) -> {T}"))
        elif callee == "even":
            own.append(self.op("r", f"func.call @even({depth}, {x}, {y}) : (index, {T}, {T}) -> {T}"))
        elif callee == "two":
            conditions = f"{self.bit(fuel)}, {self.bit(fuel)}"
            own.append(self.op("r", f"func.call @two({conditions}, {x}, {y}) : (i1, i1, {T}, {T}) -> {T}"))
        elif callee == "twice":
            conditions = f"{self.bit(fuel)}, {self.bit(fuel)}"
            names = [self.fresh("r"), self.fresh("r")]
            self.emit(f"{names[0]}, {names[1]} = func.call @twice({conditions}, {x}) : (i1, i1, {T}) -> ({T}, {T})")
            self.grouped |= set(names)
            own += names
        elif callee == "fixed_one":
            own.append(self.op("r", f"func.call @fixed_one() : () -> {T}"))
        elif callee == "table":
            own.append(self.op("r", f"func.call @table({self.bit(fuel)}) : (i1) -> {T}"))
        elif callee == "table_of":
            own.append(self.op("r", f"func.call @table_of({depth}) : (index) -> {T}"))
        elif callee in ("constant", "passed"):
            conditions = f"{self.bit(fuel)}, {self.bit(fuel)}"
            own.append(self.op("r", f"func.call @{callee}({conditions}, {x}) : (i1, i1, {T}) -> {T}"))
        else:
            known = self.chance.choice(("true", "false"))
            condition = self.op("k", f"arith.constant {known}") if self.likely(0.2) else self.bit(fuel)
            own.append(self.op("r", f"func.call @{callee}({condition}, {x}) : (i1, {T}) -> {T}"))

    # -- buffers that are given away --------------------------------------------------------------------------

    def give(self, fuel: str, seen: list[str], own: list[str]) -> None:
        """Give a buffer that nothing else sees to a function that may free it."""
        what = self.chance.choice(
            ("eats", "eats_at_times", "eats_later", "eats_one", "grown", "traded", "reads", "loop", "if")
        )
        if what == "loop":
            self.outgrown_in_a_loop(fuel, own)
            return
        given = self.temporary(fuel)
        depth = self.chance.choice(("%zero", "%one", "%three"))
        if what == "eats":
            self.emit(f"func.call @eats({given}) : ({T}) -> ()")
        elif what == "eats_at_times":
            self.emit(f"func.call @eats_at_times({self.bit(fuel)}, {given}) : (i1, {T}) -> ()")
        elif what == "eats_later":
            self.emit(f"func.call @eats_later({depth}, {given}) : (index, {T}) -> ()")
        elif what == "eats_one":
            self.emit(f"func.call @eats_one({self.chance.choice(seen)}, {given}) : ({T}, {T}) -> ()")
        elif what == "if":
            self.emit(f"scf.if {self.bit(fuel)} {{")
            self.emit(f"func.call @eats({given}) : ({T}) -> ()")
            self.emit("}")
        elif what == "grown":
            callee = self.chance.choice(("grown", "outgrown"))
            result = self.op("r", f"func.call @{callee}({self.bit(fuel)}, {given}) : (i1, {T}) -> {T}")
            if self.likely(0.5):
                result = self.op("r", f"func.call @grown({self.bit(fuel)}, {result}) : (i1, {T}) -> {T}")
            own.append(result)
        elif what == "traded":
            other = self.temporary(fuel)
            own.append(self.op("r", f"func.call @traded({self.bit(fuel)}, {given}, {other}) : (i1, {T}, {T}) -> {T}"))
        else:
            if self.likely(0.6):
                given = self.op("r", f"func.call @reads({given}) : ({T}) -> {T}")
            own.append(self.op("r", f"func.call @digs({depth}, {given}) : (index, {T}) -> {T}"))

    def temporary(self, fuel: str) -> str:
        """A buffer that is used before it is given away, and not afterwards."""
        given = self.allocated(fuel)
        if self.likely(0.4):
            self.note(given)
        return given

    def outgrown_in_a_loop(self, fuel: str, own: list[str]) -> None:
        """A loop that carries a buffer which a function replaces at times."""
        x, r, p = self.temporary(fuel), self.fresh("r"), self.fresh("p")
        end = self.chance.choice(("%three", "%one", "%zero", "%n"))
        self.emit(f"{r} = scf.for {self.fresh('i')} = %zero to {end} step %one iter_args({p} = {x}) -> ({T}) {{")
        if self.likely(0.5):
            self.note(p)
        following = self.op("q", f"func.call @outgrown({self.bit(fuel)}, {p}) : (i1, {T}) -> {T}")
        if self.likely(0.3):
            self.note(following)
        self.emit(f"scf.yield {following} : {T}")
        self.emit("}")
        own.append(r)

    # -- buffers that the text frees -------------------------------------------------------------------------

    def handed_in(self, number: int, blocks: dict[int, _Block]) -> None:
        """Free what the only block ahead left to be freed, on some ways; on the others it is left to the pass."""
        sources = [n for n, block in blocks.items() if number in block.targets]
        if len(sources) == 1 and blocks[sources[0]].targets.count(number) == 1:
            lent = blocks[sources[0]].lent
            if lent is not None and self.likely(0.6):
                self.note(lent)
                if self.likely(0.7):
                    self.emit(f"memref.dealloc {lent} : {T}")

    # -- ways out --------------------------------------------------------------------------------------------

    def ending(self, returns: bool, seen: list[str]) -> None:
        for buffer in seen[-3:]:
            self.note(buffer)
        total = self.op("g", "memref.get_global @checksum : memref<1xf32>")
        value = self.op("f", f"memref.load {total}[%zero] : memref<1xf32>")
        start = self.op("f", "arith.constant 1.0 : f32")
        self.emit(f"memref.store {start}, {total}[%zero] : memref<1xf32>")
        if returns:
            self.emit(f"return {self.chance.choice(seen or ['%m'])}, {value} : {T}, f32")
        else:
            self.emit(f"return {value} : f32")

    def branch(self, number: int, blocks: dict[int, _Block], scope: list[str], own: list[str]) -> None:
        fuel, targets = f"%fuel{number}", blocks[number].targets
        if self.some("freed", 0.7, 0.05):
            blocks[number].lent = self.allocated(fuel)
            self.note(blocks[number].lent)
            if len(targets) == 1 and targets[0] == number + 1 and self.likely(0.2):
                self.emit(f"memref.dealloc {blocks[number].lent} : {T}")
                blocks[number].lent = None
        if any(blocks[target].arguments for target in targets) and not scope + own:
            own.append(self.allocated(fuel))
        seen = own * 3 + scope
        switches = len(targets) > 2 or (len(targets) == 2 and self.some("switches", 0.6, 0.0))
        if switches:
            seen = [buffer for buffer in seen if buffer not in self.grouped]
            if any(blocks[target].arguments for target in targets) and not seen:
                seen.append(self.allocated(fuel))
        left = self.op("i", f"arith.subi {fuel}, %one : index")

        def taking(target: int) -> tuple[str, list[str], list[str]]:
            given = [self.chance.choice(seen) for _ in blocks[target].arguments]
            return f"^bb{target}", [left, *given], ["index", *([T] * len(given))]

        def spelled(target: int) -> str:
            name, values, types = taking(target)
            return f"{name}({', '.join(values)} : {', '.join(types)})"

        ahead, more = targets[0], targets[1:]
        go = self.op("c", f"arith.cmpi sgt, {fuel}, %zero : index")
        if not more:
            self.emit(f"cf.br {spelled(ahead)}")
        elif not switches:
            condition = self.op("c", f"arith.andi {go}, {self.bit(fuel)} : i1")
            self.emit(f"cf.cond_br {condition}, {spelled(more[0])}, {spelled(ahead)}")
        else:
            factor = self.op("i", f"arith.constant {self.chance.randint(1, 5)} : index")
            product = self.op("i", f"arith.muli {fuel}, {factor} : index")
            masked = self.op("i", f"arith.andi {product}, %three : index")
            eight = self.op("i", "arith.constant 8 : index")
            flag = self.op("i", f"arith.select {go}, {masked}, {eight} : index")
            cast = self.op("i", f"arith.index_cast {flag} : index to i32")
            cases = "".join(f",\n      {i}: {spelled(target)}" for i, target in enumerate(more))
            self.emit(f"cf.switch {cast} : i32, [\n      default: {spelled(ahead)}{cases}\n    ]")


def _dominators(blocks: dict[int, _Block]) -> dict[int, set[int]]:
    everything = set(blocks)
    found = {number: {0} if number == 0 else set(everything) for number in blocks}
    changed = True
    while changed:
        changed = False
        for number in blocks:
            if number == 0:
                continue
            before = [found[n] for n, block in blocks.items() if number in block.targets]
            new = set.intersection(*before) | {number}
            if new != found[number]:
                found[number], changed = new, True
    return found
