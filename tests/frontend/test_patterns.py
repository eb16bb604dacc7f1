"""Operations that are written like one before come out as if each was read for itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dealog.diagnostics import DealogError
from dealog.frontend import Module, lexer, parse, patterns
from dealog.frontend.ir import Operation
from tests.support import generate, unstructured
from tests.support.mutate import mutated
from tests.support.nightly import NIGHTLY

ROOT = Path(__file__).parents[2]
MUTANTS = 4000 if NIGHTLY else 150

TWICE = """\
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %i: index, %v: f32) {{
{}
  return
}}
"""


def _texts() -> Iterator[tuple[str, str]]:
    for file in sorted([*ROOT.glob("examples/*.mlir"), *ROOT.glob("tests/**/*.mlir")]):
        yield file.name, file.read_text("utf-8", "surrogateescape")
    for seed in range(6):
        yield f"generated {seed}", generate.program(seed, size=20)
    for kind in unstructured.KINDS:
        yield kind, unstructured.program(kind, 1, 9)


def _said(module: Module) -> list[object]:
    """All that was read of a module."""
    told: list[object] = []
    for op in module.walk():
        operands = [(value.name, value.type, value.offset) for value in op.operands]
        results = [(value.name, value.type, value.offset, value.owner is op) for value in op.results]
        attributes = dict(op.attributes)
        item = op.item if op.item is not None and op.item[0] == "op" and not op.regions else None
        told.append((op.name, op.offset, op.end, operands, results, attributes, item, op.generic))
    return told


def _read(text: str) -> tuple[str, list[object], int]:
    """What went wrong, or what was read, and of how many operations by what one before was.

    Attributes are read when they are asked for, so what is wrong with them shows later.
    """
    try:
        module = parse(text, "x.mlir")
        like = sum(op.written is not None and op.written[0] == "like" for op in module.walk())
        return "", _said(module), like
    except DealogError as error:
        return repr([(d.message, d.offset, [note.message for note in d.notes]) for d in error.diagnostics]), [], 0


def _both(text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """How many operations there are, and how many were like one before; it has to make no difference."""
    error, told, like = _read(text)
    with monkeypatch.context() as patched:
        patched.setattr(lexer, "OPERATION_LINE", lambda *_: None)
        assert (error, told, 0) == _read(text)
    return len(told), like


def test_it_makes_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    count = like = 0
    for name, text in _texts():
        found = _both(text, monkeypatch)
        count, like = count + found[0], like + found[1]
        assert found[1] < found[0] or not found[0], name
    assert like > count / 8, (like, count)


def test_it_makes_no_difference_in_broken_text(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [text for _, text in _texts() if len(text) < 20_000]
    wrong = like = 0
    for seed in range(MUTANTS):
        text = mutated(texts[seed % len(texts)], seed)
        wrong += bool(_read(text)[0])
        like += _both(text, monkeypatch)[1]
    assert wrong > MUTANTS / 10 and like > MUTANTS


def _of(lines: str) -> list[Operation]:
    return [op for op in parse(TWICE.format(lines)).walk() if op.written is not None and op.written[0] == "like"]


def test_names_are_in_their_places() -> None:
    lines = """\
  memref.store %v, %a[%i] {nontemporal = true} : memref<4xf32>
  memref.store %v, %a[%i] {nontemporal = true} : memref<4xf32>
  %long_name = memref.load %b[%i] : memref<4xf32>
  %s = memref.load %a[%i] : memref<4xf32>
  memref.store %long_name, %b[%i] {nontemporal = true} : memref<4xf32>
  memref.store %s, %b[%i] {nontemporal = true} : memref<4xf32>
"""
    module = parse(TWICE.format(lines))
    source = module.source.text
    stores = [op for op in module.walk() if op.name == "memref.store"]
    assert [op.written[0] for op in stores] == ["op", "op", "like", "like"]  # with the second it is known
    assert [op.operands[0].name for op in stores] == ["%v", "%v", "%long_name", "%s"]
    assert all(op.attributes == {"nontemporal": "true"} for op in stores)
    assert stores[2].attributes is not stores[3].attributes
    for op in stores:
        spans = [source[start:end] for kind, start, end, _ in op.item[3] if kind in ("operand", "attr_dict", "type")]
        assert spans[0] == op.operands[0].name and spans[-1] == "memref<4xf32>" and "{nontemporal = true}" in spans


@pytest.mark.parametrize(
    "line",
    [
        '"memref.dealloc"(%a) : (memref<4xf32>) -> ()',  # strings
        "affine.store %v, %a[symbol(%i)] : memref<4xf32>",  # equal operands are one
        "%n:2 = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index",
        "return",  # in another dialect it is another one
        "scf.if %c { }",
    ],
)
def test_only_what_is_plain(line: str) -> None:
    lines = "\n".join(f"  scf.execute_region {{\n    {line}\n    scf.yield\n  }}" for _ in range(3))
    try:
        found = _of(lines)
    except DealogError:
        return
    assert {op.name for op in found} <= {"scf.yield"}


def test_a_line_that_goes_on() -> None:
    lines = """\
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
    loc("here")
  memref.dealloc %b : memref<4xf32>  // twice
  memref.dealloc %b : memref<4xf32>
"""
    assert [op.operands[0].name for op in _of(lines)] == []
    *_, last = parse(TWICE.format(lines)).operation.regions[0].blocks[0].operations[0].regions[0].blocks[0].operations
    assert last.name == "func.return"
    assert parse(TWICE.format(lines)).source.text.count("dealloc") == 4


def test_operands_of_other_types_are_checked() -> None:
    lines = """\
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  memref.dealloc %i : memref<4xf32>
  %x = arith.addf %v, %v : f32
"""
    with pytest.raises(DealogError, match="expects different type than prior uses: 'memref<4xf32>' vs 'index'"):
        parse(TWICE.format(lines))


def test_a_pattern_is_of_one_text() -> None:
    assert patterns.pattern_of("%a = x.y %b : f32", ("generic", 0, 3, None, "x.y", -1, False)) is None


def test_a_sign_without_a_name_is_no_name() -> None:
    lines = [f"  %{name} = memref.load %a[%{index}] : memref<4xf32>" for name, index in ("xi", "yi", ("z", ""))]
    with pytest.raises(DealogError, match="unexpected character '%'"):
        parse(TWICE.format("\n".join(lines)), "in.mlir")
