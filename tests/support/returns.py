"""Programs of a function that ends by one return or several, and returns up to three buffers, two of which may be one.

What it returns are arguments and new buffers, by themselves, chosen by an i1, and out of regions, loops and branches.
`@main` calls it once or twice, chooses between what it gets, gives that back to it, and returns a sum. Only its last
argument is written to, and what is new where it is allocated: so a clone cannot be told from what it was made of.
"""

from __future__ import annotations

import random

from tests.support.exchanges import BUFFER, buffer_types

I1S = ("%c", "%d", "%e")
ARGUMENTS = f"i1, i1, i1, index, {BUFFER}, {BUFFER}, {BUFFER}"
STATEMENTS = ("new", "new", "select", "read", "if", "if", "for", "while", "blocks")
FLAT = ("new", "select", "read")
SHAPES = ("one", "two", "three", "joined", "loop")


def program(seed: int, size: int = 4) -> str:
    """The program number `seed`: a function with up to `size` statements ahead of its branches, and `@main`."""
    return _Generator(random.Random(f"{seed}/{size}"), size).module()


class _Generator:
    def __init__(self, chance: random.Random, size: int) -> None:
        self.chance = chance
        self.size = size
        self.results = chance.choice((1, 1, 2, 2, 3))
        self.lines: list[str] = []
        self.counter = 0

    def fresh(self, hint: str) -> str:
        self.counter += 1
        return f"%{hint}{self.counter}"

    def module(self) -> str:
        visibility = self.chance.choice(("", "", "private "))
        self.lines.append(
            f"func.func {visibility}@ends(%c: i1, %d: i1, %e: i1, %n: index, %p: {BUFFER}, %q: {BUFFER}, %o: {BUFFER})"
            f" -> ({buffer_types(self.results)}) {{"
        )
        self.constants()
        buffers = ["%p", "%q"]
        self.statements(buffers, 0, self.chance.randint(1, self.size))
        getattr(self, self.chance.choice(SHAPES))(buffers)
        self.lines.append("}")
        self.main()
        return "\n".join([*self.lines, ""])

    def constants(self) -> None:
        self.lines += [f"%c{i} = arith.constant {i} : index" for i in range(2)]
        self.lines.append("%true = arith.constant true")

    # -- statements ------------------------------------------------------------------------------------------

    def statements(self, buffers: list[str], depth: int, count: int) -> None:
        for _ in range(count):
            kind = self.chance.choice(STATEMENTS if depth < 2 else FLAT)
            getattr(self, f"add_{kind}")(buffers, depth)

    def late(self, buffers: list[str]) -> str:
        """One of the buffers, mostly one of the last."""
        return self.chance.choice(buffers[-3:] if self.chance.random() < 0.7 else buffers)

    def i1(self) -> str:
        left, right = self.chance.choice(I1S), self.chance.choice(I1S)
        if self.chance.random() < 0.75:
            return left
        name, op = self.fresh("i"), self.chance.choice(("andi", "ori", "xori"))
        self.lines.append(f"{name} = arith.{op} {left}, {'%true' if op == 'xori' else right} : i1")
        return name

    def add_new(self, buffers: list[str], depth: int) -> None:
        name = self.fresh("a")
        self.lines += [
            f"{name} = memref.alloc() : {BUFFER}",
            f"memref.copy {self.chance.choice(('%p', '%q'))}, {name} : {BUFFER} to {BUFFER}",
        ]
        buffers.append(name)

    def add_select(self, buffers: list[str], depth: int) -> None:
        chosen, left, right = self.i1(), self.chance.choice(buffers), self.chance.choice(buffers)
        name = self.fresh("s")
        self.lines.append(f"{name} = arith.select {chosen}, {left}, {right} : {BUFFER}")
        buffers.append(name)

    def add_read(self, buffers: list[str], depth: int) -> None:
        self.lines.append(f"memref.copy {self.chance.choice(buffers)}, %o : {BUFFER} to {BUFFER}")

    def inside(self, buffers: list[str], depth: int, count: int) -> str:
        """A region's statements; the buffers that it yields, `count` of them."""
        inner = list(buffers)
        self.statements(inner, depth + 1, self.chance.randint(0, 2))
        return ", ".join(self.late(inner) for _ in range(count))

    def add_if(self, buffers: list[str], depth: int) -> None:
        count, chosen = self.chance.choice((1, 1, 2)), self.i1()
        name = self.fresh("r")
        self.lines.append(f"{name}:{count} = scf.if {chosen} -> ({buffer_types(count)}) {{")
        for end in ("} else {", "}"):
            self.lines += [f"scf.yield {self.inside(buffers, depth, count)} : {buffer_types(count)}", end]
        buffers += [f"{name}#{i}" for i in range(count)]

    def add_for(self, buffers: list[str], depth: int) -> None:
        count = self.chance.choice((1, 1, 2))
        name, carried = self.fresh("l"), [self.fresh("b") for _ in range(count)]
        given = ", ".join(f"{each} = {self.chance.choice(buffers)}" for each in carried)
        head = f"{name}:{count} = scf.for {self.fresh('k')} = %c0 to %n step %c1"
        self.lines.append(f"{head} iter_args({given}) -> ({buffer_types(count)}) {{")
        self.lines += [f"scf.yield {self.inside(buffers + carried, depth, count)} : {buffer_types(count)}", "}"]
        buffers += [f"{name}#{i}" for i in range(count)]

    def add_while(self, buffers: list[str], depth: int) -> None:
        name, first, before, again, more, after = (self.fresh(hint) for hint in "wkbkib")
        self.lines += [
            f"{name}:2 = scf.while ({first} = %c0, {before} = {self.chance.choice(buffers)}) : (index, {BUFFER}) ->"
            f" (index, {BUFFER}) {{",
            f"{more} = arith.cmpi ult, {first}, %n : index",
            f"scf.condition({more}) {first}, {self.late([*buffers, before])} : index, {BUFFER}",
            "} do {",
            f"^bb0({again}: index, {after}: {BUFFER}):",
        ]
        kept, next_ = self.inside([*buffers, after], depth, 1), self.fresh("k")
        self.lines += [
            f"{next_} = arith.addi {again}, %c1 : index",
            f"scf.yield {next_}, {kept} : index, {BUFFER}",
            "}",
        ]
        buffers.append(f"{name}#1")

    def add_blocks(self, buffers: list[str], depth: int) -> None:
        name, kept = self.fresh("x"), self.fresh("b")
        self.lines.append(f"{name} = scf.execute_region -> {BUFFER} {{")
        inner = list(buffers)
        self.statements(inner, depth + 1, self.chance.randint(0, 2))
        chosen, label = self.i1(), f"^in{self.counter}"
        left, right = self.late(inner), self.late(inner)
        self.lines += [
            f"cf.cond_br {chosen}, {label}({left} : {BUFFER}), {label}({right} : {BUFFER})",
            f"{label}({kept}: {BUFFER}):",
            f"scf.yield {kept} : {BUFFER}",
            "}",
        ]
        buffers.append(name)

    # -- how it ends -----------------------------------------------------------------------------------------

    def end(self, buffers: list[str], statements: int = 0) -> None:
        buffers = list(buffers)
        self.statements(buffers, 1, self.chance.randint(0, statements))
        returned = ", ".join(self.late(buffers) for _ in range(self.results))
        self.lines.append(f"return {returned} : {buffer_types(self.results)}")

    def branch(self, left: str, right: str) -> None:
        self.lines += [f"cf.cond_br {self.i1()}, {left}, {right}", f"{left}:"]

    def one(self, buffers: list[str]) -> None:
        self.end(buffers)

    def two(self, buffers: list[str]) -> None:
        self.branch("^left", "^right")
        self.end(buffers, 2)
        self.lines.append("^right:")
        self.end(buffers, 2)

    def three(self, buffers: list[str]) -> None:
        self.branch("^left", "^right")
        self.end(buffers, 2)
        self.lines.append("^right:")
        self.statements(buffers, 1, self.chance.randint(0, 2))
        self.branch("^up", "^down")
        self.end(buffers)
        self.lines.append("^down:")
        self.end(buffers, 2)

    def joined(self, buffers: list[str]) -> None:
        count = self.chance.choice((1, 2))
        self.branch("^left", "^right")
        for more in (["^right:"], []):
            inner = list(buffers)
            self.statements(inner, 1, self.chance.randint(0, 2))
            handed = ", ".join(self.late(inner) for _ in range(count))
            self.lines.append(f"cf.br ^end({handed} : {buffer_types(count)})")
            self.lines += more
        arguments = [self.fresh("g") for _ in range(count)]
        self.lines.append(f"^end({', '.join(f'{each}: {BUFFER}' for each in arguments)}):")
        self.end(buffers + arguments, 1)

    def loop(self, buffers: list[str]) -> None:
        count, kept, more = self.fresh("k"), self.fresh("g"), self.fresh("i")
        self.lines += [
            f"cf.br ^head(%c0, {self.chance.choice(buffers)} : index, {BUFFER})",
            f"^head({count}: index, {kept}: {BUFFER}):",
            f"{more} = arith.cmpi ult, {count}, %n : index",
            f"cf.cond_br {more}, ^body, ^end",
            "^body:",
        ]
        inner, next_ = [*buffers, kept], self.fresh("k")
        self.statements(inner, 1, self.chance.randint(0, 2))
        self.lines += [
            f"{next_} = arith.addi {count}, %c1 : index",
            f"cf.br ^head({next_}, {self.late(inner)} : index, {BUFFER})",
            "^end:",
        ]
        self.end([*buffers, kept])

    # -- who calls it ----------------------------------------------------------------------------------------

    def main(self) -> None:
        self.lines.append("func.func @main(%c: i1, %d: i1, %e: i1) -> f32 {")
        self.constants()
        self.lines += ["%n = arith.constant 2 : index", "%zero = arith.constant 0.0 : f32"]
        for number, name in enumerate(("%p", "%q", "%o"), start=1):
            self.lines += [
                f"{name} = memref.alloc() : {BUFFER}",
                f"%x{number} = arith.constant {number}.0 : f32",
                f"linalg.fill ins(%x{number} : f32) outs({name} : {BUFFER})",
            ]
        got = self.call(("%c", "%d", "%e"), ["%p", "%q"])
        if self.chance.random() < 0.5:
            self.add_select(got, 0)
        if self.chance.random() < 0.4:
            got += self.call(("%d", "%e", "%c"), [self.chance.choice(got), self.chance.choice(("%p", "%q"))])
        total = "%zero"
        for buffer in (*got, "%o", "%p"):
            value, sum_ = self.fresh("v"), self.fresh("t")
            self.lines += [
                f"{value} = memref.load {buffer}[%c0] : {BUFFER}",
                f"{sum_} = arith.addf {total}, {value} : f32",
            ]
            total = sum_
        self.lines += [f"return {total} : f32", "}"]

    def call(self, i1s: tuple[str, ...], given: list[str]) -> list[str]:
        name = self.fresh("r")
        if self.chance.random() < 0.3:
            given = [self.chance.choice(given)] * 2
        self.lines.append(
            f"{name}:{self.results} = call @ends({', '.join((*i1s, '%n', *given, '%o'))}) : ({ARGUMENTS}) ->"
            f" ({buffer_types(self.results)})"
        )
        return [f"{name}#{i}" for i in range(self.results)]
