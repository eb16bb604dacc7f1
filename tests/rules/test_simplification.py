"""Which run-time checks of a deallocation are answered by what is known of its buffers."""

from .derive import Rows
from .derive import derive as derive_by

T = "memref<2xf32>"
SIMPLIFICATION = ("buffer_deallocation_simplification",)


def derive(text: str, *relations: str) -> Rows | tuple[Rows, ...]:
    return derive_by(text, *relations, rules=SIMPLIFICATION)


def dealloc(freed: str, conditions: str, retained: str = "", results: str = "") -> str:
    def typed(names: str) -> str:
        return f"{names} : {', '.join([T] * len(names.split(',')))}"

    text = f"  {results} = " if results else "  "
    text += f"bufferization.dealloc ({typed(freed)}) if ({conditions})"
    return text + (f" retain ({typed(retained)})\n" if retained else "\n")


def function(lines: str, last: str = "") -> str:
    head = f"func.func private @g() -> {T}\nfunc.func @f(%c: i1, %d: i1, %m: {T}, %n: {T}) {{\n"
    return head + "  %true = arith.constant true\n  %false = arith.constant false\n" + lines + last + "  return\n}\n"


ALLOC = f"  %a = memref.alloc() : {T}\n  memref.copy %m, %a : {T} to {T}\n"
BOTH = ALLOC + f"  %b = memref.alloc() : {T}\n  memref.copy %m, %b : {T} to {T}\n"
D = "bufferization.dealloc#"
MADE = f"%k = memref.alloc() : {T}\n  return %k : {T}\n"


def test_conditions_that_are_constant() -> None:
    lines = BOTH + dealloc("%a, %b, %m", "%true, %false, %c")
    always, never, considered = derive(function(lines), "freed_always", "freed_never", "may_be_freed")
    assert always == {(f"{D}7", 0)} and never == {(f"{D}7", 1)}
    assert considered == {(f"{D}7", 0, "%a"), (f"{D}7", 2, "%m")}


def test_the_base_of_an_allocation_is_the_allocation() -> None:
    lines = ALLOC + f"  %p, %o, %s, %t = memref.extract_strided_metadata %a : {T} -> memref<f32>, index, index, index\n"
    lines += "  bufferization.dealloc (%p : memref<f32>) if (%c)\n"
    base, freed = derive(function(lines), "base_of_allocation", "freed_buffer")
    assert base == {("%p", "%a")}
    assert freed == {(f"{D}6", 0, "%a")}


def test_what_stands_twice() -> None:
    lines = ALLOC + dealloc("%a, %a", "%c, %d", "%m, %m", "%r, %s")
    assert derive(function(lines), "freed_as") == {(f"{D}5", 0, "%a"), (f"{D}5", 1, "%a")}
    twice, first, some, retained, retained_first, some_retained = derive(
        function(lines), "freed_twice", "freed_first", "some_freed", "retained_twice", "retained_first", "some_retained"
    )
    assert twice == {(f"{D}5", 1, 0)} and first == {(f"{D}5", "%a", 0)} and some == {(f"{D}5", "%a")}
    assert retained == {(f"{D}5", 1, 0)} and retained_first == {(f"{D}5", "%m", 0)}
    assert some_retained == {(f"{D}5", "%m")}


def test_names_of_one_buffer_are_freed_and_retained_as_one() -> None:
    lines = ALLOC + f"  %v = memref.cast %a : {T} to {T}\n  %w = memref.cast %m : {T} to {T}\n"
    lines += dealloc("%v, %a", "%c, %true", "%m, %w", "%r, %s")
    freed, retained, twice, again, surely = derive(
        function(lines), "freed_as", "retained_as", "freed_twice", "retained_twice", "freed_surely"
    )
    assert freed == {(f"{D}7", 0, "%a"), (f"{D}7", 1, "%a")} and twice == {(f"{D}7", 1, 0)}
    assert retained == {(f"{D}7", 0, "%m"), (f"{D}7", 1, "%m")} and again == {(f"{D}7", 1, 0)}
    assert surely == {(f"{D}7", 0), (f"{D}7", 1)}
    assert derive(function(lines), "frees_again", "retains_again") == ({(f"{D}7",)}, {(f"{D}7",)})


def test_no_condition_of_what_stands_twice_is_lost() -> None:
    """The first one never holds, or the buffer is retained: the second one counts all the same."""
    lines = ALLOC + dealloc("%a, %a", "%false, %c") + dealloc("%a, %a", "%c, %d", "%a", "%r")
    left, first, twice, adds = derive(function(lines), "still_freed", "freed_first", "freed_twice", "adds_condition")
    assert left == {(f"{D}5", 1, "%a")}
    assert first == {(f"{D}6", "%a", 0)} and twice == {(f"{D}6", 1, 0)}
    assert adds == {(f"{D}6", 0, 0), (f"{D}6", 1, 0)}
    assert derive(function(lines), "adds_several", "adds_to") == ({(f"{D}6",)}, {(f"{D}6", 0)})


def test_an_allocation_that_only_the_deallocation_uses() -> None:
    lines = f"  %a = memref.alloc() : {T}\n  %k = bufferization.clone %m : {T} to {T}\n" + dealloc("%a, %k", "%c, %c")
    unused, total, memrefs, fills = derive(
        function(lines), "unused_allocation", "operand_count_of", "some_memref", "fills_from_another"
    )
    assert unused == {(f"{D}5", 0, "memref.alloc#3")}
    assert total == {("%a", 1), ("%k", 1)} and memrefs == {("%a",), ("%k",)}
    assert fills == {("bufferization.clone#4",)}


def test_distinct_allocations_are_freed_alone() -> None:
    lines = BOTH + dealloc("%a, %b", "%c, %d")
    names = ("freed_alone", "entangled", "still_freed", "can_be_simplified")
    alone, entangled, left, changes = derive(function(lines), *names)
    assert alone == {(f"{D}7", 0), (f"{D}7", 1)} and entangled == set()
    assert left == {(f"{D}7", 0, "%a"), (f"{D}7", 1, "%b")} and changes == {(f"{D}7",)}


def test_arguments_may_be_one_buffer() -> None:
    lines = dealloc("%m, %n", "%c, %d")
    entangled, asks, traced, sites = derive(function(lines), "entangled", "needs_origins", "traced", "traced_site")
    assert entangled == {(f"{D}3", 0), (f"{D}3", 1)}
    assert asks == {(f"{D}3",)} and traced == {("%m", "%m"), ("%n", "%n")}
    assert sites == {("%m", "outside @f"), ("%n", "outside @f")}


def test_what_is_retained_under_the_same_name_is_answered() -> None:
    lines = ALLOC + dealloc("%a", "%c", "%a", "%r")
    names = ("is_retained", "surely_retained", "answered", "adds_condition", "undecided", "surely_shares")
    retained, surely, answered, adds, undecided, shares = derive(function(lines), *names)
    assert retained == {(f"{D}5", 0, 0)} and surely == answered == {(f"{D}5", 0)}
    assert adds == {(f"{D}5", 0, 0)} and undecided == set()
    assert shares == {(f"{D}5", "%a", "%a")}


def test_what_may_be_retained_under_another_name_is_not() -> None:
    lines = ALLOC + f"  %s = arith.select %c, %a, %m : {T}\n" + dealloc("%a", "%c", "%a, %s", "%r, %q")
    names = (
        "undecided", "may_be_another", "retains_for", "looked_at", "surely_retained", "flows_into", "one_step_apart",
    )  # fmt: skip
    undecided, may, retains, looked, surely, flows, neighbours = derive(function(lines), *names)
    assert undecided == {(f"{D}6", 0)} and surely == set()
    assert may == {(f"{D}6", "%a", "%s")} and retains == {(f"{D}6", 0, 0), (f"{D}6", 0, 1)}
    assert looked == {(f"{D}6", 0), (f"{D}6", 1)}
    assert flows == {("%a", "%s"), ("%m", "%s")} and ("%s", "%a") in neighbours


def test_always_owned() -> None:
    lines = ALLOC + f"  %s = arith.select %c, %a, %m : {T}\n"
    owned, some = derive(function(lines + dealloc("%a", "%true", "%a", "%r")), "always_owned", "some_not_always_owned")
    assert owned == {(f"{D}6", 0)} and some == set()
    text = function(lines + dealloc("%a", "%true", "%a, %s", "%r, %q"))
    assert derive(text, "some_not_always_owned") == {(f"{D}6",)}


def test_what_was_there_before_an_allocation_is_another_buffer() -> None:
    lines = (
        "  %z = arith.constant 1 : index\n"
        f"  %r = scf.for %i = %z to %z step %z iter_args(%x = %m) -> ({T}) {{\n"
        f"    %a = memref.alloc() : {T}\n    memref.copy %x, %a : {T} to {T}\n  "
        + dealloc("%x, %a", "%c, %d", "%a", "%q")
        + f"    scf.yield %a : {T}\n  }}\n"
    )
    names = (
        "older_than", "stated_apart", "known_untraced", "compared_pair", "freed_alone", "retains_for", "stands_in",
        "weighed", "needs_origins",
    )  # fmt: skip
    older, apart, told, compared, alone, retains, stands, weighed, asks = derive(function(lines), *names)
    assert older == {("%x", "%a")} and ("%x", "%a") in weighed
    assert (f"{D}7", "%x", "%a") in apart and (f"{D}7", "%x", "%a") in told and asks == set()
    assert compared == {(f"{D}7", "%x", "%a"), (f"{D}7", "%a", "%x")}
    assert alone == {(f"{D}7", 0)} and retains == set()  # %a is answered: it is retained
    assert ("%a", "scf.for#4.0", 0) in stands and ("%a", "^bb0", 3) in stands


def test_where_buffers_are_defined() -> None:
    defined = derive(function(BOTH), "defined_at")
    assert {("%m", "^bb0", -1), ("%a", "^bb0", 2), ("%b", "^bb0", 4)} <= defined


def test_a_call_returns_a_buffer_of_its_own() -> None:
    lines = ALLOC + f"  %r = func.call @g() : () -> {T}\n" + dealloc("%a, %r", "%c, %d")
    text = function(lines)
    assert ("%r", "returned by func.call#5") in derive(text, "own_site")
    assert derive(text, "body_unseen", "may_hand_back") == ({("@g",)}, {("@g",)})
    public = text.replace(f"private @g() -> {T}", f"@g() -> {T} {{\n  {MADE} }}", 1)
    assert derive(public, "may_hand_back") == set()
    assert {i for _, i in derive(public, "freed_alone")} == {0, 1}
    body = f"private @g() -> {T} {{\n  %k = memref.alloc() : {T}\n  return %k : {T}\n}}"
    defined = text.replace(f"private @g() -> {T}", body, 1)
    assert derive(defined, "may_hand_back") == {("@g",)}


def test_what_is_only_declared_may_return_what_it_is_given() -> None:
    text = function(ALLOC + f"  %r = func.call @g(%a) : ({T}) -> {T}\n" + dealloc("%a, %r", "%true, %true"))
    text = text.replace("@g()", f"@g({T})")
    comes, shared, alone = derive(text, "comes_from", "may_share", "freed_alone")
    assert ("%r", "%a") in comes and (f"{D}6", "%a", "%r") in shared and alone == set()
    called = text.replace("func.call @g(%a)", "func.call_indirect %g(%a)")
    called = called.replace("(%c: i1", f"(%g: ({T}) -> {T}, %c: i1")
    unseen, handing, alone = derive(called, "body_unseen", "may_hand_back", "freed_alone")
    assert ("*",) in unseen and ("*",) in handing and alone == set()


def test_two_allocations_that_a_branch_swaps() -> None:
    lines = BOTH + f"  cf.cond_br %c, ^bb1(%a, %b : {T}, {T}), ^bb1(%b, %a : {T}, {T})\n^bb1(%x: {T}, %y: {T}):\n"
    lines += f"  cf.br ^bb2(%y, %x : {T}, {T})\n^bb2(%p: {T}, %q: {T}):\n"
    names = ("met_pair", "arrives_with", "two_allocations", "hands_both", "may_coincide", "freed_alone")
    pairs, arrives, two, hands, coincide, alone = derive(function(lines + dealloc("%p, %q", "%true, %true")), *names)
    assert {("%p", "%q"), ("%y", "%x")} <= pairs
    assert {("%x", "%y", "%a", "%b"), ("%x", "%y", "%b", "%a"), ("%p", "%q", "%y", "%x")} <= arrives
    assert {("%a", "%b"), ("%b", "%a")} <= two
    assert {("cf.cond_br#7", 0, "%y", "%x"), ("cf.cond_br#7", 1, "%y", "%x")} <= hands
    assert coincide == set() and {i for _, i in alone} == {0, 1}
    once = lines.replace("^bb1(%b, %a", "^bb1(%m, %m")
    coincide, alone = derive(function(once + dealloc("%p, %q", "%true, %true")), "may_coincide", "freed_alone")
    assert ("%p", "%q") in coincide and alone == set()


def test_one_allocation_through_branches_is_the_same_buffer() -> None:
    lines = ALLOC + f"  cf.br ^bb1(%a : {T})\n^bb1(%x: {T}):\n  cf.br ^bb2(%x : {T})\n^bb2(%y: {T}):\n"
    lines += dealloc("%a", "%c", "%y", "%r")
    names = ("surely_retained", "may_share_by_origin", "may_share", "origin_freed", "origin_retained", "needs_origins")
    surely, met, may, freed, retained, asks = derive(function(lines), *names)
    assert met == may == {(f"{D}7", "%a", "%y")}
    assert freed == {(f"{D}7", "%a", "%a")} and retained == {(f"{D}7", "%y", "%a")}
    assert surely == {(f"{D}7", 0)} and asks == set()
    assert derive(function(lines), "needs_no_origins", "freed_for_another") == ({(f"{D}7",)}, set())


def test_names_of_a_buffer_in_which_several_meet() -> None:
    """%y stands for itself, and is %s all the same."""
    lines = f"  %s = arith.select %c, %m, %n : {T}\n  cf.br ^bb1(%s : {T})\n^bb1(%y: {T}):\n"
    names = ("surely_shares", "freed_for_another", "retained_for_another")
    shares, freed, retained = derive(function(lines + dealloc("%s", "%c", "%y", "%r")), *names)
    assert shares == {(f"{D}5", "%s", "%y")} and freed == set() and retained == {(f"{D}5", "%y", "%s")}
    shares, freed, retained = derive(function(lines + dealloc("%y", "%c", "%s", "%r")), *names)
    assert shares == {(f"{D}5", "%y", "%s")} and freed == {(f"{D}5", "%y", "%s")} and retained == set()


def test_of_many_buffers_those_of_one_allocation_are_the_same() -> None:
    arguments = ", ".join(f"%x{i}: {T}" for i in range(9))
    lines = ALLOC + f"  cf.br ^bb1({', '.join(['%a'] * 9)} : {', '.join([T] * 9)})\n^bb1({arguments}):\n"
    names = ", ".join(["%a", *(f"%x{i}" for i in range(7))])
    lines += dealloc(names, ", ".join(["%c", "%d"] * 4), "%x0, %x8", "%r, %s")
    text = function(lines)
    handful, left, adds = derive(text, "few_buffers", "still_freed", "adds_condition")
    assert handful == left == set()
    assert {(index, retained) for _, index, retained in adds} == {(i, j) for i in range(8) for j in range(2)}
    assert derive(text, "retained_twice") == {(f"{D}6", 1, 0)}


def test_two_steps_are_traced() -> None:
    choice = f"  %s = arith.select %c, %a, %m : {T}\n  %t = arith.select %d, %s, %n : {T}\n"
    names = ("surely_retained", "freed_site", "retained_site", "met_origins")
    surely, freed, retained, origins = derive(function(ALLOC + choice + dealloc("%a", "%c", "%t", "%r")), *names)
    assert surely == set()
    assert freed == {(f"{D}7", "%a", "%a")} and retained == {(f"{D}7", "%t", "%a"), (f"{D}7", "%t", "outside @f")}
    assert origins == {(f"{D}7", "%a", "%t", "%a", "%t")}


def many(n: int) -> str:
    """`n` results that may all be %m: too many to compare each with each."""
    lines = "".join(
        f"  %r{i} = scf.if %c -> ({T}) {{\n    %b{i} = memref.alloc() : {T}\n    scf.yield %b{i} : {T}\n  }}"
        f" else {{\n    scf.yield %m : {T}\n  }}\n"
        for i in range(n)
    )
    return lines + dealloc(", ".join(f"%r{i}" for i in range(n)), ", ".join(["%d"] * n))


def test_many_buffers_of_one_source_are_not_compared_one_by_one() -> None:
    text = function(many(9))
    names = (
        "few_buffers", "tied", "crowded", "some_source", "stays_as_it_is", "entangled", "can_be_simplified",
        "needs_origins", "first_left",
    )  # fmt: skip
    handful, tied, crowded, some, unanswered, entangled, changes, asks, first = derive(text, *names)
    (op,) = {op for op, _ in tied}
    assert handful == asks == changes == set()
    assert {value for _, value in tied} == {f"%r{i}" for i in range(9)}
    assert crowded == {(op, "%m")} and (op, "%b0") in some
    assert unanswered == {(op,)} and len(entangled) == 9 and first == {(op, 0)}
    assert (op, "%r0", "%m") in derive(text, "source_freed")
    assert derive(function(many(3)), "few_buffers") != set()


def test_a_retained_neighbour_of_many() -> None:
    lines = many(9).replace("\n  bufferization", "\n  %q = bufferization").rstrip()
    lines += f" retain (%r0 : {T})\n"
    tied, doubtful = derive(function(lines), "tied_retained", "doubtful")
    assert {value for _, value in tied} == {"%r0"}
    assert doubtful == set()


def test_what_is_stated_to_be_distinct_needs_no_check() -> None:
    lines = (
        BOTH
        + f"  %s = arith.select %c, %a, %m : {T}\n  %t = arith.select %c, %b, %a : {T}\n"
        + f"  %x, %y = memref.distinct_objects %s, %t : {T}, {T}\n"
    )
    checked = dealloc("%x", "%c", "%y", "%q")
    shared, apart = derive(function(lines + checked), "may_share", "stated_apart")
    assert shared == set() and apart == {(f"{D}10", "%x", "%y")}
    unstated = dealloc("%s", "%c", "%a", "%q")
    assert derive(function(lines + unstated), "may_share") == {(f"{D}10", "%s", "%a")}


def test_what_is_distinct_is_told_apart_among_many() -> None:
    buffers = "".join(f"  %b{i} = memref.alloc() : {T}\n  memref.copy %m, %b{i} : {T} to {T}\n" for i in range(9))
    lines = (
        buffers
        + f"  %s = arith.select %c, %b0, %b1 : {T}\n  %t = arith.select %d, %b0, %b1 : {T}\n"
        + f"  %x, %y = memref.distinct_objects %s, %t : {T}, {T}\n"
    )
    many = dealloc(", ".join([*(f"%b{i}" for i in range(2, 9)), "%x", "%y"]), ", ".join(["%c"] * 8 + ["%d"]))
    assert {i for _, i in derive(function(lines + many), "freed_alone")} == set(range(9))


def test_what_is_checked_at_run_time_calls_for_what_can_be_known_of_conditions() -> None:
    alone = dealloc("%a, %b", "%c, %d")
    retained = dealloc("%m, %n", "%c, %true", "%n", "%r")
    decided = dealloc("%m, %n", "%true, %true")
    checked, calls = derive(function(BOTH + alone + retained + decided), "checked_at_run_time", "calls_for")
    assert checked == {(f"{D}8", 0), (f"{D}9", 0), (f"{D}9", 1)}
    assert calls == {("fold-inserted-code",)}
    assert derive(function(BOTH + alone + decided), "calls_for") == set()


# ---- as edits


def test_what_stands_twice_is_freed_if_either_condition_holds() -> None:
    lines = BOTH + dealloc("%m, %m, %a, %b, %n, %n", "%c, %d, %c, %d, %c, %true")
    again, some, joined, always, some_always = derive(
        function(lines), "stands_again", "some_again", "joined_for", "always_for", "some_always"
    )
    op = f"{D}7"
    assert again == {(op, 0, 1), (op, 4, 5)}
    assert some == {(op, 0), (op, 4)}
    assert joined == {(op, 0, 0, "%c"), (op, 0, 1, "%d"), (op, 4, 4, "%c"), (op, 4, 5, "%true")}
    assert always == {(op, 4, "%true")} and some_always == {(op, 4)}
    condition, name = derive(function(lines), "freed_if_joined", "joined_condition")
    assert {(index, which) for _, index, which in condition} == {
        (0, f"own to free 0 of {op}"), (2, "%c"), (3, "%d"), (4, "%true"),
    }  # fmt: skip
    assert {(index, which) for _, index, _, which in name} == {(0, f"own to free 0 of {op}")}
    assert derive(function(lines), "any_of") == {
        (f"own to free 0 of {op}", 0, "%c"), (f"own to free 0 of {op}", 1, "%d"),
    }  # fmt: skip


def test_deallocations_of_one_memref_come_first() -> None:
    lines = BOTH + dealloc("%m, %n, %a, %b", "%c, %d, %c, %d", "%m", "%r")
    freed, order, retained = derive(function(lines), "freed_in", "part_order", "retained_by")
    op = f"{D}7"
    assert freed == {(op, i, f"{i} of {op}") for i in (1, 2, 3)}
    assert order == {(op, f"{i} of {op}", 2 * i, i) for i in (1, 2, 3)}
    assert retained == {(op, f"1 of {op}", 0, f"own 0 after 1 of {op}")}
    assert derive(function(lines), "one_part", "adds_some") == (set(), {(op,)})


def test_what_is_entangled_is_freed_last_and_its_updated_conditions_come_first() -> None:
    lines = BOTH + dealloc("%m, %a, %n, %m", "%c, %d, %c, %d", "", "")
    freed, order = derive(function(lines), "freed_in", "part_order")
    op = f"{D}7"
    assert freed == {(op, 0, f"rest of {op}"), (op, 1, f"1 of {op}"), (op, 2, f"rest of {op}")}
    assert order == {(op, f"rest of {op}", 500000000, -1), (op, f"1 of {op}", 2, 1)}


def test_updated_conditions_are_put_together() -> None:
    lines = ALLOC + dealloc("%a, %m", "%true, %c", "%a, %m, %m", "%r, %s, %t")
    results, updated, some, added, owned, always = derive(
        function(lines), "simplified_result", "updated_by", "adds_to", "added_condition", "owned_always",
        "some_added_always",
    )  # fmt: skip
    op = f"{D}5"
    assert owned == {(op, 0, "%true")} and always == {(op, 0)}
    assert derive(function(lines), "one_part", "adds_some") == (set(), {(op,)})
    alone = derive(
        function(BOTH + dealloc("%a, %m", "%false, %d", "%n", "%r")), "one_part", "left_to_parts", "simplified_result"
    )
    assert alone == ({(f"{D}7",)}, {(f"{D}7", 0)}, {(f"{D}7", 0, f"own 0 after 1 of {D}7")})
    assert added == {(op, 0, 0, "%true"), (op, 1, 1, "%c"), (op, 2, 1, "%c")}
    assert some == {(op, 0), (op, 1), (op, 2)} and updated == set()
    assert results == {(op, 0, "%true"), (op, 1, "%c"), (op, 2, "%c")}
    runs, false, only, parts = derive(function(lines), "dealloc_reached", "false_of", "adds_only", "retains_some")
    assert runs == only == {(op,)} and false == parts == set()


def test_an_updated_condition_may_be_made_of_several() -> None:
    lines = ALLOC + dealloc("%a, %a, %m", "%c, %d, %c", "%a, %m", "%r, %s")
    results, updated, several, only = derive(
        function(lines), "simplified_result", "updated_by", "adds_several", "adds_only"
    )
    op = f"{D}5"
    assert results == {(op, 0, "own updated %r"), (op, 1, "own updated %s")}
    assert [(index, value) for _, index, _, value in sorted(updated)] == [(0, "%c"), (0, "%d"), (1, "%c")]
    assert several == {(op,)} and only == set()


def test_where_control_never_comes_conditions_may_depend_on_each_other() -> None:
    lines = "  return\n^bb1:\n" + dealloc("%m", "%s", "%m", "%r") + dealloc("%m", "%r", "%m", "%s")
    results, runs, false, follows, unreached = derive(
        function(lines), "simplified_result", "dealloc_reached", "false_of", "follows_another", "out_of_reach"
    )
    both = {(f"{D}4",), (f"{D}5",)}
    assert results == {(op, 0, "false in ^bb1") for (op,) in both}
    assert (runs, follows, unreached) == (set(), both, both)
    assert false == {(op, "false in ^bb1") for (op,) in both}


def test_a_condition_put_together_stands_ahead_of_what_frees() -> None:
    """Wherever in the list the buffer stands that is there twice."""
    lines = dealloc("%m, %n, %n", "%c, %c, %d")
    conditions, deallocations = derive(function(lines), "any_inserted", "deallocation_inserted")
    ((name, _, _, order),) = {row for row in conditions if str(row[0]).startswith("own to free 1")}
    ((_, _, _, freed),) = {row for row in deallocations if str(row[0]).startswith("rest")}
    assert order < freed, name
