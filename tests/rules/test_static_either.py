"""Private functions that return an argument or a new buffer: which, an i1 says that goes with the result."""

from __future__ import annotations

from tests.rules.derive import derive
from tests.support.dealog import run_dealog

STATIC = ("static_buffer_deallocation",)
LARGER = """
func.func private @larger(%n: i32, %x: memref<2xf32>) -> memref<2xf32> {
  %c = arith.trunci %n : i32 to i1
  cf.cond_br %c, ^bb1, ^bb2(%x : memref<2xf32>)
^bb1:
  %a = memref.alloc() : memref<2xf32>
  cf.br ^bb2(%a : memref<2xf32>)
^bb2(%r: memref<2xf32>):
  return %r : memref<2xf32>
}
"""
GIVEN = LARGER + """
func.func @f(%c: i32, %m: memref<2xf32>) {
  %b = memref.alloc() : memref<2xf32>
  %s = call @larger(%c, %m) : (i32, memref<2xf32>) -> memref<2xf32>
  %t = call @larger(%c, %s) : (i32, memref<2xf32>) -> memref<2xf32>
  %u = call @larger(%c, %b) : (i32, memref<2xf32>) -> memref<2xf32>
  memref.copy %t, %u : memref<2xf32> to memref<2xf32>
  return
}
"""
STATED = """
func.func private @larger(%c: i1, %x: memref<2xf32>) -> (memref<2xf32>, i1) attributes {dealog.owned_0 = 1 : i64} {
  %false = arith.constant false
  %true = arith.constant true
  cf.cond_br %c, ^bb1, ^bb2(%x, %false : memref<2xf32>, i1)
^bb1:
  %a = memref.alloc() : memref<2xf32>
  cf.br ^bb2(%a, %true : memref<2xf32>, i1)
^bb2(%r: memref<2xf32>, %own: i1):
  return %r, %own : memref<2xf32>, i1
}
func.func @f(%c: i1, %m: memref<2xf32>) {
  %s, %own = call @larger(%c, %m) : (i1, memref<2xf32>) -> (memref<2xf32>, i1)
  memref.copy %s, %m : memref<2xf32> to memref<2xf32>
  return
}
"""
MIXED = """
memref.global "private" @g : memref<2xf32>
func.func private @mixed(%n: i32, %d: i1, %x: memref<2xf32>) -> memref<2xf32> {
  %c = arith.trunci %n : i32 to i1
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %x : memref<2xf32>
^bb2:
  %g = memref.get_global @g : memref<2xf32>
  %a = memref.alloc() : memref<2xf32>
  %s = arith.select %d, %g, %a : memref<2xf32>
  return %s : memref<2xf32>
}
func.func @f(%n: i32, %c: i1, %m: memref<2xf32>) {
  %s = call @mixed(%n, %c, %m) : (i32, i1, memref<2xf32>) -> memref<2xf32>
  return
}
"""
TABLES = """
memref.global "private" @g : memref<2xf32>
func.func private @fixed() -> memref<?xf32> {
  %g = memref.get_global @g : memref<2xf32>
  %v = memref.cast %g : memref<2xf32> to memref<?xf32>
  return %v : memref<?xf32>
}
func.func private @table(%c: i1, %n: index) -> memref<?xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %g = call @fixed() : () -> memref<?xf32>
  return %g : memref<?xf32>
^bb2:
  %a = memref.alloc(%n) : memref<?xf32>
  return %a : memref<?xf32>
}
func.func @f(%c: i1, %n: index) {
  %f = call @fixed() : () -> memref<?xf32>
  %t = call @table(%c, %n) : (i1, index) -> memref<?xf32>
  memref.copy %f, %t : memref<?xf32> to memref<?xf32>
  return
}
"""
ALWAYS_NEW = """
func.func private @new(%c: i1, %x: memref<2xf32>) -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  %s = arith.select %c, %x, %a : memref<2xf32>
  memref.copy %s, %a : memref<2xf32> to memref<2xf32>
  %t = arith.select %c, %s, %x : memref<2xf32>
  return %t : memref<2xf32>
}
func.func @f(%c: i1, %m: memref<2xf32>) {
  %s = call @new(%c, %m) : (i1, memref<2xf32>) -> memref<2xf32>
  return
}
"""
FREED = LARGER + """
func.func @f(%c: i32, %m: memref<2xf32>) {
  %s = call @larger(%c, %m) : (i32, memref<2xf32>) -> memref<2xf32>
  %v = memref.cast %s : memref<2xf32> to memref<?xf32>
  memref.dealloc %v : memref<?xf32>
  return
}
"""


def test_an_argument_or_a_new_buffer() -> None:
    candidates, indicated, indicated_anew, either_result, is_either, perhaps_given, either_treated = derive(
        GIVEN, "argument_or_new", "indicated", "indicated_anew", "either_result", "is_either", "perhaps_given",
        "either_treated", rules=STATIC,
    )
    assert candidates == indicated == indicated_anew == {("@larger", 0)}
    calls = {"%s": "func.call#2", "%t": "func.call#3", "%u": "func.call#4"}
    assert either_result == {(value, call, "@larger", 0) for value, call in calls.items()}
    assert perhaps_given == {(value, call, 1, 1) for value, call in calls.items()}
    assert is_either == either_treated == {(value,) for value in calls}


def test_what_the_function_returns_beside_it() -> None:
    grows, due, returned, before, states, given_if, flows_plainly, returned_as = derive(
        GIVEN, "grows_indicator", "indicator_due", "returned_indicator", "results_before", "states_indicator",
        "given_if", "flows_plainly", "returned_as", rules=STATIC,
    )
    terminator, result = "@larger/func.return#5", "@larger/%r"
    assert grows == {("@larger", 0)} and due == {(terminator, 0)}
    assert returned == {(terminator, 0, "@larger/%c")} and given_if == returned_as == {(terminator, 0, result)}
    assert before == {("@larger", 0, 1)} and states == {("@larger", "dealog.owned_0", "1 : i64")}
    assert flows_plainly == {("@larger/%a",), ("@larger/%r",), ("@larger/%x",)}


def test_what_calls_free() -> None:
    """What is given is freed where a new buffer comes back; else it goes on as that, with what is known of it."""
    new_if, unless, at_times, owned_if, freed_at, or_inserted, and_inserted = derive(
        GIVEN, "new_if", "freed_unless_returned", "takes_at_times", "owned_if", "freed_at", "or_inserted",
        "and_inserted", rules=STATIC,
    )
    assert new_if == {("%s", "own %s"), ("%t", "own %t"), ("%u", "own %u")}
    assert unless == {("%b", "func.call#4", "%u"), ("%s", "func.call#3", "%t")} and at_times == {("%t", "%s")}
    assert {row for row in owned_if if "@" not in str(row[0])} == {
        ("%b", "true"), ("%s", "own %s"), ("%t", "either %t"), ("%u", "true"),
    }
    assert freed_at == {
        ("%b", "own %u", "after", "func.call#4"),
        ("%s", "left %s at %t", "after", "func.call#3"),
        ("%t", "either %t", "after", "memref.copy#5"),
        ("%u", "true", "after", "memref.copy#5"),
    }
    assert or_inserted == {("either %t", "own %t", "own %s", "after", "func.call#3", 1)}
    assert and_inserted == {("left %s at %t", "own %s", "own %t", "after", "func.call#3", 2)}


def test_an_i1_that_is_there() -> None:
    """The function and its i1 are as they are to be; a caller that does not free yet is given that i1."""
    stated, beside, anew, not_indicated, either, sources, new_if, freed_at = derive(
        STATED, "stated_indicator", "beside", "indicated_anew", "not_indicated", "stated_either", "stated_source",
        "new_if", "freed_at", rules=STATIC,
    )
    assert stated == beside == {("@larger", 0, 1)} and anew == set() and not_indicated == {("@larger", 0)}
    assert either == {("%m",), ("%s",)} and sources == {("%s", "%m")}
    assert new_if == {("%s", "%own")} and freed_at == {("%s", "%own", "after", "memref.copy#2")}


def test_a_global_variable_goes_with_the_arguments() -> None:
    """The caller only reads what it gets, so it need not know which of the two it is."""
    lent_back, borrowed, other, unowned, returned, perhaps, lent = derive(
        MIXED, "lent_back", "surely_borrowed", "may_be_other", "returned_unowned", "returned_indicator",
        "perhaps_global", "lent_at_once", rules=STATIC,
    )
    first, second = "@mixed/func.return#3", "@mixed/func.return#7"
    assert lent_back == {(first, 0)} and borrowed == {("@mixed/%x",)}
    assert other == {("@mixed/%g",), ("@mixed/%s",), ("%s",)}
    assert unowned == {(first, 0, "@mixed/%x"), (second, 0, "@mixed/%s")}
    assert returned == {(first, 0, "false"), (second, 0, "own @mixed/%s")}
    assert perhaps == {("%s",)} and lent == set()


def test_what_may_be_a_global_variable_is_not_owned_in_place_of_what_was_given() -> None:
    """The caller frees its own buffer by its name, and the other only where it is new."""
    text = MIXED.replace("memref<2xf32>) {\n", "memref<2xf32>) {\n  %b = memref.alloc() : memref<2xf32>\n")
    text = text.replace("%c, %m)", "%c, %b)")
    lent, freed_at = derive(text, "lent_at_once", "freed_at", rules=STATIC)
    assert lent == {("%b", "func.call#2", 2)}
    assert {row for row in freed_at if "@" not in str(row[0])} == {
        ("%b", "true", "after", "func.call#2"), ("%s", "own %s", "after", "func.call#2"),
    }


def test_where_callers_hand_on_what_may_be_an_argument_a_global_variable_is_cloned() -> None:
    """Where they own the argument that they gave, they own what they get, so that is no global variable."""
    text = MIXED.replace("  return\n}", "  memref.dealloc %s : memref<2xf32>\n  return\n}")
    handed_on = MIXED + """
func.func private @g(%n: i32, %c: i1) -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  %s = call @mixed(%n, %c, %a) : (i32, i1, memref<2xf32>) -> memref<2xf32>
  return %s : memref<2xf32>
}
"""
    argument, perhaps, returned = derive(
        handed_on, "goes_on_as_argument", "perhaps_global", "returned_indicator", rules=STATIC
    )
    assert argument == {("@mixed", 0)} and perhaps == set()
    assert returned == {("@mixed/func.return#3", 0, "false"), ("@mixed/func.return#7", 0, "true")}
    assert derive(text, "not_indicated", rules=STATIC) == {("@mixed", 0)}


def test_what_is_read_from_memory_is_cloned() -> None:
    """It may end before callers are done with it, which a global variable does not."""
    text = MIXED.replace("memref.get_global @g : memref<2xf32>", "memref.load %b[] : memref<memref<2xf32>>")
    text = text.replace("%d: i1, %x", "%d: i1, %b: memref<memref<2xf32>>, %x").replace(
        "func.func @f(%n: i32, %c: i1,", "func.func @f(%b: memref<memref<2xf32>>, %n: i32, %c: i1,"
    )
    text = text.replace("%c, %m) : (i32, i1,", "%c, %b, %m) : (i32, i1, memref<memref<2xf32>>,")
    may_end, returned = derive(text, "may_end", "returned_indicator", rules=STATIC)
    assert ("@mixed/%g",) in may_end and ("@mixed/%s",) in may_end and ("@mixed/%x",) not in may_end
    assert returned == {("@mixed/func.return#3", 0, "false"), ("@mixed/func.return#7", 0, "true")}
    assert ("@mixed/%g",) not in derive(MIXED, "may_end", rules=STATIC)


def test_a_global_variable_or_a_new_buffer() -> None:
    gives, other, only, buffers, by, names, names_other, indicated, told, new_if, freed_at = derive(
        TABLES, "gives_global", "gives_other", "only_global", "global_buffer", "refers_to_global_by", "names_global",
        "names_other", "indicated", "new_where_argument", "new_if", "freed_at", rules=STATIC,
    )
    assert gives == {("@fixed", 0), ("@table", 0)} and other == {("@table", 0)} and only == {("@fixed", 0)}
    assert by == {("@fixed/%g",)} and buffers == {("@fixed/%g",), ("@table/%g",), ("%f",)}
    assert names == {("@fixed/%g",), ("@fixed/%v",), ("@table/%g",), ("%f",), ("%t",)}
    assert names_other == {("@table/%a",), ("%t",)}
    assert indicated == {("@table", 0)} and told == {("@table", 0, 0, 0)}
    assert new_if == {("%t", "own %t")} and freed_at == {("%t", "own %t", "after", "memref.copy#3")}


def test_callers_that_free_a_global_variable_get_a_clone() -> None:
    """They take it for a new buffer, and so it is one, for all callers."""
    text = TABLES.replace("  return\n}", "  memref.dealloc %f : memref<?xf32>\n  return\n}")
    by_callers, in_any_case, only = derive(
        text, "freed_by_callers", "freed_in_any_case", "only_global", rules=STATIC
    )
    assert by_callers == {("@fixed", 0)} and in_any_case == {("%f",)} and only == set()
    output = run_dealog(text, ["static-buffer-deallocation"]).text
    assert output is not None and output.count("bufferization.clone") == 1 and "scf.if" not in output
    assert derive(TABLES, "freed_by_callers", rules=STATIC) == set()


def test_no_i1_is_returned_that_always_holds() -> None:
    indicated, grows, new_if = derive(ALWAYS_NEW, "indicated_anew", "grows_indicator", "new_if", rules=STATIC)
    assert indicated == {("@new", 0)} and grows == set() and new_if == {("%s", "true")}


def test_what_always_is_new_is_always_owned() -> None:
    """`%s` is given to a function that turns out never to return it: no i1 is made of one that always holds."""
    text = ALWAYS_NEW.split("func.func @f")[0] + """
func.func @f(%c: i1, %m: memref<2xf32>, %n: memref<2xf32>) -> memref<2xf32> {
  %r = scf.if %c -> memref<2xf32> {
    %a = memref.alloc() : memref<2xf32>
    scf.yield %a : memref<2xf32>
  } else {
    scf.yield %m : memref<2xf32>
  }
  %s = call @new(%c, %r) : (i1, memref<2xf32>) -> memref<2xf32>
  %t = arith.select %c, %s, %n : memref<2xf32>
  return %s : memref<2xf32>
}"""
    new_if, at_times, ours, freed, either, left, clones = derive(
        text, "new_if", "owned_at_times", "owned_if", "freed_at", "or_inserted", "left_of_call", "returned_clone",
        rules=STATIC,
    )
    assert new_if == {("%s", "true")} and {row for row in at_times if "@" not in str(row[0])} == {("%r", "%c")}
    assert ("%s", "true") in ours and ("%r", "%c", "after", "func.call#5") in freed
    assert either == left == set() and {row for row in clones if "@new" not in str(row[0])} == set()


def test_what_is_freed_only_where_it_is_new_is_none_of_what_was_given() -> None:
    both = """  %b = memref.cast %s : memref<2xf32> to memref<?xf32>
  scf.if %own {
    memref.dealloc %b : memref<?xf32>
  }
  memref.dealloc %s : memref<2xf32>
  return"""
    text = STATED.replace("func.func @f(%c", "func.func private @g(%c").replace("  return\n}\n", "WHAT\n}\n")
    assert "WHAT" in text
    stated, new, further = derive(
        text.replace("WHAT", both), "stated_new", "freed_if_new", "goes_further", rules=STATIC
    )
    assert stated == {("@g/%s", "@g/%own")} and {op for op, in new} == {"@g/memref.dealloc#5"}
    assert ("@g/%s",) in further  # by the second deallocation
    only = both.split("  memref.dealloc %s")[0] + "  return"
    further = derive(text.replace("WHAT", only), "goes_further", rules=STATIC)
    assert not {("@g/%s",), ("@g/%m",), ("@g/%b",)} & further


def test_no_i1_is_returned_beside_what_callers_free() -> None:
    freed_onward, not_indicated, indicated = derive(FREED, "freed_onward", "not_indicated", "indicated", rules=STATIC)
    inside = {("@larger/%a",), ("@larger/%r",), ("@larger/%x",)}
    assert freed_onward == {*inside, ("%m",), ("%s",), ("%v",)}
    assert not_indicated == {("@larger", 0)} and indicated == set()


# ---- callers that know --------------------------------------------------------------------------------------------

KNOWN = """
func.func private @perhaps(%c: i1, %x: memref<2xf32>) -> memref<2xf32> {
  %r = scf.if %c -> memref<2xf32> {
    %a = memref.alloc() : memref<2xf32>
    scf.yield %a : memref<2xf32>
  } else {
    scf.yield %x : memref<2xf32>
  }
  return %r : memref<2xf32>
}
func.func private @sides(%x: memref<2xf32>, %c: i1) -> memref<2xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %x : memref<2xf32>
^bb2:
  %a = memref.alloc() : memref<2xf32>
  return %a : memref<2xf32>
}
func.func private @through(%x: memref<2xf32>, %n: i32, %d: i1) -> (i32, memref<2xf32>) {
  %r = call @sides(%x, %d) : (memref<2xf32>, i1) -> memref<2xf32>
  return %n, %r : i32, memref<2xf32>
}
func.func @f(%c: i1, %n: i32, %m: memref<2xf32>) {
  %true = arith.constant true
  %false = arith.constant false
  %p = call @perhaps(%c, %m) : (i1, memref<2xf32>) -> memref<2xf32>
  %i, %t = call @through(%m, %n, %c) : (memref<2xf32>, i32, i1) -> (i32, memref<2xf32>)
  %q = call @perhaps(%true, %m) : (i1, memref<2xf32>) -> memref<2xf32>
  %s = call @sides(%m, %false) : (memref<2xf32>, i1) -> memref<2xf32>
  %o = call @sides(%m, %true) : (memref<2xf32>, i1) -> memref<2xf32>
  return
}
"""
KNOWN_TO = {("@perhaps", 0, 0, 1), ("@sides", 0, 1, 0), ("@through", 1, 2, 0)}


def test_an_argument_says_which() -> None:
    needs, told, tells, known, alone, on_sides, surely, grows, states = derive(
        KNOWN, "needs_indicator", "new_where_argument", "tells_caller", "known_to_callers", "returns_alone",
        "returns_on_sides", "returned_surely", "grows_indicator", "states_indicator", rules=STATIC,
    )
    assert told == tells == KNOWN_TO
    assert needs == known == {(function, result) for function, result, _, _ in KNOWN_TO} and grows == set()
    assert {row for row in alone if "@" in str(row[0])} == {
        ("@perhaps/func.return#5", "@perhaps"), ("@through/func.return#2", "@through"),
    }
    assert on_sides == {("@sides", 0, "@sides/%c", "false", "true")}
    assert surely == {("@sides/func.return#2", 0, "false"), ("@sides/func.return#4", 0, "true")}
    assert states == {
        ("@perhaps", "dealog.owned_0_if", "0 : i64"), ("@sides", "dealog.owned_0_unless", "1 : i64"),
        ("@through", "dealog.owned_1_unless", "2 : i64"),
    }


def test_what_callers_make_of_it() -> None:
    always, unless, new_if, negated, results, to_callers, frees, conditional = derive(
        KNOWN, "always_new", "new_unless", "new_if", "not_inserted", "result_appended", "left_to_callers",
        "free_inserted", "free_if_inserted", rules=STATIC,
    )
    assert always == set() and results == set()
    assert unless == {
        ("@through/%r", "@through/func.call#1", "@through/%d"), ("%t", "func.call#4", "%c"),
        ("%s", "func.call#6", "%false"), ("%o", "func.call#7", "%true"),
    }
    assert {row for row in new_if if "@" not in row[0]} == {
        ("%p", "%c"), ("%t", "own %t"), ("%q", "true"), ("%s", "true"), ("%o", "false"),
    }
    assert negated == {("own %t", "%c", "after", "func.call#4", 0)}
    assert to_callers == {("@perhaps/%r",), ("@through/%r",)}
    assert {row[0] for row in frees} == {"base %q after func.call#5", "base %s after func.call#6"}
    assert {row[1] for row in conditional} == {"%c", "own %t"}


def test_an_argument_that_is_stated_to_say_it() -> None:
    text = """
func.func private @perhaps(%c: i1, %x: memref<2xf32>) -> memref<2xf32> attributes {dealog.owned_0_if = 0 : i64} {
  %r = scf.if %c -> memref<2xf32> {
    %a = memref.alloc() : memref<2xf32>
    scf.yield %a : memref<2xf32>
  } else {
    scf.yield %x : memref<2xf32>
  }
  return %r : memref<2xf32>
}
func.func private @sides(%x: memref<2xf32>, %c: i1) -> memref<2xf32> attributes {dealog.owned_0_unless = 1 : i64} {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %x : memref<2xf32>
^bb2:
  %a = memref.alloc() : memref<2xf32>
  return %a : memref<2xf32>
}
func.func @f(%c: i1, %m: memref<2xf32>) {
  %true = arith.constant true
  %p = call @perhaps(%c, %m) : (i1, memref<2xf32>) -> memref<2xf32>
  scf.if %c {
    memref.dealloc %p : memref<2xf32>
  }
  %s = call @sides(%m, %c) : (memref<2xf32>, i1) -> memref<2xf32>
  %not = arith.xori %c, %true : i1
  scf.if %not {
    memref.dealloc %s : memref<2xf32>
  }
  %q = call @perhaps(%true, %m) : (i1, memref<2xf32>) -> memref<2xf32>
  memref.dealloc %q : memref<2xf32>
  return
}
"""
    stated_argument, stated, beside, stated_new, opposite, negation, surely, if_new, anew, by_hand, further = derive(
        text, "stated_argument", "stated", "beside_argument", "stated_new", "either_negation", "negation",
        "surely_stated", "freed_if_new", "indicated_anew", "freed_by_hand", "goes_further", rules=STATIC,
    )
    assert stated_argument == {("@perhaps", 0, 0, 1), ("@sides", 0, 1, 0)}
    assert stated == {("@perhaps", 0), ("@sides", 0)}
    assert beside == {("@perhaps", 0, 0), ("@sides", 0, 1)} and anew == set()
    assert stated_new == {("%p", "%c"), ("%q", "%true")}
    unless, asked, new_where = derive(text, "stated_new_unless", "asked_where", "is_new_where", rules=STATIC)
    assert unless == {("%s", "%c")} and asked == {("%p", "%c"), ("%s", "%not")} == new_where
    assert negation == {("%not", "%c")} and opposite == {("%not", "%c"), ("%c", "%not")}
    assert surely == {("%q",)}
    assert if_new == {("memref.dealloc#4",), ("memref.dealloc#9",), ("memref.dealloc#12",)}
    assert by_hand == {("@f",), ("@perhaps",), ("@sides",)} and not {("%p",), ("%s",), ("%q",), ("%m",)} & further
    assert run_dealog(text, ("static-buffer-deallocation",)).text == text


def test_a_private_function_that_frees_what_calls_gave_it_in_turn() -> None:
    """It frees what the first call returned where that is new, and the second returned another: no argument."""
    text = """
func.func private @new(%c: i1, %x: memref<2xf32>) -> memref<2xf32> attributes {dealog.owned_0_if = 0 : i64} {
  %r = scf.if %c -> memref<2xf32> {
    %a = memref.alloc() : memref<2xf32>
    scf.yield %a : memref<2xf32>
  } else {
    scf.yield %x : memref<2xf32>
  }
  return %r : memref<2xf32>
}
func.func private @f(%c: i1, %d: i1, %x: memref<2xf32>, %y: memref<2xf32>) {
  %r = call @new(%c, %x) : (i1, memref<2xf32>) -> memref<2xf32>
  %s = call @new(%d, %r) : (i1, memref<2xf32>) -> memref<2xf32>
  %left = arith.andi %c, %d : i1
  scf.if %left {
    memref.dealloc %r : memref<2xf32>
  }
  %either = arith.ori %d, %c : i1
  scf.if %either {
    memref.dealloc %s : memref<2xf32>
  }
  %t = call @new(%c, %y) : (i1, memref<2xf32>) -> memref<2xf32>
  %other = arith.ori %c, %d : i1
  scf.if %other {
    memref.dealloc %t : memref<2xf32>
  }
  return
}
func.func @main(%c: i1, %m: memref<2xf32>) {
  call @f(%c, %c, %m, %m) : (i1, i1, memref<2xf32>, memref<2xf32>) -> ()
  return
}
"""
    holds, new, given, frees, told = derive(
        text, "holds_with", "new_while", "new_or_given", "frees_argument", "known_while", rules=STATIC
    )
    r, s, t, c, d = "%r", "%s", "%t", "%c", "%d"
    assert {("%left", c), ("%left", d)} < holds and new == {(r, "%left"), (r, c)}
    assert given == {(s, "%either", r, c), (t, "%other", "%y", d)}
    assert {(r, "%left"), (s, "%either"), (t, "%other")} < told
    assert frees == {("@f", 3)}  # where %d holds, and %c does not, %t is %y


def test_what_is_freed_under_an_i1_is_traced_back_by_its_name() -> None:
    """By a view, a call that gives back what it gets, and a conjunction: where `%own` holds, it is no argument."""
    text = """
func.func private @same(%x: memref<2xf32>) -> memref<2xf32> {
  return %x : memref<2xf32>
}
func.func private @f(%c: i1, %d: i1, %x: memref<2xf32>) {
  %false = arith.constant false
  %true = arith.constant true
  %r, %own = scf.if %c -> (memref<2xf32>, i1) {
    %a = memref.alloc() : memref<2xf32>
    scf.yield %a, %true : memref<2xf32>, i1
  } else {
    scf.yield %x, %false : memref<2xf32>, i1
  }
  %s = func.call @same(%r) : (memref<2xf32>) -> memref<2xf32>
  %v = memref.cast %s : memref<2xf32> to memref<?xf32>
  %both = arith.andi %own, %d : i1
  scf.if %both {
    memref.dealloc %v : memref<?xf32>
  }
  return
}
func.func @main(%c: i1, %m: memref<2xf32>) {
  call @f(%c, %c, %m) : (i1, i1, memref<2xf32>) -> ()
  return
}
"""
    same, part, stated, frees = derive(
        text, "same_while", "part_while", "of_stated", "frees_argument", rules=STATIC
    )
    r, s, both, own = "%r", "%s", "%both", "%own"
    assert {(s, own, r), (s, both, r)} <= same and {(r, both, own), (s, both, own)} <= part
    assert stated == set() and frees == set()
    plain = text.replace("%both {", "%d {")
    assert derive(plain, "frees_argument", rules=STATIC) == {("@f", 2)}


def test_views_that_are_given_to_what_an_attribute_says_to_be_either() -> None:
    """%a is freed by its own name where the call does not give the view of it back; nothing is left to complete."""
    text = """
    func.func private @either(%c: i1, %x: memref<?xf32>) -> memref<?xf32> attributes {dealog.owned_0_unless = 0 : i64} {
      %r = scf.if %c -> (memref<?xf32>) {
        scf.yield %x : memref<?xf32>
      } else {
        %n = memref.alloc() : memref<4xf32>
        %v = memref.cast %n : memref<4xf32> to memref<?xf32>
        scf.yield %v : memref<?xf32>
      }
      return %r : memref<?xf32>
    }
    func.func @f(%c: i1) {
      %true = arith.constant true
      %a = memref.alloc() : memref<4xf32>
      %w = memref.cast %a : memref<4xf32> to memref<?xf32>
      %r = call @either(%c, %w) : (i1, memref<?xf32>) -> memref<?xf32>
      %own = arith.xori %c, %true : i1
      scf.if %own {
        memref.dealloc %a : memref<4xf32>
      }
      memref.dealloc %r : memref<?xf32>
      return
    }"""
    viewed, names, refused = derive(text, "viewed_as_either", "has_other_names", "refused", rules=STATIC)
    assert ("%a",) in viewed and ("%a",) in names and refused == set()
