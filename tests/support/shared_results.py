"""Programs of functions that return several buffers, of which two may be one: private, public, or only declared.

What they return is allocated, chosen by an i1, or comes out of branches and loops; `@main` gets it, gives it to other
functions, chooses and hands it on, writes by one name and reads by others, and returns a number.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

T = "memref<4xf32>"
CONSTANTS = "  %i = arith.constant 0 : index\n  %one = arith.constant 1 : index\n  %two = arith.constant 2 : index\n"


@dataclass(frozen=True)
class Program:
    """`text` calls functions that it declares; `bodies` are what they turn out to be, by their declaration."""

    text: str
    bodies: dict[str, str]


@dataclass(frozen=True)
class _Function:
    name: str
    buffers: int
    results: int

    def types(self) -> str:
        return f"({', '.join([T] * self.buffers + ['i1', 'i1'])}) -> ({', '.join([T] * self.results)})"


class _Body:
    """The operations of one function, made at random."""

    def __init__(self, rng: random.Random, callees: list[_Function]) -> None:
        self.rng, self.callees = rng, callees
        self.lines: list[str] = []
        self.count = 0

    def name(self, prefix: str = "%v") -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def results(self, line: str, total: int, indent: str) -> list[str]:
        """Write an operation with `total` results, and give their names."""
        name = self.name()
        self.lines.append(f"{indent}{name}{f':{total}' if total > 1 else ''} = {line}")
        return [name] if total == 1 else [f"{name}#{number}" for number in range(total)]

    def store(self, buffer: str, indent: str) -> None:
        (number,) = self.results(f"arith.constant {self.count}.5 : f32", 1, indent)
        self.lines.append(f"{indent}memref.store {number}, {buffer}[%i] : {T}")

    def allocation(self, indent: str) -> str:
        (buffer,) = self.results(f"memref.alloc() : {T}", 1, indent)
        self.store(buffer, indent)
        return buffer

    def condition(self) -> str:
        return self.rng.choice(["%c", "%d"])

    def call(self, callee: _Function, known: list[str], indent: str) -> list[str]:
        given = [self.rng.choice(known) for _ in range(callee.buffers)] + [self.condition(), self.condition()]
        return self.results(f"func.call @{callee.name}({', '.join(given)}) : {callee.types()}", callee.results, indent)

    def region(self, known: list[str], total: int, indent: str, depth: int) -> None:
        """What a region does that knows the buffers `known`, and yields `total`."""
        here = list(known)
        self.operations(here, self.rng.randint(0, 2), indent + "  ", depth + 1)
        if not here:
            here.append(self.allocation(indent + "  "))
        near = self.rng.random() < 0.6
        yielded = [self.rng.choice(here[-3:] if near else here) for _ in range(total)]
        self.lines.append(f"{indent}  scf.yield {', '.join(yielded)} : {', '.join([T] * total)}")

    def branch(self, known: list[str], indent: str, depth: int) -> list[str]:
        total = self.rng.choice([1, 2, 2])
        found = self.results(f"scf.if {self.condition()} -> ({', '.join([T] * total)}) {{", total, indent)
        self.region(known, total, indent, depth)
        self.lines.append(f"{indent}}} else {{")
        self.region(known, total, indent, depth)
        self.lines.append(f"{indent}}}")
        return found

    def loop(self, known: list[str], indent: str, depth: int) -> list[str]:
        total = self.rng.choice([1, 2])
        arguments = [self.name("%k") for _ in range(total)]
        begins = ", ".join(f"{argument} = {self.rng.choice(known)}" for argument in arguments)
        head = f"scf.for {self.name('%n')} = %i to %two step %one iter_args({begins})"
        found = self.results(f"{head} -> ({', '.join([T] * total)}) {{", total, indent)
        self.region(known + arguments, total, indent, depth)
        self.lines.append(f"{indent}}}")
        return found

    def operations(self, known: list[str], total: int, indent: str = "  ", depth: int = 0) -> None:
        for _ in range(total):
            kind = self.rng.random()
            if kind < 0.2 or not known:
                known.append(self.allocation(indent))
            elif kind < 0.35 and len(known) > 1:
                one, other = self.rng.sample(known, 2)
                known += self.results(f"arith.select {self.condition()}, {one}, {other} : {T}", 1, indent)
            elif kind < 0.55 and depth < 2:
                known += self.branch(known, indent, depth)
            elif kind < 0.63 and depth < 2:
                known += self.loop(known, indent, depth)
            elif kind < 0.85 and self.callees:
                known += self.call(self.rng.choice(self.callees), known, indent)
            else:
                self.store(self.rng.choice(known), indent)


def _function(rng: random.Random, made: _Function, visibility: str, callees: list[_Function]) -> str:
    body = _Body(rng, callees)
    known = [f"%a{number}" for number in range(made.buffers)]
    body.operations(known, rng.randint(2, 4))
    if len(known) == made.buffers:
        known.append(body.allocation("  "))
    returned = ", ".join(rng.choice(known[-4:]) for _ in range(made.results))
    arguments = ", ".join([*(f"%a{number}: {T}" for number in range(made.buffers)), "%c: i1", "%d: i1"])
    types = ", ".join([T] * made.results)
    lines = "\n".join(body.lines)
    return (
        f"func.func {visibility} @{made.name}({arguments}) -> ({types}) {{\n{CONSTANTS}{lines}\n"
        f"  return {returned} : {types}\n}}\n"
    )


def program(seed: int) -> Program:
    """A program of one or two functions, at times one that is given a buffer, and `@main`, which calls them."""
    rng = random.Random(seed)
    text, bodies, callees = "", {}, []
    for number in range(rng.randint(1, 2)):
        made = _Function(f"g{number}", 0, rng.choice([2, 2, 3]))
        visibility = rng.choice(["private", "public", "declared"])
        if visibility == "declared":
            declaration = f"func.func private @{made.name}{made.types()}\n"
            bodies[declaration] = _function(rng, made, "private", [])
            text += declaration
        else:
            text += _function(rng, made, visibility, callees)
        callees.append(made)
    if rng.random() < 0.5:
        made = _Function("h", 1, rng.choice([1, 2]))
        text += _function(rng, made, "private", [])
        callees.append(made)
    body = _Body(rng, callees)
    known = body.call(callees[0], [], "  ")
    body.operations(known, rng.randint(3, 6))
    total = "%zero"
    for buffer in rng.sample(known, min(len(known), 4)):
        (read,) = body.results(f"memref.load {buffer}[%i] : {T}", 1, "  ")
        (added,) = body.results(f"arith.addf {total}, {read} : f32", 1, "  ")
        (total,) = body.results(f"arith.mulf {added}, %three : f32", 1, "  ")
    numbers = "  %zero = arith.constant 0.0 : f32\n  %three = arith.constant 3.0 : f32\n"
    lines = "\n".join(body.lines)
    text += (
        f"func.func @main(%c: i1, %d: i1) -> f32 {{\n{CONSTANTS}{numbers}{lines}\n  return {total} : f32\n}}\n"
    )
    return Program(text, bodies)
