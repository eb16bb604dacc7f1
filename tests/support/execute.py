"""Runs bufferized programs on a heap that reports leaks, double frees and accesses after free.

A :class:`Program` is the text of a module *after* a deallocation pass (or without any deallocation, as the
reference). Every public function whose argument and result types the harness can build is called with several
choices of arguments; the values it returns and the buffers it leaves behind are printed, results are freed as
the function boundary rules demand, and the checked heap (``heap.mlir``) counts what went wrong. Many programs
are lowered and run together: a few processes of MLIR's tools and one ``lli`` for all of them; each call of a
function has a process of its own, forked from that.
"""

from __future__ import annotations

import functools
import itertools
import re
import signal
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.support import tools
from tests.support.cases import Case

HEAP = Path(__file__).with_name("heap.mlir")

# From what a deallocation pass leaves to the LLVM dialect, in two stages. Nothing that could drop a load or
# move a store runs before the accesses are instrumented.
TO_LOOPS = (
    "-bufferization-lower-deallocations",
    "-convert-bufferization-to-memref",
    "-convert-linalg-to-loops",
    "-scf-forall-to-for",
    "-mlir-print-local-scope",
    "-mlir-print-op-generic",
)
TO_LLVM = (
    "-convert-vector-to-scf",
    "-lower-affine",
    "-convert-scf-to-cf",
    "-expand-strided-metadata",
    "-lower-affine",
    "-convert-complex-to-llvm",
    "-convert-vector-to-llvm",
    "-convert-math-to-llvm",
    "-convert-index-to-llvm",
    "-finalize-memref-to-llvm=use-generic-functions=1",
    "-convert-arith-to-llvm",
    "-convert-cf-to-llvm",
    "-convert-func-to-llvm",
    "-reconcile-unrealized-casts",
)


# How many programs become one: a process has its costs, and compiling takes longer the larger a module is.
TOGETHER = 64


@dataclass(frozen=True)
class Program:
    """One module to run. ``frees`` says whether results and arguments are freed: not so for a reference."""

    name: str
    text: str
    frees: bool = True


@dataclass
class Call:
    """What one call of one function did."""

    function: str
    arguments: str
    values: list[str] = field(default_factory=list)
    allocations: int = 0
    frees: int = 0
    double_frees: int = 0
    invalid_frees: int = 0
    reads_after_free: int = 0
    writes_after_free: int = 0
    wild_accesses: int = 0
    died: str | None = None

    @property
    def leaks(self) -> int:
        return self.allocations - self.frees

    @property
    def faults(self) -> list[str]:
        """Everything that a correct program does not do, in words; empty when the call was clean."""
        counted = {
            "leaked": self.leaks,
            "freed twice": self.double_frees,
            "freed without having been allocated": self.invalid_frees,
            "read after free": self.reads_after_free,
            "written after free": self.writes_after_free,
            "accessed outside every block": self.wild_accesses,
        }
        words = [f"{count} {what}" for what, count in counted.items() if count]
        return words + ([self.died] if self.died else [])

    def __str__(self) -> str:
        faults = ", ".join(self.faults) or "clean"
        return f"@{self.function}({self.arguments}): {faults}, {' '.join(self.values)}"


@dataclass
class Execution:
    """All calls of one program, or why it could not be run."""

    program: Program
    calls: list[Call] = field(default_factory=list)
    error: str | None = None

    @property
    def faults(self) -> list[str]:
        if self.error:
            return [self.error]
        return [str(call) for call in self.calls if call.faults]

    @property
    def values(self) -> dict[tuple[str, str], list[str]]:
        """The values that each call computed."""
        return {(call.function, call.arguments): call.values for call in self.calls}


def execute(programs: Sequence[Program]) -> list[Execution]:
    """Runs every program; the order is that of ``programs``."""
    runs = [Execution(program) for program in programs]
    for start in range(0, len(runs), TOGETHER):
        lowered = lower(runs[start : start + TOGETHER], TO_LLVM)
        if lowered:
            _run([(link, _instrumented(body)) for link, body in lowered])
    return runs


_REFERENCES: dict[str, Execution] = {}


def references(cases: Iterable[Case]) -> dict[str, Execution]:
    """Every case run without any deallocation, by name; each text is run once in a process."""
    every = list(cases)
    new = {case.text: Program(case.name, case.text, frees=False) for case in every if case.text not in _REFERENCES}
    _REFERENCES.update(zip(new, execute(list(new.values())), strict=True))
    return {case.name: _REFERENCES[case.text] for case in every}


def lower(runs: Sequence[Execution], to_llvm: Sequence[str]) -> list[tuple[Linked, str]]:
    """Every program with drivers for its functions, and what stands in its module in the LLVM dialect.

    Enters the calls into ``runs``, or why a program cannot be lowered, in which case it is left out.
    """
    texts = [_with_resources_inlined(run.program.text) for run in runs]
    plain = tools.run_mlir_opt(texts, "-mlir-print-local-scope")
    linked: list[Linked] = []
    for index, (run, output) in enumerate(zip(runs, plain, strict=True)):
        if output.text is None:
            run.error = f"not valid MLIR: {output.errors}"
            continue
        linked.append(_link(index, run, output.text))
    loops = tools.run_mlir_opt([link.text for link in linked], *_to_loops(linked))
    lowered = tools.run_mlir_opt([lowerable(output.text or "") for output in loops], *to_llvm)
    lowered = [second if first.ok else first for first, second in zip(loops, lowered, strict=True)]
    bodies = []
    for link, output in zip(linked, lowered, strict=True):
        if output.text is None:
            link.run.error = f"cannot be lowered: {output.errors[:2000]}"
        else:
            # MLIR's tools, built with assertions, stop at a switch without cases that hands on values.
            bodies.append((link, _EMPTY_SWITCH.sub(r"llvm.br \1", _body(output.text))))
    return bodies


_EMPTY_SWITCH = re.compile(r"llvm\.switch %\w+ : i\d+, (\^.*) \[\n *\]")
_RESOURCE = re.compile(r'^ *"?([\w.-]+)"?: "0x([0-9A-F]*)"', re.MULTILINE)


def _with_resources_inlined(text: str) -> str:
    """A module with its dense resources written where they are used, and nothing behind it."""
    module, _, behind = text.partition("\n{-#")
    # A resource starts with four bytes that say how it is aligned.
    blobs = {name: bytes_[8:] for name, bytes_ in _RESOURCE.findall(behind)}
    return re.sub(r'dense_resource<"?([\w.-]+)"?>', lambda use: f'dense<"0x{blobs[use[1]]}">', module) + "\n"


def execute_one(text: str, frees: bool = True) -> Execution:
    """Runs one program."""
    return execute([Program("program", text, frees)])[0]


# ------------------------------------------------------------------------------------------------------------
# Reading signatures


_SYMBOL = re.compile(r'@(?:"([^"]*)"|([A-Za-z_$.][\w$.-]*))')
_FUNCTION = re.compile(r'^  func\.func (private |nested )?@("[^"]*"|[\w$.-]+)\(', re.MULTILINE)


@dataclass(frozen=True)
class _Signature:
    name: str
    private: bool
    defined: bool
    arguments: tuple[str, ...]
    results: tuple[str, ...]
    span: tuple[int, int]


def _closing(text: str, start: int) -> int:
    """The position after the bracket that closes the one at ``start``."""
    depth = 0
    for position in range(start, len(text)):
        if text[position] in "([{<":
            depth += 1
        elif text[position] in ")]}" or (text[position] == ">" and text[position - 1] != "-"):
            depth -= 1
            if depth == 0:
                return position + 1
    raise ValueError("unbalanced brackets")


def _parts(text: str) -> list[str]:
    """The comma-separated parts of a list, each without the attributes after it."""
    parts, start, position = [], 0, 0
    while position < len(text):
        if text[position] in "([{<":
            position = _closing(text, position)
            continue
        if text[position] == ",":
            parts.append(text[start:position])
            start = position + 1
        position += 1
    parts.append(text[start:])
    return [re.sub(r" \{.*\}$", "", part.strip()) for part in parts if part.strip()]


def _signatures(text: str) -> list[_Signature]:
    """The functions of a module that ``mlir-opt`` printed."""
    found = []
    for match in _FUNCTION.finditer(text):
        opening = match.end() - 1
        position = _closing(text, opening)
        arguments = [re.sub(r"^%\w+: ", "", part) for part in _parts(text[opening + 1 : position - 1])]
        results: list[str] = []
        if text.startswith(" -> ", position):
            position += 4
            if text[position] == "(":
                end = _closing(text, position)
                results = _parts(text[position + 1 : end - 1])
            else:
                end = position
                while text[end] not in " \n":
                    end = _closing(text, end) if text[end] in "([{<" else end + 1
                results = [text[position:end]]
            position = end
        end_of_line = text.index("\n", position)
        defined = text[position:end_of_line].endswith("{")
        private = (match[1] or "").strip() == "private"
        found.append(
            _Signature(
                match[2].strip('"'),
                private,
                defined,
                tuple(arguments),
                tuple(results),
                (match.start(), end_of_line),
            )
        )
    return found


# ------------------------------------------------------------------------------------------------------------
# Driving functions


@dataclass(frozen=True)
class _MemRef:
    sizes: tuple[int, ...] | None
    element: str
    layout: str
    space: str

    @property
    def suffix(self) -> str:
        return f", {self.space}" if self.space else ""


_SCALAR = re.compile(r"i1|i8|i16|i32|i64|index|f32|f64|bf16|f16")
_DYNAMIC_SIZE = 4


@functools.cache
def _memref(type_: str) -> _MemRef | None:
    """The parts of a memref type of scalars that a driver can build, or None."""
    if not (type_.startswith("memref<") and type_.endswith(">")):
        return None
    shape, *rest = _parts(type_[len("memref<") : -1])
    *dimensions, element = (
        shape.split("x") if "index" not in shape else [*shape[:-5].split("x")[:-1], "index"]
    )
    if _SCALAR.fullmatch(element) is None:
        return None
    layout = rest.pop(0) if rest and not rest[0].isdigit() else ""
    space = rest.pop(0) if rest else ""
    if rest or (layout and not layout.startswith("strided<")) or (space and not space.isdigit()):
        return None
    if dimensions == ["*"]:
        return _MemRef(None, element, layout, space)
    return _MemRef(tuple(_DYNAMIC_SIZE if d == "?" else int(d) for d in dimensions), element, layout, space)


def _choices(type_: str) -> list[str] | None:
    """The values that an argument takes, one call after the other; None where the type cannot be built."""
    if type_ == "i1":
        return ["false", "true"]
    if type_ == "index" or re.fullmatch(r"i\d+", type_):
        return ["0", "3"]
    if _SCALAR.fullmatch(type_):
        return ["1.5"]
    return ["buffer"] if _memref(type_) else None


def _calls(signature: _Signature) -> Iterator[tuple[list[str], bool]]:
    """Choices of arguments for a function: at most eight, and one where buffers of a type are one."""
    choices = [_choices(type_) for type_ in signature.arguments]
    if any(choice is None for choice in choices):
        return
    if any(_SCALAR.fullmatch(type_) is None and _memref(type_) is None for type_ in signature.results):
        return
    combinations = list(itertools.product(*[choice for choice in choices if choice]))
    step = max(1, -(-len(combinations) // 8))
    for combination in combinations[::step]:
        yield list(combination), False
    buffers = [type_ for type_ in signature.arguments if _memref(type_)]
    if len(set(buffers)) < len(buffers):
        yield list(combinations[-1]), True


class _Driver:
    """Writes one function that calls another, in the dialects that are there before lowering."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.count = 0

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def emit(self, line: str, *, result: bool = False) -> str:
        name = self.name() if result else ""
        self.lines.append(f"    {name} = {line}" if result else f"    {line}")
        return name

    def constant(self, value: int, type_: str = "index") -> str:
        return self.emit(f"arith.constant {value} : {type_}", result=True)

    def scalar(self, choice: str, type_: str) -> str:
        if type_ == "i1":
            return self.emit(f"arith.constant {choice}", result=True)
        return self.emit(f"arith.constant {choice} : {type_}", result=True)

    def buffer(self, type_: str, salt: int) -> tuple[str, str, str]:
        """A buffer of the type, filled: its name, and name and type of what is to be freed."""
        shape = _memref(type_)
        assert shape is not None
        sizes = shape.sizes if shape.sizes is not None else (_DYNAMIC_SIZE,)
        elements = 64 if shape.layout else 1
        for size in sizes:
            elements *= max(size, 1)
        flat_type = f"memref<{elements}x{shape.element}{shape.suffix}>"
        flat = self.emit(f"memref.alloc() : {flat_type}", result=True)
        self.fill(flat, flat_type, elements, shape.element, salt)
        if shape.sizes is None:
            return self.emit(f"memref.cast {flat} : {flat_type} to {type_}", result=True), flat, flat_type
        strides, offset = self.strides(shape, sizes)
        plain = re.sub(
            r"strided<\[([^\]]*)\](?:, offset: [^>]*)?>",
            f"strided<[{', '.join('?' for _ in sizes)}], offset: ?>",
            type_,
        )
        arguments = {
            "offset": [self.constant(offset)] if shape.layout else ["0"],
            "sizes": [
                self.constant(size) if dynamic else str(size)
                for size, dynamic in zip(sizes, self.dynamic(type_), strict=True)
            ],
            "strides": [self.constant(s) for s in strides] if shape.layout else [str(s) for s in strides],
        }
        if not shape.layout and any(self.dynamic(type_)[1:]):
            # The strides of an identity layout with inner dynamic sizes are dynamic too: go by way of static
            # sizes.
            static = f"memref<{''.join(f'{size}x' for size in sizes)}{shape.element}{shape.suffix}>"
            view = self.emit(
                f"memref.reinterpret_cast {flat} to offset: [0], sizes: [{', '.join(map(str, sizes))}], "
                f"strides: [{', '.join(map(str, strides))}] : {flat_type} to {static}",
                result=True,
            )
            return self.emit(f"memref.cast {view} : {static} to {type_}", result=True), flat, flat_type
        view = self.emit(
            f"memref.reinterpret_cast {flat} to offset: [{', '.join(arguments['offset'])}], "
            f"sizes: [{', '.join(arguments['sizes'])}], strides: [{', '.join(arguments['strides'])}] "
            f": {flat_type} to {plain}",
            result=True,
        )
        if plain != type_:
            view = self.emit(f"memref.cast {view} : {plain} to {type_}", result=True)
        return view, flat, flat_type

    @staticmethod
    def dynamic(type_: str) -> list[bool]:
        shape = type_[len("memref<") :].split(",")[0].rstrip(">")
        return [part == "?" for part in re.findall(r"(\?|\d+)x", shape)]

    @staticmethod
    def strides(shape: _MemRef, sizes: tuple[int, ...]) -> tuple[list[int], int]:
        """Strides and offset of the layout; what is dynamic becomes row-major and 1."""
        row_major = [1] * len(sizes)
        for d in reversed(range(len(sizes) - 1)):
            row_major[d] = row_major[d + 1] * max(sizes[d + 1], 1)
        match = re.fullmatch(r"strided<\[([^\]]*)\](?:, offset: ([^>]*))?>", shape.layout)
        if match is None:
            return row_major, 0
        given = [part.strip() for part in match[1].split(",") if part.strip()]
        strides = [
            default if text == "?" else int(text) for text, default in zip(given, row_major, strict=True)
        ]
        return strides, 1 if match[2] == "?" else int(match[2] or 0)

    def fill(self, flat: str, type_: str, elements: int, element: str, salt: int) -> None:
        zero, one, end = self.constant(0), self.constant(1), self.constant(elements)
        start = self.constant(salt)
        self.lines.append(f"    scf.for %i = {zero} to {end} step {one} {{")
        self.lines.append(f"      %j = arith.addi %i, {start} : index")
        if element == "index":
            self.lines.append(f"      memref.store %j, {flat}[%i] : {type_}")
        else:
            self.lines.append("      %k = arith.index_cast %j : index to i64")
            self.lines.append(f"      %e = {_from_i64('%k', element)}")
            self.lines.append(f"      memref.store %e, {flat}[%i] : {type_}")
        self.lines.append("    }")

    def show(self, value: str, type_: str) -> None:
        """Prints a scalar."""
        if type_ in ("f32", "f16", "bf16"):
            value = self.emit(f"arith.extf {value} : {type_} to f64", result=True)
        elif type_ == "index":
            value = self.emit(f"arith.index_cast {value} : index to i64", result=True)
        elif type_ not in ("f64", "i64"):
            value = self.emit(f"arith.extui {value} : {type_} to i64", result=True)
        kind = "float : (f64)" if type_ in ("f64", "f32", "f16", "bf16") else "integer : (i64)"
        name, signature = kind.split(" : ")
        self.emit(f"func.call @heap_print_{name}({value}) : {signature} -> ()")

    def show_buffer(self, value: str, type_: str) -> None:
        """Prints a sum of a buffer's elements in which the position of each counts."""
        shape = _memref(type_)
        assert shape is not None
        if shape.sizes is None:
            first_type = f"memref<{shape.element}{shape.suffix}>"
            value = self.emit(
                f"memref.reinterpret_cast {value} to offset: [0], sizes: [], strides: [] "
                f": {type_} to {first_type}",
                result=True,
            )
            self.show_buffer(value, first_type)
            return
        zero, one = self.constant(0), self.constant(1)
        total = self.emit("arith.constant 0.0 : f64", result=True)
        loops = []
        for d in range(len(shape.sizes)):
            at = self.constant(d)
            size = self.emit(f"memref.dim {value}, {at} : {type_}", result=True)
            result, inner = self.name(), self.name()
            loops.append((result, f"%i{d}"))
            self.lines.append(
                f"    {result} = scf.for %i{d} = {zero} to {size} step {one} "
                f"iter_args({inner} = {total}) -> (f64) {{"
            )
            total = inner
        indices = ", ".join(index for _, index in loops)
        element = self.emit(f"memref.load {value}[{indices}] : {type_}", result=True)
        wide = self.widened(element, shape.element)
        # Two buffers with the same elements in another order differ; the factor is next to 1 so that every
        # element of a large buffer counts.
        factor = self.emit("arith.constant 1.0009765625 : f64", result=True)
        scaled = self.emit(f"arith.mulf {total}, {factor} : f64", result=True)
        total = self.emit(f"arith.addf {scaled}, {wide} : f64", result=True)
        for result, _ in reversed(loops):
            self.lines.append(f"    scf.yield {total} : f64")
            self.lines.append("    }")
            total = result
        self.show(total, "f64")

    def free(self, owned: list[tuple[str, str]]) -> None:
        """Frees results as a caller does: in one op, which frees a buffer given twice only once."""
        if not owned:
            return
        bases, types = [], []
        for value, type_ in owned:
            shape = _memref(type_)
            assert shape is not None
            rank = len(shape.sizes) if shape.sizes is not None else 0
            base_type = f"memref<{shape.element}{shape.suffix}>"
            if shape.sizes is None:
                value = self.emit(
                    f"memref.reinterpret_cast {value} to offset: [0], sizes: [], strides: [] "
                    f": {type_} to {base_type}",
                    result=True,
                )
                type_ = base_type
            self.count += 1
            name = f"%m{self.count}"
            indices = ", ".join(["index"] * (1 + 2 * rank))
            self.emit(
                f'{name}:{2 + 2 * rank} = "memref.extract_strided_metadata"({value}) '
                f": ({type_}) -> ({base_type}, {indices})"
            )
            bases.append(f"{name}#0")
            types.append(base_type)
        true = self.emit("arith.constant true", result=True)
        conditions = ", ".join([true] * len(bases))
        self.emit(f"bufferization.dealloc ({', '.join(bases)} : {', '.join(types)}) if ({conditions})")

    def widened(self, value: str, element: str) -> str:
        if element == "f64":
            return value
        if element in ("f32", "f16", "bf16"):
            return self.emit(f"arith.extf {value} : {element} to f64", result=True)
        if element == "index":
            value = self.emit(f"arith.index_cast {value} : index to i64", result=True)
            element = "i64"
        return self.emit(f"arith.uitofp {value} : {element} to f64", result=True)


def _from_i64(value: str, element: str) -> str:
    """The op that makes an element of an i64."""
    if element in ("f32", "f64", "f16", "bf16"):
        return f"arith.sitofp {value} : i64 to {element}"
    if element == "i64":
        return f"arith.addi {value}, {value} : i64"
    return f"arith.trunci {value} : i64 to {element}"


def _symbol(name: str) -> str:
    return f"@{name}" if re.fullmatch(r"[A-Za-z_$.][\w$.-]*", name) else f'@"{name}"'


def _driver(name: str, signature: _Signature, choices: list[str], shared: bool, frees: bool) -> str:
    """A function ``name`` that calls another once, shows what came of it and frees what the caller owns."""
    driver = _Driver()
    arguments: list[str] = []
    bases: list[tuple[str, str]] = []
    made: dict[str, str] = {}
    for position, (type_, choice) in enumerate(zip(signature.arguments, choices, strict=True)):
        if choice != "buffer":
            arguments.append(driver.scalar(choice, type_))
        elif shared and type_ in made:
            arguments.append(made[type_])
        else:
            value, base, base_type = driver.buffer(type_, 10 * position + 1)
            arguments.append(value)
            bases.append((base, base_type))
            made[type_] = value
    call = (
        f"func.call {_symbol(signature.name)}({', '.join(arguments)}) : "
        f"({', '.join(signature.arguments)}) -> ({', '.join(signature.results)})"
    )
    results = [driver.name() for _ in signature.results]
    if len(results) > 1:
        first = results[0]
        driver.lines.append(f"    {first}:{len(results)} = {call}")
        results = [f"{first}#{index}" for index in range(len(results))]
    else:
        driver.lines.append(f"    {results[0]} = {call}" if results else f"    {call}")
    for value, type_ in zip(results, signature.results, strict=True):
        if _memref(type_):
            driver.show_buffer(value, type_)
        else:
            driver.show(value, type_)
    for base, type_ in bases:
        driver.show_buffer(base, type_)
    if frees:
        owned = [(v, type_) for v, type_ in zip(results, signature.results, strict=True) if _memref(type_)]
        driver.free(owned)
        for base, type_ in bases:
            driver.emit(f"memref.dealloc {base} : {type_}")
    lines = "\n".join(driver.lines)
    return f"  func.func {_symbol(name)}() {{\n{lines}\n    return\n  }}\n"


def _stand_in(signature: _Signature) -> str:
    """A body for a declared function: it reads the buffers it is given and returns fresh ones."""
    driver = _Driver()
    parameters = ", ".join(f"%arg{i}: {type_}" for i, type_ in enumerate(signature.arguments))
    for i, type_ in enumerate(signature.arguments):
        if _memref(type_):
            driver.show_buffer(f"%arg{i}", type_)
    results = []
    for i, type_ in enumerate(signature.results):
        if _memref(type_) is None:
            results.append(driver.scalar((_choices(type_) or ["0"])[0], type_))
            continue
        results.append(driver.buffer(type_, 100 + i)[0])
    lines = "\n".join(driver.lines)
    types = ", ".join(signature.results)
    end = f"return {', '.join(results)} : {types}" if results else "return"
    head = f"  func.func private {_symbol(signature.name)}({parameters}) -> ({types}) {{"
    return f"{head}\n{lines}\n    {end}\n  }}"


# ------------------------------------------------------------------------------------------------------------
# Linking, lowering, running


@dataclass
class Linked:
    """One program, with a function for each of its calls."""

    run: Execution
    text: str
    drivers: list[str]


def _body(text: str) -> str:
    """What stands between the braces of a printed module."""
    start = re.search(r"^module.*\{$", text, re.MULTILINE)
    assert start is not None, text[:200]
    return text[start.end() + 1 : text.rindex("}")]


def _link(index: int, run: Execution, text: str) -> Linked:
    """The module with a driver for every call, under symbols that no other program uses."""
    body = _body(text)
    body = _SYMBOL.sub(lambda match: _symbol(f"p{index}_{match[1] or match[2]}"), body)
    declared: list[_Signature] = []
    drivers: list[str] = []
    written: list[str] = []
    for signature in _signatures(body):
        if not signature.defined:
            if all(_choices(type_) for type_ in (*signature.arguments, *signature.results)):
                declared.append(signature)
        elif not signature.private:
            for choices, shared in _calls(signature):
                name = f"d{index}_{len(drivers)}"
                drivers.append(name)
                written.append(_driver(name, signature, choices, shared, run.program.frees))
                function = signature.name.removeprefix(f"p{index}_")
                arguments = ", ".join(choices) + (", one buffer for all" if shared else "")
                run.calls.append(Call(function, arguments))
    for signature in reversed(declared):
        start, end = signature.span
        body = body[:start] + _stand_in(signature) + body[end:]
    printers = "  func.func private @heap_print_integer(i64)\n  func.func private @heap_print_float(f64)\n"
    return Linked(run, f"module {{\n{printers}{body}{''.join(written)}}}\n", drivers)


def _to_loops(linked: list[Linked]) -> tuple[str, ...]:
    # shape.assuming has no lowering of its own: the canonicalizer inlines it where its witness is known.
    if any("shape.assuming" in link.text for link in linked):
        return (TO_LOOPS[0], "-remove-shape-constraints", "-canonicalize", *TO_LOOPS[1:])
    return TO_LOOPS


_BOOLEANS = re.compile(r"memref<(?:[?\d]+x)*i1(?=[,>])")
_BOOLEAN_LOAD = re.compile(
    rf'^( *)(%\w+) = ("memref\.load"\(.* : \({_BOOLEANS.pattern}.*\) -> )i1$', re.MULTILINE
)
_BOOLEAN_STORE = re.compile(
    rf'^( *)"memref\.store"\((%[\w#]+), (.* : \()i1(, {_BOOLEANS.pattern}.*)$', re.MULTILINE
)


def lowerable(text: str) -> str:
    """The module, in generic form, without two things that have no general lowering.

    Buffers of i1 become buffers of i8, because an ``mlir-opt`` with assertions does not lower stores of less
    than a byte; memref.alloca_scope becomes scf.execute_region, because it is lowered only when its region is
    one block.
    """
    counter = itertools.count()

    def load(match: re.Match[str]) -> str:
        byte = f"%byte_{next(counter)}"
        return f'{match[1]}{byte} = {match[3]}i8\n{match[1]}{match[2]} = "arith.trunci"({byte}) : (i8) -> i1'

    def store(match: re.Match[str]) -> str:
        byte = f"%byte_{next(counter)}"
        extended = f'{match[1]}{byte} = "arith.extui"({match[2]}) : (i1) -> i8'
        return f'{extended}\n{match[1]}"memref.store"({byte}, {match[3]}i8{match[4]}'

    text = _BOOLEAN_STORE.sub(store, _BOOLEAN_LOAD.sub(load, text))
    text = _BOOLEANS.sub(lambda match: match[0][:-2] + "i8", text)
    return text.replace('"memref.alloca_scope"(', '"scf.execute_region"(').replace(
        '"memref.alloca_scope.return"(', '"scf.yield"('
    )


_DECLARED_BY_HEAP = re.compile(
    r"^ *llvm\.func @(?:_mlir_memref_to_llvm_\w+|memrefCopy|heap_print_\w+)\(.*[^{\n]\n", re.MULTILINE
)
_LOAD = re.compile(r"^( *)%\w+ = llvm\.load (?:volatile )?(%\w+) .*: !llvm\.ptr -> .*$", re.MULTILINE)
_STORE = re.compile(r"^( *)llvm\.store (?:volatile )?%\w+, (%\w+) .*, !llvm\.ptr$", re.MULTILINE)
_COPY = re.compile(
    r'^( *)"llvm\.intr\.mem(?:cpy|move)"\((%\w+), (%\w+), (%\w+)\).*: \(!llvm\.ptr, !llvm\.ptr, i64\).*$',
    re.MULTILINE,
)
_UPDATE = re.compile(r"^( *)%\w+ = llvm\.atomicrmw \w+ (%\w+), .*!llvm\.ptr, .*$", re.MULTILINE)


def _instrumented(body: str) -> str:
    """The lowered program with a check before every access to memory."""
    body = _LOAD.sub(r"\1llvm.call @heap_read(\2) : (!llvm.ptr) -> ()\n\g<0>", body)
    body = _STORE.sub(r"\1llvm.call @heap_write(\2) : (!llvm.ptr) -> ()\n\g<0>", body)
    body = _UPDATE.sub(r"\1llvm.call @heap_write(\2) : (!llvm.ptr) -> ()\n\g<0>", body)
    return _COPY.sub(r"\1llvm.call @heap_copy(\2, \3, \4) : (!llvm.ptr, !llvm.ptr, i64) -> ()\n\g<0>", body)


def _run(runnable: list[tuple[Linked, str]]) -> None:
    """Runs the lowered programs together and enters what they print into their executions."""
    calls = [call for link, _ in runnable for call in link.run.calls]
    names = [name for link, _ in runnable for name in link.drivers]
    bodies = [without_duplicates(number, body) for number, (_, body) in enumerate(runnable)]
    main = ["llvm.func @main() -> i32 {"]
    for number, name in enumerate(names):
        main.append(f"  %n{number} = llvm.mlir.constant({number} : i64) : i64")
        main.append(f"  %f{number} = llvm.mlir.addressof @{name} : !llvm.ptr")
        main.append(f"  llvm.call @heap_run(%n{number}, %f{number}) : (i64, !llvm.ptr) -> ()")
    main += ["  %zero = llvm.mlir.constant(0 : i32) : i32", "  llvm.return %zero : i32", "}"]
    text = "\n".join(["module {", HEAP.read_text(), libc(bodies), *bodies, *main, "}"])
    output = tools.run([tools.find("mlir-translate"), "--mlir-to-llvmir"], text)
    if output.text is not None:  # not optimized: each function runs once or twice
        output = tools.run([tools.find("lli"), "-O0", "--jit-kind=mcjit", "-"], output.text)  # which links faster
    if output.text is None:
        if len(runnable) > 1:
            middle = len(runnable) // 2
            _run(runnable[:middle])
            _run(runnable[middle:])
            return
        runnable[0][0].run.error = f"cannot be run: {output.errors[:2000]}"
        return
    _read(output.text, calls)


_LIBC = re.compile(r"^ *llvm\.func @(?!p\d|d\d)([\w.]+)\(.*[^{\n]\n", re.MULTILINE)
# What lowering adds to a module under a name of its own choice.
_ADDED = re.compile(r"@(dealloc_helper\w*|assert_msg\w*|puts_\w*)")


def without_duplicates(number: int, body: str) -> str:
    """The body without the declarations that every program brings, and with helper functions of its own."""
    body = _LIBC.sub("", _DECLARED_BY_HEAP.sub("", body))
    return _ADDED.sub(rf"@h{number}_\1", body)


def libc(bodies: list[str]) -> str:
    """Declarations of the C functions that lowered assertions and unranked results call."""
    joined = "".join(bodies)
    declarations = {
        "abort": "llvm.func @abort()",
        "puts": "llvm.func @puts(!llvm.ptr)",
        "malloc": "llvm.func @malloc(i64) -> !llvm.ptr",
        "free": "llvm.func @free(!llvm.ptr)",
    }
    return "\n".join(text for name, text in declarations.items() if f"@{name}(" in joined)


def _read(text: str, calls: list[Call]) -> None:
    """Enters what the runner printed."""
    current: Call | None = None
    finished = False
    for line in [*text.splitlines(), "begin -1"]:
        word, *rest = line.split()
        if word == "begin":
            if current is not None and not finished and current.died is None:
                current.died = "ended without a report"
            number = int(rest[0])
            current = calls[number] if number >= 0 else None
            finished = False
        elif current is None:
            continue
        elif word == "value":
            current.values.append(rest[0])
        elif word == "counts":
            (
                current.allocations,
                current.frees,
                current.double_frees,
                current.invalid_frees,
                current.reads_after_free,
                current.writes_after_free,
                current.wild_accesses,
            ) = map(int, rest)
            finished = True
        elif word == "exhausted":
            current.died = "used up the heap"
        elif word == "died" and current.died is None:
            status = int(rest[0])
            number = status & 0x7F
            current.died = f"died of {signal.Signals(number).name}" if number else f"ended with {status >> 8}"
