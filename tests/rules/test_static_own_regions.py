"""Operations with regions of a user's own, of which rules say how buffers get in and out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.derive import derive
from tests.rules.static_programs import LEFT2
from tests.support.dealog import Run, command, run_dealog
from tests.support.nightly import nightly
from tests.support.tools import run_mlir_opt

STATIC = ("static_buffer_deallocation",)
CROSSWISE = """
recursive_effects("my.if"). region_branch("my.if"). takes_one_region("my.if"). runs_once("my.if").
terminator("my.y"). region_terminator("my.y"). known_effects("my.y"). known_effects("my.use").
exit_operand(Y, 0, 1) :- operation(Y, "my.y", _, _).
exit_operand(Y, 1, 0) :- operation(Y, "my.y", _, _).
exit_operand(Y, I, I) :- operation(Y, "my.y", _, _), operand(Y, I, _), I >= 2.
"""
CHOICE = """
func.func @f(%c: i1, %m: memref<4xf32>) {
  %r:2 = "my.if"(%c) ({
    %a = memref.alloc() : memref<4xf32>
    "my.y"(%a, %m) : (memref<4xf32>, memref<4xf32>) -> ()
  }, {
    %b = memref.alloc() : memref<4xf32>
    "my.y"(ELSE) : (memref<4xf32>, memref<4xf32>) -> ()
  }) : (i1) -> (memref<4xf32>, memref<4xf32>)
  "my.use"(%r#0, %r#1) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
"""
ENTERED = """
func.func @f(%m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  "my.each"(%a) ({
  ^bb0(%i: index, %x: memref<4xf32>):
    "my.use"(%x) : (memref<4xf32>) -> ()
    "my.end"() : () -> ()
  }) : (memref<4xf32>) -> ()
  return
}
"""


def dealloc(tmp_path: Path, text: str, rules: str, pipeline: str = "static") -> Run:
    (tmp_path / "ours.dl").write_text(rules)
    return command("dealloc", f"--pipeline={pipeline}", "--rules", tmp_path / "ours.dl", stdin=text)


def test_i1s_keep_their_order_and_so_have_operands_to(tmp_path: Path) -> None:
    """Where no i1 goes along, the order does not matter."""
    for pipeline in ("static", "mlir"):
        run = dealloc(tmp_path, CHOICE.replace("ELSE", "%m, %b"), CROSSWISE, pipeline)
        assert (run.status, run.out) == (1, "")
        assert "error: i1s would go along with buffers here, and operands are handed on in another order" in run.err
    run = dealloc(tmp_path, CHOICE.replace("ELSE", "%b, %m"), CROSSWISE)
    assert run.status == 0 and run.out.count("memref.dealloc %r#1") == 1 == run.out.count("dealloc")
    straight = CROSSWISE.replace("0, 1)", "0, 0)").replace("1, 0)", "1, 1)")
    run = dealloc(tmp_path, CHOICE.replace("ELSE", "%m, %b"), straight)
    assert run.status == 0 and run.out.count("memref.dealloc") == 2 and "%true, %false" in run.out


def test_what_goes_along_with_which_operand() -> None:
    text = """
func.func @f(%c: i1, %m: memref<4xf32>) {
  %r:2 = scf.if %c -> (memref<4xf32>, memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a, %m : memref<4xf32>, memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %m, %b : memref<4xf32>, memref<4xf32>
  }
  %s:2 = scf.for %i = %n to %n step %n iter_args(%x = %r#0, %y = %m) -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %y, %x : memref<4xf32>, memref<4xf32>
  }
  memref.copy %s#0, %s#1 : memref<4xf32> to memref<4xf32>
  return
}
""".replace("%m: memref", "%n: index, %m: memref")
    with_i1, has_i1, distance, unlike, changes = derive(
        text, "with_i1", "has_i1", "further_by", "unlike_distances", "changes_order", rules=STATIC
    )
    assert {("%x",), ("%y",), ("%s#0",), ("%s#1",)} <= has_i1
    assert {("scf.yield#7", -1, 0, 0), ("scf.yield#7", -1, 1, 1), ("scf.yield#7", 0, 0, 1)} <= with_i1
    assert {row[1:] for row in distance if row[0] == "scf.yield#7"} == {(-1, 0), (0, -1)}
    assert unlike == changes == set()
    asked = derive(LEFT2, "has_i1", rules=STATIC)  # that it is another buffer is asked of them, not whether it is ours
    assert {("%x",), ("%y",)} <= asked


@pytest.mark.parametrize(
    ("said", "inside"),
    [
        ('may_repeat("my.each").', False),
        pytest.param('iterates("my.each", 0).', False, marks=nightly),
        pytest.param('runs_once("my.each").', False, marks=nightly),
        ('runs_once("my.each"). takes_one_region("my.each").', True),
        ("", False),
    ],
)
def test_a_buffer_is_handed_over_to_a_region_that_runs_just_once(tmp_path: Path, said: str, inside: bool) -> None:
    rules = f"""
recursive_effects("my.each"). region_branch("my.each"). known_effects("my.use"). {said}
terminator("my.end"). region_exit("my.end"). known_effects("my.end").
entry_operand(Op, 0, 0, 1) :- operation(Op, "my.each", _, _).
"""
    run = dealloc(tmp_path, ENTERED, rules)
    assert run.status == 0, run.err
    assert run.out.count("memref.dealloc") == 1 and ('"memref.dealloc"(%x)' in run.out) == inside


def test_a_region_that_every_lane_runs() -> None:
    """Each lane of a warp would free it, or none that does not run the region."""
    text = """
func.func @f(%lane: index) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4xf32>
  gpu.warp_execute_on_lane_0(%lane)[32] args(%a : memref<4xf32>) {
  ^bb0(%x: memref<4xf32>):
    memref.store %f, %x[%lane] : memref<4xf32>
    gpu.yield
  }
  return
}
"""
    again, anew = derive(text, "may_run_again", "gets_anew", rules=STATIC)
    assert again == {("gpu.warp_execute_on_lane_0#3", 0, 1)} and anew == set()
    out = run_dealog(text, ["static-buffer-deallocation"], "embedded").unwrap()
    assert "  }\n  memref.dealloc %a" in out and out.count("dealloc") == 1


def test_a_loop_hands_something_on_each_time() -> None:
    text = """
func.func @f(%n: index) {
  %a = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %n to %n step %n iter_args(%x = %a) -> (memref<4xf32>) {
    scf.yield %x : memref<4xf32>
  }
  return
}
"""
    again, anew = derive(text, "may_run_again", "gets_anew", rules=STATIC)
    assert again == set() and anew == {("scf.for#2", 0, 1)}


@pytest.mark.parametrize("name", ["scf.if", "affine.if"])
def test_an_else_region_of_an_operation_in_generic_form_gets_a_terminator(name: str) -> None:
    """Though the function around it stands in custom form."""
    dialect, _, _ = name.partition(".")
    condition = "<{condition = affine_set<(d0) : (d0 - 1 >= 0)>}>" if dialect == "affine" else ""
    type = "index" if dialect == "affine" else "i1"
    text = f"""
func.func @f(%c: {type}) {{
  %a = memref.alloc() : memref<4xf32>
  "{name}"(%c) {condition} ({{
    memref.dealloc %a : memref<4xf32>
    "{dialect}.yield"() : () -> ()
  }}, {{
  }}) : ({type}) -> ()
  return
}}
"""
    out = run_dealog(text, ["static-buffer-deallocation"], "embedded").unwrap()
    assert out.count("memref.dealloc %a") == 2 and out.count(f"{dialect}.yield") == 2
    (read,) = run_mlir_opt([out])
    assert read.text is not None, read
    assert run_dealog(out, ["static-buffer-deallocation"], "embedded").unwrap() == out


def test_words_of_a_loop_that_grows_stay() -> None:
    """`max` and `min` say which of several results of a bound is meant."""
    text = """
func.func @f(%n: index) {
  %a = memref.alloc() : memref<4xf32>
  %r = affine.for %i = max affine_map<(d0) -> (0, d0)>(%n) to min affine_map<(d0) -> (9, d0)>(%n)
      iter_args(%x = %a) -> (memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    affine.yield %b : memref<4xf32>
  }
  memref.copy %r, %a : memref<4xf32> to memref<4xf32>
  return
}
"""
    run = command("dealloc", stdin=text)  # which verifies what comes out
    assert run.status == 0, run.err
    out = run.out
    assert "= max affine_map" in out and "%x = %a, %own" in out
    (read,) = run_mlir_opt([out])
    assert read.text is not None, read


def test_a_choice_of_a_users_own_and_the_opposite_one(tmp_path: Path) -> None:
    """The opposite one is an arith.select, and a second run finds that they go together."""
    rules = 'known_effects("my.pick"). selects("my.pick", 2, 0, 1). known_effects("my.use").\n'
    text = """
func.func @f(%c: i1) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r = "my.pick"(%a, %b, %c) : (memref<4xf32>, memref<4xf32>, i1) -> memref<4xf32>
  "my.use"(%r) : (memref<4xf32>) -> ()
  return %r : memref<4xf32>
}
"""
    once = dealloc(tmp_path, text, rules).out
    assert "arith.select %c, %b, %a" in once and once.count("dealloc") == 1
    assert dealloc(tmp_path, once, rules).out == once
    same = dealloc(tmp_path, once.replace("arith.select %c, %b, %a", "arith.select %c, %a, %b"), rules)
    assert (same.status, same.out) == (1, "")


ROUNDS = """
recursive_effects("my.loop"). region_branch("my.loop"). iterates("my.loop", 0). known_effects("my.use").
terminator("my.next"). region_terminator("my.next"). known_effects("my.next").
entry_operand(Op, I, 0, I) :- operation(Op, "my.loop", _, _), operand(Op, I, _)ENTERS.
entry_result(Op, I, I) :- operation(Op, "my.loop", _, _), operand(Op, I, _)ENTERS.
next_region_operand(Op, I, 0, I) :- operation(Op, "my.next", _, _), operand(Op, I, _)HANDS.
exit_operand(Op, I, I) :- operation(Op, "my.next", _, _), operand(Op, I, _)HANDS.
"""
ROUND = """
func.func @f(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %r = "my.loop"(OPERANDS) ({
  ^bb0(ARGUMENTS):
    %b = memref.alloc() : memref<4xf32>
    "my.use"(%x) : (memref<4xf32>) -> ()
    "my.next"(NEXT) : (TYPES) -> ()
  }) SIZES : (memref<4xf32>SECOND) -> memref<4xf32>
  "my.use"(%r) : (memref<4xf32>) -> ()
  "my.use"(%a) : (memref<4xf32>) -> ()
  return
}
"""
UNREACHED_NEXT = """
func.func @f(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %r = "my.loop"(%a) ({
  ^bb0(%x: memref<4xf32>):
    %b = memref.alloc() : memref<4xf32>
    "my.use"(%x) : (memref<4xf32>) -> ()
    "my.next"(%b) : (memref<4xf32>) -> ()
  ^never:
    "my.next"(%m) : (memref<4xf32>) -> ()
  }) : (memref<4xf32>) -> memref<4xf32>
  "my.use"(%r) : (memref<4xf32>) -> ()
  "my.use"(%a) : (memref<4xf32>) -> ()
  return
}
"""


def test_what_an_unreachable_block_hands_to_the_next_round(tmp_path: Path) -> None:
    rules = ROUNDS.replace("ENTERS", "").replace("HANDS", "")
    run = dealloc(tmp_path, UNREACHED_NEXT, rules)
    assert run.status == 0, run.err
    assert '"my.next"(%m, %false) : (memref<4xf32>, i1) -> ()' in run.out
    assert dealloc(tmp_path, run.out, rules).out == run.out


TWO_REGIONS = """
recursive_effects("my.while"). region_branch("my.while"). iterates("my.while", 0). iterates("my.while", 1).
terminator("my.test"). region_terminator("my.test"). known_effects("my.test").
terminator("my.again"). region_terminator("my.again"). known_effects("my.again"). known_effects("my.use").
entry_operand(Op, I, 0, I) :- operation(Op, "my.while", _, _), operand(Op, I, _).
next_region_operand(Op, I, 1, I) :- operation(Op, "my.test", _, _), operand(Op, I, _).
exit_operand(Op, I, I) :- operation(Op, "my.test", _, _), operand(Op, I, _).
next_region_operand(Op, I, 0, I) :- operation(Op, "my.again", _, _), operand(Op, I, _).
"""
UNREACHED_AGAIN = """
func.func @f(%c: i1, %m: memref<4xf32>) {
  %r = "my.while"(%m) ({
  ^bb0(%x: memref<4xf32>):
    "my.use"(%x) : (memref<4xf32>) -> ()
    "my.test"(%x) : (memref<4xf32>) -> ()
  }, {
  ^bb0(%y: memref<4xf32>):
    %b = memref.alloc() : memref<4xf32>
    "my.again"(%b) : (memref<4xf32>) -> ()
  ^never:
    "my.again"(%m) : (memref<4xf32>) -> ()
  }) : (memref<4xf32>) -> memref<4xf32>
  "my.use"(%r) : (memref<4xf32>) -> ()
  return
}
"""


def test_what_an_unreachable_block_hands_to_another_region(tmp_path: Path) -> None:
    run = dealloc(tmp_path, UNREACHED_AGAIN, TWO_REGIONS)
    assert run.status == 0, run.err
    assert '"my.again"(%m, %false) : (memref<4xf32>, i1) -> ()' in run.out


NOT_HANDED_ON = "an i1 would go along with a buffer here, and what is appended to the operands is not handed on"
DIVIDED = "an i1 would go along with a buffer here, and sizes of lists divide the operands or results"
BOTH_SIZES = "{operandSegmentSizes = array<i32: 1, 0>, resultSegmentSizes = array<i32: 1>}"


@pytest.mark.parametrize("pipeline", ["static", pytest.param("mlir", marks=nightly)])
@pytest.mark.parametrize(
    ("operands", "arguments", "next_", "sizes", "enters", "hands", "message"),
    [
        ("%a", "%x: memref<4xf32>", "%b", "", "", "", None),
        ("%a", "%x: memref<4xf32>", "%b", "{operandSegmentSizes = array<i32: 1, 0>}", "", "", None),
        ("%a", "%x: memref<4xf32>", "%b, %c", "", "", ", operand_count(Op, N), I < N - 1", NOT_HANDED_ON),
        ("%a", "%x: memref<4xf32>", "%b, %c", "", "", ", I = 0", NOT_HANDED_ON),
        ("%a, %c", "%x: memref<4xf32>, %i: index", "%b", "", ", I = 0", "", NOT_HANDED_ON),
        ("%a, %c", "%x: memref<4xf32>, %i: i1", "%b", "{operandSegmentSizes = array<i32: 1, 1>}", "", "", DIVIDED),
        ("%a", "%x: memref<4xf32>", "%b", BOTH_SIZES, "", "", DIVIDED),
    ],
)
def test_what_is_appended_is_handed_on(
    tmp_path: Path,
    operands: str,
    arguments: str,
    next_: str,
    sizes: str,
    enters: str,
    hands: str,
    message: str | None,
    pipeline: str,
) -> None:
    rules = ROUNDS.replace("ENTERS", enters).replace("HANDS", hands)
    text = ROUND.replace("OPERANDS", operands).replace("ARGUMENTS", arguments).replace("NEXT", next_)
    text = text.replace("SIZES", sizes).replace("SECOND", ", i1" * (", " in operands))
    text = text.replace("TYPES", "memref<4xf32>" + ", i1" * (", " in next_))
    run = dealloc(tmp_path, text, rules, pipeline)
    if message is None:
        assert run.status == 0 and run.out.count("memref.dealloc") == 3
    else:
        assert (run.status, run.out) == (1, "") and f"error: {message}" in run.err


def test_which_operands_hand_on_what_is_appended() -> None:
    """A loop of MLIR that hands on buffers as its last operands, in generic form with sizes of lists."""
    text = """
func.func @f(%n: index, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %r:2 = affine.for %i = 0 to %n iter_args(%x = %m, %y = %n) -> (memref<4xf32>, index) {
    %b = memref.alloc() : memref<4xf32>
    affine.yield %b, %i : memref<4xf32>, index
  }
  memref.copy %r#0, %a : memref<4xf32> to memref<4xf32>
  return
}
"""
    (generic,) = run_mlir_opt([text], "-mlir-print-op-generic")
    for each in (text, generic.text):
        handed, last, ends, alike, out, divided, known, enters, gives, results = derive(
            each,
            "handed_in",
            "last_received",
            "last_listed",
            "appended_alike",
            "leaves_out",
            "divided",
            "hands_on_last_list",
            "enters_block",
            "gives_results",
            "result_with_i1",
            rules=STATIC,
        )
        assert len(handed) == 8 and {number for *_, number in last} == {1, 2} and len(ends) == 2 and len(alike) == 4
        assert out == divided == set() and ("affine.for",) in known
        assert len(enters) == 2 == len(gives) and len({block for *_, block in enters}) == 1 == len(results)
        assert not run_dealog(each, ("static-buffer-deallocation",)).diagnostics


@pytest.mark.parametrize(("operands", "types"), [("%i, %a", "i1, memref<4xf32>"), ("%a", "memref<4xf32>")])
def test_a_call_hands_on_as_many_operands_as_there_are_arguments(tmp_path: Path, operands: str, types: str) -> None:
    text = f"""
func.func private @q(%x: memref<4xf32>) {{
  memref.dealloc %x : memref<4xf32>
  return
}}
func.func @r(%i: i1) {{
  %a = memref.alloc() : memref<4xf32>
  "my.call"({operands}) {{callee = @q}} : ({types}) -> ()
  return
}}
"""
    run = dealloc(tmp_path, text, 'call("my.call").')
    if operands == "%a":
        assert run.status == 0 and run.out.count("dealloc") == 1
    else:
        assert (run.status, run.out) == (1, "")
        assert "error: this call hands a buffer over, and its operands are not as many as the arguments of" in run.err


def test_calls_that_hand_on_too_much_or_too_little() -> None:
    text = """
func.func private @q(%x: memref<4xf32>, %y: index) {
  return
}
func.func @r(%m: memref<4xf32>, %i: index) {
  func.call @q(%m, %i) : (memref<4xf32>, index) -> ()
  return
}
"""
    hands, unlike = derive(text, "hands_to", "unlike_arguments", rules=STATIC)
    assert len(hands) == 1 and unlike == set()


TAKEN = """
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  %v = memref.cast %a : memref<4xf32> to memref<?xf32>
  "my.start"(%a, HANDED)[^bb1, ^bb2] {operandSegmentSizes = array<i32: 1, 1, 0>} : (memref<4xf32>, TYPE) -> ()
^bb1(%x: TYPE):
  "my.use"(%x) : (TYPE) -> ()
  return
^bb2:
  return
}
"""
STARTS = """
known_effects("my.use"). known_effects("my.start"). terminator("my.start"). branch("my.start"). takes("my.start", 0).
"""
WITH = """
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  "my.with"(%a) ({
  ^bb0(%x: memref<4xf32>):
    "my.use"(%x) : (memref<4xf32>) -> ()
  }) : (memref<4xf32>) -> ()
  return
}
"""
INSIDE = """
known_effects("my.use"). recursive_effects("my.with"). region_branch("my.with"). runs_once("my.with").
takes_one_region("my.with"). lacks_terminator("my.with").
entry_operand(Op, 0, 0, 0) :- operation(Op, "my.with", _, _).
"""


@pytest.mark.parametrize(
    ("text", "rules", "wrong"),
    [
        (TAKEN.replace("HANDED", "%a").replace("TYPE", "memref<4xf32>"), STARTS, True),
        pytest.param(TAKEN.replace("HANDED", "%v").replace("TYPE", "memref<?xf32>"), STARTS, True, marks=nightly),
        (TAKEN.replace("HANDED", "%i").replace("TYPE", "index").replace("f()", "f(%i: index)"), STARTS, False),
        (WITH, INSIDE + 'takes("my.with", 0).', True),
        (WITH, INSIDE, False),
    ],
)
def test_what_is_taken_over_does_not_go_on(tmp_path: Path, text: str, rules: str, wrong: bool) -> None:
    run = dealloc(tmp_path, text, rules)
    assert ("this operation takes over a buffer that it hands on, too" in run.err) == wrong == (run.status == 1)


def test_what_takes_over_buffers_and_hands_some_on() -> None:
    over, on, both = derive(WITH, "takes_over", "hands_on_taken", "takes_what_goes_on", rules=STATIC)
    assert over == on == both == set()


@pytest.mark.parametrize("attribute", ["fn = @q", "callees = [@q]", "other = @p"])
def test_a_call_that_names_its_function_by_another_attribute(tmp_path: Path, attribute: str) -> None:
    text = f"""
func.func private @q(%x: memref<4xf32>) {{
  memref.dealloc %x : memref<4xf32>
  return
}}
func.func private @p(%x: memref<4xf32>) {{
  return
}}
func.func @r() {{
  %a = memref.alloc() : memref<4xf32>
  "my.call"(%a) {{{attribute}}} : (memref<4xf32>) -> ()
  return
}}
"""
    run = dealloc(tmp_path, text, 'call("my.call").')
    message = "what is called here frees a buffer that it is given, and that is freed here, too"
    assert (message in run.err) == ("@q" in attribute)
    assert "@q" in attribute or (run.status == 0 and run.out.count("dealloc") == 2)


SIZED_CALL = """
func.func private @q(%n: index, %m: memref<4xf32>) -> memref<4xf32> {
  %c = arith.cmpi slt, %n, %n : index
  %r = scf.if %c -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  return %r : memref<4xf32>
}
func.func @r(%n: index, %m: memref<4xf32>) {
  %r = "my.call"(%n, %m) {callee = @qSIZES} : (index, memref<4xf32>) -> memref<4xf32>
  memref.copy %m, %r : memref<4xf32> to memref<4xf32>
  return
}
"""


def test_a_call_with_sizes_of_lists_gets_no_more_results(tmp_path: Path) -> None:
    rules = 'call("my.call"). changeable_signature("func.func", "func.return", "my.call").'
    plain = SIZED_CALL.replace("SIZES", "")
    sized = SIZED_CALL.replace("SIZES", ", resultSegmentSizes = array<i32: 1>")
    run = dealloc(tmp_path, plain, rules)
    assert run.status == 0 and '%r, %own = "my.call"(%n, %m)' in run.out, run.out + run.err
    run = dealloc(tmp_path, sized, rules)
    assert (run.status, run.out) == (1, "") and f"error: {DIVIDED}" in run.err
    (tmp_path / "ours.dl").write_text(rules)
    opt = ("opt", "--buffer-results-to-out-params", "--rules", tmp_path / "ours.dl")
    run = command(*opt, stdin=plain)
    assert run.status == 0 and '"my.call"(%n, %m, %r)' in run.out, run.out + run.err
    for sizes in ("resultSegmentSizes = array<i32: 1>", "operandSegmentSizes = array<i32: 1, 1>"):
        run = command(*opt, stdin=SIZED_CALL.replace("SIZES", f", {sizes}"))
        assert (run.status, run.out) == (1, "")
        assert "error: buffers would take the place of results of this call, and sizes of lists divide" in run.err
