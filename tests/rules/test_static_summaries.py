"""What calls of private functions give back."""

from __future__ import annotations

from tests.rules.derive import derive
from tests.rules.static_programs import FURTHER, SUMMARIES

STATIC = ("static_buffer_deallocation",)


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


def test_one_of_several_arguments_that_goes_further() -> None:
    """@either may return one of its arguments as it is, as what calls return is only read; @pick may not: some of it is
    handed on, by way of what @through gives back."""
    moves_from, goes_further, goes_further_from, handed_back, part_of_several = derive(
        FURTHER,
        "moves_from",
        "goes_further",
        "goes_further_from",
        "handed_back",
        "part_of_several",
        rules=STATIC,
    )
    assert moves_from == {
        ("@either/%s", "@either/%m"),
        ("@either/%s", "@either/%n"),
        ("@pick/%r", "@pick/%m"),
        ("@pick/%r", "@pick/%n"),
        ("%r", "%t"),
    }
    inside = {("@pick/%m",), ("@pick/%n",), ("@pick/%r",), ("@through/%m",)}
    assert goes_further == {*inside, ("%a",), ("%b",), ("%p",), ("%t",)}
    assert goes_further_from == {("@pick", 0), ("@through", 0)}
    assert handed_back == {("@either", 0, 1), ("@either", 0, 2), ("@through", 0, 0)}
    assert part_of_several == {("%e",)}


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


def test_what_was_read_from_memory_is_not_known_by_the_name_of_a_result() -> None:
    text = """
        func.func private @same(%x: memref<4xi64>, %y: memref<4xi64>) -> (memref<4xi64>, memref<4xi64>) {
          return %x, %y : memref<4xi64>, memref<4xi64>
        }
        func.func @f(%m: memref<4xi64>) {
          %zero = arith.constant 0 : index
          %a = memref.alloc() : memref<4xi64>
          %h = memref.alloc() : memref<1xmemref<4xi64>>
          memref.store %a, %h[%zero] : memref<1xmemref<4xi64>>
          %l = memref.load %h[%zero] : memref<1xmemref<4xi64>>
          %r:2 = call @same(%l, %m) : (memref<4xi64>, memref<4xi64>) -> (memref<4xi64>, memref<4xi64>)
          return
        }
    """
    derived, back, another, cloned = derive(
        text, "gets_derived", "gives_back", "gives_another", "cloned_for_caller", rules=STATIC
    )
    assert derived == {("@same", 0)}
    assert back == {("@same", 1, 1)}
    assert another == {("@same", 0)}
    assert cloned == {("@same/func.return#1", 0)}
