"""Programs that mix whatever there is: every operation with regions that hands buffers on, in each other and between
blocks, blocks in functions and in regions, private functions, views, choices, clones, and buffers that the text frees.

What is yielded, handed to a block or returned is any buffer in scope, so it may be new, borrowed, an argument or a
global variable, in any order, more than once. Buffers are written as long as nothing else refers to them, so a clone
cannot be told from what it was made of. What is read goes into a sum, which `@main` returns.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from tests.support.exchanges import BUFFER, buffer_types

OPEN = "memref<?xf32>"
SUM = "memref<1xf32>"
PLAIN = ("new", "new", "read", "write", "select", "view", "clone", "free", "call", "call", "call", "get_global")
NESTED = (
    "if_", "for_", "while_", "switch", "execute", "execute_blocks", "scope", "affine_for", "affine_if", "parallel",
    "forall", "flow",
)  # fmt: skip
DEEPEST = 3

Scope = list[str]


def program(seed: int, size: int = 5) -> str:
    """The program number `seed`: up to four private functions of about `size` statements, and `@main`."""
    return _Generator(random.Random(f"medley/{seed}/{size}"), size).module()


def _typed(names: Sequence[str], *others: tuple[str, str]) -> str:
    """Values and their types, as operations list them: `others` and then buffers; nothing for none."""
    pairs = [*others, *((name, BUFFER) for name in names)]
    return f"{', '.join(name for name, _ in pairs)} : {', '.join(type for _, type in pairs)}" if pairs else ""


def _declared(names: Sequence[str], *others: tuple[str, str]) -> str:
    return ", ".join(f"{name}: {type}" for name, type in (*others, *((name, BUFFER) for name in names)))


class _Generator:
    def __init__(self, chance: random.Random, size: int) -> None:
        self.chance, self.size = chance, size
        self.lines: list[str] = []
        self.counter = 0
        self.depth = 0  # of regions
        self.callable = 0  # functions below this number may be called here
        self.signatures = [(chance.randint(1, 3), chance.randint(0, 2)) for _ in range(chance.randint(1, 4))]
        self.frees = chance.random() < 0.5
        self.own: set[str] = set()  # buffers of the block that is written to which nothing else refers

    # ---- text

    def fresh(self, hint: str) -> str:
        self.counter += 1
        return f"%{hint}{self.counter}"

    def label(self) -> str:
        self.counter += 1
        return f"^bb{self.counter}"

    def add(self, *lines: str) -> None:
        self.lines += lines

    def op(self, hint: str, text: str) -> str:
        name = self.fresh(hint)
        self.add(f"{name} = {text}")
        return name

    def results(self, count: int) -> tuple[str, list[str]]:
        """What stands in front of an operation with so many results, and their names."""
        if not count:
            return "", []
        name = self.fresh("r")
        return (f"{name}:{count} = ", [f"{name}#{i}" for i in range(count)]) if count > 1 else (f"{name} = ", [name])

    # ---- functions

    def module(self) -> str:
        for number, (takes, gives) in enumerate(self.signatures):
            self.callable = number
            self.function(number, [f"%p{i}" for i in range(takes)], gives)
        self.callable = len(self.signatures)
        self.main()
        variable = f'memref.global "private" @g : {BUFFER} = dense<0.5>'
        return "\n".join(["module {", variable, *self.lines, "}", ""])

    def function(self, number: int, arguments: Scope, gives: int) -> None:
        parameters = _declared(arguments, ("%d", "index"), ("%c", "i1"), ("%sum", SUM))
        self.add(f"func.func private @f{number}({parameters}){f' -> ({buffer_types(gives)})' if gives else ''} {{")
        self.constants()
        self.give("return", self.statements(arguments, self.size), gives)
        self.add("}")

    def main(self) -> None:
        self.add("func.func @main(%d: index, %c: i1) -> f32 {")
        self.constants()
        zero = self.op("k", "arith.constant 0.0 : f32")
        self.add(f"%sum = memref.alloc() : {SUM}", f"memref.store {zero}, %sum[%c0] : {SUM}")
        scope: Scope = []
        self.new(scope)
        for name in self.statements(scope, self.size + 3)[-3:]:
            self.note(name)
        total = self.op("x", f"memref.load %sum[%c0] : {SUM}")
        self.add(f"return {total} : f32", "}")

    def constants(self) -> None:
        self.own = set()
        self.add(*(f"%c{i} = arith.constant {i} : index" for i in range(4)))

    # ---- what is in a block

    def statements(self, scope: Scope, count: int) -> Scope:
        for _ in range(count):
            kind = self.chance.choice(PLAIN if self.depth >= DEEPEST else (*PLAIN, *NESTED))
            statement: Callable[[Scope], None] = getattr(self, kind)
            statement(scope)
        return scope

    def pick(self, scope: Scope) -> str:
        return self.chance.choice(scope[-5:] if self.chance.random() < 0.6 else scope)

    def shared(self, *names: str) -> None:
        """Something else refers to these buffers from here on."""
        self.own -= set(names)

    def give(self, op: str, scope: Scope, count: int, *others: tuple[str, str]) -> None:
        self.add(f"{op} {_typed([self.pick(scope) for _ in range(count)], *others)}".rstrip())

    def condition(self) -> str:
        bound = self.chance.randint(0, 3)
        return self.chance.choice(("%c", self.op("o", f"arith.cmpi ult, %d, %c{bound} : index")))

    def note(self, name: str) -> None:
        value = self.op("x", f"memref.load {name}[%c{self.chance.randint(0, 3)}] : {BUFFER}")
        before = self.op("x", f"memref.load %sum[%c0] : {SUM}")
        factor = self.op("k", "arith.constant 0.75 : f32")
        less = self.op("x", f"arith.mulf {before}, {factor} : f32")
        after = self.op("x", f"arith.addf {value}, {less} : f32")
        self.add(f"memref.store {after}, %sum[%c0] : {SUM}")

    def read(self, scope: Scope) -> None:
        self.note(self.pick(scope))

    def new(self, scope: Scope) -> None:
        name = self.op("a", f"memref.alloc() : {BUFFER}")
        if scope and self.chance.random() < 0.6:
            self.add(f"memref.copy {self.pick(scope)}, {name} : {BUFFER} to {BUFFER}")
        else:
            value = self.op("k", f"arith.constant {self.counter}.0 : f32")
            self.add(f"linalg.fill ins({value} : f32) outs({name} : {BUFFER})")
        scope.append(name)
        self.own.add(name)

    def own_one(self, scope: Scope) -> str | None:
        own = [name for name in scope if name in self.own]
        return self.chance.choice(own) if own else None

    def write(self, scope: Scope) -> None:
        if name := self.own_one(scope):
            value = self.op("k", f"arith.constant {self.counter}.25 : f32")
            self.add(f"memref.store {value}, {name}[%c1] : {BUFFER}")

    def free(self, scope: Scope) -> None:
        if self.frees and len(scope) > 1 and (name := self.own_one(scope)):
            self.add(f"memref.dealloc {name} : {BUFFER}")
            scope.remove(name)
            self.shared(name)

    def select(self, scope: Scope) -> None:
        one, other = self.pick(scope), self.pick(scope)
        self.shared(one, other)
        scope.append(self.op("s", f"arith.select {self.condition()}, {one}, {other} : {BUFFER}"))

    def view(self, scope: Scope) -> None:
        name = self.pick(scope)
        self.shared(name)
        wide = self.op("t", f"memref.cast {name} : {BUFFER} to {OPEN}")
        scope.append(self.op("t", f"memref.cast {wide} : {OPEN} to {BUFFER}"))

    def clone(self, scope: Scope) -> None:
        name = self.op("q", f"bufferization.clone {self.pick(scope)} : {BUFFER} to {BUFFER}")
        scope.append(name)
        self.own.add(name)

    def get_global(self, scope: Scope) -> None:
        scope.append(self.op("g", f"memref.get_global @g : {BUFFER}"))

    def call(self, scope: Scope) -> None:
        if not self.callable:
            return
        number = self.chance.randrange(self.callable)
        takes, gives = self.signatures[number]
        front, names = self.results(gives)
        given = [self.pick(scope) for _ in range(takes)]
        self.shared(*given)
        types = f"(index, i1, {SUM}, {buffer_types(takes)}) -> ({buffer_types(gives)})"
        self.add(f"{front}func.call @f{number}(%d, %c, %sum, {', '.join(given)}) : {types}")
        scope += names

    # ---- regions

    @contextmanager
    def inside(self, scope: Scope) -> Iterator[None]:
        self.shared(*scope)
        before, self.own = self.own, set()
        self.depth += 1
        yield
        self.depth -= 1
        self.own = before

    def region(self, scope: Scope, op: str, count: int, *others: tuple[str, str]) -> None:
        """What stands in a region of one block that ends in `op` with so many buffers."""
        with self.inside(scope):
            self.give(op, self.statements(list(scope), self.chance.randint(0, 3)), count, *others)

    def count(self) -> int:
        return self.chance.randint(0, 2)

    def if_(self, scope: Scope) -> None:
        count = self.count()
        front, names = self.results(count)
        self.add(f"{front}scf.if {self.condition()}{f' -> ({buffer_types(count)})' if count else ''} {{")
        self.region(scope, "scf.yield", count)
        if count or self.chance.random() < 0.5:
            self.add("} else {")
            self.region(scope, "scf.yield", count)
        self.add("}")
        scope += names

    def affine_if(self, scope: Scope) -> None:
        count = self.count()
        front, names = self.results(count)
        types = f" -> ({buffer_types(count)})" if count > 1 else f" -> {BUFFER}" if count else ""
        self.add(f"{front}affine.if affine_set<(d0) : (d0 - {self.chance.randint(0, 3)} >= 0)>(%d){types} {{")
        self.region(scope, "affine.yield", count)
        self.add("} else {")
        self.region(scope, "affine.yield", count)
        self.add("}")
        scope += names

    def carried(self, scope: Scope, count: int) -> tuple[list[str], str]:
        """The arguments of a loop that carries so many buffers, and the text that says so."""
        arguments = [self.fresh("b") for _ in range(count)]
        begun = ", ".join(f"{argument} = {self.pick(scope)}" for argument in arguments)
        return arguments, f" iter_args({begun}) -> ({buffer_types(count)})" if count else ""

    def for_(self, scope: Scope) -> None:
        self.loop(scope, f"scf.for {self.fresh('i')} = %c0 to %c{self.chance.randint(0, 3)} step %c1", "scf.yield")

    def affine_for(self, scope: Scope) -> None:
        self.loop(scope, f"affine.for {self.fresh('i')} = 0 to {self.chance.randint(0, 3)}", "affine.yield")

    def loop(self, scope: Scope, head: str, end: str) -> None:
        count = self.count()
        front, names = self.results(count)
        arguments, carried = self.carried(scope, count)
        self.add(f"{front}{head}{carried} {{")
        self.region([*scope, *arguments], end, count)
        self.add("}")
        scope += names

    def while_(self, scope: Scope) -> None:
        """Its two regions may hand on different numbers of buffers."""
        before, after = self.count(), self.chance.randint(1, 2)
        name, first, second = self.fresh("w"), self.fresh("j"), self.fresh("j")
        arguments, others = [self.fresh("b") for _ in range(before)], [self.fresh("b") for _ in range(after)]
        begun = ", ".join([f"{first} = %c0", *(f"{argument} = {self.pick(scope)}" for argument in arguments)])
        types = [f"({', '.join(['index', *[BUFFER] * count])})" for count in (before, after)]
        self.add(f"{name}:{after + 1} = scf.while ({begun}) : {types[0]} -> {types[1]} {{")
        with self.inside(scope):
            inner = self.statements([*scope, *arguments], self.count())
            more = self.op("o", f"arith.cmpi ult, {first}, %c{self.chance.randint(0, 3)} : index")
            self.give(f"scf.condition({more})", inner, after, (first, "index"))
        self.add("} do {", f"^bb0({_declared(others, (second, 'index'))}):")
        with self.inside(scope):
            inner = self.statements([*scope, *others], self.count())
            following = self.op("j", f"arith.addi {second}, %c1 : index")
            self.give("scf.yield", inner, before, (following, "index"))
        self.add("}")
        scope += [f"{name}#{i + 1}" for i in range(after)]

    def switch(self, scope: Scope) -> None:
        count = self.count()
        front, names = self.results(count)
        self.add(f"{front}scf.index_switch %d{f' -> {buffer_types(count)}' if count else ''}")
        for head in [*(f"case {i}" for i in range(self.chance.randint(1, 2))), "default"]:
            self.add(f"{head} {{")
            self.region(scope, "scf.yield", count)
            self.add("}")
        scope += names

    def execute(self, scope: Scope) -> None:
        self.once(scope, "scf.execute_region", "scf.yield")

    def scope(self, scope: Scope) -> None:
        self.once(scope, "memref.alloca_scope", "memref.alloca_scope.return")

    def once(self, scope: Scope, op: str, end: str) -> None:
        count = self.count()
        front, names = self.results(count)
        self.add(f"{front}{op}{f' -> ({buffer_types(count)})' if count else ''} {{")
        self.region(scope, end, count)
        self.add("}")
        scope += names

    def execute_blocks(self, scope: Scope) -> None:
        count = self.count()
        front, names = self.results(count)
        self.add(f"{front}scf.execute_region{f' -> ({buffer_types(count)})' if count else ''} {{")
        with self.inside(scope):
            inner = list(scope)
            self.blocks(inner)
            self.give("scf.yield", inner, count)
        self.add("}")
        scope += names

    def parallel(self, scope: Scope) -> None:
        self.rounds(scope, f"scf.parallel ({self.fresh('i')}) = (%c0) to (%c{self.count()}) step (%c1)")

    def forall(self, scope: Scope) -> None:
        self.rounds(scope, f"scf.forall ({self.fresh('i')}) in (%c{self.count()})")

    def rounds(self, scope: Scope, head: str) -> None:
        """Rounds come in any order, so nothing in them is read into the sum."""
        self.add(f"{head} {{")
        with self.inside(scope):
            inner = list(scope)
            for _ in range(self.chance.randint(0, 3)):
                self.chance.choice((self.new, self.select, self.view, self.clone))(inner)
        self.add("}")

    # ---- blocks

    def flow(self, scope: Scope) -> None:
        if not self.depth:
            self.shared(*scope)
            self.blocks(scope)

    def blocks(self, scope: Scope) -> None:
        """Blocks that come together in one, which goes on with what they hand to it."""
        end, count = self.label(), self.count()
        arguments = [self.fresh("j") for _ in range(count)]
        self.chance.choice((self.diamond, self.one_sided, self.several_ways, self.round_trip, self.round_trip))(
            scope, end, count
        )
        self.add(f"{end}({_declared(arguments)}):" if count else f"{end}:")
        self.own = set()
        scope += arguments

    def to(self, block: str, scope: Scope, count: int, *others: tuple[str, str]) -> str:
        handed = _typed([self.pick(scope) for _ in range(count)], *others)
        return f"{block}({handed})" if handed else block

    def arm(self, block: str, scope: Scope) -> Scope:
        """What a block of its own has in scope at its end."""
        self.add(f"{block}:")
        return self.body(scope)

    def body(self, scope: Scope) -> Scope:
        with self.inside(scope):
            return self.statements(list(scope), self.chance.randint(0, 3))

    def diamond(self, scope: Scope, end: str, count: int) -> None:
        one, other = self.label(), self.label()
        self.add(f"cf.cond_br {self.condition()}, {one}, {other}")
        for block in (one, other):
            self.add(f"cf.br {self.to(end, self.arm(block, scope), count)}")

    def one_sided(self, scope: Scope, end: str, count: int) -> None:
        block = self.label()
        self.add(f"cf.cond_br {self.condition()}, {block}, {self.to(end, scope, count)}")
        self.add(f"cf.br {self.to(end, self.arm(block, scope), count)}")

    def several_ways(self, scope: Scope, end: str, count: int) -> None:
        one, other = self.label(), self.label()
        value = self.op("v", "arith.index_cast %d : index to i32")
        self.add(f"cf.switch {value} : i32, [default: {one}, 0: {other}, 1: {self.to(end, scope, count)}]")
        for block in (one, other):
            self.add(f"cf.br {self.to(end, self.arm(block, scope), count)}")

    def round_trip(self, scope: Scope, end: str, count: int) -> None:
        head, again, place = self.label(), self.label(), self.fresh("j")
        arguments = [self.fresh("b") for _ in range(self.count())]
        self.add(f"cf.br {self.to(head, scope, len(arguments), ('%c0', 'index'))}")
        self.add(f"{head}({_declared(arguments, (place, 'index'))}):")
        inner = self.body([*scope, *arguments])
        more = self.op("o", f"arith.cmpi ult, {place}, %c{self.chance.randint(0, 3)} : index")
        self.add(f"cf.cond_br {more}, {again}, {self.to(end, inner, count)}")
        inner = self.arm(again, inner)
        following = self.op("j", f"arith.addi {place}, %c1 : index")
        self.add(f"cf.br {self.to(head, inner, len(arguments), (following, 'index'))}")
