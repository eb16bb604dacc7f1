"""What constants exclude, or an i1 that chooses twice, and the deallocations there: control never comes to them."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support.dealog import run_dealog
from tests.support.soundness import judge

STATIC = ("static_buffer_deallocation",)
STATIC_PASS = ("static-buffer-deallocation",)
PASSES = ("static-buffer-deallocation-pipeline", "convert-bufferization-to-memref")

I1S = """
func.func @f(%c: i1) {
  %true = arith.constant true
  %false = arith.constant false
  MADE
  %a = memref.alloc() : memref<4xf32>
  scf.if %x {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
"""


@pytest.mark.parametrize(
    ("made", "value"),
    [
        ("arith.andi %c, %false : i1", "false"),
        ("arith.andi %false, %c : i1", "false"),
        ("arith.andi %true, %true : i1", "true"),
        ("arith.andi %true, %c : i1", None),
        ("arith.ori %c, %true : i1", "true"),
        ("arith.ori %true, %c : i1", "true"),
        ("arith.ori %false, %false : i1", "false"),
        ("arith.ori %false, %c : i1", None),
        ("arith.xori %true, %true : i1", "false"),
        ("arith.xori %true, %false : i1", "true"),
        ("arith.xori %c, %true : i1", None),
        ("arith.select %true, %false, %c : i1", "false"),
        ("arith.select %false, %c, %true : i1", "true"),
        ("arith.select %c, %true, %true : i1", "true"),
        ("arith.select %c, %true, %false : i1", None),
    ],
)
def test_i1s_that_are_what_constants_make_them(made: str, value: str | None) -> None:
    fixed, regions = derive(I1S.replace("MADE", f"%x = {made}"), "fixed_condition", "excluded_region", rules=STATIC)
    assert {v for x, v in fixed if x == "%x"} == ({value} if value is not None else set())
    assert regions == ({("scf.if#5:" + ("0" if value == "false" else "1"),)} if value is not None else set())


def test_deallocations_that_constants_exclude() -> None:
    text = """
func.func @f(%c: i1) {
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  scf.if %c {
    scf.if %false {
      scf.if %c {
        memref.dealloc %a : memref<4xf32>
      }
    }
  }
  cf.cond_br %false, ^bb1, ^bb2
^bb1:
  memref.dealloc %a : memref<4xf32>
  cf.br ^bb2
^bb2:
  memref.dealloc %a : memref<4xf32>
  return
}
"""
    frees, never, blocks = derive(text, "text_frees", "excluded_free", "excluded_block", rules=STATIC)
    assert len(frees) == 1 and len(never) == 2 and len(blocks) == 3
    output = run_dealog(text, STATIC_PASS)
    assert output.text is not None and output.text.count("memref.dealloc") == 3  # as it was


ROUNDS = """
func.func @main(%c: i1, %n: index) -> index {
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %never = arith.andi %c, %false : i1
  %a = memref.alloc() : memref<4xindex>
  %b = memref.alloc() : memref<4xindex>
  memref.store %n, %a[%c0] : memref<4xindex>
  memref.store %n, %b[%c0] : memref<4xindex>
  %r:3 = scf.while (%x = %a, %y = %b, %i = %c0) : (memref<4xindex>, memref<4xindex>, index)
      -> (memref<4xindex>, memref<4xindex>, index) {
    %d = arith.cmpi slt, %i, %n : index
    scf.condition(%d) %x, %y, %i : memref<4xindex>, memref<4xindex>, index
  } do {
  ^bb0(%x: memref<4xindex>, %y: memref<4xindex>, %i: index):
    WHAT
    %z = memref.alloc() : memref<4xindex>
    memref.store %i, %z[%c0] : memref<4xindex>
    %j = arith.addi %i, %c1 : index
    scf.yield %z, %x, %j : memref<4xindex>, memref<4xindex>, index
  }
  %l = memref.load AFTER[%c0] : memref<4xindex>
  return %l : index
}
"""


EXCLUDED = (
    "scf.if %false { memref.dealloc %x : memref<4xindex> }",
    "scf.if %c { scf.if %false { memref.dealloc %x : memref<4xindex> } }",
    "scf.if %c { scf.if %false { memref.dealloc %x : memref<4xindex> } }"
    " else { scf.if %never { memref.dealloc %y : memref<4xindex> } }",
    "scf.if %true { } else { memref.dealloc %y : memref<4xindex> }",
    "scf.if %never { memref.dealloc %y : memref<4xindex>\n memref.dealloc %x : memref<4xindex> }",
    "scf.if %never { memref.dealloc %a : memref<4xindex> }",
)


def test_what_constants_exclude_frees_nothing() -> None:
    """All that was allocated is freed by what is inserted, and a second run inserts nothing."""
    programs = {
        f"{what} {after}": ROUNDS.replace("WHAT", what).replace("AFTER", after)
        for what in EXCLUDED
        for after in ("%r#1", "%a")
    }
    verdicts = judge(programs, PASSES)
    assert {name: verdict for name, verdict in verdicts.items() if verdict.refused or verdict.faults} == {}
    for program in programs.values():
        once = run_dealog(program, STATIC_PASS).text
        assert once is not None and run_dealog(once, STATIC_PASS).text == once, program


def test_a_buffer_that_is_returned_twice_goes_to_the_caller_though_a_deallocation_is_excluded() -> None:
    text = """
func.func @f() -> (memref<4xf32>, memref<4xf32>) {
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  scf.if %false {
    memref.dealloc %a : memref<4xf32>
  }
  return %a, %a : memref<4xf32>, memref<4xf32>
}
"""
    assert "return %a, %a" in run_dealog(text, STATIC_PASS).unwrap()
    assert derive(text, "returned_first", rules=STATIC) == {("%a", "func.return#6", 0)}


def test_nothing_is_freed_where_control_never_comes() -> None:
    """What is freed there counts for nothing, so that each run would free it again."""
    text = """
func.func @f() {
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %true, ^bb2, ^bb1
^bb1:
  %v = memref.load %a[%c0] : memref<4xf32>
  cf.br ^bb2
^bb2:
  %w = memref.load %a[%c0] : memref<4xf32>
  return
}
func.func @g(%x: memref<4xf32>) {
  %true = arith.constant true
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %true, ^bb2, ^bb1
^bb1:
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  return
^bb2:
  return
}
"""
    rules = ("static_buffer_deallocation",)
    places, at, freed = derive(text, "excluded_place", "freed_at", "free_inserted", rules=rules)
    assert {("start", "^bb1"), ("end", "^bb1"), ("before", "cf.br#6"), ("after", "memref.load#5")} <= places
    assert ("after", "@g/memref.copy#4") in places
    assert {row[2:] for row in at} >= {("after", "@g/memref.copy#4"), ("start", "@g/^bb2")}
    assert {row[2:4] for row in freed} == {("after", "memref.load#7"), ("start", "@g/^bb2")}


CHOSEN_TWICE = """
func.func @f(%c: i1, %b: memref<4xf32>) -> f32 {
  %i = arith.constant 0 : index
  %r = scf.if %c -> (memref<4xf32>) {
    scf.yield %b : memref<4xf32>
  } else {
    %s = scf.execute_region -> memref<4xf32> {
      %t = scf.if %c -> (memref<4xf32>) {
        %n = memref.alloc() : memref<4xf32>
        scf.yield %n : memref<4xf32>
      } else {
        scf.yield %b : memref<4xf32>
      }
      scf.yield %t : memref<4xf32>
    }
    scf.yield %s : memref<4xf32>
  }
  %x = memref.load %r[%i] : memref<4xf32>
  return %x : f32
}
"""


def test_what_the_same_i1_chose_around_it_excludes() -> None:
    """What such a region would hand on need not be freed, and no i1 goes along with it."""
    again, within, regions, never = derive(
        CHOSEN_TWICE, "decides_again", "chosen_within", "excluded_region", "never_handed", rules=STATIC
    )
    inner = "scf.if#5"
    assert again == {("%c",)} and {row[1:] for row in within if row[0] == inner} == {
        ("%c", "scf.execute_region#4.0", 1), ("%c", "scf.if#2.1", 2)
    }  # fmt: skip
    assert regions == {(f"{inner}:0",)} and len(never) == 1
    output = run_dealog(CHOSEN_TWICE, STATIC_PASS).text
    assert output is not None and "dealloc" not in output and "-> (memref<4xf32>, i1)" not in output
    assert run_dealog(output, STATIC_PASS).text == output


def test_another_i1_around_it_excludes_nothing() -> None:
    text = CHOSEN_TWICE.replace("(%c: i1,", "(%c: i1, %d: i1,").replace("%t = scf.if %c", "%t = scf.if %d")
    again, regions = derive(text, "decides_again", "excluded_region", rules=STATIC)
    assert not again and not regions
    same_side = CHOSEN_TWICE.replace("%r = scf.if %c", "%no = arith.xori %c, %c : i1\n  %r = scf.if %no")
    assert not derive(same_side, "excluded_region", rules=STATIC)


BEHIND_BRANCH = """
func.func @f(%c: i1, %d: i1, %m: memref<4xf32>, %o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return
^bb2:
  WHAT
  memref.copy %r, %o : memref<4xf32> to memref<4xf32>
  return
}
"""
REGION_BEHIND_BRANCH = """%r = scf.execute_region -> memref<4xf32> {
    %t = scf.if %c -> memref<4xf32> {
      scf.yield %m : memref<4xf32>
    } else {
      scf.yield %a : memref<4xf32>
    }
    scf.yield %t : memref<4xf32>
  }"""
TWO_BRANCHES = "cf.cond_br %c, ^bb3(%m : memref<4xf32>), ^bb3(%a : memref<4xf32>)\n^bb3(%r: memref<4xf32>):"


@pytest.mark.parametrize("what", [REGION_BEHIND_BRANCH, TWO_BRANCHES])
def test_what_a_branch_by_the_same_i1_excludes(what: str) -> None:
    """It is always %a that is used and freed, and that is known of the output, too."""
    text = BEHIND_BRANCH.replace("WHAT", what)
    regions, branches = derive(text, "excluded_region", "never_branches", rules=STATIC)
    region = what == REGION_BEHIND_BRANCH
    assert regions == ({("scf.if#6:0",)} if region else set())
    assert branches == (set() if region else {("cf.cond_br#5", 0)})
    output = run_dealog(text, STATIC_PASS).text
    assert output is not None and output.count("memref.dealloc") == 2 and "i1)" not in output.partition("{")[2]
    assert run_dealog(output, STATIC_PASS).text == output
    other = text.replace(what, what.replace("%c", "%d"))
    assert derive(other, "excluded_region", "never_branches", rules=STATIC) == (set(), set())


NEVER_REACHED = """
func.func @f(%c: i1, %n: index, %b: memref<4xf32>) -> f32 {
  %i = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  %k = arith.select %c, %m, %b : memref<4xf32>
  cf.cond_br %c, ^end(%k : memref<4xf32>), ^end(%b : memref<4xf32>)
^never(%x: memref<4xf32>):
  %a = memref.alloc() : memref<20xi8>
  %v = memref.view %a[%n][] : memref<20xi8> to memref<4xf32>
  %w = scf.for %l = %i to %n step %n iter_args(%y = %v) -> (memref<4xf32>) {
    scf.yield %x : memref<4xf32>
  }
  cf.br ^never(%v : memref<4xf32>)
^end(%e: memref<4xf32>):
  %z = memref.load %e[%i] : memref<4xf32>
  return %z : f32
}
"""


def test_what_control_never_comes_to_is_left() -> None:
    """It is neither refused nor freed, and a second run leaves it, too."""
    ways, brings = derive(NEVER_REACHED, "plain_way", "brings_buffer", rules=STATIC)
    assert {value for _, _, value in ways} == {"%e"} and {value for _, value in brings} == {"%m"}
    output = run_dealog(NEVER_REACHED, STATIC_PASS).text
    assert output is not None and "dealloc %a " not in output and "scf.if" in output
    assert run_dealog(output, STATIC_PASS).text == output
    assert run_dealog(NEVER_REACHED, ("buffer-deallocation-pipeline",)).text is not None
