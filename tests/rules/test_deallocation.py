from .derive import derive

T = "memref<2xf32>"

SEED = """
func.func @f(%memref: memref<?xi8>, %select_cond: i1, %br_cond: i1) {
  %alloc = memref.alloc(%n) : memref<?xi8>
  %alloca = memref.alloca(%n) : memref<?xi8>
  %select = arith.select %select_cond, %alloc, %alloca : memref<?xi8>
  cf.cond_br %br_cond, ^bb1(%alloc : memref<?xi8>), ^bb1(%memref : memref<?xi8>)
^bb1(%bbarg: memref<?xi8>):
  memref.copy %bbarg, %select : memref<?xi8> to memref<?xi8>
  return
}
""".replace("{\n", "{\n  %n = arith.constant 4 : index\n", 1)


def test_seed_example_frees():
    to_free, freed = derive(SEED, "to_free", "freed_if")
    assert to_free == {("^bb0", "%memref"), ("^bb0", "%alloc"), ("^bb1", "%bbarg"), ("^bb1", "%select")}
    assert freed == {
        ("^bb0", "%alloc", "true"), ("^bb1", "%bbarg", "own %bbarg"), ("^bb1", "%select", "end %select")
    }  # fmt: skip


def test_seed_example_retains():
    assert derive(SEED, "retained") == {
        ("^bb0", 0, "%alloc"), ("^bb0", 0, "%select"), ("^bb0", 1, "%memref"), ("^bb0", 1, "%select")
    }  # fmt: skip


def test_seed_example_merges_the_ownership_of_what_both_branches_retain():
    choice, ends, conditions = derive(SEED, "ends_with_choice", "ends_with", "edge_condition")
    assert choice == {("%select", "^bb0")}
    assert ends == set()
    assert conditions == {("^bb0", 0, "%br_cond", 1), ("^bb0", 1, "%br_cond", 0)}


def test_seed_example_passes_ownership_on():
    passes, arguments = derive(SEED, "passes_ownership", "grows_argument")
    assert passes == {("cf.cond_br#5", 1, 0, "%alloc"), ("cf.cond_br#5", 2, 1, "%memref")}
    assert arguments == {("^bb1", 0, "%bbarg")}


def test_a_plain_branch_ends_ownership_with_its_only_deallocation():
    text = f"""
func.func @f() {{
  %a = memref.alloc() : {T}
  cf.br ^bb1
^bb1:
  memref.copy %a, %a : {T} to {T}
  return
}}"""
    ends, freed = derive(text, "ends_with", "freed_if")
    assert ends == {("%a", "^bb0", 0)}
    assert freed == {("^bb0", "%a", "true"), ("^bb1", "%a", "end %a")}


def test_forwarded_and_live_is_retained_once():
    text = f"""
func.func @f() {{
  %a = memref.alloc() : {T}
  cf.br ^bb1(%a : {T})
^bb1(%x: {T}):
  memref.copy %a, %x : {T} to {T}
  return
}}"""
    forwards, retained = derive(text, "forwarded_buffer", "retained")
    assert forwards == {("^bb0", 0, 0, "%a")}
    assert retained == {("^bb0", 0, "%a")}


def test_regions_hand_over_what_they_yield():
    text = f"""
func.func @f(%n: index, %m: {T}) {{
  %z = arith.constant 0 : index
  %r = scf.for %i = %z to %n step %n iter_args(%x = %m) -> ({T}) {{
    %a = memref.alloc() : {T}
    scf.yield %a : {T}
  }}
  return
}}"""
    names = ("leaves_region_with", "forwarded_buffer", "grows_argument", "grows_result", "grows_entry", "freed_if")
    leaves, forwards, arguments, results, entries, freed = derive(text, *names)
    assert leaves == {("scf.yield#4", 0)}
    assert forwards == {("scf.for#2.0", 0, 0, "%a")}
    assert arguments == {("scf.for#2.0", 1, "%x")}
    assert results == {("scf.for#2", 0, "%r")}
    assert entries == {("scf.for#2", 3)}
    assert freed == {
        ("scf.for#2.0", "%x", "own %x"), ("scf.for#2.0", "%a", "true"), ("^bb0", "%r", "own %r")
    }  # fmt: skip


def returning(lines: str, value: str, **options: str) -> str:
    return f"func.func @f(%c: i1, %m: {T}) -> {T} {{\n{lines}\n  return {value} : {T}\n}}"


ALLOC = f"  %a = memref.alloc() : {T}\n"
IF = f"  %i = scf.if %c -> ({T}) {{ scf.yield %m : {T} }} else {{ scf.yield %m : {T} }}\n"


def test_an_owned_buffer_is_returned_as_it_is():
    cloned, retained, owns = derive(returning(ALLOC, "%a"), "cloned", "retained", "returns_ownership")
    assert cloned == set()
    assert retained == {("^bb0", 0, "%a")}
    assert owns == {("func.return#2",)}


def test_an_argument_is_cloned_before_it_is_returned():
    cloned, replaced, retained = derive(returning("", "%m"), "cloned", "replaced_operand", "retained")
    assert cloned == {("func.return#1", 0, "%m", "false")}
    assert replaced == {("func.return#1", 0)}
    assert retained == set()


def test_a_buffer_owned_at_times_is_cloned_at_times():
    ownership, cloned = derive(returning(IF, "%i"), "return_ownership", "cloned")
    assert ownership == {("func.return#4", 0, "%i", "own %i")}
    assert cloned == {("func.return#4", 0, "%i", "own %i")}


def test_a_returned_select_chooses_ownership_as_it_chooses_the_buffer():
    text = returning(ALLOC + f"  %s = arith.select %c, %a, %m : {T}", "%s")
    selected, cloned = derive(text, "selected_result", "cloned")
    assert selected == {("%s", "%c", "true", "false")}
    assert cloned == {("func.return#3", 0, "%s", "select %s")}


def test_a_select_of_unknown_ownership_is_cloned():
    text = returning(
        ALLOC + f"  %s = arith.select %c, %a, %m : {T}\n  %t = arith.select %c, %s, %m : {T}", "%t"
    )
    assert derive(text, "cloned") == {("func.return#4", 0, "%t", "false")}


def test_with_dynamic_ownership_nothing_is_cloned():
    text = returning("", "%m").replace("@f", "private @f")
    names = ("cloned", "passes_ownership", "grows_function_result")
    cloned, passes, results = derive(text, *names, private_function_dynamic_ownership="true")
    assert cloned == set()
    assert passes == {("func.return#1", 0, 0, "%m")}
    assert results == {("@f", "func.return#1")}


def test_only_an_allocation_is_its_own_base_buffer():
    text = returning(ALLOC + IF, "%a")
    assert derive(text, "starts_allocation") == {("%a",)}


def test_manual_deallocation_is_checked():
    text = returning(ALLOC + f"  memref.dealloc %i {{bufferization.manual_deallocation}} : {T}", "%a")
    text = text.replace("  memref.dealloc", IF + "  memref.dealloc")
    must_not, refused = derive(text, "must_not_own", "refused")
    assert must_not == {("memref.dealloc#5", 0, "own %i")}
    assert refused == set()


def test_false_is_made_where_the_first_region_is_handed_one():
    text = f"""
func.func @f(%n: index, %m: {T}) {{
  %a = memref.alloc() : {T}
  %r = scf.for %i = %n to %n step %n iter_args(%x = %m) -> ({T}) {{
    scf.yield %x : {T}
  }}
  return
}}"""
    hands, early, start, late = derive(text, "hands_false", "wants_false_early", "made_at_start", "made_late")
    assert hands == {("@f",)}
    assert early == {("^bb0",), ("scf.for#2.0",)}
    assert start == {("^bb0", "false", -1), ("^bb0", "true", 0), ("^bb0", "false", 1)}
    assert late == set()


def test_false_is_made_late_where_only_a_terminator_wants_it():
    late, frees = derive(returning(IF, "%i"), "made_late", "frees_something")
    assert late == {("scf.yield#2",), ("scf.yield#3",)}
    assert frees == {("^bb0",)}


def test_true_is_made_before_calls_and_after_clones():
    text = f"func.func private @g() -> {T}\n" + returning(f"  %r = call @g() : () -> {T}\n" + IF, "%i")
    before, behind, dynamic = derive(text, "made_before", "made_before_end", "calls_dynamic")
    assert before == {("func.call#1", "true")}
    assert behind == {("func.return#5", "true")}
    assert dynamic == set()


CARRIED = """
func.func @f(%n: index) -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  %r = scf.for %i = %n to %n step %n iter_args(%b = %a) -> memref<2xf32> {
    scf.yield %b : memref<2xf32>
  }
  %s = scf.for %i = %n to %n step %n iter_args(%b = %r) -> memref<2xf32> {
    scf.yield %b : memref<2xf32>
  }
  return %s : memref<2xf32>
}
"""


def test_what_a_loop_carries_unchanged_is_what_it_started_with():
    unchanged, started, owned, cloned = derive(CARRIED, "carried_unchanged", "started_with", "owned_as_start", "cloned")
    assert unchanged == {("%r", "%a"), ("%s", "%r")}
    assert started == {("%s", "%r"), ("%s", "%a")}
    assert owned == {("func.return#6", 0, "%a")} and cloned == set()


def test_what_a_loop_changes_is_another():
    first, rest = CARRIED.split("    scf.yield %b", 1)
    text = f"{first}    %c = memref.alloc() : memref<2xf32>\n    scf.yield %c{rest}"
    carried, changed, owned = derive(text, "goes_round", "changed_by_loop", "owned_as_start")
    assert {row[:2] for row in carried} == {("%r", "%a"), ("%s", "%r")}
    assert changed == {("%r",)} and owned == set()


def test_a_buffer_that_is_returned_twice_is_not_owned_twice():
    text = CARRIED.replace("-> memref<2xf32> {\n  %a", "-> (memref<2xf32>, memref<2xf32>) {\n  %a")
    text = text.replace("return %s : memref<2xf32>", "return %s, %a : memref<2xf32>, memref<2xf32>")
    other, owned, cloned = derive(text, "returns_other", "owned_as_start", "cloned")
    assert other == {("func.return#6", 0), ("func.return#6", 1)}
    assert owned == set() and {row[:2] for row in cloned} == {("func.return#6", 0)}
