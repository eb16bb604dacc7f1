"""Small functions in, what is folded of the code that Dealog inserted out.

In these texts a value whose name starts with `%own` counts as added by Dealog. An operation counts as
inserted if all its results do, a deallocation and an assertion always, and so does what stands in an inserted
operation.
"""

from __future__ import annotations

import pytest

from dealog.engine import solve
from dealog.extensions import NO_EXTENSIONS
from dealog.frontend import Operation, parse
from dealog.frontend.facts import export_facts

from . import derive as small

RULES = ("fold_inserted_code",)
ALWAYS_INSERTED = ("bufferization.dealloc", "cf.assert")


def derive(text: str, *relations: str) -> small.Rows | tuple[small.Rows, ...]:
    """What `relations` hold for the function `@f` of this body: as many sets of tuples; `@f/` is left out."""
    parameters = "%m: memref<2xf32>, %c: i1, %d: i1, %n: index, %p: memref<2xf32>, %x: i32"
    module = parse(f"func.func @f({parameters}) {{\n{text}\n}}")
    facts = export_facts(module, NO_EXTENSIONS.structure, locations=False)
    names = {op: name for name, op in facts.operations.items()}
    inserted = {op for op in module.walk() if _is_inserted(op)}
    inserted |= {inner for op in inserted for inner in op.walk()}
    facts.relations["inserted_operation"] = [(names[op],) for op in inserted]
    facts.relations["inserted_value"] = [(name,) for name in facts.values if "/%own" in name]
    derived = solve(small.program(RULES), facts.relations, engine="embedded", outputs=relations)
    rows = [{tuple(map(_short, row)) for row in derived[name]} for name in relations]
    return rows[0] if len(rows) == 1 else tuple(rows)


def _is_inserted(op: Operation) -> bool:
    added = [value.name.startswith("%own") for value in op.results]
    return op.name in ALWAYS_INSERTED or (all(added) and bool(added))


def _short(cell: str | int) -> str | int:
    return cell.replace("@f/", "") if isinstance(cell, str) else cell


USE = '"test.use"({}) : ({}) -> ()\nreturn'


def used(*values: str, type: str = "i1") -> str:
    """A user's operation on these values, and the end of the function."""
    return USE.format(", ".join(values), ", ".join([type] * len(values)))


CONSTANTS = "%t = arith.constant true\n%f = arith.constant false\n"

# ---- what Dealog made ----------------------------------------------------------------------------


def test_what_dealog_made():
    text = "%own = arith.andi %c, %d : i1\n%e = arith.andi %c, %d : i1\n" + used("%own", "%e")
    ours, our_value, open_to_folding = derive(text, "inserted_by_dealog", "our_value", "open_to_folding")
    assert ours == {("arith.andi#1",)}
    assert our_value == {("%own",)}
    assert open_to_folding == {("^bb0",)}
    assert derive(text, "at_stake", "uses") == ({("%own",)}, {("test.use#3", 0, "%own")})


def test_what_stands_outside_of_functions_is_left_alone():
    closed = derive("%own = arith.andi %c, %d : i1\n" + used("%own"), "closed_to_folding")
    assert closed == {("func.func#0",)}


def test_where_the_values_stand_that_something_may_take_the_place_of():
    text = """
        %f = arith.constant false
        %own_0 = arith.andi %c, %f : i1
        cf.br ^next(%own_0 : i1)
      ^next(%own: i1):
        return
    """
    arguments, added_in = derive(text, "our_argument", "added_in")
    assert arguments == {("%own", "^next", 0)}
    assert added_in == {("%own", "^next"), ("%own_0", "^bb0")}


def test_what_is_handed_over():
    handed, exits_with, goes_on_with = derive(
        """
        %f = arith.constant false
        %r, %own = scf.for %i = %n to %n step %n iter_args(%a = %m, %own_0 = %f) -> (memref<2xf32>, i1) {
          scf.yield %a, %own_0 : memref<2xf32>, i1
        }
        cf.br ^next(%own : i1)
      ^next(%own_1: i1):
        return
        """,
        "handed_value",
        "exits_with",
        "goes_on_with",
    )
    assert handed == {
        ("scf.for#2", 4, "%own_0"),
        ("scf.for#2", 4, "%own"),
        ("scf.yield#3", 1, "%own_0"),
        ("scf.yield#3", 1, "%own"),
        ("cf.br#4", 0, "%own_1"),
    }
    assert exits_with >= {("scf.for#2", 1, "scf.yield#3", 1)}
    assert goes_on_with == {("scf.for#2:0", 1, "scf.yield#3", 0), ("scf.for#2:0", 2, "scf.yield#3", 1)}


# ---- the values of an i1 --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "values"),
    [
        ("arith.andi %c, %t : i1", "both"),
        ("arith.andi %f, %c : i1", "false"),
        ("arith.andi %t, %t : i1", "true"),
        ("arith.andi %not, %c : i1", "false"),
        ("arith.ori %c, %t : i1", "true"),
        ("arith.ori %c, %f : i1", "both"),
        ("arith.ori %c, %not : i1", "true"),
        ("arith.xori %c, %c : i1", "false"),
        ("arith.xori %t, %f : i1", "true"),
        ("arith.xori %c, %not : i1", "true"),
        ("arith.select %c, %t, %t : i1", "true"),
        ("arith.select %t, %f, %c : i1", "false"),
        ("arith.select %c, %t, %f : i1", "both"),
        ("arith.cmpi eq, %n, %n : index", "both"),
    ],
)
def test_values_of_arithmetic(made, values):
    text = f"{CONSTANTS}%not = arith.xori %c, %t : i1\n%own = {made}\n" + used("%own")
    may_be, known_i1 = derive(text, "may_be", "known_i1")
    expected = {"true", "false"} if values == "both" else {values}
    assert {x for v, x in may_be if v == "%own"} == expected
    assert {x for v, x in known_i1 if v == "%own"} == (expected if len(expected) == 1 else set())


def test_operations_on_i1():
    text = f"""{CONSTANTS}
        %a = arith.andi %c, %d : i1
        %o = arith.ori %c, %d : i1
        %n1 = arith.xori %c, %t : i1
        %n2 = arith.xori %t, %d : i1
        %s = arith.select %c, %a, %o : i1
        %w = arith.andi %x, %x : i32
        %u = "test.i1"() : () -> i1
        return
        """
    names = ("conjunction", "disjunction", "exclusive_or", "i1_choice", "negation")
    both, either, differ, choice, opposite = derive(text, *names)
    assert both == {("%a", "%c", "%d")}
    assert either == {("%o", "%c", "%d")}
    assert differ == {("%n1", "%c", "%t"), ("%n2", "%t", "%d")}
    assert choice == {("%s", "%c", "%a", "%o")}
    assert opposite == {("%n1", "%c"), ("%n2", "%d")}
    parts = {"%a": ("%c", "%d"), "%o": ("%c", "%d"), "%s": ("%a", "%o"), "%n1": ("%c",), "%n2": ("%d",)}
    assert derive(text, "i1_part") == {(value, part) for value, of in parts.items() for part in of}
    i1, explained, boolean = derive(text, "is_i1", "explained", "boolean")
    assert i1 == {(v,) for v in ("%c", "%d", "%t", "%f", "%a", "%o", "%n1", "%n2", "%s", "%u")}
    assert explained == {(v,) for v in ("%t", "%f", "%a", "%o", "%n1", "%n2", "%s")}
    assert boolean == {("true",), ("false",)}


def test_a_choice_by_an_i1_between_it_and_its_negation():
    settled, known = derive(
        f"""{CONSTANTS}
        %own_n = arith.xori %c, %t : i1
        %own = arith.select %c, %c, %own_n : i1
        %own_1 = arith.select %c, %own_n, %c : i1
        """
        + used("%own", "%own_1").replace(": (i1)", ": (i1, i1)"),
        "settled_by_choice",
        "known_i1",
    )
    assert settled == {("%own", 1, "true"), ("%own", 2, "true"), ("%own_1", 1, "false"), ("%own_1", 2, "false")}
    assert ("%own", "true") in known and ("%own_1", "false") in known


def test_a_branch_settles_what_it_hands_on_of_its_condition():
    names = ("settled_by_branch", "forwards_i1", "branch_value", "known_i1")
    settled, forwards, values, known = derive(
        f"""{CONSTANTS}
        %own_n = arith.xori %c, %t : i1
        cf.cond_br %c, ^bb1(%c, %d : i1, i1), ^bb1(%own_n, %c : i1, i1)
        ^bb1(%own: i1, %own_1: i1):
        """
        + used("%own", "%own_1").replace(": (i1)", ": (i1, i1)"),
        *names,
    )
    branch = "cf.cond_br#4"
    assert settled == {(branch, 1, "true"), (branch, 3, "true"), (branch, 4, "false")}
    assert (branch, 3, "%own_n", "%c", 1) in forwards and (branch, 2, "%d", "%c", 0) in forwards
    assert values == {(0, "true"), (1, "false")}
    assert ("%own", "true") in known and "%own_1" not in {value for value, _ in known}


def test_loops_at_their_best():
    known_i1 = derive(
        f"""{CONSTANTS}
        %r, %own = scf.for %i = %n to %n step %n iter_args(%a = %m, %own_0 = %f) -> (memref<2xf32>, i1) {{
          %own_1 = arith.andi %own_0, %c : i1
          scf.yield %a, %own_1 : memref<2xf32>, i1
        }}
        """
        + used("%own"),
        "known_i1",
    )
    assert {("%own", "false"), ("%own_0", "false"), ("%own_1", "false")} <= known_i1


def test_only_the_region_that_runs_counts():
    known_i1, arm = derive(
        f"""{CONSTANTS}
        %r, %own = scf.if %t -> (memref<2xf32>, i1) {{
          scf.yield %m, %t : memref<2xf32>, i1
        }} else {{
          scf.yield %p, %f : memref<2xf32>, i1
        }}
        """
        + used("%own"),
        "known_i1",
        "region_runs_if",
    )
    assert ("%own", "true") in known_i1
    assert arm == {("scf.yield#4", "%t", "true"), ("scf.yield#5", "%t", "false")}


def test_values_of_deallocations():
    text = f"""{CONSTANTS}
        %base, %offset, %size, %stride = memref.extract_strided_metadata %m
            : memref<2xf32> -> memref<f32>, index, index, index
        %own:2 = bufferization.dealloc (%base : memref<f32>) if (%t)
            retain (%m, %p : memref<2xf32>, memref<2xf32>)
        %own_1 = bufferization.dealloc (%m : memref<2xf32>) if (%c) retain (%m : memref<2xf32>)
        %own_2 = bufferization.dealloc (%m : memref<2xf32>) if (%f) retain (%p : memref<2xf32>)
        """ + used("%own#0", "%own#1", "%own_1", "%own_2")
    known_i1, owns_retained = derive(text, "known_i1", "owns_retained")
    assert {v: x for v, x in known_i1 if v.startswith("%own")} == {"%own#0": "true", "%own_2": "false"}
    first, second = "bufferization.dealloc#4", "bufferization.dealloc#5"
    assert owns_retained == {(first, 0, 0), (second, 0, 0)}
    retains_own, base_of, may_hold = derive(text, "retains_own", "base_of", "may_hold")
    assert retains_own == {(first, 0), (second, 0)}
    assert base_of == {("%base", "%m")}
    assert may_hold == {(first,), (second,)}


# ---- what takes the place of a value --------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "other"),
    [
        ("arith.andi %c, %t : i1", "%c"),
        ("arith.andi %t, %c : i1", "%c"),
        ("arith.andi %c, %c : i1", "%c"),
        ("arith.ori %f, %c : i1", "%c"),
        ("arith.ori %c, %f : i1", "%c"),
        ("arith.ori %c, %c : i1", "%c"),
        ("arith.xori %c, %f : i1", "%c"),
        ("arith.xori %f, %c : i1", "%c"),
        ("arith.xori %not, %t : i1", "%c"),
        ("arith.xori %t, %not : i1", "%c"),
        ("arith.select %t, %c, %d : i1", "%c"),
        ("arith.select %f, %d, %c : i1", "%c"),
        ("arith.select %d, %c, %c : i1", "%c"),
        ("arith.select %c, %t, %f : i1", "%c"),
        ("arith.select %c, %d, %f : i1", None),
        ("arith.andi %c, %d : i1", None),
        ("arith.xori %c, %t : i1", None),
    ],
)
def test_equal_values(made, other):
    text = f"{CONSTANTS}%not = arith.xori %c, %t : i1\n%own = {made}\n" + used("%own")
    folds_to, open_, negates = derive(text, "folds_to", "varying_value", "negates")
    assert folds_to == ({("%own", other)} if other else set())
    assert open_ == {("%own",)}
    assert ("%not", "%c") in negates


def test_what_both_regions_yield():
    folds_to, negation, yields = derive(
        f"""{CONSTANTS}
        %r:3, %own:3 = scf.if %c -> (memref<2xf32>, memref<2xf32>, memref<2xf32>, i1, i1, i1) {{
          scf.yield %m, %m, %m, %t, %f, %d : memref<2xf32>, memref<2xf32>, memref<2xf32>, i1, i1, i1
        }} else {{
          scf.yield %p, %p, %p, %f, %t, %d : memref<2xf32>, memref<2xf32>, memref<2xf32>, i1, i1, i1
        }}
        """
        + used("%own#0", "%own#1", "%own#2"),
        "folds_to",
        "negation_of",
        "yields_by_condition",
    )
    assert folds_to == {("%own#0", "%c"), ("%own#2", "%d")}
    assert negation == {("%own#1", "%c")}
    assert yields == {
        ("%own#0", "%c", "%t", "%f"),
        ("%own#1", "%c", "%f", "%t"),
        ("%own#2", "%c", "%d", "%d"),
    }


def test_an_scf_if_that_is_decided():
    text = f"""{CONSTANTS}
        %own = scf.if %t -> (memref<2xf32>) {{
          scf.yield %m : memref<2xf32>
        }} else {{
          %own_1 = bufferization.clone %p : memref<2xf32> to memref<2xf32>
          scf.yield %own_1 : memref<2xf32>
        }}
        """ + used("%own", type="memref<2xf32>")
    taken_region, decided, folds_to = derive(text, "taken_region", "decided", "folds_to")
    assert taken_region == {("scf.if#3", 0)}
    assert decided == {("%own",)}
    assert folds_to == {("%own", "%m")}
    skipped, lost, hands_over, erased = derive(
        text, "skipped", "in_dead_region", "hands_over", "inserted_op_erased"
    )
    assert skipped == {("scf.if#3.1",)}
    assert ("bufferization.clone#5",) in lost
    assert ("scf.yield#4",) not in lost
    assert hands_over == {("scf.yield#4",)}
    assert erased == {("scf.if#3",)}


def test_chains_of_equal_values():
    text = f"""{CONSTANTS}
        %own = arith.andi %c, %t : i1
        %own_1 = arith.ori %own, %f : i1
        %own_2 = arith.andi %own_1, %d : i1
        """ + used("%own_2")
    same_as, gives_way, becomes = derive(text, "same_as", "gives_way", "replaced_by")
    assert same_as == {("%own", "%c"), ("%own_1", "%own")}
    assert gives_way == {("%own",), ("%own_1",)}
    assert becomes == {("%own", "%c"), ("%own_1", "%c")}
    folds_further, needed = derive(text, "folds_further", "needed")
    assert folds_further == {("%own",), ("%own_1",)}
    assert {v for (v,) in needed} == {"%c", "%own_2"}  # of the values of the text, only what takes a place


def test_operations_inserted_twice():
    metadata = "memref.extract_strided_metadata %m : memref<2xf32> -> memref<f32>, index, index, index"
    text = f"""{CONSTANTS}
        %own:4 = {metadata}
        %own_1:4 = {metadata}
        %own_2 = arith.andi %c, %d : i1
        %own_3 = arith.andi %c, %d : i1
        %own_4 = arith.andi %d, %c : i1
        %own_5 = arith.select %c, %d, %own_2 : i1
        %own_6 = memref.cast %m : memref<2xf32> to memref<?xf32>
        %own_7 = memref.cast %m : memref<2xf32> to memref<*xf32>
        """ + used("%own_3", "%own_4")
    repeats, signature, first_position = derive(text, "repeats", "signature", "first_position")
    assert repeats == {
        ("memref.extract_strided_metadata#4", "memref.extract_strided_metadata#3"),
        ("arith.andi#6", "arith.andi#5"),
    }
    assert len(signature) == 8
    assert {p for _, _, p in first_position} == {2, 4, 6, 7, 8, 9}
    same_as, unary, binary, without_effects = derive(text, "same_as", "unary", "binary", "without_effects")
    assert {("%own_1#0", "%own#0"), ("%own_3", "%own_2")} <= same_as
    assert unary | binary <= without_effects


# ---- constants -------------------------------------------------------------------------------------


def test_one_constant_for_a_function():
    text = f"""{CONSTANTS}
        %own = arith.constant true
        %own_1 = arith.constant 0 : index
        scf.if %c {{
          %own_2 = arith.constant 0 : index
          "test.use"(%own_2) : (index) -> ()
        }}
        "test.use"(%own, %own_1) : (i1, index) -> ()
        return
        """
    becomes_constant, used_constant, makes_constant = derive(
        text, "becomes_constant", "used_constant", "makes_constant"
    )
    assert becomes_constant == {("%own", "true"), ("%own_1", "0 : index"), ("%own_2", "0 : index")}
    assert used_constant == {("@f", "true", "%t"), ("@f", "0 : index", "%own_1")}
    assert makes_constant == set()
    keeps, erased, constant = derive(text, "op_kept", "inserted_op_erased", "constant_made")
    assert ("arith.constant#4",) in keeps
    assert erased == {("arith.constant#3",), ("arith.constant#6",)}
    assert ("arith.constant#4", "%own_1", "0 : index") in constant


def test_a_constant_that_comes_too_late():
    text = """
        scf.if %c {
          %own = arith.constant true
          "test.use"(%own) : (i1) -> ()
        }
        %t = arith.constant true
        return
        """
    comes_late, makes_constant, wants, wants_constant = derive(
        text, "comes_late", "makes_constant", "wants", "wants_constant"
    )
    assert comes_late == makes_constant == wants == {("@f", "true")}
    assert derive(text, "folded_constant") == {("@f", "true", "@f constant true")}
    assert wants_constant == {("@f", "true", "%own")}
    wants_before, first_constant, in_entry = derive(text, "wants_before", "first_constant", "in_entry")
    assert wants_before == {("@f", "true", 0)}
    assert first_constant == in_entry == {("@f", "true", 1)}
    entry_position, entry_block = derive(text, "entry_position", "entry_block")
    assert ("scf.if#1.0", "@f", 0) in entry_position
    assert entry_block == {("@f", "^bb0")}


def test_a_negation_wants_true():
    text = """
        %f = arith.constant false
        %t = arith.constant true
        %own = arith.select %c, %f, %t : i1
        """ + used("%own")
    negated, negated_in, wants, used_constant = derive(
        text, "becomes_negation", "negated_in", "wants", "used_constant"
    )
    assert negated == {("%own", "%c")}
    assert negated_in == {("%own", "@f")}
    assert wants == {("@f", "true")}
    assert used_constant == {("@f", "true", "%t")}


# ---- what is needed --------------------------------------------------------------------------------


def test_operations_that_have_nothing_to_do():
    text = f"""{CONSTANTS}
        %own = bufferization.dealloc (%m, %p : memref<2xf32>, memref<2xf32>) if (%f, %c)
            retain (%p : memref<2xf32>)
        bufferization.dealloc (%m : memref<2xf32>) if (%f)
        cf.assert %t, "holds"
        cf.assert %c, "may fail"
        %own_1 = arith.andi %c, %d : i1
        """ + used("%own")
    idle, spared, frees_some, removable, erased, dead_operand = derive(
        text, "idle", "never_freed", "frees_some", "removable", "inserted_op_erased", "dead_operand"
    )
    assert idle == {("bufferization.dealloc#4",), ("cf.assert#5",)}
    assert spared == {("bufferization.dealloc#3", 0), ("bufferization.dealloc#4", 0)}
    assert frees_some == {("bufferization.dealloc#3",)}
    assert removable == {("arith.andi#7",)}
    assert erased == idle | removable
    assert dead_operand == {("bufferization.dealloc#3", i) for i in (0, 2)} | {
        ("bufferization.dealloc#4", i) for i in (0, 1)
    }


def test_conditions_that_turn_out_to_be_known():
    """They call for simplification again, where there is something to tell apart."""
    both = "%own = arith.andi %f, %c : i1\n"
    pair = "bufferization.dealloc (%m, %p : memref<2xf32>, memref<2xf32>) if ({}, %d)\nreturn"
    one = "bufferization.dealloc (%m : memref<2xf32>) if ({})\nreturn"
    kept = "%own_1 = bufferization.dealloc (%m : memref<2xf32>) if ({}) retain (%p : memref<2xf32>)\nreturn"
    for text, condition, settled in [
        (pair, "%own", True), (one, "%own", False), (kept, "%own", True), (pair, "%f", False), (pair, "%c", False)
    ]:  # fmt: skip
        newly, settles, calls = derive(CONSTANTS + both + text.format(condition), "newly_known", "settles", "calls_for")
        assert newly == ({("bufferization.dealloc#4", "false")} if settled else set())
        assert settles == ({("bufferization.dealloc#4",)} if settled else set())
        assert calls == ({("buffer-deallocation-simplification",)} if settled else set())


def test_buffers_that_turn_out_to_be_freed_always():
    """Among few, or for what is retained, that may tell something; among many it does not."""
    either = "%own = arith.ori %t, %c : i1\n"

    def dealloc(memrefs, retained=""):
        listed, types, owned = (", ".join([each] * memrefs) for each in ("%m", "memref<2xf32>", "%own"))
        return f"{retained and '%own_1 = '}bufferization.dealloc ({listed} : {types}) if ({owned})"

    for text, settled in [
        (dealloc(2), True), (dealloc(9), False), (dealloc(9, "retains") + " retain (%p : memref<2xf32>)", True)
    ]:  # fmt: skip
        newly, settles = derive(CONSTANTS + either + text + "\nreturn", "newly_known", "settles")
        assert newly == {("bufferization.dealloc#4", "true")}
        assert settles == ({("bufferization.dealloc#4",)} if settled else set())


def test_what_is_retained_turns_out_to_be_a_clone():
    """Where Dealog inserted the scf.if that yields it, and its condition is known."""
    text = """%owned = scf.if {} -> (memref<2xf32>) {{
      scf.yield %m : memref<2xf32>
    }} else {{
      %clone = bufferization.clone %m : memref<2xf32> to memref<2xf32>
      scf.yield %clone : memref<2xf32>
    }}
    %own = bufferization.dealloc (%m : memref<2xf32>) if (%c) retain (%owned : memref<2xf32>)
    return"""
    for condition, calls in (("%f", True), ("%c", False)):
        settles, called = derive(CONSTANTS + text.format(condition), "settles", "calls_for")
        assert {op.split("#")[0] for (op,) in settles} == ({"bufferization.dealloc"} if calls else set())
        assert called == ({("buffer-deallocation-simplification",)} if calls else set())


LOOPS = f"""{CONSTANTS}
    %r:2, %own:2 = scf.for %i = %n to %n step %n iter_args(%a = %m, %b = %p, %own_1 = %f, %own_2 = %f)
        -> (memref<2xf32>, memref<2xf32>, i1, i1) {{
      %y = "test.i1"() : () -> i1
      scf.yield %a, %b, %y, %own_2 : memref<2xf32>, memref<2xf32>, i1, i1
    }}
    """


@pytest.mark.parametrize(
    ("uses", "stays"), [((), set()), (("%own#0",), {"%own#0", "%own_1"}), (("%own#1",), set())]
)
def test_what_travels_is_needed_at_the_end_of_its_way(uses, stays):
    text = LOOPS + used(*uses)
    staying, dropped, dropped_operand, companion = derive(
        text, "stays", "companion_dropped", "dropped_operand", "companion"
    )
    companions = {"%own#0", "%own#1", "%own_1", "%own_2"}
    assert {v for (v,) in companion} == companions
    assert {v for (v,) in staying} == stays
    assert {v for (v,) in dropped} == companions - stays
    second = {("scf.for#3", 6), ("scf.yield#5", 3)}
    assert dropped_operand == second | (set() if stays else {("scf.for#3", 5), ("scf.yield#5", 2)})
    feeds, fed = derive(text, "feeds", "fed")
    assert ("scf.for#3", 5, "%own_1") in feeds
    assert {row[:2] for row in feeds} == fed


def test_blocks_that_hand_an_argument_round():
    text = """
        cf.br ^loop(%m, %c : memref<2xf32>, i1)
      ^loop(%a: memref<2xf32>, %own: i1):
        cf.cond_br %d, ^loop(%a, %own : memref<2xf32>, i1), ^exit
      ^exit:
        return
        """
    names = ("companion_dropped", "dropped_operand", "needed_operand", "wanted", "uses")
    dropped, dropped_operand, reads, wanted, uses = derive(text, *names)
    assert dropped == {("%own",)}
    assert dropped_operand == {("cf.br#1", 1), ("cf.cond_br#2", 2)}
    assert uses == {("cf.cond_br#2", 2, "%own")} and reads == set()
    assert ("cf.br#1", 1, "%c") not in reads
    assert ("%own",) not in wanted


def test_what_a_function_returns_stays():
    text = "%own = arith.andi %c, %d : i1\n%own_1 = arith.ori %c, %d : i1\nreturn %own : i1"
    assert derive(text, "inserted_op_erased") == {("arith.ori#2",)}


def test_a_buffer_is_where_it_is():
    def pointers(predicate):
        return (
            "%own = memref.extract_aligned_pointer_as_index %m : memref<2xf32> -> index\n"
            "%own_1 = memref.extract_aligned_pointer_as_index %m : memref<2xf32> -> index\n"
            f'%own_2 = "arith.cmpi"(%own, %own_1) <{{predicate = {predicate} : i64}}> : (index, index) -> i1\n'
            + used("%own_2")
        )

    compares, itself, known = derive(pointers(1), "compares", "compares_itself", "known_i1")
    assert compares == {("%own_2", "1 : i64", "%own", "%own_1")}
    assert itself == {("%own_2", "false")} and ("%own_2", "false") in known
    pointer, itself, equality = derive(pointers(0), "pointer_of", "compares_itself", "equality")
    assert pointer == {("%own", "%m"), ("%own_1", "%m")} and itself == {("%own_2", "true")}
    assert equality == {("0 : i64", "true"), ("1 : i64", "false")}
