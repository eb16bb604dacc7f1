"""What calls of private functions give back."""

from __future__ import annotations

from tests.rules.derive import derive
from tests.rules.static_programs import SUMMARIES
from tests.support.dealog import run_dealog

STATIC = ("static_buffer_deallocation",)
STATIC_PASSES = ("static-buffer-deallocation",)


def test_what_is_handed_back() -> None:
    closed, calls_closed, gives_back, gives_another, handed_back, handed_back_by, handed_back_at = derive(
        SUMMARIES,
        "closed",
        "calls_closed",
        "gives_back",
        "gives_another",
        "handed_back",
        "handed_back_by",
        "handed_back_at",
        rules=STATIC,
    )
    assert closed == {("@again",), ("@either",), ("@same",)}
    assert calls_closed == {
        ("@again/func.call#2", "@again"),
        ("func.call#2", "@same"),
        ("func.call#3", "@again"),
        ("func.call#4", "@either"),
    }
    assert gives_back == {("@again", 0, 1), ("@either", 0, 1), ("@either", 0, 2), ("@same", 0, 0)}
    assert gives_another == {("@same", 1)}
    assert handed_back == gives_back
    assert handed_back_by == {
        ("%v", "%a"),
        ("%w", "%b"),
        ("%e", "%a"),
        ("%e", "%b"),
        ("@again/%r", "@again/%m"),
    }
    assert handed_back_at == {
        ("@again/func.return#3", 0),
        ("@again/func.return#4", 0),
        ("@either/func.return#2", 0),
        ("@same/func.return#3", 0),
    }


def test_what_results_are_called() -> None:
    """Recursion is no obstacle: the result of @again is the argument, on both of its paths."""
    names_argument, names_other, result_of_closed, part_of, is_part, partial = derive(
        SUMMARIES, "names_argument", "names_other", "result_of_closed", "part_of", "is_part", "partial", rules=STATIC
    )
    assert names_argument == {
        ("@again/%m", "@again", 1),
        ("@again/%r", "@again", 1),
        ("@either/%m", "@either", 1),
        ("@either/%n", "@either", 2),
        ("@either/%s", "@either", 1),
        ("@either/%s", "@either", 2),
        ("@same/%m", "@same", 0),
        ("@same/%n", "@same", 1),
        ("@same/%v", "@same", 0),
    }
    assert names_other == {("%a",), ("%b",), ("%e",), ("%v",), ("%w",), ("@same/%b",)}
    assert result_of_closed == {("%b",), ("%e",), ("%v",), ("%w",), ("@again/%r",)}
    assert part_of == {
        ("%v", "%a"),
        ("%w", "%b"),
        ("%e", "%a"),
        ("%e", "%b"),
        ("@again/%r", "@again/%m"),
        ("@same/%v", "@same/%m"),
    }
    assert is_part == {("%v",), ("%w",), ("%e",), ("@again/%r",), ("@same/%v",)}
    assert partial == {("%b",), ("%e",), ("%v",), ("%w",), ("@again/%r",)}


def test_what_was_read_from_memory_is_known_by_the_name_of_a_result() -> None:
    """So it is needed as long as that, and need not be cloned."""
    text = """
        func.func private @same(%x: memref<4xi64>, %y: memref<4xi64>) -> (memref<4xi64>, memref<4xi64>) {
          return %x, %y : memref<4xi64>, memref<4xi64>
        }
        func.func @f(%m: memref<4xi64>) {
          %zero = arith.constant 0 : index
          %a = memref.alloc() : memref<4xi64>
          %h = memref.alloc() : memref<1xmemref<4xi64>>
          %g = memref.cast %h : memref<1xmemref<4xi64>> to memref<1xmemref<4xi64>>
          memref.store %a, %h[%zero] : memref<1xmemref<4xi64>>
          %l = memref.load %g[%zero] : memref<1xmemref<4xi64>>
          %r:2 = call @same(%l, %m) : (memref<4xi64>, memref<4xi64>) -> (memref<4xi64>, memref<4xi64>)
          return
        }
    """
    derived, back, another, cloned = derive(
        text, "given_with_taken", "gives_back", "gives_another", "cloned_for_caller", rules=STATIC
    )
    assert derived == another == cloned == set()
    assert back == {("@same", 0, 0), ("@same", 1, 1)}
    needs = derive(text, "derived_from", rules=STATIC)
    assert {("%l", "%a"), ("%r#0", "%a")} <= needs and not {row for row in needs if row[0] == "%r#1"}


ONE_OF_TWO = """
func.func private @one_of(%c: i1, %x: memref<2xf32>, %y: memref<2xf32>) -> memref<2xf32> {
  %r = arith.select %c, %x, %y : memref<2xf32>
  return %r : memref<2xf32>
}
func.func private @same(%c: i1, %x: memref<2xf32>) -> memref<2xf32> {
  %r = scf.execute_region -> memref<2xf32> {
    %a = memref.alloc() : memref<2xf32>
    %s = func.call @one_of(%c, %a, %x) : (i1, memref<2xf32>, memref<2xf32>) -> memref<2xf32>
    scf.yield %s : memref<2xf32>
  }
  return %r : memref<2xf32>
}
func.func @f(%c: i1, %m: memref<2xf32>) {
  %b = memref.alloc() : memref<2xf32>
  %r = call @same(%c, %b) : (i1, memref<2xf32>) -> memref<2xf32>
  memref.copy %r, %m : memref<2xf32> to memref<2xf32>
  return
}
"""


def test_what_is_cloned_on_the_way_is_a_new_buffer() -> None:
    """One of two arguments goes further, so it is cloned; the function that hands that on returns a new buffer, too."""
    other, handed, freed = derive(ONE_OF_TWO, "gives_other", "handed_back_by", "freed_at", rules=STATIC)
    assert other == {("@one_of", 0), ("@same", 0)} and handed == set()
    assert {row[0] for row in freed} == {"%b", "%r", "@same/%a"}


PERHAPS_CLONED = """
func.func private @cloned(%c: i1, %d: i1, %x: memref<2xf32>, %y: memref<2xf32>) -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  %s = arith.select %c, %x, %y : memref<2xf32>
  %r = arith.select %d, %a, %s : memref<2xf32>
  return %r : memref<2xf32>
}
func.func @f(%c: i1, %d: i1) -> memref<2xf32> {
  %r = scf.execute_region -> memref<2xf32> {
    %b = memref.alloc() : memref<2xf32>
    %s = func.call @cloned(%c, %d, %b, %b) : (i1, i1, memref<2xf32>, memref<2xf32>) -> memref<2xf32>
    scf.yield %s : memref<2xf32>
  }
  return %r : memref<2xf32>
}
"""


def test_callers_are_told_of_clones_on_some_paths() -> None:
    """The clone is made where an i1 says so; by an attribute, the next run knows the result for a new buffer."""
    owned = derive(PERHAPS_CLONED, "owned_by_callers", rules=STATIC)
    assert owned == {("@cloned", 0)}
    first = run_dealog(PERHAPS_CLONED, STATIC_PASSES).text
    assert first is not None and "attributes {dealog.owned_0 = true}" in first
    stated, gives = derive(first, "stated_owned", "may_give_back", rules=STATIC)
    assert stated == {("@cloned", 0)} and gives == set()
    assert run_dealog(first, STATIC_PASSES).text == first
    without = first.replace(" attributes {dealog.owned_0 = true}", "")
    assert derive(without, "may_give_back", rules=STATIC) == {("@cloned", 0, 2), ("@cloned", 0, 3)}


READ = """
func.func private @read(%x: memref<2xf32>, %y: memref<2xf32>) -> (memref<2xf32>, memref<2xf32>) {
  %zero = arith.constant 0 : index
  %h = memref.alloc() : memref<1xmemref<2xf32>>
  %g = memref.cast %h : memref<1xmemref<2xf32>> to memref<1xmemref<2xf32>>
  memref.store %y, %h[%zero] : memref<1xmemref<2xf32>>
  %l = memref.load %g[%zero] : memref<1xmemref<2xf32>>
  return %x, %l : memref<2xf32>, memref<2xf32>
}
func.func private @passed(%x: memref<2xf32>, %y: memref<2xf32>) -> (memref<2xf32>, memref<2xf32>) {
  %r:2 = call @read(%x, %y) : (memref<2xf32>, memref<2xf32>) -> (memref<2xf32>, memref<2xf32>)
  return %r#0, %r#1 : memref<2xf32>, memref<2xf32>
}
func.func @f(%m: memref<2xf32>, %n: memref<2xf32>) {
  %r:2 = call @passed(%m, %n) : (memref<2xf32>, memref<2xf32>) -> (memref<2xf32>, memref<2xf32>)
  memref.dealloc %r#1 : memref<2xf32>
  return
}
"""


def test_which_results_were_read_from_memory() -> None:
    """What is not read there is traced to what a call was given, and to nothing that memory may hold."""
    returns, names, never, traces, asked = derive(
        READ, "returns_read", "names_read", "never_from_memory", "traces_to", "source_asked", rules=STATIC
    )
    assert returns == {("@read", 1), ("@passed", 1)}
    assert names == {("@read/%l",), ("@passed/%r#1",), ("%r#1",)}
    assert never == {("@passed/%r#0",), ("%r#0",)}
    assert {row[0] for row in traces} <= {value for (value,) in asked}
    assert ("%r#1", "%n") in traces and not {row for row in traces if row[0] == "%r#0"}


HELD = """
func.func private @given(%c: i1, %x: memref<2xf32>) -> memref<2xf32> {
  %r = scf.if %c -> memref<2xf32> {
    %a = memref.alloc() : memref<2xf32>
    scf.yield %a : memref<2xf32>
  } else {
    scf.yield %x : memref<2xf32>
  }
  return %r : memref<2xf32>
}
func.func @f(%c: i1, %m: memref<2xf32>) {
  %zero = arith.constant 0 : index
  %h = memref.alloc() : memref<1xmemref<2xf32>>
  %g = memref.cast %h : memref<1xmemref<2xf32>> to memref<1xmemref<2xf32>>
  memref.store %m, %h[%zero] : memref<1xmemref<2xf32>>
  %l = memref.load %g[%zero] : memref<1xmemref<2xf32>>
  %r = call @given(%c, %l) : (i1, memref<2xf32>) -> memref<2xf32>
  memref.copy %r, %m : memref<2xf32> to memref<2xf32>
  return
}
"""


def test_an_argument_that_was_read_from_memory_comes_back() -> None:
    assert derive(HELD, "gives_back", rules=STATIC) == {("@given", 0, 1)}


DIFFERENT = """
func.func private @either(%c: i1, %x: memref<2xf32>, %y: memref<2xf32>) -> memref<2xf32> {
  %r = arith.select %c, %x, %y : memref<2xf32>
  return %r : memref<2xf32>
}
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  %r = call @either(%c, %a, SECOND) : (i1, memref<2xf32>, memref<2xf32>) -> memref<2xf32>
  memref.dealloc %r : memref<2xf32>
  return
}
"""


def test_what_is_freed_is_the_one_buffer_that_was_given() -> None:
    """Both arguments are one buffer: it is that, by another name. Of two, it may be either."""
    one, freed = derive(DIFFERENT.replace("SECOND", "%a"), "goes_further_by", "freed_in_text", rules=STATIC)
    assert one == set() and {row[0] for row in freed} == {"%a"}
    two = derive(DIFFERENT.replace("SECOND", "%b"), "goes_further_by", rules=STATIC)
    assert two == {("func.call#3", "@either", 0)}
