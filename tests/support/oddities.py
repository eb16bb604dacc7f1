"""Random closed programs of kinds that are rare: what `tests.support.generate` makes, with more in it.

Regions in terminators (the reduction of `scf.parallel`), results that nobody names, buffers that are deallocated by
hand beside those that are not, symbols in quotes and with escapes, callees by alias, blocks in any order of the text,
code that control never reaches, and functions of other dialects that call.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from tests.support.generate import DYNAMIC, STATIC, TYPES, VIEW, Buffer, Function, Scope, _Generator

TOO_EARLY = "a region of this terminator uses a buffer that may have to be freed ahead of the terminator"
"""What may be said of a program with a reduction: nothing can free such a buffer at the right time."""

REFUSED = frozenset((TOO_EARLY,))


def odd_program(seed: int, size: int = 24) -> str:
    """The text of the program for a seed."""
    return _Odd(random.Random(f"odd/{seed}/{size}"), size, wild=seed % 3 != 0).module()


class _Odd(_Generator):
    def __init__(self, chance: random.Random, size: int, wild: bool) -> None:
        super().__init__(chance, size, wild)
        self.manual: list[Buffer] = []
        self.aliases: list[str] = []
        self.dead = 0

    # -- symbols ---------------------------------------------------------------------------------------------

    def module(self) -> str:
        text = super().module()
        others = []
        for function in self.functions[:-1]:
            results = ", ".join(TYPES[kind] for kind in function.results)
            if not function.arguments and self.likely(0.2):
                others.append(
                    f"  llvm.func @other_{len(others)}() {{\n    func.call @{self.spelled(function.name)}() : () -> "
                    f"({results})\n    llvm.return\n  }}\n"
                )
        text = text.rstrip().removesuffix("}") + "".join(others) + "}\n"
        return "".join(f"{alias}\n" for alias in self.aliases) + text

    def spelled(self, name: str) -> str:
        """One of the spellings of a symbol; `name` is in quotes where it has to be."""
        plain = name.strip('"')
        if self.likely(0.5):
            return name
        at = self.chance.randrange(len(plain))
        return f'"{plain[:at]}\\{ord(plain[at]):02X}{plain[at + 1 :]}"'

    def function(self, function: Function, size: int) -> None:
        if function.name != "main" and self.likely(0.5):
            helper = f"dealloc_helper_{function.name[1:]}"
            name = self.chance.choice((f'"{function.name} of"', helper, "dealloc_helper"))
            if all(name != other.name for other in self.functions):
                function = replace(function, name=name)
        self.manual = []
        super().function(function, size)

    def call(self, scope: Scope, depth: int) -> None:
        if not self.functions:
            return
        function = self.chance.choice(self.functions)
        arguments = [self.buffer_of(scope, kind) for kind in function.arguments]
        names = ", ".join(a.name for a in arguments)
        type = f"({', '.join(a.type for a in arguments)}) -> ({', '.join(TYPES[kind] for kind in function.results)})"
        symbol = self.spelled(function.name)
        how = self.chance.randrange(6)
        if how == 0:
            self.aliases.append(f"#callee{len(self.aliases)} = @{symbol}")
            text = f'"func.call"({names}) <{{callee = #callee{len(self.aliases) - 1}}}> : {type}'
        elif how == 1:
            self.aliases.append(f"#callee{len(self.aliases)} = @{symbol}")
            constant = f'"func.constant"() <{{value = #callee{len(self.aliases) - 1}}}> : () -> ({type})'
            text = f"func.call_indirect {self.op('fn', constant)}({names}) : {type}"
        else:
            text = f"func.call @{symbol}({names}) : {type}"
        scope.buffers += self.results(text, function.results)

    # -- results without a name ------------------------------------------------------------------------------

    def results(self, text: str, kinds: tuple[str, ...] | list[str], *, scalars: int = 0) -> list[Buffer]:
        if kinds and self.likely(0.3):
            self.emit(text)
            return []
        return super().results(text, kinds, scalars=scalars)

    # -- deallocation by hand --------------------------------------------------------------------------------

    def new(self, scope: Scope, depth: int) -> None:
        if scope.stack and self.likely(0.5):  # the first block of @main
            kind = self.chance.choice((STATIC, DYNAMIC))
            size = "%n4" if kind == DYNAMIC else ""
            name = self.op("h", f"memref.alloc({size}) {{bufferization.manual_deallocation}} : {TYPES[kind]}")
            self.emit(f"linalg.fill ins(%cf1 : f32) outs({name} : {TYPES[kind]})")
            self.manual.append(Buffer(name, kind))
            scope.buffers.append(self.manual[-1])
            return
        super().new(scope, depth)

    def statements(self, scope: Scope, depth: int) -> None:
        if scope.stack and self.likely(0.7):
            self.new(scope, depth)
        super().statements(scope, depth)

    def end_of(self, scope: Scope) -> Scope:
        """What may be used where the function returns: nothing, once buffers are freed by hand."""
        if not self.manual:
            return scope
        for buffer in self.some(scope.buffers, 3):
            self.note(buffer)
        for buffer in self.manual:
            self.emit(f"memref.dealloc {buffer.name} {{bufferization.manual_deallocation}} : {buffer.type}")
        return Scope([])

    # -- regions in terminators ------------------------------------------------------------------------------

    def parallel(self, scope: Scope, depth: int) -> None:
        if self.likely(0.5):
            return super().parallel(scope, depth)
        step, result = self.fresh("i"), self.fresh("x")
        bound = f"{result} = scf.parallel ({step}) = (%c0) to (%c2) step (%c1) init (%cf1) -> f32 {{"
        self.emit(bound)
        inner = Scope(scope.captured())
        outside = [buffer for buffer in inner.buffers if buffer.kind != VIEW]
        self.indent += 1
        self.statements(inner, depth + 1)
        value = self.number(self.chance.choice(inner.buffers)) if inner.buffers else "%cf2"
        self.emit(f"scf.reduce({value} : f32) {{")
        left, right = self.fresh("l"), self.fresh("r")
        self.emit(f"^bb0({left}: f32, {right}: f32):")
        self.indent += 1
        usable = inner.buffers if self.likely(0.15) else outside  # what the body makes is freed too early: refused
        region = Scope(list(usable), frozenset(buffer.name for buffer in usable))
        self.statements(region, 4)
        element = self.number(self.chance.choice(region.buffers)) if region.buffers else "%cf3"
        total = self.op("s", f"arith.addf {left}, {right} : f32")
        total = self.op("s", f"arith.addf {total}, {element} : f32")
        self.emit(f"scf.reduce.return {total} : f32")
        self.indent -= 2
        self.emit("  }")
        self.emit("}")
        self.emit(f"func.call @note({result}) : (f32) -> ()")

    # -- the order of blocks, and blocks that control never reaches ------------------------------------------

    def graph(self, captured: list[Buffer], first: Scope, end: Callable[[Scope], None], depth: int) -> None:
        start = len(self.lines)
        super().graph(captured, first, end, depth)
        blocks: list[list[str]] = [[]]
        label = "  " * (self.indent - 1) + "^bb"
        for line in self.lines[start:]:
            if line.startswith(label):
                blocks.append([])
            blocks[-1].append(line)
        entry, *others = blocks
        if self.likely(0.5):
            self.chance.shuffle(others)
        if self.likely(0.3):
            others.append(self.unreachable())
        self.lines[start:] = [line for block in (entry, *others) for line in block]

    def unreachable(self) -> list[str]:
        self.dead += 1
        n = self.dead
        label, inner = "  " * (self.indent - 1), "  " * self.indent
        body = self.chance.choice(
            (
                [
                    f"%d{n} = memref.realloc %e{n} : memref<4xf32> to memref<8xf32>",
                    f"%e{n} = memref.realloc %d{n} : memref<8xf32> to memref<4xf32>",
                ],
                [f"%d{n} = memref.realloc %e{n} : memref<4xf32> to memref<4xf32>",
                 f"%e{n} = memref.realloc %d{n} : memref<4xf32> to memref<4xf32>"],
                [f"%d{n} = arith.select %o{n}, %d{n}, %e{n} : memref<4xf32>",
                 f"%o{n} = arith.xori %o{n}, %o{n} : i1",
                 f"%e{n} = memref.alloc() : memref<4xf32>"],
                [f"%d{n} = memref.alloc() : memref<4xf32>",
                 f"memref.copy %d{n}, %d{n} : memref<4xf32> to memref<4xf32>"],
            )
        )  # fmt: skip
        return [f"{label}^dead{n}:", *(inner + line for line in body), f"{inner}cf.br ^dead{n}"]
