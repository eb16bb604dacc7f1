"""What single operations ask for, in valid and invalid forms: mlir-opt and Dealog say the same, at the same line."""

from __future__ import annotations

from pathlib import Path

from tests.support.mutants import verdicts
from tests.support.nightly import one_in
from tests.verify.test_mutants import errors


def chunks() -> list[tuple[list[str], str]]:
    """The messages that each text has, and the text: Dealog's, and mlir-opt's where that has other words."""
    text = (Path(__file__).parent / "invariants.mlir").read_text(encoding="utf-8").partition("\n\n")[2]
    found = []
    for chunk in text.split("// -----\n"):
        lines = chunk.splitlines(keepends=True)
        messages = [line[3:].strip() for line in lines if line.startswith("// ")]
        found.append((messages, "".join(lines[len(messages) :])))
    return found


def test_the_same_forms_are_valid() -> None:
    wrong = []
    chosen = one_in(2, chunks())
    for (messages, text), theirs in zip(chosen, verdicts([text for _, text in chosen]), strict=True):
        ours = errors(text)
        assert theirs.refused == bool(messages), text
        if not messages:
            if ours:
                wrong.append((text, ours))
            continue
        (line, said) = theirs.errors[0]
        assert messages[-1] in said, text
        if not any(at == line and messages[0] in message for at, message in ours):
            wrong.append((text, ours))
    assert wrong == []


def test_forms_of_earlier_versions_stay_valid() -> None:
    """Up to MLIR 20, the body of a linalg.map was not handed the output."""
    text = """func.func @f(%a: memref<2xf32>) {
  linalg.map ins(%a : memref<2xf32>) outs(%a : memref<2xf32>) (%x: f32) {
    linalg.yield %x : f32
  }
  return
}
"""
    assert errors(text) == []


def test_what_an_index_is_an_argument_of() -> None:
    """The operations are the same but for the loop whose argument they use."""
    text = """func.func @f(%m: memref<4xf32>, %n: index) {
  scf.for %i = %n to %n step %n {
    affine.for %k = 0 to 4 {
      %0 = affine.load %m[%k] : memref<4xf32>
      %1 = affine.load %m[NAME] : memref<4xf32>
    }
  }
  return
}
"""
    assert errors(text.replace("NAME", "%k")) == []
    ((line, message),) = errors(text.replace("NAME", "%i"))
    assert line == 5 and message == "'affine.load' op operand cannot be used as a dimension id"
