"""Definers and ways: which buffers bring an allocation into a scope, and how they get from one name to another."""

from __future__ import annotations

from tests.rules.derive import derive
from tests.rules.static_programs import BRANCH, CHOICE, LOOP, NAMED, STORED, WITHIN

STATIC = ("static_buffer_deallocation",)


def test_an_edge_is_a_way() -> None:
    """A way has the successor that is taken, and the operand; the argument it becomes is a definer of its own."""
    way, plain_way, receiver, new_buffer, definer, rooted_in, forwards_operand, flows_on, joined_block = derive(
        BRANCH,
        "way_into",
        "plain_way",
        "receiver",
        "new_buffer",
        "is_definer",
        "rooted_in",
        "forwards_operand",
        "flows_on",
        "joined_block",
        rules=STATIC,
    )
    assert way == {("cf.cond_br#3", 0, 1, "%x")}
    assert plain_way == {("cf.cond_br#3", 1, "%x")}
    assert receiver == {("%x",)}
    assert new_buffer == {("%a",), ("%b",)}
    assert definer == {("%a",), ("%b",), ("%m",), ("%x",)}
    assert rooted_in == {("%a", "%a"), ("%b", "%b"), ("%m", "%m"), ("%x", "%x")}
    assert forwards_operand == {("cf.cond_br#3", 1)}
    assert flows_on == {("%a",)}
    assert joined_block == {("^bb1",)}


def test_a_loop_has_four_ways() -> None:
    """Into the body and past it, and from the end of the body: one operand becomes two buffers."""
    way, plain_way, shares_operand, leaves_region, definer = derive(
        LOOP, "way_into", "plain_way", "shares_operand", "leaves_region", "is_definer", rules=STATIC
    )
    assert way == {
        ("scf.for#2", -1, 3, "%r"),
        ("scf.for#2", 0, 3, "%x"),
        ("scf.yield#5", -1, 0, "%r"),
        ("scf.yield#5", 0, 0, "%x"),
    }
    assert plain_way == {
        ("scf.for#2", 3, "%r"),
        ("scf.for#2", 3, "%x"),
        ("scf.yield#5", 0, "%r"),
        ("scf.yield#5", 0, "%x"),
    }
    assert shares_operand == {("%r",), ("%x",)}
    assert leaves_region == {("scf.yield#5", "scf.for#2.0")}
    assert definer == {("%a",), ("%b",), ("%m",), ("%r",), ("%x",)}


def test_a_choice_that_goes_on_is_a_definer() -> None:
    """%s is handed to a block, %t is not: it only is another name of both."""
    way, chosen, chosen_definer, another_name, several_roots, rooted_in, definer, forwarded_name = derive(
        CHOICE,
        "way_into",
        "chosen_by_i1",
        "chosen_definer",
        "another_name",
        "several_roots",
        "rooted_in",
        "is_definer",
        "forwarded_name",
        rules=STATIC,
    )
    assert way == {("arith.select#3", 0, 1, "%s"), ("arith.select#3", 1, 2, "%s"), ("cf.br#5", 0, 0, "%x")}
    assert chosen == {("%s", "arith.select#3"), ("%t", "arith.select#4")}
    assert chosen_definer == {("%s", "arith.select#3")}
    assert another_name == {("%t", "%m"), ("%t", "%s")}
    assert several_roots == {("%t",)}
    assert rooted_in == {
        ("%a", "%a"),
        ("%b", "%b"),
        ("%m", "%m"),
        ("%s", "%s"),
        ("%t", "%m"),
        ("%t", "%s"),
        ("%x", "%x"),
    }
    assert definer == {("%a",), ("%b",), ("%m",), ("%s",), ("%x",)}
    assert forwarded_name == {("%s",), ("%t",), ("%x",)}


def test_a_receiver_of_what_is_in_scope_anyway_is_another_name() -> None:
    """%x may be %m, which is never ours, or %a, which dominates it: no i1 is needed to free %a by its name."""
    lent_from_outside, never_ours, gets_from_within, named_by_sources, another_name, definer, several_roots = derive(
        NAMED,
        "lent_from_outside",
        "never_ours",
        "gets_from_within",
        "named_by_sources",
        "another_name",
        "is_definer",
        "several_roots",
        rules=STATIC,
    )
    assert lent_from_outside == {("%x",)}
    assert never_ours == {("%m",)}
    assert gets_from_within == set()
    assert named_by_sources == {("%x",)}
    assert another_name == {("%x", "%a"), ("%x", "%m")}
    assert definer == {("%a",), ("%m",)}
    assert several_roots == {("%x",)}


def test_what_comes_from_a_region_is_no_other_name() -> None:
    """%q may be %a, in scope in front of it; %r may be %b, whose name ends with its region."""
    lent_from_outside, gets_from_within, named_by_sources, another_name, forwarded_name, definer = derive(
        WITHIN,
        "lent_from_outside",
        "gets_from_within",
        "named_by_sources",
        "another_name",
        "forwarded_name",
        "is_definer",
        rules=STATIC,
    )
    assert lent_from_outside == {("%q",), ("%r",)}
    assert gets_from_within == {("%r",)}
    assert named_by_sources == {("%q",)}
    assert another_name == {("%q", "%a"), ("%q", "%m")}
    assert forwarded_name == {("%q",), ("%r",)}
    assert definer == {("%a",), ("%b",), ("%m",), ("%r",)}


DANGLING = """
func.func @f(%c: i1, %p: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %r = scf.if %c -> (memref<4xf32>) {
    memref.dealloc %a : memref<4xf32>
    scf.yield %p : memref<4xf32>
  } else {
    %w:2 = scf.while (%j = %zero) : (index) -> (index, memref<4xf32>) {
      %o = arith.cmpi ult, %j, %zero : index
      scf.condition(%o) %j, %a : index, memref<4xf32>
    } do {
    ^bb0(%j: index, %b: memref<4xf32>):
      scf.yield %j : index
    }
    memref.dealloc %a : memref<4xf32>
    scf.yield %w#1 : memref<4xf32>
  }
  return
}
"""


def test_what_always_is_an_allocation_in_scope_comes_from_there() -> None:
    """%r, which nothing needs, may be %w#1, which always is %a: the text frees that, and %r is no other owner of it."""
    gets, within, named, refused = derive(
        DANGLING, "gets_perhaps_ours", "gets_from_within", "named_by_sources", "refused", rules=STATIC
    )
    assert gets >= {("%r", "%a")} and ("%r", "%w#1") not in gets
    assert ("%r",) not in within and ("%r",) in named and refused == set()


def test_one_block_is_known_to_dominate_a_join() -> None:
    before, sources, only_before, between, branches_to, joined_block, known_to_dominate = derive(
        NAMED,
        "block_before",
        "sources",
        "only_before",
        "between",
        "branches_to",
        "joined_block",
        "known_to_dominate",
        rules=STATIC,
    )
    assert before == {("^bb0", "^bb1"), ("^bb0", "^bb2"), ("^bb1", "^bb3"), ("^bb2", "^bb3")}
    assert sources == {("^bb1", 1), ("^bb2", 1), ("^bb3", 2)}
    assert only_before == {("^bb0", "^bb1"), ("^bb0", "^bb2")}
    assert between == {("^bb0", "^bb3", "^bb1"), ("^bb0", "^bb3", "^bb2")}
    assert branches_to == {("^bb0", "^bb3")}
    assert joined_block == {("^bb3",)}
    assert known_to_dominate == {("^bb0", "^bb3")}


def test_what_foreign_memory_keeps_is_not_ours() -> None:
    """%b goes to memory of the caller, and is refused; %a goes to memory that is ours."""
    may_be_ours, never_ours, treated, refused = derive(
        STORED, "may_be_ours", "never_ours", "treated", "refused", rules=STATIC
    )
    assert refused == {("memref.alloc#2", 12, "this buffer is kept in memory that outlives it")}
    assert may_be_ours == {("%a",), ("%b",), ("%h",)}
    assert never_ours == {("%l",), ("%m",)}
    assert treated == {("%a",), ("%b",), ("%h",), ("%l",), ("%m",)}


def test_what_nothing_uses_is_not_handed_over() -> None:
    """%y and %z are not used; %b is, by its own name."""
    text = """
    func.func @f(%c: i1, %m: memref<2xf32>) {
      %a = memref.alloc() : memref<2xf32>
      %b = memref.alloc() : memref<2xf32>
      cf.cond_br %c, ^bb1(%m, %m : memref<2xf32>, memref<2xf32>), ^bb1(%a, %a : memref<2xf32>, memref<2xf32>)
    ^bb1(%x: memref<2xf32>, %y: memref<2xf32>):
      memref.copy %x, %m : memref<2xf32> to memref<2xf32>
      cf.cond_br %c, ^bb2(%b : memref<2xf32>), ^bb2(%m : memref<2xf32>)
    ^bb2(%z: memref<2xf32>):
      memref.copy %b, %m : memref<2xf32> to memref<2xf32>
      return
    }
    """
    left_unused, way_into = derive(text, "left_unused", "way_into", rules=STATIC)
    assert left_unused == {("%y",), ("%z",)}
    assert {receiver for *_, receiver in way_into} == {"%x"}


def test_what_only_goes_round_is_used_by_nothing() -> None:
    """%x is brought to itself by the second branch, and to %y, which is used in one of the programs."""
    text = """
    func.func @f(%c: i1, %m: memref<2xf32>) {
      %a = memref.alloc() : memref<2xf32>
      memref.copy %m, %a : memref<2xf32> to memref<2xf32>
      cf.br ^bb1(%a : memref<2xf32>)
    ^bb1(%x: memref<2xf32>):
      cf.cond_br %c, ^bb1(%x : memref<2xf32>), ^bb2(%x : memref<2xf32>)
    ^bb2(%y: memref<2xf32>):
      return
    }
    """
    relations = (
        "left_unused", "used_in_the_end", "brings_to_block", "brings_to_used", "only_goes_round", "freed_after"
    )  # fmt: skip
    left_unused, used, brings, to_used, goes_round, freed = derive(text, *relations, rules=STATIC)
    assert left_unused == {("%x",), ("%y",)} and used == {("%m",)} and freed == {("%a", "memref.copy#2")}
    assert brings == {("cf.br#3", 0, "%x"), ("cf.cond_br#4", 1, "%x"), ("cf.cond_br#4", 2, "%y")}
    assert to_used == set() and goes_round == {("cf.br#3", 0), ("cf.cond_br#4", 1), ("cf.cond_br#4", 2)}
    text = text.replace("      return", "      memref.copy %y, %m : memref<2xf32> to memref<2xf32>\n      return")
    left_unused, used, brings, to_used, goes_round, freed = derive(text, *relations, rules=STATIC)
    assert left_unused == set() and used == {("%m",), ("%x",), ("%y",)} and freed == {("%y", "memref.copy#5")}
    assert to_used == {(op, operand) for op, operand, _ in brings} and goes_round == set()


def test_a_name_that_is_in_scope_beyond_a_branch() -> None:
    """`%a` is defined in a block from which control comes to the branch, and from both of its targets to `%r`."""
    text = """
    func.func @f(%c: i1, %m: memref<2xf32>) {
      cf.br ^bb1
    ^bb1:
      %a = memref.alloc() : memref<2xf32>
      cf.br ^bb2
    ^bb2:
      cf.cond_br %c, ^bb3, ^bb4
    ^bb3:
      cf.br ^bb5(%a : memref<2xf32>)
    ^bb4:
      BRANCH
    ^bb5(%r: memref<2xf32>):
      memref.copy %r, %m : memref<2xf32> to memref<2xf32>
      return
    }"""
    meets = text.replace("BRANCH", "cf.br ^bb5(%m : memref<2xf32>)")
    on_the_way, asked, named, refused = derive(
        meets, "on_the_way", "asked_of_names", "named_by_sources", "refused", rules=STATIC
    )
    assert on_the_way == asked == {("^bb1", "^bb5")} and named == {("%r",)} and refused == set()
    beside = meets.replace("cf.br ^bb1\n", "cf.cond_br %c, ^bb1, ^bb5(%m : memref<2xf32>)\n")
    on_the_way, named = derive(beside, "on_the_way", "named_by_sources", rules=STATIC)
    assert on_the_way == set() and named == set()


def test_what_a_constant_keeps_from_being_handed_on() -> None:
    """%m is never handed on; %a would be handed on as ours, and stays what it was."""
    text = """
func.func @f(%n: memref<4xf32>, %m: memref<4xf32>) {
  %true = arith.constant true
  %a = memref.alloc() : memref<4xf32>
  %r = scf.if %true -> (memref<4xf32>) {
    scf.yield %a : memref<4xf32>
  } else {
    %v = memref.cast %m : memref<4xf32> to memref<4xf32>
    scf.yield %v : memref<4xf32>
  }
  cf.cond_br %true, ^bb1(%n : memref<4xf32>), ^bb1(%m : memref<4xf32>)
^bb1(%s: memref<4xf32>):
  memref.copy %r, %s : memref<4xf32> to memref<4xf32>
  return
}
"""
    never, unreached, plain, borrowed = derive(
        text, "never_handed", "unreached_way", "plain_way", "borrowed_name", rules=STATIC
    )
    assert never == {("scf.yield#6", 0), ("cf.cond_br#7", 2)}
    assert unreached == {("scf.yield#6", 0, "%r"), ("cf.cond_br#7", 2, "%s")}
    assert plain == {("scf.yield#4", 0, "%r"), ("cf.cond_br#7", 1, "%s")}
    assert borrowed == {("%n",), ("%m",), ("%v",)}


def test_what_blocks_would_hand_on_that_control_never_comes_to() -> None:
    text = """
func.func @f(%c: i1, %m: memref<4xf32>, %n: memref<4xf32>) {
  %true = arith.constant true
  cf.cond_br %true, ^bb2, ^bb1
^bb1:
  cf.br ^bb3(%n : memref<4xf32>)
^bb2:
  cf.cond_br %c, ^bb3(%m : memref<4xf32>), ^bb4
^bb3(%r: memref<4xf32>):
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  cf.br ^bb4
^bb4:
  return
}
"""
    other, branches, known, excluded, may, handed = derive(
        text, "other_way", "never_branches", "chooses_known", "excluded_block", "may_come_to", "never_handed",
        rules=STATIC,
    )  # fmt: skip
    assert other == {("true", 1), ("false", 0)}
    assert branches == {("cf.cond_br#2", 1)}
    assert len(known) == 1 and excluded == {("^bb1",)}
    assert may == {("^bb0",), ("^bb2",), ("^bb3",), ("^bb4",)}
    assert handed == {("cf.br#3", 0)}


def test_what_is_in_a_region_that_control_never_comes_to() -> None:
    text = """
func.func @f(%c: i1) {
  return
^never:
  scf.if %c {
    %a = memref.alloc() : memref<4xf32>
  }
  return
}
"""
    assert derive(text, "treated", rules=STATIC) == set()

