"""Random closed programs over buffers: valid MLIR that runs, the same for the same seed.

A program is a module with a public function ``@main`` that takes nothing and returns a number, and some
functions that it calls. Buffers are allocated, viewed, selected, copied, carried around loops and out of
regions, forwarded along branches of acyclic graphs of blocks, passed to functions and returned. Every value
loaded anywhere goes into a running checksum (a global), in order, so that one wrong byte anywhere changes the
result. A buffer is written only before anything else can see it: MLIR's pass may put a copy in the place of a
buffer, and asks that this makes no difference.

``wild`` programs use a buffer wherever SSA dominance allows. The others keep to what MLIR 22.1 gets right:
the result of a region-branching op or of a call is not used in another block (premature free, or a crash), a
buffer is not forwarded to a block that can also see it directly (refused), and the buffers that several
blocks can see come from one block (a build with assertions stops when it has to order two from different
ones).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

# The kinds of buffers and what they look like: static, dynamic (of size 4), strided views (of size 2),
# integers.
STATIC, DYNAMIC, VIEW, INTEGER = "static", "dynamic", "view", "integer"
TYPES = {
    STATIC: "memref<4xf32>",
    DYNAMIC: "memref<?xf32>",
    VIEW: "memref<?xf32, strided<[1], offset: ?>>",
    INTEGER: "memref<4xi32>",
}
PASSED = (STATIC, DYNAMIC, INTEGER)


@dataclass(frozen=True)
class Buffer:
    """A buffer in scope: its SSA name and kind."""

    name: str
    kind: str

    @property
    def type(self) -> str:
        return TYPES[self.kind]


@dataclass
class Scope:
    """What may be used in a block.

    ``hidden`` names the buffers that the regions inside the block may not use; ``stack`` says that the block
    may allocate on the stack.
    """

    buffers: list[Buffer] = field(default_factory=list)
    hidden: frozenset[str] = frozenset()
    stack: bool = False

    def captured(self) -> list[Buffer]:
        """The buffers that a region inside the block may use."""
        return [buffer for buffer in self.buffers if buffer.name not in self.hidden]


@dataclass(frozen=True)
class Function:
    name: str
    private: bool
    arguments: tuple[str, ...]
    results: tuple[str, ...]


def program(seed: int, size: int = 30, *, wild: bool = False) -> str:
    """The text of the program for a seed. ``size`` is about the number of statements that work on buffers."""
    return _Generator(random.Random(f"{seed}/{size}/{wild}"), size, wild).module()


class _Generator:
    def __init__(self, chance: random.Random, size: int, wild: bool) -> None:
        self.chance = chance
        self.size = size
        self.wild = wild
        self.left = 0
        self.counter = 0
        self.indent = 2
        self.lines: list[str] = []
        self.functions: list[Function] = []

    # -- text ------------------------------------------------------------------------------------------------

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

    # -- the module and its functions ------------------------------------------------------------------------

    def module(self) -> str:
        helpers = self.chance.randint(0, 3) if self.size >= 10 else 0
        share = max(3, self.size // (helpers + 1))
        for number in range(helpers):
            self.function(
                Function(
                    f"f{number}",
                    self.likely(0.6),
                    tuple(self.chance.choice(PASSED) for _ in range(self.chance.randint(0, 2))),
                    tuple(self.chance.choice(PASSED) for _ in range(self.chance.randint(0, 2))),
                ),
                share,
            )
        self.function(Function("main", False, (), ("checksum",)), share)
        lines = "\n".join(self.lines)
        return f"""module {{
  memref.global "private" @checksum : memref<1xf32> = dense<1.0>
  memref.global "private" constant @table : memref<4xf32> = dense<[0.5, 1.5, 2.5, 3.5]>
  func.func private @note(%x: f32) {{
    %zero = arith.constant 0 : index
    %factor = arith.constant 0.75 : f32
    %sum = memref.get_global @checksum : memref<1xf32>
    %old = memref.load %sum[%zero] : memref<1xf32>
    %less = arith.mulf %old, %factor : f32
    %new = arith.addf %less, %x : f32
    memref.store %new, %sum[%zero] : memref<1xf32>
    return
  }}
  func.func @number(%n: index) -> index {{
    return %n : index
  }}
{lines}
}}
"""

    def function(self, function: Function, size: int) -> None:
        self.left = size
        self.counter = 0
        arguments = [Buffer(f"%arg{number}", kind) for number, kind in enumerate(function.arguments)]
        parameters = ", ".join(f"{buffer.name}: {buffer.type}" for buffer in arguments)
        checks = function.results == ("checksum",)
        types = "f32" if checks else ", ".join(TYPES[kind] for kind in function.results)
        results = "" if not types else f" -> ({types})"
        self.indent = 1
        self.emit(
            f"func.func {'private ' if function.private else ''}@{function.name}({parameters}){results} {{"
        )
        self.indent = 2
        self.constants()

        def end(scope: Scope) -> None:
            scope = self.end_of(scope)
            if checks:
                for buffer in self.some(scope.buffers, 3):
                    self.note(buffer)
                total = self.op("sum", "memref.get_global @checksum : memref<1xf32>")
                value = self.op("x", f"memref.load {total}[%c0] : memref<1xf32>")
                self.emit(f"return {value} : f32")
                return
            values = [self.buffer_of(scope, kind) for kind in function.results]
            names = ", ".join(value.name for value in values)
            self.emit(f"return {names} : {types}" if values else "return")

        scope = Scope(arguments, stack=checks)
        if self.likely(0.5):
            self.graph([], scope, end, 0)
        else:
            self.statements(scope, 0)
            end(scope)
        self.indent = 1
        self.emit("}")
        self.functions.append(function)

    def end_of(self, scope: Scope) -> Scope:
        """What may be used where a function returns."""
        return scope

    def constants(self) -> None:
        for number in range(5):
            self.emit(f"%c{number} = arith.constant {number} : index")
        for number, value in enumerate(("0.5", "1.25", "-0.75", "2.0")):
            self.emit(f"%cf{number} = arith.constant {value} : f32")
        for number in (0, 1, 3):
            self.emit(f"%ci{number} = arith.constant {number} : i32")
        # Sizes and offsets that nothing can fold: what a canonicalizer makes of constant ones depends on its
        # order.
        for number in (0, 1, 2, 4):
            self.emit(f"%n{number} = func.call @number(%c{number}) : (index) -> index")

    # -- small steps -----------------------------------------------------------------------------------------

    def index(self) -> str:
        return self.chance.choice(("%c0", "%c1"))

    def some(self, buffers: list[Buffer], limit: int) -> list[Buffer]:
        return self.chance.sample(buffers, min(limit, len(buffers)))

    def number(self, buffer: Buffer) -> str:
        """An element of a buffer as f32."""
        if buffer.kind == INTEGER:
            element = self.op("e", f"memref.load {buffer.name}[{self.index()}] : {buffer.type}")
            return self.op("x", f"arith.sitofp {element} : i32 to f32")
        return self.op("x", f"memref.load {buffer.name}[{self.index()}] : {buffer.type}")

    def note(self, buffer: Buffer) -> None:
        self.emit(f"func.call @note({self.number(buffer)}) : (f32) -> ()")

    def condition(self, scope: Scope) -> str:
        """A bit that depends on what some buffer holds."""
        if not scope.buffers:
            return self.op("b", "arith.cmpf olt, %cf0, %cf1 : f32")
        value = self.number(self.chance.choice(scope.buffers))
        return self.op(
            "b",
            f"arith.cmpf {self.chance.choice(('olt', 'ogt'))}, {value}, %cf{self.chance.randint(0, 3)} : f32",
        )

    def allocate(self, scope: Scope, kind: str, *, fill: bool = True) -> Buffer:
        """A new buffer of the kind, filled unless told otherwise."""
        if kind == VIEW:
            return self.part(self.allocate(scope, self.chance.choice((STATIC, DYNAMIC))))
        size = "%n4" if kind == DYNAMIC else ""
        how = "memref.alloca" if scope.stack and self.likely(0.1) else "memref.alloc"
        name = self.op("a", f"{how}({size}) : {TYPES[kind]}")
        if fill:
            value, element = (
                (self.chance.choice(("%ci0", "%ci1", "%ci3")), "i32")
                if kind == INTEGER
                else (f"%cf{self.chance.randint(0, 3)}", "f32")
            )
            self.emit(f"linalg.fill ins({value} : {element}) outs({name} : {TYPES[kind]})")
        return Buffer(name, kind)

    def view(self, buffer: Buffer) -> Buffer:
        """Another buffer over the same memory."""
        if buffer.kind == INTEGER:
            return Buffer(
                self.op(
                    "r",
                    f"memref.reinterpret_cast {buffer.name} to offset: [0], sizes: [4], "
                    f"strides: [1] : {TYPES[INTEGER]} to {TYPES[INTEGER]}",
                ),
                INTEGER,
            )
        if buffer.kind == STATIC and self.likely(0.5):
            cast = f"memref.cast {buffer.name} : {TYPES[STATIC]} to {TYPES[DYNAMIC]}"
            return Buffer(self.op("d", cast), DYNAMIC)
        return self.part(buffer)

    def part(self, buffer: Buffer) -> Buffer:
        """A view of two elements."""
        offset = 0 if buffer.kind == VIEW else self.chance.randint(0, 2)
        if buffer.kind == STATIC and self.likely(0.5):
            text = f"memref.subview {buffer.name}[{offset}] [2] [1]"
            layout = f"strided<[1], offset: {offset}>" if offset else "strided<[1]>"
        else:
            text = f"memref.subview {buffer.name}[%n{offset}] [2] [1]"
            layout = "strided<[1], offset: ?>"
        name = self.op("s", f"{text} : {buffer.type} to memref<2xf32, {layout}>")
        return Buffer(self.op("v", f"memref.cast {name} : memref<2xf32, {layout}> to {TYPES[VIEW]}"), VIEW)

    def of_kind(self, scope: Scope, kind: str) -> list[Buffer]:
        return [buffer for buffer in scope.buffers if buffer.kind == kind]

    def buffer_of(self, scope: Scope, kind: str) -> Buffer:
        """A buffer of the kind: one in scope, or a new one."""
        choices = self.of_kind(scope, kind)
        if choices and self.likely(0.7):
            return self.chance.choice(choices)
        return self.allocate(scope, kind)

    def kind(self) -> str:
        return self.chance.choices((STATIC, DYNAMIC, VIEW, INTEGER), (5, 3, 2, 2))[0]

    # -- statements ------------------------------------------------------------------------------------------

    def statements(self, scope: Scope, depth: int) -> None:
        """A few statements; what they make is added to the scope."""
        for _ in range(self.chance.randint(1, 4) if depth else self.chance.randint(3, 8)):
            if self.left <= 0:
                break
            self.left -= 1
            self.statement(scope, depth)

    def statement(self, scope: Scope, depth: int) -> None:
        structured = 0 if depth >= 4 else 2
        plain = [
            (self.new, 4),
            (self.load, 3),
            (self.update, 3),
            (self.copy, 2),
            (self.alias, 3),
            (self.select, 3),
            (self.clone, 1),
            (self.constant_table, 1),
            (self.call, 2),
        ]
        nested = [
            (self.if_, 3),
            (self.for_, 3),
            (self.while_, 2),
            (self.switch, 1),
            (self.region, 1),
            (self.parallel, 1),
            (self.scope_, 1),
        ]
        steps = [*plain, *((step, weight * structured) for step, weight in nested)]
        names, weights = zip(*steps, strict=True)
        self.chance.choices(names, weights)[0](scope, depth)

    def new(self, scope: Scope, depth: int) -> None:
        scope.buffers.append(self.allocate(scope, self.kind()))

    def load(self, scope: Scope, depth: int) -> None:
        if scope.buffers:
            self.note(self.chance.choice(scope.buffers))

    def update(self, scope: Scope, depth: int) -> None:
        """A new buffer with one element computed from another buffer's."""
        if not scope.buffers:
            return
        value = self.number(self.chance.choice(scope.buffers))
        half = self.op("h", f"arith.mulf {value}, %cf0 : f32")
        other = self.op("u", f"arith.addf {half}, %cf{self.chance.randint(0, 3)} : f32")
        target = self.allocate(scope, self.chance.choice(PASSED))
        if target.kind == INTEGER:
            other = self.op("e", f"arith.fptosi {other} : f32 to i32")
        self.emit(f"memref.store {other}, {target.name}[{self.index()}] : {target.type}")
        scope.buffers.append(target)

    def copy(self, scope: Scope, depth: int) -> None:
        choices = [buffer for buffer in scope.buffers if buffer.kind != VIEW]
        if choices:
            source = self.chance.choice(choices)
            target = self.allocate(scope, source.kind, fill=False)
            self.emit(f"memref.copy {source.name}, {target.name} : {source.type} to {target.type}")
            scope.buffers.append(target)

    def alias(self, scope: Scope, depth: int) -> None:
        if scope.buffers:
            scope.buffers.append(self.view(self.chance.choice(scope.buffers)))

    def select(self, scope: Scope, depth: int) -> None:
        choices = self.of_kind(scope, self.kind())
        if not choices:
            return
        bit = self.condition(scope)
        one, other = self.chance.choice(choices), self.chance.choice(choices)
        name = self.op("t", f"arith.select {bit}, {one.name}, {other.name} : {one.type}")
        scope.buffers.append(Buffer(name, one.kind))

    def clone(self, scope: Scope, depth: int) -> None:
        choices = [buffer for buffer in scope.buffers if buffer.kind != VIEW]
        if choices:
            buffer = self.chance.choice(choices)
            name = self.op("k", f"bufferization.clone {buffer.name} : {buffer.type} to {buffer.type}")
            scope.buffers.append(Buffer(name, buffer.kind))

    def constant_table(self, scope: Scope, depth: int) -> None:
        table = self.op("g", f"memref.get_global @table : {TYPES[STATIC]}")
        scope.buffers.append(Buffer(table, STATIC))

    def call(self, scope: Scope, depth: int) -> None:
        if not self.functions:
            return
        function = self.chance.choice(self.functions)
        arguments = [self.buffer_of(scope, kind) for kind in function.arguments]
        types = ", ".join(TYPES[kind] for kind in function.results)
        call = (
            f"func.call @{function.name}({', '.join(a.name for a in arguments)}) : "
            f"({', '.join(a.type for a in arguments)}) -> ({types})"
        )
        scope.buffers += self.results(call, function.results)

    def results(self, text: str, kinds: tuple[str, ...] | list[str], *, scalars: int = 0) -> list[Buffer]:
        """Emits an op whose results are buffers of the kinds, then some scalars."""
        count = len(kinds) + scalars
        if count == 0:
            self.emit(text)
            return []
        name = self.fresh("r")
        self.emit(f"{name}{f':{count}' if count > 1 else ''} = {text}")
        return [
            Buffer(f"{name}#{position}" if count > 1 else name, kind) for position, kind in enumerate(kinds)
        ]

    # -- structured control flow -----------------------------------------------------------------------------

    def kinds(self, at_least: int = 0) -> list[str]:
        return [self.kind() for _ in range(self.chance.choices((at_least, 1, 2, 3), (2, 5, 3, 1))[0])]

    def body(
        self,
        scope: Scope,
        depth: int,
        kinds: list[str],
        terminator: str,
        arguments: Sequence[tuple[str, str]] = (),
        scalars: str = "",
    ) -> None:
        """The inside of a region: statements, then a terminator with a buffer of each kind."""
        inner = Scope([*scope.captured(), *(Buffer(name, kind) for name, kind in arguments)])
        self.indent += 1
        self.statements(inner, depth + 1)
        values = [self.buffer_of(inner, kind) for kind in kinds]
        names = ", ".join([value.name for value in values] + ([scalars.split(" : ")[0]] if scalars else []))
        types = ", ".join([value.type for value in values] + ([scalars.split(" : ")[1]] if scalars else []))
        self.emit(f"{terminator} {names} : {types}" if names else terminator)
        self.indent -= 1

    def if_(self, scope: Scope, depth: int) -> None:
        bit = self.condition(scope)
        kinds = self.kinds()
        if not kinds:
            self.emit(f"scf.if {bit} {{")
            self.body(scope, depth, [], "scf.yield")
            self.emit("}")
            return
        made = self.results(f"scf.if {bit} -> ({', '.join(TYPES[kind] for kind in kinds)}) {{", kinds)
        self.body(scope, depth, kinds, "scf.yield")
        self.emit("} else {")
        self.body(scope, depth, kinds, "scf.yield")
        self.emit("}")
        scope.buffers += made

    def for_(self, scope: Scope, depth: int) -> None:
        kinds = self.kinds()
        starts = [self.buffer_of(scope, kind) for kind in kinds]
        step = self.fresh("i")
        around = f"scf.for {step} = %c0 to %c{self.chance.randint(0, 3)} step %c1"
        inner = [(self.fresh("p"), kind) for kind in kinds]
        if kinds:
            pairs = ", ".join(
                f"{name} = {start.name}" for (name, _), start in zip(inner, starts, strict=True)
            )
            around += f" iter_args({pairs}) -> ({', '.join(TYPES[kind] for kind in kinds)})"
        made = self.results(f"{around} {{", kinds)
        self.body(scope, depth, kinds, "scf.yield", inner)
        self.emit("}")
        scope.buffers += made

    def while_(self, scope: Scope, depth: int) -> None:
        kinds = self.kinds(1)
        starts = [self.buffer_of(scope, kind) for kind in kinds]
        before = [(self.fresh("p"), kind) for kind in kinds]
        count = self.fresh("y")
        types = ", ".join([*(TYPES[kind] for kind in kinds), "i32"])
        carried = [f"{name} = {start.name}" for (name, _), start in zip(before, starts, strict=True)]
        pairs = ", ".join([*carried, f"{count} = %ci0"])
        made = self.results(f"scf.while ({pairs}) : ({types}) -> ({types}) {{", kinds, scalars=1)
        self.indent += 1
        limit = self.op("l", f"arith.constant {self.chance.randint(0, 3)} : i32")
        bit = self.op("b", f"arith.cmpi slt, {count}, {limit} : i32")
        self.indent -= 1
        self.body(scope, depth, kinds, f"scf.condition({bit})", before, f"{count} : i32")
        self.emit("} do {")
        after = [(self.fresh("q"), kind) for kind in kinds]
        again = self.fresh("y")
        arguments = ", ".join([*(f"{name}: {TYPES[kind]}" for name, kind in after), f"{again}: i32"])
        self.emit(f"^bb0({arguments}):")
        self.indent += 1
        next_ = self.op("e", f"arith.addi {again}, %ci1 : i32")
        self.indent -= 1
        self.body(scope, depth, kinds, "scf.yield", after, f"{next_} : i32")
        self.emit("}")
        scope.buffers += made

    def switch(self, scope: Scope, depth: int) -> None:
        kinds = self.kinds()
        bit = self.condition(scope)
        which = self.op(
            "w", f"arith.select {bit}, %c{self.chance.randint(0, 2)}, %c{self.chance.randint(0, 2)} : index"
        )
        types = f" -> {', '.join(TYPES[kind] for kind in kinds)}" if kinds else ""
        made = self.results(f"scf.index_switch {which}{types}", kinds)
        for case in [*(f"case {n}" for n in range(self.chance.randint(0, 2))), "default"]:
            self.emit(f"{case} {{")
            self.body(scope, depth, kinds, "scf.yield")
            self.emit("}")
        scope.buffers += made

    def region(self, scope: Scope, depth: int) -> None:
        kinds = self.kinds()
        types = f" -> ({', '.join(TYPES[kind] for kind in kinds)})" if kinds else ""
        made = self.results(f"scf.execute_region{types} {{", kinds)

        def end(inner: Scope) -> None:
            values = [self.buffer_of(inner, kind) for kind in kinds]
            text = ", ".join(value.name for value in values)
            self.emit(f"scf.yield {text} : {', '.join(v.type for v in values)}" if values else "scf.yield")

        self.indent += 1
        self.graph(scope.captured(), Scope(), end, depth + 1)
        self.indent -= 1
        self.emit("}")
        scope.buffers += made

    def parallel(self, scope: Scope, depth: int) -> None:
        step = self.fresh("i")
        if self.likely(0.5):
            self.emit(f"scf.parallel ({step}) = (%c0) to (%c2) step (%c1) {{")
            self.body(scope, depth, [], "scf.reduce")
        else:
            self.emit(f"scf.forall ({step}) in (2) {{")
            self.body(scope, depth, [], "scf.forall.in_parallel {}")
        self.emit("}")

    def scope_(self, scope: Scope, depth: int) -> None:
        self.emit("memref.alloca_scope {")
        self.body(scope, depth, [], "memref.alloca_scope.return")
        self.emit("}")

    # -- graphs of blocks ------------------------------------------------------------------------------------

    def graph(self, captured: list[Buffer], first: Scope, end: Callable[[Scope], None], depth: int) -> None:
        """An acyclic graph of blocks in the current region; ``end`` writes the terminator of the last.

        ``captured`` are the buffers from outside the region, ``first`` is the scope of its entry block.
        """
        count = self.chance.randint(2, 6 if depth == 0 else 4)
        successors = self.edges(count)
        predecessors = [[p for p in range(count) if node in successors[p]] for node in range(count)]
        dominator = self.dominators(predecessors)
        self.counter += 1
        number = self.counter
        parameters = [
            [(self.fresh("m"), kind) for kind in (self.kinds() if node else [])] for node in range(count)
        ]
        # What a block makes is visible in the blocks it dominates; in programs that are not wild only what
        # the first block allocates for all, which is not forwarded and not used by regions of the other
        # blocks.
        visible: list[list[Buffer]] = []
        shared: frozenset[str] = frozenset()
        for node in range(count):
            if node:
                arguments = ", ".join(f"{name}: {TYPES[kind]}" for name, kind in parameters[node])
                self.indent -= 1
                self.emit(f"^bb{number}_{node}{f'({arguments})' if arguments else ''}:")
                self.indent += 1
                outside = visible[dominator[node] if self.wild else 0]
                own = [Buffer(name, kind) for name, kind in parameters[node]]
                scope = Scope([*captured, *outside, *own], frozenset() if self.wild else shared)
                self.statements(scope, depth + 1)
                visible.append(scope.buffers[len(captured) :] if self.wild else [])
            else:
                scope = Scope([*captured, *first.buffers], stack=first.stack)
                if not self.wild:
                    scope.buffers += [
                        self.allocate(scope, self.kind()) for _ in range(self.chance.randint(0, 3))
                    ]
                    visible.append(scope.buffers[len(captured) :])
                    shared = frozenset(buffer.name for buffer in visible[0])
                self.statements(scope, depth + 1)
                if self.wild:
                    visible.append(scope.buffers[len(captured) :])
            if node == count - 1:
                end(scope)
                return
            forwardable = scope
            if not self.wild:
                known = shared | {buffer.name for buffer in captured}
                forwardable = Scope([buffer for buffer in scope.buffers if buffer.name not in known])
            targets = successors[node]
            bit = self.condition(scope) if len(targets) > 1 else ""
            texts = []
            for target in targets:
                values = [self.buffer_of(forwardable, kind) for _, kind in parameters[target]]
                types = ", ".join(value.type for value in values)
                passed = f"({', '.join(value.name for value in values)} : {types})" if values else ""
                texts.append(f"^bb{number}_{target}{passed}")
            self.emit(f"cf.cond_br {bit}, {', '.join(texts)}" if bit else f"cf.br {texts[0]}")

    def edges(self, count: int) -> list[list[int]]:
        """For each block its one or two successors, later ones; every block has a predecessor."""
        successors: list[list[int]] = [[] for _ in range(count)]
        for node in range(1, count):
            free = [p for p in range(node) if len(successors[p]) < 2]
            successors[self.chance.choice(free)].append(node)
        for node in range(count - 1):
            while not successors[node] or (len(successors[node]) < 2 and self.likely(0.5)):
                successors[node].append(self.chance.randint(node + 1, count - 1))
        return successors

    @staticmethod
    def dominators(predecessors: list[list[int]]) -> list[int]:
        """The immediate dominator of every block of a graph in topological order."""
        immediate = [0] * len(predecessors)
        for node in range(1, len(predecessors)):
            meet = predecessors[node][0]
            for other in predecessors[node][1:]:
                while meet != other:
                    if meet > other:
                        meet = immediate[meet]
                    else:
                        other = immediate[other]
            immediate[node] = meet
        return immediate
