"""Random closed programs that a canonicalizer would have tidied: what `tests.support.generate` makes, with needless
things in between.

Branches with one target, with and without arguments, both sides of a conditional branch among them; views that live on
beside what they view; clones of clones that nothing reads; selects between a buffer and itself or a view of it; loops
that carry buffers around unchanged; regions that run in any case, or yield the same from each side.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tests.support.generate import DYNAMIC, STATIC, TYPES, Buffer, Scope, _Generator


def untidy_program(seed: int, size: int = 24) -> str:
    """The text of the program for a seed."""
    return _Untidy(random.Random(f"untidy/{seed}/{size}"), size, wild=False).module()


class _Untidy(_Generator):
    def __init__(self, chance: random.Random, size: int, wild: bool) -> None:
        super().__init__(chance, size, wild)
        self.between_blocks = False

    def graph(self, captured: list[Buffer], first: Scope, end: Callable[[Scope], None], depth: int) -> None:
        before, self.between_blocks = self.between_blocks, True
        super().graph(captured, first, end, depth)
        self.between_blocks = before

    def body(
        self,
        scope: Scope,
        depth: int,
        kinds: list[str],
        terminator: str,
        arguments: Sequence[tuple[str, str]] = (),
        scalars: str = "",
    ) -> None:
        before, self.between_blocks = self.between_blocks, False
        super().body(scope, depth, kinds, terminator, arguments, scalars)
        self.between_blocks = before

    def statement(self, scope: Scope, depth: int) -> None:
        if self.likely(0.5):
            return super().statement(scope, depth)
        steps = (self.dead_clones, self.views, self.same_select, self.carried, self.same_yielded, self.runs_anyhow)
        steps += (self.split,) * (6 if self.between_blocks else 0)
        self.chance.choice(steps)(scope, depth)

    # -- branches with one target ----------------------------------------------------------------------------

    def split(self, scope: Scope, depth: int) -> None:
        """The rest of the block becomes a block of its own."""
        label = f"^next{self.fresh('')[1:]}"
        passed = self.some(scope.buffers, self.chance.randint(0, 2))
        others = [self.chance.choice(self.of_kind(scope, buffer.kind)) for buffer in passed]
        arguments = [Buffer(self.fresh("m"), buffer.kind) for buffer in passed]

        def target(values: list[Buffer]) -> str:
            types = ", ".join(value.type for value in values)
            return f"{label}({', '.join(value.name for value in values)} : {types})" if values else label

        if self.likely(0.5):
            self.emit(f"cf.br {target(passed)}")
        else:
            bit = self.condition(scope)
            self.emit(f"cf.cond_br {bit}, {target(passed)}, {target(others if self.likely(0.3) else passed)}")
        parameters = ", ".join(f"{argument.name}: {argument.type}" for argument in arguments)
        self.indent -= 1
        self.emit(f"{label}({parameters}):" if parameters else f"{label}:")
        self.indent += 1
        scope.buffers += arguments
        scope.stack = False

    # -- names of one buffer ---------------------------------------------------------------------------------

    def views(self, scope: Scope, depth: int) -> None:
        """Views of views, all of them in use."""
        if scope.buffers:
            buffer = self.chance.choice(scope.buffers)
            for _ in range(self.chance.randint(1, 3)):
                buffer = self.view(buffer)
                scope.buffers.append(buffer)

    def same_select(self, scope: Scope, depth: int) -> None:
        choices = [buffer for buffer in scope.buffers if buffer.kind == STATIC]
        if not choices:
            return
        buffer, bit = self.chance.choice(choices), self.condition(scope)
        one = two = buffer.name
        if self.likely(0.5):
            one = self.op("d", f"memref.cast {buffer.name} : {TYPES[STATIC]} to {TYPES[DYNAMIC]}")
            two = self.op("d", f"memref.cast {buffer.name} : {TYPES[STATIC]} to {TYPES[DYNAMIC]}")
        kind = STATIC if one == two == buffer.name else DYNAMIC
        scope.buffers.append(Buffer(self.op("t", f"arith.select {bit}, {one}, {two} : {TYPES[kind]}"), kind))

    # -- what nothing reads ----------------------------------------------------------------------------------

    def dead_clones(self, scope: Scope, depth: int) -> None:
        """A clone of a clone of a clone; not always is one of them read."""
        choices = [buffer for buffer in scope.buffers if buffer.kind in (STATIC, DYNAMIC)]
        if choices:
            buffer = self.chance.choice(choices)
            for _ in range(self.chance.randint(1, 3)):
                name = self.op("k", f"bufferization.clone {buffer.name} : {buffer.type} to {buffer.type}")
                buffer = Buffer(name, buffer.kind)
            if self.likely(0.2):
                scope.buffers.append(buffer)

    # -- regions ---------------------------------------------------------------------------------------------

    def carried(self, scope: Scope, depth: int) -> None:
        """A loop that carries buffers around unchanged, the second beside one that may change."""
        choices = [buffer for buffer in scope.buffers if buffer.kind == STATIC]
        if not choices or depth >= 3:
            return
        start, other = self.chance.choice(choices), self.chance.choice(choices)
        step, one, two = self.fresh("i"), Buffer(self.fresh("p"), STATIC), Buffer(self.fresh("p"), STATIC)
        type = TYPES[STATIC]
        made = self.fresh("r")
        self.emit(
            f"{made}:2 = scf.for {step} = %c0 to %c{self.chance.randint(0, 3)} step %c1 "
            f"iter_args({one.name} = {start.name}, {two.name} = {other.name}) -> ({type}, {type}) {{"
        )
        inner = Scope([*scope.captured(), one, two])
        before, self.between_blocks = self.between_blocks, False
        self.indent += 1
        self.statements(inner, depth + 1)
        second = self.buffer_of(inner, STATIC) if self.likely(0.3) else two
        self.emit(f"scf.yield {one.name}, {second.name} : {type}, {type}")
        self.indent -= 1
        self.between_blocks = before
        self.emit("}")
        scope.buffers += [Buffer(f"{made}#0", STATIC), Buffer(f"{made}#1", STATIC)]

    def same_yielded(self, scope: Scope, depth: int) -> None:
        """Both sides of a condition yield the same buffer."""
        choices = [buffer for buffer in scope.captured() if buffer.kind == STATIC]
        if not choices:
            return
        buffer, bit = self.chance.choice(choices), self.condition(scope)
        name = self.op("r", f"scf.if {bit} -> ({buffer.type}) {{")
        for last in (False, True):
            self.emit(f"  scf.yield {buffer.name} : {buffer.type}")
            self.emit("}" if last else "} else {")
        scope.buffers.append(Buffer(name, STATIC))

    def runs_anyhow(self, scope: Scope, depth: int) -> None:
        """A region that runs once, whatever happens."""
        if depth >= 3:
            return
        kinds = self.kinds()
        types = ", ".join(TYPES[kind] for kind in kinds)
        if self.likely(0.5) or not kinds:
            made = self.results(f"scf.execute_region{f' -> ({types})' if kinds else ''} {{", kinds)
            self.body(scope, depth, kinds, "scf.yield")
        else:
            bit = self.op("b", f"arith.constant {self.chance.choice(('true', 'false'))}")
            made = self.results(f"scf.if {bit} -> ({types}) {{", kinds)
            self.body(scope, depth, kinds, "scf.yield")
            self.emit("} else {")
            self.body(scope, depth, kinds, "scf.yield")
        self.emit("}")
        scope.buffers += made
