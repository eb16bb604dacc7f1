"""Programs of private functions that exchange buffers: each takes one to three, and returns one to three.

What they return are arguments, new buffers, global variables, choices between these, views, what was read from
memory, and what other functions return, themselves included, in any order and more than once. How deep they call each
other, the first argument says. Buffers are written where they are allocated and nowhere else, so a clone cannot be told
from what it was made of.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

BUFFER = "memref<4xf32>"
OPEN = "memref<?xf32>"
SUM = "memref<1xf32>"
HOLDER = "memref<1xmemref<4xf32>>"
STATEMENTS = ("new", "read", "select", "view", "if", "for", "call", "call", "call", "global", "memory")
SHAPES = ("if", "returns", "joined", "straight")


def program(seed: int, size: int = 5) -> str:
    """The program number `seed`: up to four private functions of up to about `size` statements a block, and `@main`."""
    return _Generator(random.Random(f"{seed}/{size}"), size).module()


def buffer_types(count: int) -> str:
    """The types of `count` buffers, in a row."""
    return ", ".join([BUFFER] * count)


class _Generator:
    def __init__(self, chance: random.Random, size: int) -> None:
        self.chance = chance
        self.size = size
        self.lines: list[str] = []
        self.counter = 0
        self.signatures = [(chance.randint(1, 3), chance.randint(1, 3)) for _ in range(chance.randint(1, 4))]
        self.globals = chance.random() < 0.5
        self.memory = chance.random() < 0.3

    def fresh(self, hint: str) -> str:
        self.counter += 1
        return f"%{hint}{self.counter}"

    def op(self, hint: str, text: str) -> str:
        name = self.fresh(hint)
        self.lines.append(f"{name} = {text}")
        return name

    # -- functions -------------------------------------------------------------------------------------------

    def module(self) -> str:
        for number in range(len(self.signatures)):
            self.function(number)
        self.main()
        variables = [f'memref.global "private" @g{i} : {BUFFER} = dense<{i}.5>' for i in range(2)]
        return "\n".join(["module {", *variables, *self.lines, "}", ""])

    def constants(self) -> None:
        self.lines += [f"%c{i} = arith.constant {i} : index" for i in range(3)]

    def function(self, number: int) -> None:
        takes, gives = self.signatures[number]
        arguments = [f"%p{i}" for i in range(takes)]
        parameters = ", ".join(["%d: index", "%c: i1", f"%sum: {SUM}", *(f"{a}: {BUFFER}" for a in arguments)])
        self.lines.append(f"func.func private @f{number}({parameters}) -> ({buffer_types(gives)}) {{")
        self.constants()
        last = self.op("z", "arith.cmpi eq, %d, %c0 : index")
        shape = self.chance.choice(SHAPES)
        if shape == "straight":
            self.give("return", self.statements(arguments, number, False, self.size), gives)
        elif shape == "if":
            name = self.fresh("r")
            results = [f"{name}#{i}" for i in range(gives)]
            self.lines.append(f"{name}:{gives} = scf.if {last} -> ({buffer_types(gives)}) {{")
            self.give("scf.yield", self.statements(arguments, number, False, self.size // 2), gives)
            self.lines.append("} else {")
            self.give("scf.yield", self.statements(arguments, number, True, self.size), gives)
            self.lines.append("}")
            self.behind(number, arguments, results)
        else:
            joined = [self.fresh("j") for _ in range(gives)]
            self.lines.append(f"cf.cond_br {last}, ^last, ^deeper")
            for label, deeper in (("^last", False), ("^deeper", True)):
                self.lines.append(f"{label}:")
                scope = self.statements(arguments, number, deeper, self.size)
                if shape == "returns":
                    self.give("return", scope, gives)
                else:
                    handed = ", ".join(self.chance.choice(scope) for _ in joined)
                    self.lines.append(f"cf.br ^joined({handed} : {buffer_types(gives)})")
            if shape == "joined":
                self.lines.append(f"^joined({', '.join(f'{j}: {BUFFER}' for j in joined)}):")
                self.behind(number, arguments, joined)
        self.lines.append("}")

    def behind(self, number: int, arguments: Sequence[str], results: Sequence[str]) -> None:
        """What comes after both ways through a function: it returns what these gave, or something else."""
        scope = self.statements([*arguments, *results], number, False, 2)
        if self.chance.random() < 0.7:
            self.lines.append(f"return {', '.join(results)} : {buffer_types(len(results))}")
        else:
            self.give("return", scope, len(results))

    def main(self) -> None:
        self.lines.append("func.func @main(%d: index, %c: i1) -> f32 {")
        self.constants()
        zero = self.op("k", "arith.constant 0.0 : f32")
        self.lines.append(f"%sum = memref.alloc() : {SUM}")
        self.lines.append(f"memref.store {zero}, %sum[%c0] : {SUM}")
        # Functions call each other this many times in a row at most: for any %d that is few enough to end.
        self.lines.append("%three = arith.constant 3 : index")
        self.lines.append("%depth = arith.minui %d, %three : index")
        scope = self.statements([self.new(None)], None, True, self.size + 2)
        for name in scope[-2:]:
            self.read(name)
        total = self.op("x", f"memref.load %sum[%c0] : {SUM}")
        self.lines += [f"return {total} : f32", "}"]

    # -- statements ------------------------------------------------------------------------------------------

    def give(self, op: str, scope: Sequence[str], count: int) -> None:
        near = scope[-4:] if self.chance.random() < 0.6 else scope
        self.lines.append(f"{op} {', '.join(self.chance.choice(near) for _ in range(count))} : {buffer_types(count)}")

    def read(self, name: str) -> None:
        value = self.op("x", f"memref.load {name}[%c0] : {BUFFER}")
        before = self.op("x", f"memref.load %sum[%c0] : {SUM}")
        after = self.op("x", f"arith.addf {value}, {before} : f32")
        self.lines.append(f"memref.store {after}, %sum[%c0] : {SUM}")

    def new(self, source: str | None) -> str:
        name = self.op("a", f"memref.alloc() : {BUFFER}")
        if source is None or self.chance.random() < 0.3:
            value = self.op("k", f"arith.constant {self.counter}.0 : f32")
            self.lines.append(f"linalg.fill ins({value} : f32) outs({name} : {BUFFER})")
        else:
            self.lines.append(f"memref.copy {source}, {name} : {BUFFER} to {BUFFER}")
        return name

    def condition(self) -> str:
        if self.chance.random() < 0.5:
            return "%c"
        bound = self.op("k", f"arith.constant {self.chance.randint(0, 3)} : index")
        return self.op("o", f"arith.cmpi ult, %d, {bound} : index")

    def statements(
        self, scope: Sequence[str], number: int | None, deeper: bool, most: int, level: int = 1
    ) -> list[str]:
        """Up to `most` statements in function `number`, which may call itself where that goes `deeper`; the buffers
        that can be named behind them."""
        named = list(scope)
        for _ in range(self.chance.randint(0, most)):
            kind = self.chance.choice(STATEMENTS)
            if kind == "new":
                named.append(self.new(self.chance.choice(named)))
            elif kind == "read":
                self.read(self.chance.choice(named))
            elif kind == "select":
                one, other, condition = self.chance.choice(named), self.chance.choice(named), self.condition()
                named.append(self.op("s", f"arith.select {condition}, {one}, {other} : {BUFFER}"))
            elif kind == "view":
                view = self.op("t", f"memref.cast {self.chance.choice(named)} : {BUFFER} to {OPEN}")
                named.append(self.op("t", f"memref.cast {view} : {OPEN} to {BUFFER}"))
            elif kind == "global" and self.globals:
                named.append(self.op("g", f"memref.get_global @g{self.chance.randrange(2)} : {BUFFER}"))
            elif kind == "memory" and self.memory:
                holder = self.op("h", f"memref.alloc() : {HOLDER}")
                self.lines.append(f"memref.store {self.chance.choice(named)}, {holder}[%c0] : {HOLDER}")
                named.append(self.op("l", f"memref.load {holder}[%c0] : {HOLDER}"))
            elif kind == "if" and level < 3:
                named += self.choice(named, number, deeper, level)
            elif kind == "for" and level < 3:
                named += self.loop(named, number, level)
            elif kind == "call":
                named += self.call(named, number, deeper)
        return named

    def choice(self, scope: Sequence[str], number: int | None, deeper: bool, level: int) -> list[str]:
        gives = self.chance.randint(1, 2)
        condition, name = self.condition(), self.fresh("r")
        self.lines.append(f"{name}:{gives} = scf.if {condition} -> ({buffer_types(gives)}) {{")
        self.give("scf.yield", self.statements(scope, number, deeper, 3, level + 1), gives)
        self.lines.append("} else {")
        self.give("scf.yield", self.statements(scope, number, deeper, 2, level + 1), gives)
        self.lines.append("}")
        return [f"{name}#{i}" for i in range(gives)]

    def loop(self, scope: Sequence[str], number: int | None, level: int) -> list[str]:
        gives = self.chance.randint(1, 2)
        name, step = self.fresh("r"), self.fresh("i")
        carried = [self.fresh("b") for _ in range(gives)]
        starts = ", ".join(f"{each} = {self.chance.choice(scope)}" for each in carried)
        end = self.chance.choice(("%c1", "%c2", "%c0"))
        bounds = f"{step} = %c0 to {end} step %c1"
        self.lines.append(f"{name}:{gives} = scf.for {bounds} iter_args({starts}) -> ({buffer_types(gives)}) {{")
        self.give("scf.yield", self.statements([*scope, *carried], number, False, 3, level + 1), gives)
        self.lines.append("}")
        return [f"{name}#{i}" for i in range(gives)]

    def call(self, scope: Sequence[str], number: int | None, deeper: bool) -> list[str]:
        """A call of any function with one less, or of one that stands before."""
        if number is None:
            callee, depth = self.chance.randrange(len(self.signatures)), "%depth"
        elif deeper and self.chance.random() < 0.8:
            callee, depth = self.chance.randrange(len(self.signatures)), self.op("e", "arith.subi %d, %c1 : index")
        elif number > 0:
            callee, depth = self.chance.randrange(number), "%d"
        else:
            return []
        takes, gives = self.signatures[callee]
        near = scope[-3:] if self.chance.random() < 0.5 else scope
        operands = ", ".join([depth, self.condition(), "%sum", *(self.chance.choice(near) for _ in range(takes))])
        types = ", ".join(["index", "i1", SUM, *[BUFFER] * takes])
        name = self.fresh("q")
        self.lines.append(f"{name}:{gives} = func.call @f{callee}({operands}) : ({types}) -> ({buffer_types(gives)})")
        return [f"{name}#{i}" for i in range(gives)]
