"""What is refused, and what is left to the user."""

from __future__ import annotations

import re

import pytest

from tests.rules.derive import derive
from tests.rules.static_programs import BY_HAND, FREED_TWICE, ONE_OF_TWO, OUTLIVED, SOME_PATHS, UNKNOWN
from tests.support.cases import corpus
from tests.support.dealog import command, run_dealog

STATIC = ("static_buffer_deallocation",)


def test_unknown_operations() -> None:
    touches_buffer, of_unknown_effects, of_unknown_regions, refused = derive(
        UNKNOWN, "touches_buffer", "of_unknown_effects", "of_unknown_regions", "refused", rules=STATIC
    )
    assert touches_buffer == {("db.loop#2",), ("db.use#1",)}
    assert of_unknown_effects == {("db.end",), ("db.loop",), ("db.use",), ("func.func",)}
    assert of_unknown_regions == {("db.loop",)}
    assert refused == {
        ("db.loop#2", 2, "ops with unknown memory side effects are not supported"),
        ("db.loop#2", 3, "All operations with attached regions need to implement the RegionBranchOpInterface."),
        ("db.use#1", 2, "ops with unknown memory side effects are not supported"),
    }


CAPTURED = """
func.func @f(%n: index, %m: memref<4xf32>) {
  %c = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  BEFORE {
    scf.execute_region {
      %inner = memref.alloca() : memref<4xf32>
      memref.copy USED, %inner : memref<4xf32> to memref<4xf32>
      scf.yield
    }
    END
  } AFTER
  return
}
"""
UNKNOWN_EFFECTS = "ops with unknown memory side effects are not supported"
GOES_ON = "this may go on when control has passed it, and no rule says until when; what it uses is freed"


@pytest.mark.parametrize(
    ("before", "end", "after", "message"),
    [
        ("omp.task", "omp.terminator", "", UNKNOWN_EFFECTS),
        ('"db.spawn"() (', '"db.end"() : () -> ()', ") : () -> ()", UNKNOWN_EFFECTS),
        ("omp.taskloop nogroup {\n omp.loop_nest (%i) : index = (%c) to (%n) step (%n)", "omp.yield", "}", GOES_ON),
        ("omp.taskloop {\n omp.loop_nest (%i) : index = (%c) to (%n) step (%n)", "omp.yield", "}", None),
        ("acc.parallel async", "acc.yield", "", GOES_ON),
        ("acc.parallel", "acc.yield", "", None),
        ("acc.data async dataOperands(%a : memref<4xf32>)", "acc.terminator", "", GOES_ON),
    ],
)
@pytest.mark.parametrize("used", ["%a", "%m"])
def test_what_may_use_a_buffer_later(before: str, end: str, after: str, message: str | None, used: str) -> None:
    """%a may be used still where it would be freed; %m is the caller's."""
    text = CAPTURED.replace("USED", used).replace("BEFORE", before).replace("END", end).replace("AFTER", after)
    captured, going_on, inside, refused = derive(text, "captures", "going_on", "inside_of", "refused", rules=STATIC)
    hit = message is not None and (used == "%a" or "%a" in before)
    assert {m for _, _, m in refused} == ({message} if hit else set())
    assert bool(going_on) == (message is GOES_ON)
    assert {value for _, value in captured} >= ({used} if message is not None else set())
    assert bool(inside) == (message is not None)


def test_what_runs_later() -> None:
    runs_later, clause = derive(UNKNOWN, "runs_later", "takes_async_clause", rules=STATIC)
    assert {("omp.taskloop", "nogroup"), ("acc.parallel", "asyncOnly"), ("acc.enter_data", "async")} <= runs_later
    assert ("acc.parallel",) in clause and ("acc.wait",) not in clause


@pytest.mark.parametrize(("more", "unawaited"), [("", True), ("async.await %t : !async.token", False)])
def test_a_token_has_to_be_waited_for(more: str, unawaited: bool) -> None:
    text = f"""
func.func @f(%x: f32, %i: index) {{
  %a = memref.alloc() : memref<4xf32>
  %t = async.execute {{
    memref.store %x, %a[%i] : memref<4xf32>
    async.yield
  }}
  {more}
  return
}}
"""
    types, found, refused = derive(text, "awaited_by", "unawaited", "refused", rules=STATIC)
    assert types == {("!async.token",), ("!gpu.async.token",)}
    assert found == ({("async.execute#2",)} if unawaited else set())
    assert {op for op, *_ in refused} == {op for (op,) in found}
    assert all("no rule says until when; what it uses is freed" in message for *_, message in refused)


def test_what_is_called_may_return_a_buffer_that_is_freed_too() -> None:
    """The callee gets the address of the buffer, and no buffer that what it returns could be compared with."""
    buffer = "memref<2xf32>"
    text = (
        f"func.func private @g(index) -> {buffer}\nfunc.func @f() {{\n  %a = memref.alloc() : {buffer}\n"
        f"  %p = memref.extract_aligned_pointer_as_index %a : {buffer} -> index\n"
        f"  %r = func.call @g(%p) : (index) -> {buffer}\n  return\n}}\n"
    )
    message = "@g may return a buffer that it is given, and that is freed, too"
    returns_given, said, refused = derive(text, "returns_given", "hands_back_unseen", "refused", rules=STATIC)
    assert returns_given == {("func.call#3", "@g", "%a")}
    assert said == {("@g", message)}
    assert refused == {("func.call#3", 4, message)}
    indirect = text.replace("func.call @g(%p)", "func.call_indirect %g(%p)")
    indirect = indirect.replace("func.func @f()", f"func.func @f(%g: (index) -> {buffer})")
    assert {function for function, _ in derive(indirect, "hands_back_unseen", rules=STATIC)} == {"*"}
    run = command("dealloc", stdin=indirect)
    assert run.status == 1 and 'or in a rule file: returns_fresh("*").' in run.err
    given = text.replace("@f()", f"@f(%a: {buffer})").replace(f"  %a = memref.alloc() : {buffer}\n", "")
    assert derive(given, "refused", rules=STATIC) == set()


def test_a_buffer_in_memory_that_outlives_its_name() -> None:
    assert derive(OUTLIVED, "refused", rules=STATIC) == {
        ("memref.alloc#1", 12, "this buffer is kept in memory that outlives it")
    }


def test_freed_and_used_again() -> None:
    freed_in_text, there, named, used_after, first_after, takes_away, refused = derive(
        FREED_TWICE, "freed_in_text", "freed_there", "named_there", "used_after", "first_after", "takes_away",
        "refused", rules=STATIC,
    )  # fmt: skip
    assert there == {("%a", "memref.dealloc#2", "^bb0", 1), ("%a", "memref.dealloc#4", "^bb0", 3)}
    assert there < named
    assert freed_in_text == {("%a", "memref.dealloc#2", 0), ("%a", "memref.dealloc#4", 0)}
    assert used_after == {("memref.copy#3", "memref.dealloc#2"), ("memref.dealloc#4", "memref.dealloc#2")}
    assert first_after == {("memref.copy#3", "memref.dealloc#2")}
    assert takes_away == {("%a", "memref.dealloc#2"), ("%a", "memref.dealloc#4")}
    assert refused == {("memref.copy#3", 7, "this buffer is used after it has been freed")}


@pytest.mark.parametrize(
    ("behind", "message"),
    [
        ("memref.dealloc %m : memref<2xf32>", "this buffer has been freed before"),
        ("memref.copy %m, %n : memref<2xf32> to memref<2xf32>", "this buffer is used after it has been freed"),
        ("memref.dealloc %n : memref<2xf32>", None),
        ("cf.br ^bb1(%m : memref<2xf32>)\n^bb1(%p: memref<2xf32>):", None),  # nothing uses it there
        ("memref.dealloc %w : memref<?xf32>", "this buffer has been freed before"),
        ("memref.store %x, %w[%i] : memref<?xf32>", "this buffer is used after it has been freed"),
        ("memref.store %x, %e[%i] : memref<2xf32>", "this buffer is used after it has been freed"),  # where %c holds
        ("return %m : memref<2xf32>", "this buffer is used after it has been freed"),
        ("return %n : memref<2xf32>", None),
    ],
)
def test_what_is_not_ours_is_not_used_after_its_free_either(behind: str, message: str | None) -> None:
    returned = " -> memref<2xf32>" if behind.startswith("return") else ""
    text = f"""func.func @f(%m: memref<2xf32>, %n: memref<2xf32>, %c: i1, %i: index, %x: f32){returned} {{
      %w = memref.cast %m : memref<2xf32> to memref<?xf32>
      %e = arith.select %c, %m, %n : memref<2xf32>
      memref.dealloc %m : memref<2xf32>
      {behind}
      {"" if returned else "return"}
    }}"""
    refused, named, frees, of_others, behind_free, there, used = derive(
        text, "refused", "frees_named", "frees_of_text", "frees_of_others", "gone_after", "gone_there", "used_there",
        rules=STATIC,
    )  # fmt: skip
    assert {(op, value) for value, op, _, _ in there} == behind_free
    assert {op for _, op, *_ in used} >= {op for op, value in behind_free if value in ("%m", "%n")}
    assert {message for _, _, message in refused} == ({message} if message else set())
    first = "memref.dealloc#3"
    assert (first, "%m") in named and {(op,) for op, _ in named} == frees
    assert (first, "%m") in of_others and {v for op, v in behind_free if op == first} == {"%m", "%w"}


@pytest.mark.parametrize("freed", ["memref.dealloc %a : memref<2xf32>", ""])
def test_what_a_loop_was_lent_does_not_go_on_after_the_free(freed: str) -> None:
    """The result of the loop may be %a, which is freed, or a buffer of the loop, for which an i1 goes along."""
    text = f"""func.func @f(%c: i1, %d: i1, %n: index) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %x = scf.if %c -> memref<2xf32> {{
        %a = memref.alloc() : memref<2xf32>
        %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> memref<2xf32> {{
          %b = memref.alloc() : memref<2xf32>
          %s = arith.select %d, %p, %b : memref<2xf32>
          scf.yield %s : memref<2xf32>
        }}
        {freed}
        scf.yield %r : memref<2xf32>
      }} else {{
        %e = memref.alloc() : memref<2xf32>
        scf.yield %e : memref<2xf32>
      }}
      return
    }}"""
    refused, ahead = derive(text, "refused", "freed_ahead_already", rules=STATIC)
    expected = ["this buffer may still be used after it is freed here"] if freed else []
    assert [message for _, _, message in sorted(refused, key=lambda row: row[1])][:1] == expected and ahead == set()


def test_what_one_path_frees_the_other_lacks() -> None:
    freed_in_text, takes_away, refused, freed_at = derive(
        SOME_PATHS, "freed_in_text", "takes_away", "refused", "freed_at", rules=STATIC
    )
    assert freed_in_text == {("%a", "memref.dealloc#4", 0)}
    assert takes_away == {("%a", "memref.dealloc#4")}
    assert refused == set()
    assert freed_at == {("%a", "true", "start", "^bb2")}


def test_conditions_of_the_users_own() -> None:
    """The last scf.if only frees, so the function knows at run time what it owns; it is left as it is."""
    (
        freed_under,
        does_more,
        frees_on_condition,
        region_hands_on,
        copied_to,
        copies_unless,
        freed_by_hand,
        ours_to_free,
        cloned_for_caller,
    ) = derive(
        BY_HAND,
        "freed_under",
        "does_more",
        "frees_on_condition",
        "region_hands_on",
        "copied_to",
        "copies_unless",
        "freed_by_hand",
        "ours_to_free",
        "cloned_for_caller",
        rules=STATIC,
    )
    assert freed_under == {("scf.if#11",), ("scf.if#7",)}
    assert does_more == {("scf.if#7",)}
    assert frees_on_condition == {("scf.if#11",)}
    assert region_hands_on == {("scf.if#3", 0, 0, "%s"), ("scf.if#3", 1, 0, "%k")}
    assert copied_to == {("%m", "%a"), ("%s", "%k")}
    assert copies_unless == {("scf.if#3",)}
    assert freed_by_hand == {("@f",)}
    assert ours_to_free == set()
    assert cloned_for_caller == set()


def test_one_of_two_buffers_goes_on_where_their_names_end() -> None:
    """`db.pick` hands on one of its operands; after `scf.yield` there is no name for the other."""
    message = "which of several buffers goes on here is not known, and its name ends here"
    hands_one_of, refused = derive(ONE_OF_TWO, "hands_one_of", "refused", rules=STATIC)
    assert hands_one_of == {("cf.br#9", 0), ("scf.yield#5", 0)}
    assert {row for row in refused if row[2] == message} == {("scf.yield#5", 12, message)}


def test_what_is_freed_on_a_condition_and_what_may_be_the_same_is_left_alone() -> None:
    """%b has nothing to do with what the last scf.if frees: it is freed as ever."""
    text = """
    func.func @f(%c: i1, %m: memref<2xf32>) {
      %a = memref.alloc() : memref<2xf32>
      %b = memref.alloc() : memref<2xf32>
      memref.copy %a, %b : memref<2xf32> to memref<2xf32>
      %s = arith.select %c, %a, %m : memref<2xf32>
      %r = scf.if %c -> (memref<2xf32>) {
        scf.yield %s : memref<2xf32>
      } else {
        scf.yield %m : memref<2xf32>
      }
      %n = arith.xori %c, %c : i1
      scf.if %c {
        memref.dealloc %r : memref<2xf32>
      }
      return
    }
    """
    left_to_hand, may_be_one, ours_to_free = derive(text, "left_to_hand", "may_be_one", "ours_to_free", rules=STATIC)
    assert left_to_hand == {("%a",), ("%m",), ("%r",), ("%s",)}
    assert may_be_one == {("%r", "%m"), ("%r", "%s"), ("%s", "%a"), ("%s", "%m")}
    assert ours_to_free == {("%b",)}


FREED_BEFORE_THE_END = """
func.func @f(%c: i1, %m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %r = scf.if %c -> memref<2xf32> {
    memref.dealloc %a : memref<2xf32>
    BETWEEN
    scf.yield %a : memref<2xf32>
  } else {
    memref.dealloc %a : memref<2xf32>
    scf.yield %m : memref<2xf32>
  }
  BEHIND
  return
}
"""


def _freed_before_the_end(between: str = "", behind: str = "") -> str:
    return FREED_BEFORE_THE_END.replace("BETWEEN", between).replace("BEHIND", behind)


def test_what_is_freed_before_a_terminator_that_hands_it_on_to_nothing() -> None:
    ahead, before, already, names, needed, death, freed, refused = derive(
        _freed_before_the_end(), "dies_ahead", "freed_before_end", "freed_ahead_already", "name_before_end",
        "needed_still", "freed_at_death", "freed_ahead", "refused", rules=STATIC,
    )  # fmt: skip
    assert ahead == {("%a", "scf.yield#4")}
    assert before == already == {("%a", "memref.dealloc#3", "scf.yield#4")}
    assert names == {("%a", "memref.dealloc#3", "%a")} and needed == freed == refused == set()
    assert death == {("%a", "memref.dealloc#3"), ("%a", "memref.dealloc#5")}


@pytest.mark.parametrize(
    ("between", "behind", "messages"),
    [
        ("memref.copy %a, %m : memref<2xf32> to memref<2xf32>", "", {"this buffer is used after it has been freed"}),
        ("memref.dealloc %a : memref<2xf32>", "", {"this buffer has been freed before"}),
        ("", "memref.copy %r, %m : memref<2xf32> to memref<2xf32>", {"this buffer is used after it has been freed"}),
        ("%k = arith.constant 0 : index", "", set()),
    ],
)
def test_what_is_used_after_is_still_seen(between: str, behind: str, messages: set[str]) -> None:
    refused = derive(_freed_before_the_end(between, behind), "refused", rules=STATIC)
    assert {message for _, _, message in refused if "after" in message or "before" in message} == messages


def test_what_a_buffer_was_lent_to_is_still_seen() -> None:
    """`%m` is another name of `%a`, which is yielded to what nothing uses."""
    text = """
    func.func @f(%o: memref<2xf32>, %c: i1) {
      %k = memref.alloc() : memref<2xf32>
      %l = memref.alloc() : memref<2xf32>
      %a = arith.select %c, %k, %l : memref<2xf32>
      %n = scf.execute_region -> memref<2xf32> {
        cf.br ^bb1(%a : memref<2xf32>)
      ^bb1(%m: memref<2xf32>):
        memref.copy %a, %o : memref<2xf32> to memref<2xf32>
        memref.dealloc %a : memref<2xf32>
        USE
        scf.yield %m : memref<2xf32>
      }
      return
    }"""
    names, needed, refused = derive(text.replace("USE", ""), "name_before_end", "needed_still", "refused", rules=STATIC)
    assert {name for _, _, name in names} >= {"%a", "%m"} and needed == refused == set()
    used = text.replace("USE", "memref.copy %m, %o : memref<2xf32> to memref<2xf32>")
    needed, refused = derive(used, "needed_still", "refused", rules=STATIC)
    assert needed == {("%a", "memref.dealloc#7")} and {op for op, _, _ in refused} == {"memref.dealloc#7"}


@pytest.mark.parametrize(
    "behind", ["gpu.wait [%done]", "%k = gpu.wait async [%done]\n  gpu.wait [%k]", "gpu.wait [%t]"]
)
def test_the_token_of_a_deallocation_gives_no_access_to_what_it_frees(behind: str) -> None:
    """What waits for the copy, and so for the buffer, is another matter."""
    text = f"""
func.func @f(%m: memref<2xf32>) {{
  %s = gpu.wait async
  %a, %u = gpu.alloc async [%s] () : memref<2xf32>
  %t = gpu.memcpy async [%u] %a, %m : memref<2xf32>, memref<2xf32>
  %done = gpu.dealloc async [%t] %a : memref<2xf32>
  {behind}
  return
}}"""
    made, refused = derive(text, "made_after_free", "refused", rules=STATIC)
    later = {("%k", "%a")} if "%k" in behind else set()
    assert made == {("%done", "%a")} | later
    assert bool(refused) == ("%t" in behind)


def test_what_a_call_gives_back_is_left_to_hand_where_what_it_was_given_is() -> None:
    (text,) = (case.text for case in corpus("static") if "@frees_by_hand_what_it_gave" in case.text)
    left_to_hand, may_be_one, freed_at = derive(text, "left_to_hand", "may_be_one", "freed_at", rules=STATIC)
    function = "@frees_by_hand_what_it_gave/"
    assert {value for (value,) in left_to_hand if value.startswith(function)} == {f"{function}%{x}" for x in "abrs"}
    assert (f"{function}%s", f"{function}%a") in may_be_one and freed_at == set()


def test_what_is_freed_on_a_condition_and_returned_is_no_condition_of_its_own() -> None:
    text = """
func.func @f(%c: i1) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  return %a : memref<4xf32>
}
"""
    other_names, inside, plainly, refused = derive(
        text, "has_other_names", "flows_inside", "flows_plainly", "refused", rules=STATIC
    )
    assert other_names == inside == set() and plainly == {("%a",)}
    message = "this buffer may be freed here more than once, or while it is used elsewhere"
    assert refused == {("memref.dealloc#3", 9, message)}


def test_what_is_made_of_an_operation_is_reported_where_that_stood() -> None:
    text = """func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  %b = memref.realloc %a : memref<4xf32> to memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}
"""
    output = run_dealog(text, ("static-buffer-deallocation-pipeline",))
    assert output.text is None
    (error,) = output.diagnostics
    assert error.message == "this buffer is used after it has been freed"
    assert text[error.offset :].startswith("%b = memref.realloc")


FORGOTTEN = """
memref.global "private" @g : memref<4xf32> = dense<0.5>
func.func private @back(%x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  memref.dealloc %y : memref<4xf32>
  return %x : memref<4xf32>
}
func.func @by_hand(%c: i1, %o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %o, %a : memref<4xf32> to memref<4xf32>
  %y = memref.alloc() : memref<4xf32>
  %r = call @back(%a, %y) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  memref.copy %r, %o : memref<4xf32> to memref<4xf32>
  %g = memref.get_global @g : memref<4xf32>
  %s = scf.if %c -> (memref<4xf32>) {
    scf.yield %a : memref<4xf32>
  } else {
    memref.dealloc %a : memref<4xf32>
    scf.yield %g : memref<4xf32>
  }
  memref.copy %s, %o : memref<4xf32> to memref<4xf32>
  scf.if %c {
    memref.dealloc %s : memref<4xf32>
  }
  return
}
func.func @kept(%c: i1, %o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %e = memref.alloc() : memref<4xf32>
  memref.copy %o, %a : memref<4xf32> to memref<4xf32>
  %s = arith.select %c, %a, %e : memref<4xf32>
  %r = call @back(%a, %s) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  memref.copy %r, %o : memref<4xf32> to memref<4xf32>
  return
}
"""


FREES_IT = "memref.dealloc %r : memref<4xf32>"
HANDED_ON = "%z = arith.select %c, %r, %o : memref<4xf32>"


@pytest.mark.parametrize("further", ["", HANDED_ON, FREES_IT, f"{HANDED_ON}\n  memref.dealloc %z : memref<4xf32>"])
def test_a_clone_that_a_caller_would_not_free(further: str) -> None:
    """@back returns a clone, as @kept gives it what it may free by another name; @by_hand frees on conditions."""
    freed = "dealloc" in further
    text = FORGOTTEN.replace("%g = memref.get_global", f"{further}\n  %g = memref.get_global")
    forgotten, names, told, refused, given = derive(
        text, "forgotten_clone", "freed_or_given", "freed_on_indicator", "refused", "may_be_taken_argument",
        rules=STATIC,
    )  # fmt: skip
    assert given == {("@back/%x",)}
    is_refused = any(place == "@back/func.return#2" and "cloned" in message for place, _, message in refused)
    assert is_refused == (forgotten == {("@back/func.return#2", "@by_hand/%r")}) == (not freed)
    assert ("@by_hand/%s",) in told and (("@by_hand/%r",) in names) == bool(freed)


UNCLONED = """
func.func private @back(%c: i1, %x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  %s = scf.if %c -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %x : memref<4xf32>
  }
  memref.copy %x, %s : memref<4xf32> to memref<4xf32>
  scf.if %c {
    memref.dealloc %s : memref<4xf32>
  }
  memref.dealloc %y : memref<4xf32>
  return %x : memref<4xf32>
}
func.func @kept(%c: i1, %o: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %e = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %e : memref<4xf32>
  %r = call @back(%c, %a, %s) : (i1, memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  memref.copy %r, %o : memref<4xf32> to memref<4xf32>
  return
}
"""


HANDED_ON = """  %c1 = arith.constant 1 : index
  %q = scf.for %i = %c0 to %c1 step %c1 iter_args(%b = %r) -> (memref<4xf32>) {
    memref.copy %b, %o : memref<4xf32> to memref<4xf32>
    %n = memref.alloc() : memref<4xf32>
    scf.yield %n : memref<4xf32>
  }
  memref.copy %q, %o"""


@pytest.mark.parametrize("is_handed_on", [True, False])
@pytest.mark.parametrize("may_be_taken", [True, False])
def test_an_argument_that_is_returned_without_a_clone(may_be_taken: bool, is_handed_on: bool) -> None:
    """What @back frees on a condition may be its argument, so that is not cloned; a caller would free it once more."""
    text = UNCLONED if may_be_taken else UNCLONED.replace("@back(%c, %a, %s)", "@back(%c, %a, %e)")
    if is_handed_on:
        text = text.replace("  memref.copy %r, %o", HANDED_ON)
    uncloned, freed, refused = derive(text, "uncloned_return", "freed_in_the_end", "refused", rules=STATIC)
    assert {row[1][-2:] for row in uncloned} == ({"%r"} if may_be_taken else set())
    assert any("is not cloned" in message for _, _, message in refused) == may_be_taken
    assert not may_be_taken or any(value.endswith("%r") for (value,) in freed)


@pytest.mark.parametrize(
    ("made", "returned"),
    [
        ("%s = arith.select %c, %a, %m : memref<4xf32>", "%s"),
        ("%s = arith.select %c, %a, %m : memref<4xf32>", "%m"),
        (
            "%s = scf.for %i = %z to %z step %z iter_args(%y = %a) -> memref<4xf32> {\n"
            "    scf.yield %m : memref<4xf32>\n  }",
            "%s",
        ),
    ],
)
def test_what_is_freed_may_be_returned(made: str, returned: str) -> None:
    """The clone for the caller would read %a."""
    text = f"""
func.func @f(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {{
  %z = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  {made}
  memref.dealloc %a : memref<4xf32>
  return {returned} : memref<4xf32>
}}
"""
    needed, refused = derive(text, "needed_still", "refused", rules=STATIC)
    may_be = returned == "%s"
    assert (("%a",) in {(value,) for value, _ in needed}) == may_be
    assert any("may still be used after it is freed" in message for _, _, message in refused) == may_be


ENDING = """
func.func @f(%c: i1, %n: index, %m: memref<16xf32>) {
  %o = memref.alloc() : memref<16xf32>
  %r = scf.if %c -> (memref<16xf32>) {
    %a = memref.alloc() : memref<128xi8>
    MADE
    scf.yield %v : memref<16xf32>
  } else {
    scf.yield %o : memref<16xf32>
  }
  memref.copy %r, %m : memref<16xf32> to memref<16xf32>
  return
}
"""
SHIFTED = "%v = memref.view %a[%n][] : memref<128xi8> to memref<16xf32>"
BY_ADDRESS = """%p = memref.extract_aligned_pointer_as_index %a : memref<128xi8> -> index
    %v = builtin.unrealized_conversion_cast %p : index to memref<16xf32>"""


@pytest.mark.parametrize("made", [SHIFTED, BY_ADDRESS])
def test_what_goes_on_where_the_allocation_has_no_name(made: str) -> None:
    """A view does so as the allocation would, and is freed by its base. Of what is made from an address, a clone does;
    not where that is written to by its new name."""
    text = ENDING.replace("MADE", made)
    is_view = made == SHIFTED
    out, by_name, handed, cloned, refused = derive(
        text, "out_of_scope", "goes_on_by_name", "handed_over", "cloned_on_way", "refused", rules=STATIC
    )
    assert out == by_name == (set() if is_view else {("%r", "%a")}) and not refused
    assert ({row[0] for row in handed if row[4] == "%r"} == {"%a", "%o"}) == is_view == (not cloned)
    written = text.replace("memref.copy %r, %m", "memref.copy %m, %r")
    by_name, unnamed, refused = derive(written, "goes_on_by_name", "gets_unnamed", "refused", rules=STATIC)
    assert by_name == (out if is_view else set()) and unnamed == (set() if is_view else out)
    assert any("needed where the buffer cannot be" in message for _, _, message in refused) != is_view


def test_what_is_read_from_memory_goes_on_where_no_name_of_it_does() -> None:
    """Memory got the buffer as the result of a conditional, to which the allocation was handed."""
    case = next(case for case in corpus("sound") if case.name.endswith("read_and_handed_on_out_of_the_round"))
    text = case.text.replace("@read_and_handed_on_out_of_the_round", "@f")
    cloned, refused = derive(text, "cloned_on_way", "refused", rules=STATIC)
    assert len(cloned) == 1 and not refused
    written = text.replace("    %even =", "    memref.store %k, %w[%c1] : memref<4xi64>\n    %even =")
    unnamed, by_name, refused = derive(written, "gets_unnamed", "goes_on_by_name", "refused", rules=STATIC)
    assert {source for _, source in unnamed} == {"%r", "%a"}
    assert by_name == set()
    message = "what is made from this buffer is needed where the buffer cannot be"
    assert [said for _, _, said in refused] == [message]


@pytest.mark.parametrize(
    ("body", "notes"),
    [
        ("memref.dealloc %a : T\nmemref.copy %a, %m : T to T", [("3", "it is freed here")]),
        ("memref.dealloc %a : T\nmemref.dealloc %a : T", [("3", "it is freed here")]),
        (
            "scf.if %c {\nmemref.dealloc %a : T\n}\nscf.if %d {\nmemref.dealloc %a : T\n}",
            [("7", "it is freed here, too")],
        ),
        ("memref.copy %a, %m : T to T\nmemref.dealloc %a : T", []),
    ],
)
def test_a_note_has_the_other_deallocation(body: str, notes: list[tuple[str, str]]) -> None:
    text = f"func.func @f(%c: i1, %d: i1, %m: T) {{\n%a = memref.alloc() : T\n{body}\nreturn\n}}\n"
    text = text.replace("T", "memref<4xf32>")
    assert len(derive(text, "noted", rules=STATIC)) == len(notes)
    said = command("dealloc", stdin=text).err
    assert re.findall(r"^<stdin>:(\d+):\d+: note: (.*)$", said, re.MULTILINE) == notes
