"""Which operation frees a buffer, wherever it gets to, and that buffers which different operations free stay apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealog.extensions import Extensions
from tests.rules.derive import derive
from tests.support.dealog import run_dealog

STATIC = ("static_buffer_deallocation",)
TYPE = "memref<2xf32>"
SAME = "buffers that different operations free go on as one here"
FUNCTIONS = f"""
func.func private @makes() -> {TYPE} {{
  %a = gpu.alloc() : {TYPE}
  return %a : {TYPE}
}}
func.func private @takes(%c: i1, %x: {TYPE}) {{
  scf.if %c {{
    gpu.dealloc %x : {TYPE}
  }}
  return
}}
func.func @f(%c: i1, %m: {TYPE}) {{
  %p = call @makes() : () -> {TYPE}
  %r = scf.if %c -> {TYPE} {{
    scf.yield %p : {TYPE}
  }} else {{
    %b = gpu.alloc() : {TYPE}
    scf.yield %b : {TYPE}
  }}
  memref.copy %r, %m : {TYPE} to {TYPE}
  %d = OTHER.alloc() : {TYPE}
  call @takes(%c, %d) : (i1, {TYPE}) -> ()
  %e = gpu.alloc() : {TYPE}
  call @takes(%c, %e) : (i1, {TYPE}) -> ()
  %h = memref.alloc() : {TYPE}
  return
}}
"""


def test_the_operation_goes_along_with_the_buffer() -> None:
    other, own, returns, returned, gives, given, named, freed, refused = derive(
        FUNCTIONS.replace("OTHER", "gpu"), "other_operation", "comes_to_own", "returns_own", "returned_freed_by",
        "gives_to_free", "given_freed_by", "freed_otherwise", "freed_by_name", "refused", rules=STATIC,
    )  # fmt: skip
    assert ("gpu.alloc", "gpu.dealloc") in other
    assert {row[1:] for row in own} == {("%p", "%r"), ("%b", "%r")}
    assert {row[1:] for row in returns} == {("@makes", 0, "@makes/%a")}
    assert returned == {("@makes", 0, "gpu.dealloc")} and given == {("@takes", 1, "gpu.dealloc")}
    assert {row[1:] for row in gives} == {("@takes", 1, "%d"), ("@takes", 1, "%e")}
    buffers = {"@makes/%a", "@takes/%x", "%p", "%r", "%b", "%d", "%e"}
    assert named == {(buffer, "gpu.dealloc") for buffer in buffers}
    assert freed == named | {("%h", "memref.dealloc")} and refused == set()


def test_an_argument_that_calls_give_buffers_of_two_kinds() -> None:
    meets, refused = derive(FUNCTIONS.replace("OTHER", "memref"), "meets_another", "refused", rules=STATIC)
    assert len(meets) == 1 and refused == {(*meets.pop(), 12, SAME)}


RETURNED = "return %r : memref<2xf32>"
USED = "memref.copy %r, %m : memref<2xf32> to memref<2xf32>"


@pytest.mark.parametrize(
    ("left", "right", "after", "ops"),
    [
        ("gpu.alloc()", "memref.alloc()", USED, {"scf.yield#3", "scf.yield#5"}),
        ("memref.alloc()", "memref.alloc()", USED, set()),
        ("gpu.alloc()", "gpu.alloc()", RETURNED, set()),
        ("gpu.alloc()", None, RETURNED, {"func.return#5"}),
        ("memref.alloc()", None, RETURNED, set()),
    ],
)
def test_where_two_become_one(left: str, right: str | None, after: str, ops: set[str]) -> None:
    other = f"%b = {right} : {TYPE}\n    scf.yield %b : {TYPE}" if right else f"scf.yield %m : {TYPE}"
    result, end = (f" -> {TYPE}", after) if after == RETURNED else ("", f"{after}\n  return")
    text = f"""
func.func @f(%c: i1, %m: {TYPE}){result} {{
  %r = scf.if %c -> {TYPE} {{
    %a = {left} : {TYPE}
    scf.yield %a : {TYPE}
  }} else {{
    {other}
  }}
  {end}
}}"""
    found = {(op, message) for op, _, message in derive(text, "refused", rules=STATIC)}
    assert {message for _, message in found} <= {SAME} and len(found) == (1 if len(ops) == 2 else len(ops))
    assert {op for op, _ in found} <= ops


def test_a_function_that_returns_two_kinds() -> None:
    text = f"""
func.func @f(%c: i1, %m: {TYPE}) -> {TYPE} {{
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %a = gpu.alloc() : {TYPE}
  return %a : {TYPE}
^bb2:
  %b = memref.alloc() : {TYPE}
  return %OTHER : {TYPE}
}}"""
    for other in ("b", "m"):
        refused = derive(text.replace("OTHER", other), "refused", rules=STATIC)
        assert {(op.split("#")[0], message) for op, _, message in refused} == {("func.return", SAME)}


def test_rules_that_name_two_operations(tmp_path: Path) -> None:
    own = tmp_path / "own.dl"
    own.write_text('freed_by("memref.alloc", "db.close"). freed_by("memref.alloc", "db.shut").\n')
    text = f"func.func @f() {{\n  %a = memref.alloc() : {TYPE}\n  return\n}}"
    output = run_dealog(text, ("static-buffer-deallocation",), extensions=Extensions(rules=(own,)))
    messages = [diagnostic.message for diagnostic in output.diagnostics]
    assert output.text is None and messages == ["rules name several operations that free this buffer"]


SPACES = """
func.func @f(%c: i1, %m: memref<2xf32>) -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32, 1>
  %b = memref.alloc() : memref<2xf32>
  %w = memref.memory_space_cast %a : memref<2xf32, 1> to memref<2xf32>
  %r = scf.if %c -> (memref<2xf32>) {
    scf.yield %w : memref<2xf32>
  } else {
    scf.yield %b : memref<2xf32>
  }
  memref.copy %m, %r : memref<2xf32> to memref<2xf32>
  return %RETURNED : memref<2xf32>
}
"""


def test_a_buffer_is_freed_in_its_memory_space() -> None:
    """So it is lent where it goes on by a type in another one, and cloned where it is returned by that."""
    other, gets, handed_over, freed, cloned = derive(
        SPACES.replace("RETURNED", "m"), "in_other_space", "gets_from_other_space", "handed_over", "freed_after",
        "cloned_for_caller", rules=STATIC,
    )  # fmt: skip
    assert other == {("%w",)} and gets == {("%r",)}
    assert {(row[0], row[-1]) for row in handed_over} == {("%b", "%r")}
    assert freed == {("%a", "memref.copy#7"), ("%r", "memref.copy#7")} and len(cloned) == 1
    freed, cloned, returned = derive(
        SPACES.replace("RETURNED", "w"), "freed_ahead", "cloned_for_caller", "returned_name", rules=STATIC
    )
    assert freed == {("%a", "func.return#8")} and cloned == {("func.return#8", 0)} and returned == set()


def test_buffers_of_two_memory_spaces_do_not_become_one() -> None:
    text = """
    func.func @f(%c: i1, %m: memref<2xf32>) {
      %r = scf.if %c -> (memref<2xf32>) {
        %a = memref.alloc() : memref<2xf32, 1>
        %w = memref.memory_space_cast %a : memref<2xf32, 1> to memref<2xf32>
        scf.yield %w : memref<2xf32>
      } else {
        scf.yield %m : memref<2xf32>
      }
      memref.copy %m, %r : memref<2xf32> to memref<2xf32>
      return
    }
    """
    (refused,) = derive(text, "refused", rules=STATIC)
    assert refused[0].startswith("scf.yield") and refused[-1] == "buffers of different memory spaces go on as one here"


def test_what_another_operation_frees_is_not_cloned_to_be_taken_over() -> None:
    text = """
    func.func @f(%m: memref<2xf32>, %n: index) {
      %a = "my.open"() : () -> memref<2xf32>
      "my.take"(%a) : (memref<2xf32>) -> ()
      memref.copy %a, %m : memref<2xf32> to memref<2xf32>
      return
    }
    """
    given = {"takes": [("my.take", 0)], "known_effects": [("my.take",), ("my.open",)], "allocates": [("my.open", 0)]}
    message = "a clone of a buffer that another operation than memref.dealloc frees would be taken over here"
    assert derive(text, "refused", rules=STATIC, given=given) == set()
    refused = derive(text, "refused", rules=STATIC, given={**given, "freed_by": [("my.open", "my.close")]})
    assert {row[-1] for row in refused} == {message}


@pytest.mark.parametrize(
    ("allocating", "freeing", "wanted"),
    [
        ("gpu", "memref", "gpu.dealloc"),
        ("memref", "gpu", "memref.dealloc"),
        ("gpu", "gpu", None),
        ("memref", "memref", None),
    ],
)
def test_what_the_text_frees_by_another_operation(allocating: str, freeing: str, wanted: str | None) -> None:
    text = f"func.func @f() {{\n  %a = {allocating}.alloc() : {TYPE}\n  {freeing}.dealloc %a : {TYPE}\n  return\n}}\n"
    wrongly, some, refused = derive(text, "freed_by_wrong_operation", "frees_of_some", "refused", rules=STATIC)
    assert some >= {("memref.dealloc",), ("gpu.dealloc",)}
    assert wrongly == ({(f"{freeing}.dealloc#2", wanted)} if wanted else set())
    message = f"what is freed here is to be freed by {wanted}"
    assert refused == ({(f"{freeing}.dealloc#2", 12, message)} if wanted else set())


def test_what_frees_a_buffer_frees_it_in_the_text_too(tmp_path: Path) -> None:
    """That `db.close` goes with `db.open` is all that has to be said: a second run finds nothing to do."""
    (tmp_path / "db.dl").write_text(
        'known_effects("db.open"). allocates("db.open", 0). freed_by("db.open", "db.close").\n'
    )
    said = Extensions(rules=(tmp_path / "db.dl",))
    text = 'func.func @f() {\n  %a = "db.open"() : () -> memref<2xf32>\n  return\n}\n'
    once = run_dealog(text, ["static-buffer-deallocation"], "embedded", extensions=said).unwrap()
    assert once.count('"db.close"(%a)') == 1
    assert run_dealog(once, ["static-buffer-deallocation"], "embedded", extensions=said).unwrap() == once


@pytest.mark.parametrize(
    ("made", "given", "meets"),
    [("memref", "memref", False), ("gpu", "gpu", False), ("memref", "gpu", True), ("gpu", "memref", True)],
)
@pytest.mark.parametrize("condition", ["%c", "%d"])
def test_a_call_returns_a_new_buffer_of_one_kind_or_is_given_one_of_another(
    made: str, given: str, meets: bool, condition: str
) -> None:
    """Whether an argument says which it is, or an i1 that is returned."""
    text = f"""
func.func private @larger(%c: i1, %n: index, %x: {TYPE}) -> {TYPE} {{
  %d = arith.cmpi eq, %n, %n : index
  cf.cond_br {condition}, ^bb1, ^bb2
^bb1:
  %a = {made}.alloc() : {TYPE}
  return %a : {TYPE}
^bb2:
  return %x : {TYPE}
}}
func.func @f(%c: i1, %n: index, %m: {TYPE}) {{
  %b = {given}.alloc() : {TYPE}
  %r = call @larger(%c, %n, %b) : (i1, index, {TYPE}) -> {TYPE}
  %s = call @larger(%c, %n, %m) : (i1, index, {TYPE}) -> {TYPE}
  memref.copy %r, %s : {TYPE} to {TYPE}
  return
}}"""
    assert {message for *_, message in derive(text, "refused", rules=STATIC)} == ({SAME} if meets else set())
