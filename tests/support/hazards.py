"""Random closed programs over what the ordinary ones of :mod:`tests.support.generate` have not: views that start
elsewhere than their allocation, addresses and handles of buffers, and memory that holds buffers.

A program is a module with a public function ``@main`` that takes nothing and returns a number, and some functions
that it calls. It runs without faults when nothing is deallocated. Buffers are written only when they are made, so that
a copy may stand for a buffer. The same seed gives the same program.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

# What values stand for, and their types.
TYPES = {
    "arena": "memref<128xi8>",
    "plain": "memref<4xi64>",
    "part": "memref<?xi64, strided<[1], offset: ?>>",
    "number": "i64",
    "index": "index",
    "pointer": "!llvm.ptr",
    "descriptor": "!llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>",
    "holder": "memref<2xmemref<4xi64>>",
    "outer": "memref<2xmemref<2xmemref<4xi64>>>",
}
# What each kind of program is about; the first is the most frequent.
KINDS = {
    "views": ("plain", "arena", "part"),
    "pointers": ("pointer", "plain", "number", "index", "descriptor"),
    "containers": ("holder", "plain", "outer", "part"),
    "all": tuple(TYPES),
}
HELPERS = """\
  memref.global "private" @state : memref<2xi64> = dense<1>
  func.func private @note(%x: i64) {
    %zero = arith.constant 0 : index
    %factor = arith.constant 31 : i64
    %state = memref.get_global @state : memref<2xi64>
    %old = memref.load %state[%zero] : memref<2xi64>
    %more = arith.muli %old, %factor : i64
    %new = arith.addi %more, %x : i64
    memref.store %new, %state[%zero] : memref<2xi64>
    return
  }
  func.func private @flip() -> i1 {
    %one = arith.constant 1 : index
    %factor = arith.constant 75 : i64
    %prime = arith.constant 65537 : i64
    %middle = arith.constant 32768 : i64
    %state = memref.get_global @state : memref<2xi64>
    %old = memref.load %state[%one] : memref<2xi64>
    %more = arith.muli %old, %factor : i64
    %new = arith.remui %more, %prime : i64
    memref.store %new, %state[%one] : memref<2xi64>
    %bit = arith.cmpi ult, %new, %middle : i64
    return %bit : i1
  }
  func.func @shift(%n: index) -> index {
    return %n : index
  }
"""

OFTEN = "\n".join(
    (
        "  func.func @often() -> i64 {",
        *(f"    %r{number} = func.call @main() : () -> i64" for number in range(6)),
        "    return %r5 : i64",
        "  }",
    )
)
"""Runs `@main` again and again, each time with other bits, so that it takes other paths."""


@dataclass(frozen=True)
class _Value:
    name: str
    kind: str

    @property
    def type(self) -> str:
        return TYPES[self.kind]


@dataclass(frozen=True)
class _Function:
    name: str
    arguments: tuple[str, ...]
    result: str


@dataclass
class _Scope:
    values: list[_Value] = field(default_factory=list)
    blocks: bool = True  # whether the region may have several blocks


def program(kind: str, seed: int, size: int = 9) -> str:
    """The program of a kind, a key of `KINDS`, for a seed. ``size`` is about the number of statements a function."""
    return _Generator(random.Random(f"{kind}/{seed}/{size}"), KINDS[kind], size).module()


class _Generator:
    def __init__(self, chance: random.Random, kinds: tuple[str, ...], size: int) -> None:
        self.chance, self.kinds, self.size = chance, kinds, size
        self.left = self.counter = 0
        self.indent = 2
        self.lines: list[str] = []
        self.functions: list[_Function] = []

    # -- text

    def emit(self, line: str) -> None:
        self.lines.append("  " * self.indent + line)

    def fresh(self, hint: str) -> str:
        self.counter += 1
        return f"%{hint}{self.counter}"

    def op(self, hint: str, text: str) -> str:
        name = self.fresh(hint)
        self.emit(f"{name} = {text}")
        return name

    def likely(self, probability: float) -> bool:
        return self.chance.random() < probability

    def kind(self) -> str:
        weights = [3 if number == 0 else 2 for number in range(len(self.kinds))]
        return self.chance.choices(self.kinds, weights)[0]

    # -- functions

    def module(self) -> str:
        for number in range(self.chance.randint(0, 2)):
            arguments = tuple(self.kind() for _ in range(self.chance.randint(0, 2)))
            # What gives access to a buffer, or holds some, can hardly be returned without what it needs.
            result = self.kind() if self.likely(0.3) else self.chance.choice(("plain", "part"))
            private = self.likely(0.7)
            # Whoever calls a public function of a program by itself has no addresses to give.
            private |= bool({"number", "index", "pointer", "descriptor"} & set(arguments))
            self.function(_Function(f"f{number}", arguments, result), private)
        self.function(_Function("main", (), ""), private=False)
        return "module {\n" + HELPERS + "\n".join((*self.lines, OFTEN)) + "\n}\n"

    def function(self, function: _Function, private: bool) -> None:
        self.left, self.counter = self.size, 0
        arguments = [_Value(f"%arg{number}", kind) for number, kind in enumerate(function.arguments)]
        parameters = ", ".join(f"{value.name}: {value.type}" for value in arguments)
        self.indent = 1
        result = TYPES[function.result] if function.result else "i64"
        self.emit(f"func.func {'private ' if private else ''}@{function.name}({parameters}) -> {result} {{")
        self.indent = 2
        for number in (0, 1, 2):
            self.emit(f"%c{number} = arith.constant {number} : index")
        for number in (0, 8, 16, 64):
            self.emit(f"%at{number} = arith.constant {number} : index")
        for number in (3, 5, 8):
            self.emit(f"%k{number} = arith.constant {number} : i64")
        self.emit("%fill = arith.constant 7 : i8")
        self.emit("%any = func.call @shift(%at8) : (index) -> index")
        scope = _Scope(arguments)
        for _ in range(3):  # what is made here is there for all that follows
            self.make(scope, self.kind())
        self.statements(scope, 0)
        if function.result:
            self.emit(f"return {self.value(scope, function.result).name} : {result}")
        else:
            for value in self.chance.sample(scope.values, min(3, len(scope.values))):
                self.read(value)
            state = self.op("g", "memref.get_global @state : memref<2xi64>")
            total = self.op("x", f"memref.load {state}[%c0] : memref<2xi64>")
            self.emit(f"return {total} : i64")
        self.indent = 1
        self.emit("}")
        self.functions.append(function)

    # -- values

    def find(self, scope: _Scope, kind: str) -> list[_Value]:
        return [value for value in scope.values if value.kind == kind]

    def value(self, scope: _Scope, kind: str, again: float = 0.75) -> _Value:
        """A value of the kind: one in scope, or a new one."""
        choices = self.find(scope, kind)
        if choices and self.likely(again):
            return self.chance.choice(choices[-4:])
        return self.make(scope, kind)

    def make(self, scope: _Scope, kind: str) -> _Value:
        made = _Value(getattr(self, f"make_{kind}")(scope), kind)
        scope.values.append(made)
        return made

    def make_arena(self, scope: _Scope) -> str:
        name = self.op("a", "memref.alloc() : memref<128xi8>")
        self.emit(f"linalg.fill ins(%fill : i8) outs({name} : memref<128xi8>)")
        return name

    def make_plain(self, scope: _Scope) -> str:
        ways = ["alloc"] * 2
        ways += ["view"] * 3 if "arena" in self.kinds else []
        ways += ["load"] * 3 if self.find(scope, "holder") else []
        ways += ["back"] * 2 if self.find(scope, "descriptor") else []
        way = self.chance.choice(ways)
        if way == "view":
            arena = self.value(scope, "arena")
            shift = self.chance.choice(("%at0", "%at8", "%at16", "%at64", "%any"))
            return self.op("v", f"memref.view {arena.name}[{shift}][] : memref<128xi8> to memref<4xi64>")
        if way == "load":
            holder = self.value(scope, "holder", 1)
            return self.op("l", f"memref.load {holder.name}[{self.slot()}] : {TYPES['holder']}")
        if way == "back":
            return self.cast(self.value(scope, "descriptor", 1), "plain")
        name = self.op("p", "memref.alloc() : memref<4xi64>")
        self.emit(f"linalg.fill ins({self.chance.choice(('%k3', '%k5', '%k8'))} : i64) outs({name} : memref<4xi64>)")
        return name

    def cast(self, value: _Value, kind: str) -> str:
        return self.op("u", f"builtin.unrealized_conversion_cast {value.name} : {value.type} to {TYPES[kind]}")

    def slot(self) -> str:
        return self.chance.choice(("%c0", "%c1"))

    def make_part(self, scope: _Scope) -> str:
        source = self.value(scope, "plain")
        offset = self.chance.choice((0, 1, 2))
        layout = f"strided<[1], offset: {offset}>" if offset else "strided<[1]>"
        if self.likely(0.5):
            text = f"memref.subview {source.name}[{offset}] [2] [1] : memref<4xi64> to memref<2xi64, {layout}>"
        else:
            text = f"memref.reinterpret_cast {source.name} to offset: [{offset}], sizes: [2], strides: [1]"
            text += f" : memref<4xi64> to memref<2xi64, {layout}>"
        view = self.op("s", text)
        return self.op("v", f"memref.cast {view} : memref<2xi64, {layout}> to {TYPES['part']}")

    def make_index(self, scope: _Scope) -> str:
        source = self.value(scope, "plain")
        address = self.op("i", f"memref.extract_aligned_pointer_as_index {source.name} : memref<4xi64> -> index")
        if self.likely(0.5):
            return address
        more = self.op("i", f"arith.addi {address}, %any : index")
        return self.op("i", f"arith.subi {more}, %any : index")

    def make_number(self, scope: _Scope) -> str:
        pointers = self.find(scope, "pointer")
        if pointers and self.likely(0.5):
            return self.op("n", f"llvm.ptrtoint {self.chance.choice(pointers).name} : !llvm.ptr to i64")
        return self.op("n", f"arith.index_cast {self.value(scope, 'index').name} : index to i64")

    def make_pointer(self, scope: _Scope) -> str:
        way = self.chance.choice(("number", "descriptor", "step", "select"))
        pointers = self.find(scope, "pointer")
        if way == "step" and pointers:
            source = self.chance.choice(pointers).name
            step = self.op("q", f"llvm.getelementptr {source}[1] : (!llvm.ptr) -> !llvm.ptr, i64")
            return self.op("q", f"llvm.getelementptr {step}[-1] : (!llvm.ptr) -> !llvm.ptr, i64")
        if way == "select" and len(pointers) > 1:
            one, other = self.chance.sample(pointers, 2)
            return self.op("q", f"llvm.select {self.bit()}, {one.name}, {other.name} : i1, !llvm.ptr")
        if way == "descriptor":
            source = self.value(scope, "descriptor").name
            return self.op("q", f"llvm.extractvalue {source}[1] : {TYPES['descriptor']}")
        return self.op("q", f"llvm.inttoptr {self.value(scope, 'number').name} : i64 to !llvm.ptr")

    def make_descriptor(self, scope: _Scope) -> str:
        return self.cast(self.value(scope, "plain"), "descriptor")

    def make_holder(self, scope: _Scope) -> str:
        outers = self.find(scope, "outer")
        if outers and self.likely(0.4):
            return self.op("h", f"memref.load {self.chance.choice(outers).name}[{self.slot()}] : {TYPES['outer']}")
        return self.filled(scope, "holder", "plain")

    def make_outer(self, scope: _Scope) -> str:
        return self.filled(scope, "outer", "holder")

    def filled(self, scope: _Scope, kind: str, element: str) -> str:
        elements = [self.value(scope, element) for _ in range(2)]
        name = self.op("h", f"memref.alloc() : {TYPES[kind]}")
        for number, value in enumerate(elements):
            self.emit(f"memref.store {value.name}, {name}[%c{number}] : {TYPES[kind]}")
        return name

    def bit(self) -> str:
        return self.op("b", "func.call @flip() : () -> i1")

    def read(self, value: _Value) -> None:
        """Note what can be read by a value."""
        kind, name = value.kind, value.name
        if kind == "number":
            kind, name = "pointer", self.op("q", f"llvm.inttoptr {name} : i64 to !llvm.ptr")
        if kind == "index":
            number = self.op("n", f"arith.index_cast {name} : index to i64")
            kind, name = "pointer", self.op("q", f"llvm.inttoptr {number} : i64 to !llvm.ptr")
        if kind == "descriptor":
            kind, name = "plain", self.cast(value, "plain")
        if kind == "outer":
            kind, name = "holder", self.op("l", f"memref.load {name}[{self.slot()}] : {TYPES['outer']}")
        if kind == "holder":
            kind, name = "plain", self.op("l", f"memref.load {name}[{self.slot()}] : {TYPES['holder']}")
        if kind == "pointer":
            read = self.op("x", f"llvm.load {name} : !llvm.ptr -> i64")
        elif kind == "arena":
            byte = self.op("e", f"memref.load {name}[%at64] : memref<128xi8>")
            read = self.op("x", f"arith.extsi {byte} : i8 to i64")
        else:
            read = self.op("x", f"memref.load {name}[{self.slot()}] : {TYPES[kind]}")
        self.emit(f"func.call @note({read}) : (i64) -> ()")

    # -- statements

    def statements(self, scope: _Scope, depth: int) -> None:
        for _ in range(self.chance.randint(1, 3) if depth else self.size):
            if self.left <= 0:
                break
            self.left -= 1
            steps = [(self.new, 4), (self.note, 4), (self.select, 2), (self.call, 2), (self.put, 2)]
            if depth < 3:
                steps += [(self.if_, 3), (self.for_, 2), (self.while_, 1), (self.region, 1)]
                steps += [(self.branch, 3), (self.diamond, 4)] if scope.blocks else []
            names, weights = zip(*steps, strict=True)
            self.chance.choices(names, weights)[0](scope, depth)

    def new(self, scope: _Scope, depth: int) -> None:
        self.make(scope, self.kind())

    def note(self, scope: _Scope, depth: int) -> None:
        if scope.values:
            self.read(self.chance.choice(scope.values))

    def select(self, scope: _Scope, depth: int) -> None:
        kind = self.kind()
        one, other = self.value(scope, kind), self.value(scope, kind, 0.9)
        what = "llvm.select" if kind in ("pointer", "descriptor") else "arith.select"
        types = f"i1, {one.type}" if what == "llvm.select" else one.type
        scope.values.append(_Value(self.op("t", f"{what} {self.bit()}, {one.name}, {other.name} : {types}"), kind))

    def put(self, scope: _Scope, depth: int) -> None:
        """Another buffer into memory that holds some."""
        kind = self.chance.choice(("holder", "outer"))
        holders = self.find(scope, kind)
        if holders:
            holder = self.chance.choice(holders)
            element = self.value(scope, "plain" if kind == "holder" else "holder")
            self.emit(f"memref.store {element.name}, {holder.name}[{self.slot()}] : {holder.type}")

    def call(self, scope: _Scope, depth: int) -> None:
        if not self.functions:
            return
        function = self.chance.choice(self.functions)
        arguments = [self.value(scope, kind) for kind in function.arguments]
        names = ", ".join(value.name for value in arguments)
        types = ", ".join(value.type for value in arguments)
        result = self.op("r", f"func.call @{function.name}({names}) : ({types}) -> {TYPES[function.result]}")
        scope.values.append(_Value(result, function.result))

    def carried(self) -> list[str]:
        return [self.kind() for _ in range(self.chance.randint(0, 2))]

    def body(self, scope: _Scope, depth: int, kinds: list[str], end: str, *own: _Value, blocks: bool = False) -> None:
        """A region's statements, and its terminator, which hands on values of the kinds."""
        self.indent += 1
        inner = _Scope([*scope.values, *own], blocks)
        self.statements(inner, depth + 1)
        self.emit(f"{end}{self.handed(inner, kinds)}")
        self.indent -= 1

    def handed(self, scope: _Scope, kinds: list[str]) -> str:
        values = [self.value(scope, kind) for kind in kinds]
        names, types = ", ".join(v.name for v in values), ", ".join(v.type for v in values)
        return f" {names} : {types}" if values else ""

    def results(self, scope: _Scope, kinds: list[str]) -> str:
        """The left side of an operation whose results have the kinds; adds them to the scope."""
        values = [_Value(self.fresh("r"), kind) for kind in kinds]
        scope.values += values
        return f"{', '.join(value.name for value in values)} = " if values else ""

    def if_(self, scope: _Scope, depth: int) -> None:
        kinds, before = self.carried(), _Scope(list(scope.values))
        bit = self.bit()
        types = ", ".join(TYPES[kind] for kind in kinds)
        self.emit(f"{self.results(scope, kinds)}scf.if {bit}{f' -> ({types})' if kinds else ''} {{")
        self.body(before, depth, kinds, "scf.yield")
        self.emit("} else {")
        self.body(before, depth, kinds, "scf.yield")
        self.emit("}")

    def for_(self, scope: _Scope, depth: int) -> None:
        kinds = self.carried()
        starts = [self.value(scope, kind) for kind in kinds]
        before, own = _Scope(list(scope.values)), [_Value(self.fresh("w"), kind) for kind in kinds]
        pairs = ", ".join(f"{one.name} = {start.name}" for one, start in zip(own, starts, strict=True))
        types = ", ".join(TYPES[kind] for kind in kinds)
        carry = f" iter_args({pairs}) -> ({types})" if kinds else ""
        end = self.chance.choice(("%c0", "%c1", "%c2"))
        self.emit(f"{self.results(scope, kinds)}scf.for {self.fresh('i')} = %c0 to {end} step %c1{carry} {{")
        self.body(before, depth, kinds, "scf.yield", *own)
        self.emit("}")

    def while_(self, scope: _Scope, depth: int) -> None:
        kinds = self.carried()
        starts = [self.value(scope, kind) for kind in kinds]
        before = _Scope(list(scope.values))
        types = ", ".join(TYPES[kind] for kind in kinds)
        own, behind = ([_Value(self.fresh("w"), kind) for kind in kinds] for _ in range(2))
        pairs = ", ".join(f"{one.name} = {start.name}" for one, start in zip(own, starts, strict=True))
        self.emit(f"{self.results(scope, kinds)}scf.while{f' ({pairs})' if kinds else ''} : ({types}) -> ({types}) {{")
        self.indent += 1
        inner = _Scope([*before.values, *own], blocks=False)
        self.statements(inner, depth + 1)
        bit = self.bit()
        handed = self.handed(inner, kinds)
        self.emit(f"scf.condition({bit}){handed}")
        self.indent -= 1
        parameters = ", ".join(f"{value.name}: {value.type}" for value in behind)
        self.emit("} do {")
        self.indent += 1
        if kinds:
            self.emit(f"^bb0({parameters}):")
        self.indent -= 1
        self.body(before, depth, kinds, "scf.yield", *behind)
        self.emit("}")

    def region(self, scope: _Scope, depth: int) -> None:
        kinds, before = self.carried(), _Scope(list(scope.values))
        types = ", ".join(TYPES[kind] for kind in kinds)
        self.emit(f"{self.results(scope, kinds)}scf.execute_region{f' -> ({types})' if kinds else ''} {{")
        self.body(before, depth, kinds, "scf.yield", blocks=True)
        self.emit("}")

    # -- branches

    def target(self, scope: _Scope, label: str, kinds: list[str]) -> str:
        values = [self.value(scope, kind) for kind in kinds]
        names, types = ", ".join(v.name for v in values), ", ".join(v.type for v in values)
        return f"^{label}({names} : {types})" if values else f"^{label}"

    def label(self, label: str, kinds: list[str]) -> list[_Value]:
        own = [_Value(self.fresh("m"), kind) for kind in kinds]
        parameters = ", ".join(f"{value.name}: {value.type}" for value in own)
        self.indent -= 1
        self.emit(f"^{label}({parameters}):" if own else f"^{label}:")
        self.indent += 1
        return own

    def branch(self, scope: _Scope, depth: int) -> None:
        kinds, label = self.carried(), self.fresh("to")[1:]
        self.emit(f"cf.br {self.target(scope, label, kinds)}")
        scope.values += self.label(label, kinds)

    def diamond(self, scope: _Scope, depth: int) -> None:
        one, other, join = (self.fresh("to")[1:] for _ in range(3))
        kinds, ways = self.carried(), [(one, self.carried()), (other, self.carried())]
        bit = self.bit()
        targets = ", ".join(self.target(scope, label, wanted) for label, wanted in ways)
        self.emit(f"cf.cond_br {bit}, {targets}")
        for label, wanted in ways:
            inner = _Scope([*scope.values, *self.label(label, wanted)])
            self.statements(inner, depth + 1)
            self.emit(f"cf.br {self.target(inner, join, kinds)}")
        scope.values += self.label(join, kinds)
