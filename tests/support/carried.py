"""Programs in which buffers, memory that holds buffers, and addresses go round one loop: of regions or of blocks.

What goes round is new, was read from memory, came in this round, or is one of these: by a select or an `scf.if`, one
inside another. So the program has to know of each of them how long it is needed, whatever name leads to it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from tests.support.hazards import HELPERS, OFTEN, TYPES

BUFFER, HOLDER, ARENA, ADDRESS = TYPES["plain"], TYPES["holder"], TYPES["arena"], TYPES["index"]
LOOPS = ("for", "while", "one block", "two blocks")
# How many buffers, holders and addresses go round.
CARRIED = ((1, 0, 1), (0, 0, 1), (0, 0, 1), (0, 0, 2), (1, 0, 0), (2, 0, 0), (1, 1, 0))
CONSTANTS = {
    "c0": "0 : index", "c1": "1 : index", "at8": "8 : index", "k3": "3 : i64", "k5": "5 : i64", "fill": "7 : i8",
}  # fmt: skip
WAYS = ("new", "load", "load", "any", "any", "select", "select", "if", "shift")
"""How a buffer is got."""


def program(seed: int) -> str:
    """The program number `seed`: a module with `@main`, which gives a number made of all that was read."""
    return _Generator(random.Random(f"carried/{seed}"), LOOPS[seed % len(LOOPS)]).module()


class _Generator:
    def __init__(self, chance: random.Random, loop: str) -> None:
        self.chance, self.loop = chance, loop
        self.shifted = chance.random() < 0.3
        buffers, holders, addresses = chance.choice(CARRIED)
        self.types = [BUFFER] * buffers + [HOLDER] * holders + [ADDRESS] * addresses
        self.lines: list[str] = []
        self.counter = 0
        self.scope: dict[str, list[str]] = {BUFFER: [], HOLDER: [], ADDRESS: []}

    # -- text

    def emit(self, line: str) -> None:
        self.lines.append(f"    {line}")

    def op(self, text: str) -> str:
        self.counter += 1
        self.emit(f"%v{self.counter} = {text}")
        return f"%v{self.counter}"

    def module(self) -> str:
        for name, value in CONSTANTS.items():
            self.emit(f"%{name} = arith.constant {value}")
        for _ in range(2):
            self.buffer()
        self.holder(2)
        self.statements(2)
        start = self.handed()
        last = self.names("last")
        before = self.saved()
        {"for": self.for_, "while": self.while_, "one block": self.one_block, "two blocks": self.two_blocks}[self.loop](
            start, last
        )
        self.scope = before
        self.enter(last)
        self.statements(2)
        for name, kind in zip(last, self.types, strict=True):
            self.note(name, kind)
        state = self.op("memref.get_global @state : memref<2xi64>")
        total = self.op(f"memref.load {state}[%c0] : memref<2xi64>")
        body = "\n".join(self.lines)
        main = f"  func.func @main() -> i64 {{\n{body}\n    return {total} : i64\n  }}\n"
        return f"module {{\n{HELPERS}{main}{OFTEN}\n}}\n"

    # -- values

    def saved(self) -> dict[str, list[str]]:
        return {kind: list(names) for kind, names in self.scope.items()}

    def enter(self, names: Sequence[str]) -> None:
        for name, kind in zip(names, self.types, strict=True):
            self.scope[kind].append(name)

    def names(self, hint: str) -> list[str]:
        return [f"%{hint}{number}" for number in range(len(self.types))]

    def slot(self) -> str:
        return self.chance.choice(("%c0", "%c1"))

    def bit(self) -> str:
        return self.op("func.call @flip() : () -> i1")

    def buffer(self, depth: int = 0) -> str:
        way = self.chance.choice(("new", "load", "any") if depth > 2 else WAYS)
        if way == "select":
            one, other = self.buffer(depth + 1), self.buffer(depth + 1)
            made = self.op(f"arith.select {self.bit()}, {one}, {other} : {BUFFER}")
        elif way == "if":
            made = self.either(depth)
        elif way == "load" and self.scope[HOLDER]:
            made = self.op(f"memref.load {self.chance.choice(self.scope[HOLDER])}[{self.slot()}] : {HOLDER}")
        elif way == "shift" and self.shifted:
            arena = self.op(f"memref.alloc() : {ARENA}")
            self.emit(f"linalg.fill ins(%fill : i8) outs({arena} : {ARENA})")
            made = self.op(f"memref.view {arena}[{self.chance.choice(('%c0', '%at8'))}][] : {ARENA} to {BUFFER}")
        elif way != "new" and self.scope[BUFFER]:
            made = self.chance.choice(self.scope[BUFFER])
        else:
            made = self.op(f"memref.alloc() : {BUFFER}")
            self.emit(f"linalg.fill ins({self.chance.choice(('%k3', '%k5'))} : i64) outs({made} : {BUFFER})")
        self.scope[BUFFER].append(made)
        return made

    def either(self, depth: int) -> str:
        bit = self.bit()
        self.counter += 1
        made = f"%v{self.counter}"
        before = self.saved()
        for line in (f"{made} = scf.if {bit} -> {BUFFER} {{", "} else {"):
            self.emit(line)
            self.emit(f"  scf.yield {self.buffer(depth + 1)} : {BUFFER}")
            self.scope = {kind: list(names) for kind, names in before.items()}
        self.emit("}")
        return made

    def holder(self, depth: int) -> None:
        elements = [self.buffer(depth) for _ in range(2)]
        made = self.op(f"memref.alloc() : {HOLDER}")
        for number, element in enumerate(elements):
            self.emit(f"memref.store {element}, {made}[%c{number}] : {HOLDER}")
        self.scope[HOLDER].append(made)

    def address(self) -> str:
        if not self.scope[ADDRESS] or self.chance.random() < 0.7:
            made = self.op(f"memref.extract_aligned_pointer_as_index {self.buffer()} : {BUFFER} -> index")
            self.scope[ADDRESS].append(made)
        return self.chance.choice(self.scope[ADDRESS][-3:])

    def handed(self) -> list[str]:
        make = {BUFFER: self.buffer, ADDRESS: self.address, HOLDER: lambda: self.chance.choice(self.scope[HOLDER])}
        return [make[kind]() for kind in self.types]

    # -- statements

    def note(self, name: str, kind: str) -> None:
        """Note what can be read by a value."""
        if kind == HOLDER:
            name = self.op(f"memref.load {name}[{self.slot()}] : {HOLDER}")
        if kind == ADDRESS:
            number = self.op(f"arith.index_cast {name} : index to i64")
            pointer = self.op(f"llvm.inttoptr {number} : i64 to !llvm.ptr")
            read = self.op(f"llvm.load {pointer} : !llvm.ptr -> i64")
        else:
            read = self.op(f"memref.load {name}[%c0] : {BUFFER}")
        self.emit(f"func.call @note({read}) : (i64) -> ()")

    def statements(self, most: int) -> None:
        for _ in range(self.chance.randint(0, most)):
            way = self.chance.choice(("note", "note", "put", "put", "value", "holder", "address"))
            if way == "note":
                self.note(self.chance.choice(self.scope[BUFFER]), BUFFER)
            elif way == "address":
                self.note(self.address(), ADDRESS)
            elif way == "holder":
                self.holder(2)
            elif way == "put":
                element = self.buffer()
                self.emit(f"memref.store {element}, {self.chance.choice(self.scope[HOLDER])}[{self.slot()}] : {HOLDER}")
            else:
                self.buffer()

    # -- loops

    def with_types(self, names: Sequence[str]) -> str:
        return f"{', '.join(names)} : {', '.join(self.types)}"

    def parameters(self, names: Sequence[str]) -> str:
        return ", ".join(f"{name}: {kind}" for name, kind in zip(names, self.types, strict=True))

    def pairs(self, names: Sequence[str], start: Sequence[str]) -> str:
        return ", ".join(f"{name} = {value}" for name, value in zip(names, start, strict=True))

    def for_(self, start: Sequence[str], last: Sequence[str]) -> None:
        carried, types = self.names("carried"), ", ".join(self.types)
        self.emit(f"%end = arith.constant {self.chance.randint(0, 4)} : index")
        pairs = self.pairs(carried, start)
        self.emit(f"{', '.join(last)} = scf.for %i = %c0 to %end step %c1 iter_args({pairs}) -> ({types}) {{")
        self.enter(carried)
        self.statements(3)
        handed = self.handed()
        self.statements(1)
        self.emit(f"scf.yield {self.with_types(handed)}")
        self.emit("}")

    def while_(self, start: Sequence[str], last: Sequence[str]) -> None:
        carried, taken, types = self.names("carried"), self.names("taken"), ", ".join(self.types)
        before = self.saved()
        self.emit(f"{', '.join(last)} = scf.while ({self.pairs(carried, start)}) : ({types}) -> ({types}) {{")
        self.enter(carried)
        self.statements(2)
        handed = self.handed()
        self.emit(f"scf.condition({self.bit()}) {self.with_types(handed)}")
        self.emit("} do {")
        self.emit(f"^bb0({self.parameters(taken)}):")
        self.scope = before
        self.enter(taken)
        self.statements(2)
        self.emit(f"scf.yield {self.with_types(self.handed())}")
        self.emit("}")

    def one_block(self, start: Sequence[str], last: Sequence[str]) -> None:
        carried = self.names("carried")
        self.emit(f"cf.br ^loop({self.with_types(start)})")
        self.emit(f"^loop({self.parameters(carried)}):")
        self.enter(carried)
        self.statements(3)
        again = self.handed()
        out = again if self.chance.random() < 0.5 else self.handed()
        self.emit(f"cf.cond_br {self.bit()}, ^loop({self.with_types(again)}), ^done({self.with_types(out)})")
        self.emit(f"^done({self.parameters(last)}):")

    def two_blocks(self, start: Sequence[str], last: Sequence[str]) -> None:
        carried = self.names("carried")
        self.emit(f"cf.br ^test({self.with_types(start)})")
        self.emit(f"^test({self.parameters(carried)}):")
        self.enter(carried)
        self.statements(1)
        bit = self.bit()
        out = carried if self.chance.random() < 0.6 else self.handed()
        self.emit(f"cf.cond_br {bit}, ^body, ^done({self.with_types(out)})")
        self.emit("^body:")
        self.statements(3)
        self.emit(f"cf.br ^test({self.with_types(self.handed())})")
        self.emit(f"^done({self.parameters(last)}):")
