from .derive import derive

DIAMOND = """
func.func @f(%c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb3
^bb2:
  cf.br ^bb3
^bb3:
  return
}
"""

LOOP = """
func.func @f(%c: i1) {
  cf.br ^bb1
^bb1:
  cf.br ^bb2
^bb2:
  cf.cond_br %c, ^bb1, ^bb3
^bb3:
  return
}
"""

NESTED = """
func.func @f(%c: i1) {
  scf.if %c {
    "test.op"() : () -> ()
  }
  return
}
"""


def test_edges_number_the_successors():
    assert derive(DIAMOND, "block_edge") == {
        ("^bb0", 0, "^bb1"),
        ("^bb0", 1, "^bb2"),
        ("^bb1", 0, "^bb3"),
        ("^bb2", 0, "^bb3"),
    }


def test_leaves_by_each_successor_or_out_of_the_region():
    assert derive(DIAMOND, "leaves_by") == {
        ("^bb0", 0), ("^bb0", 1), ("^bb1", 0), ("^bb2", 0), ("^bb3", 0)
    }  # fmt: skip


def test_entry_block_and_analysed_blocks():
    entry, analysed = derive(DIAMOND + "\nfunc.func private @g()", "entry_block", "analysed_block")
    assert entry == {("@f", "^bb0")}
    assert analysed == {("^bb0",), ("^bb1",), ("^bb2",), ("^bb3",)}


def test_ends_names_the_terminator_of_each_block():
    assert derive(DIAMOND, "terminator_of") == {
        ("cf.cond_br#1", "^bb0"), ("cf.br#2", "^bb1"), ("cf.br#3", "^bb2"), ("func.return#4", "^bb3")
    }  # fmt: skip


def test_parent_block_of_a_nested_region():
    parents = derive(NESTED, "parent_block")
    assert ("scf.if#1.0", "^bb0") in parents


def test_enclosed_tells_the_region():
    nested = NESTED.replace('"test.op"() : () -> ()', "scf.yield")
    assert ("scf.yield#2", "scf.if#1", 0) in derive(nested, "enclosed")


def test_reachable_leaves_out_dead_blocks():
    dead = DIAMOND.replace("^bb1, ^bb2", "^bb1, ^bb1")
    assert ("^bb2",) not in derive(dead, "reachable_block")
    assert ("^bb2",) in derive(DIAMOND, "reachable_block")


def test_acyclic_graph_has_no_loop():
    assert derive(DIAMOND, "back_edge") == set()


def test_loop_is_found_at_its_first_block():
    retreats, follows, loop = derive(LOOP, "retreats_to", "follows_head", "back_edge")
    assert retreats == {("^bb1",)}
    assert follows == {("^bb1", "^bb1"), ("^bb1", "^bb2"), ("^bb1", "^bb3")}
    assert loop == {("^bb2", "^bb1")}


def test_a_block_that_branches_to_itself_loops():
    text = "func.func @f(%c: i1) {\n cf.br ^bb1\n^bb1:\n cf.cond_br %c, ^bb1, ^bb2\n^bb2:\n return\n}"
    assert derive(text, "back_edge") == {("^bb1", "^bb1")}


def test_blocks_out_of_order_are_no_loop():
    text = "func.func @f() {\n cf.br ^bb2\n^bb1:\n return\n^bb2:\n cf.br ^bb1\n}"
    retreats, loop = derive(text, "retreats_to", "back_edge")
    assert retreats == {("^bb1",)}
    assert loop == set()


def test_a_loop_in_dead_code_does_not_count():
    text = "func.func @f() {\n return\n^bb1:\n cf.br ^bb1\n}"
    assert derive(text, "back_edge") == set()


def test_dominance_on_a_diamond():
    dominates, immediate = derive(DIAMOND, "dominates", "immediately_dominates")
    assert dominates == {
        ("^bb0", "^bb0"), ("^bb1", "^bb1"), ("^bb2", "^bb2"), ("^bb3", "^bb3"),
        ("^bb0", "^bb1"), ("^bb0", "^bb2"), ("^bb0", "^bb3"),
    }  # fmt: skip
    assert immediate == {("^bb0", "^bb1"), ("^bb0", "^bb2"), ("^bb0", "^bb3")}


def test_dominance_along_a_chain_skips_the_blocks_between():
    chain = "func.func @f() {\n cf.br ^bb1\n^bb1:\n cf.br ^bb2\n^bb2:\n return\n}"
    immediate, between, avoids = derive(chain, "immediately_dominates", "dominates_between", "avoids")
    assert immediate == {("^bb0", "^bb1"), ("^bb1", "^bb2")}
    assert between == {("^bb0", "^bb2")}
    assert avoids == {("^bb1", "^bb0"), ("^bb2", "^bb0"), ("^bb2", "^bb1")}


UNREACHED = """
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  cf.br ^bb2
^bb1:
  memref.dealloc %a : memref<4xf32>
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  cf.br ^bb2
^bb2:
  memref.dealloc %a : memref<4xf32>
  return
}
"""


def test_what_stands_in_a_dead_block_is_dead():
    reachable, dead, frees = derive(
        UNREACHED, "reachable_block", "dead_block", "text_frees", rules=("static_buffer_deallocation",)
    )
    assert ("scf.if#4.0",) in reachable
    assert dead == {("^bb1",), ("scf.if#4.0",)}
    assert frees == {("memref.dealloc#8", 0)}
