"""The conversion of signatures against passes of MLIR 19: the same functions, calls and returns.

MLIR 19 is not everywhere. What it makes of the corpus is kept in `signatures_expected.mlir`, in today's syntax, and
held against the tool where there is one. Casts, constants and operations on tuples are compared as what they compute,
wherever they stand.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from dealog.extensions import Extensions
from dealog.job import Job, transform
from dealog.pipeline import Engine, EngineName, parse_pipeline
from dealog.stopwatch import Stopwatch
from tests.support import tools
from tests.support.cases import GENERATED, Case, corpus
from tests.support.compare import differences, functions
from tests.support.engines import ENGINES
from tests.support.nightly import NIGHTLY, one_in

HERE = Path(__file__).parent
EXPECTED = HERE / "signatures_expected.mlir"
KNOWN = HERE / "toolbox_differences.toml"
TUPLE_OPERATIONS = Extensions((HERE / "tuple_operations.dl",))
OLDER = tools.older_mlir_opt("19")
CASES = corpus("toolbox/converted")
needs_older = pytest.mark.skipif(OLDER is None, reason="there is no mlir-opt 19, which is optional")


@dataclass(frozen=True)
class Compared:
    """What the cases of a file are compared with."""

    passes: tuple[str, ...]  # of MLIR 19
    options: str = ""


COMPARED = {
    "tensors": Compared(("-func-bufferize",)),
    "appended": Compared(("-func-bufferize", "-buffer-results-to-out-params"), "results=append"),
    "tuples": Compared(("-test-decompose-call-graph-types",), "decompose-tuples"),
}


def compared(case: Case) -> Compared:
    return COMPARED[case.name.partition("-")[0]]


def convert(text: str, options: str = "", engine: EngineName = "embedded") -> str:
    name = f"convert-signatures{{{options}}}" if options else "convert-signatures"
    steps = parse_pipeline(f"builtin.module({name})")
    job = Job(steps, Engine(engine), allow_unregistered=True, extensions=TUPLE_OPERATIONS)
    return transform(text, "<stdin>", job, Stopwatch(show=False), lambda _: None)


def mlir_opt(text: str, *passes: str) -> str:
    """What today's mlir-opt prints; it does not know the test dialect."""
    return tools.run_mlir_opt([text], *passes, "-mlir-print-local-scope", "-allow-unregistered-dialect")[0].unwrap()


def today(text: str) -> str:
    """What MLIR 19 printed in generic form, in the syntax of today."""
    text = text.replace('"bufferization.to_memref"', '"bufferization.to_buffer"')
    return mlir_opt(text)


def older(case: Case) -> str:
    assert OLDER is not None
    command = [OLDER, *compared(case).passes, "-mlir-print-op-generic"]
    return today(tools.run(command, case.text).unwrap())


def kept() -> dict[str, str]:
    """What MLIR 19 makes of the cases, by name."""
    parts = re.split(r"^// case: (\S+)\n", EXPECTED.read_text(), flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


_EXPRESSION = re.compile(
    r"^ *(?P<name>%\w+) = \"?(?P<op>test\.make_tuple|test\.get_tuple_element|bufferization\.to_tensor|"
    r"bufferization\.to_buffer)\"?\(?(?P<operands>[%\w#, ]*)\)?(?: <?\{index = (?P<index>\d+) : i32\}>?)? :"
)
_CONSTANT = re.compile(r" *(%\w+) = (arith\.constant .*)")
_VALUE = re.compile(r"%\w+(?:#\d+)?")


def expressed(function: str) -> str:
    """A printed function without its casts, constants and operations on tuples: what they compute stands where it is
    used, and other values are numbered in their order."""
    meant: dict[str, str] = {}
    numbered: dict[str, str] = {}
    parts: dict[str, list[str]] = {}  # of what is a tuple that was made
    lines = []

    def meaning(value: str) -> str:
        base, mark, number = value.partition("#")
        if value not in meant and base not in numbered:
            numbered[base] = f"%v{len(numbered)}"
        return meant.get(value) or numbered[base] + mark + number

    for line in function.splitlines():
        if constant := _CONSTANT.match(line):
            meant[constant[1]] = constant[2]
            continue
        match = _EXPRESSION.match(line)
        if match is None:
            lines.append(_VALUE.sub(lambda value: meaning(value[0]), line))
            continue
        operands = [meaning(value) for value in _VALUE.findall(match["operands"])]
        made = f"{match['op']}({', '.join(operands)})"
        if match["op"] == "test.make_tuple":
            parts[made] = operands
        elif match["index"] is not None:
            made = parts[operands[0]][int(match["index"])] if operands[0] in parts else f"{made}.{match['index']}"
        elif made.startswith("bufferization.to_buffer(bufferization.to_tensor("):
            made = operands[0].removeprefix("bufferization.to_tensor(").removesuffix(")")
        meant[match["name"]] = made
    return "\n".join(lines)


def cleaned(text: str) -> dict[str, str]:
    printed = mlir_opt(text, "-canonicalize", "-cse")
    return {name: expressed(function) for name, function in functions(printed).items()}


def differing(expected: str, made: str) -> Iterator[tuple[str, str]]:
    """The functions that differ, and how."""
    theirs, ours = cleaned(expected), cleaned(made)
    assert theirs.keys() == ours.keys()
    for name in theirs:
        yield from ((name, text) for text in differences(theirs[name], ours[name]).values())


def known() -> set[tuple[str, str]]:
    rows = tomllib.loads(KNOWN.read_text())["difference"]
    return {(row["case"], row["function"]) for row in rows if row["pass"] == "convert-signatures"}


@pytest.mark.parametrize("engine", ENGINES if NIGHTLY else ["embedded"])
def test_as_mlir_19(engine: EngineName) -> None:
    expected = kept()
    assert expected.keys() == {case.name for case in CASES}
    found = {
        (case.name, function): text
        for case in CASES
        for function, text in differing(expected[case.name], convert(case.text, compared(case).options, engine))
    }
    assert not [f"{where}\n{text}" for where, text in found.items() if where not in known()]
    assert found.keys() == known()
    assert sum(len(functions(case.text)) - 1 for case in CASES) >= 60


def test_the_generic_form_is_converted_alike() -> None:
    for case in one_in(6, CASES):
        text = mlir_opt(case.text, "-mlir-print-op-generic")
        assert '"func.func"' in text and "func.func @" not in text
        converted = convert(text, compared(case).options)
        custom = convert(mlir_opt(case.text), compared(case).options)
        assert list(differing(mlir_opt(custom), mlir_opt(converted))) == [], case.name


@needs_older
def test_what_is_kept_is_what_the_tool_does() -> None:
    assert {case.name: older(case) for case in CASES} == kept()


def test_it_is_seen_what_differs() -> None:
    text = kept()["tuples-in_regions"]
    assert "func.call @f(%4, %5)" in text
    assert list(differing(text, text.replace("func.call @f(%4, %5)", "func.call @f(%arg1, %arg2)"))) == []
    assert list(differing(text, text.replace("(%1) <{index = 0", "(%0) <{index = 0")))
    text = kept()["tensors-calls"]
    assert list(differing(text, text.replace("to_tensor %3", "to_tensor %arg0")))


# ---- generated programs

_TYPES = ("tensor<4xf32>", "tensor<f32>", "tensor<2x3xf32>", "f32", "index", "tensor<8xf32>", "i1")


def generated(seed: int) -> str:
    """Functions of random signatures that call each other, with some code on tensors."""
    pick = random.Random(seed)
    signatures = [
        tuple([pick.choice(_TYPES) for _ in range(pick.randrange(4))] for _ in ("taken", "returned"))
        for _ in range(6)
    ]
    texts = []
    for number, (taken, returned) in enumerate(signatures):
        functional = f"({', '.join(taken)}) -> ({', '.join(returned)})"
        if pick.random() < 0.2:
            texts.append(f"func.func private @f{number}{functional}\n")
            continue
        known: dict[str, list[str]] = {}
        for i, type in enumerate(taken):
            known.setdefault(type, []).append(f"%a{i}")
        lines: list[str] = []

        def some(type: str, known: dict[str, list[str]] = known, lines: list[str] = lines) -> str:
            if type in known and pick.random() < 0.9:
                return pick.choice(known[type])
            name = f"%v{len(lines)}"
            call = f'"test.make"() : () -> {type}'
            lines.append(f"  {name} = {call}\n")
            known.setdefault(type, []).append(name)
            return name

        for _ in range(pick.randrange(5)):
            name = f"%v{len(lines)}"
            if pick.random() < 0.5:
                type = pick.choice(_TYPES[:4])
                one, other = some(type), some(type)
                name = f"%v{len(lines)}"
                lines.append(f"  {name} = arith.addf {one}, {other} : {type}\n")
                known.setdefault(type, []).append(name)
                continue
            callee = pick.randrange(len(signatures))
            into, out = signatures[callee]
            operands = ", ".join([some(type) for type in into])
            name = f"%v{len(lines)}"
            head = f"{name}:{len(out)} = " if len(out) > 1 else f"{name} = " if out else ""
            lines.append(f"  {head}call @f{callee}({operands}) : ({', '.join(into)}) -> ({', '.join(out)})\n")
            for i, type in enumerate(out):
                known.setdefault(type, []).append(f"{name}#{i}" if len(out) > 1 else name)
        values = [some(type) for type in returned]
        end = f"  return {', '.join(values)} : {', '.join(returned)}\n" if returned else "  return\n"
        arguments = ", ".join(f"%a{i}: {type}" for i, type in enumerate(taken))
        head = f"func.func @f{number}({arguments}) -> ({', '.join(returned)}) {{\n"
        texts.append("".join([head, *lines, end, "}\n"]))
    return "".join(texts)


SEEDS = range(GENERATED // 3 if NIGHTLY else 4)


@needs_older
@pytest.mark.parametrize("options", ["", "results=append"])
def test_generated_programs_as_mlir_19(options: str) -> None:
    assert OLDER is not None
    passes = COMPARED["appended" if options else "tensors"].passes
    for seed in SEEDS:
        text = generated(seed)
        command = [OLDER, *passes, "-allow-unregistered-dialect", "-mlir-print-op-generic"]
        theirs = tools.run(command, text).unwrap().replace('"bufferization.to_memref"', '"bufferization.to_buffer"')
        first, second = cleaned(theirs), cleaned(convert(text, options))
        assert first == second, seed


@needs_older
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_mlir_19_takes_the_output(case: Case) -> None:
    assert OLDER is not None
    made = mlir_opt(convert(case.text, compared(case).options), "-mlir-print-op-generic")
    made = made.replace('"bufferization.to_buffer"', '"bufferization.to_memref"')
    assert tools.run([OLDER, "-allow-unregistered-dialect"], made).unwrap()


# ---- the document's examples

DECLARED = "func.func private @on_tensors(tuple<i1,f32>) -> (tuple<memref<10xf32>, tensor<5xf32>>)"
RETURNS = """func.func @on_tensors(%arg0: tensor<5xf32>, %arg1: i1) -> (tensor<5xf32>, i1) {
  return %arg0, %arg1 : tensor<5xf32>, i1
}
"""
CALLS = """func.func @callee(%arg0: T) -> T {
  return %arg0 : T
}
func.func @caller(%arg0: T) -> T {
  %x = call @callee(%arg0) : (T) -> T
  return %x : T
}
"""
SEED = {
    "unpacking": (
        "func.func private @f(tuple<i1,f32>) -> tuple<tensor<10xf32>, tensor<5xf32>>",
        "results=append decompose-tuples",
        "func.func private @f(i1, f32, memref<10xf32>, memref<5xf32>)",
    ),
    "appended": (
        DECLARED, "results=append decompose-tuples",
        "func.func private @on_tensors(i1, f32, memref<5xf32>) -> memref<10xf32>",
    ),
    "kept": (
        DECLARED, "results=keep decompose-tuples",
        "func.func private @on_tensors(i1, f32) -> (memref<10xf32>, memref<5xf32>)",
    ),
    "returns": (
        RETURNS, "results=append",
        """func.func @on_tensors(%arg0: memref<5xf32>, %arg1: i1, %out: memref<5xf32>) -> i1 {
          memref.copy %arg0, %out : memref<5xf32> to memref<5xf32>
          return %arg1 : i1
        }""",
    ),
    "calls": (
        CALLS.replace("T", "tensor<5xf32>"), "results=append",
        """func.func @callee(%arg0: memref<5xf32>, %out: memref<5xf32>) {
          memref.copy %arg0, %out : memref<5xf32> to memref<5xf32>
          return
        }
        func.func @caller(%arg0: memref<5xf32>, %out: memref<5xf32>) {
          %0 = memref.alloc() : memref<5xf32>
          call @callee(%arg0, %0) : (memref<5xf32>, memref<5xf32>) -> ()
          memref.copy %0, %out : memref<5xf32> to memref<5xf32>
          return
        }""",
    ),
    "all of it": (
        CALLS.replace("T", "tuple<tensor<5xf32>,i1>"), "results=append decompose-tuples",
        """func.func @callee(%arg0: memref<5xf32>, %arg1: i1, %arg2: memref<5xf32>) -> i1 {
          %0 = "test.make_tuple"(%arg0, %arg1) : (memref<5xf32>, i1) -> tuple<memref<5xf32>, i1>
          %1 = "test.get_tuple_element"(%0) <{index = 0 : i32}> : (tuple<memref<5xf32>, i1>) -> memref<5xf32>
          %2 = "test.get_tuple_element"(%0) <{index = 1 : i32}> : (tuple<memref<5xf32>, i1>) -> i1
          memref.copy %1, %arg2 : memref<5xf32> to memref<5xf32>
          return %2 : i1
        }
        func.func @caller(%arg0: memref<5xf32>, %arg1: i1, %arg2: memref<5xf32>) -> i1 {
          %0 = "test.make_tuple"(%arg0, %arg1) : (memref<5xf32>, i1) -> tuple<memref<5xf32>, i1>
          %1 = "test.get_tuple_element"(%0) <{index = 0 : i32}> : (tuple<memref<5xf32>, i1>) -> memref<5xf32>
          %2 = "test.get_tuple_element"(%0) <{index = 1 : i32}> : (tuple<memref<5xf32>, i1>) -> i1
          %3 = memref.alloc() : memref<5xf32>
          %4 = call @callee(%1, %2, %3) : (memref<5xf32>, i1, memref<5xf32>) -> i1
          %5 = "test.make_tuple"(%3, %4) : (memref<5xf32>, i1) -> tuple<memref<5xf32>, i1>
          %6 = "test.get_tuple_element"(%5) <{index = 0 : i32}> : (tuple<memref<5xf32>, i1>) -> memref<5xf32>
          %7 = "test.get_tuple_element"(%5) <{index = 1 : i32}> : (tuple<memref<5xf32>, i1>) -> i1
          memref.copy %6, %arg2 : memref<5xf32> to memref<5xf32>
          return %7 : i1
        }""",
    ),
}  # fmt: skip
"""The examples of the preparation phase, in today's syntax."""


@pytest.mark.parametrize("name", SEED)
def test_as_the_document_prints_it(name: str) -> None:
    before, options, after = SEED[name]
    ours, theirs = (mlir_opt(text) for text in (convert(before, options), after))
    assert ours == theirs
