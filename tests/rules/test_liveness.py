from .derive import derive

ACROSS = """
func.func @f(%c: i1, %m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1, ^bb2(%b : memref<2xf32>)
^bb1:
  cf.br ^bb2(%a : memref<2xf32>)
^bb2(%x: memref<2xf32>):
  memref.copy %x, %m : memref<2xf32> to memref<2xf32>
  return
}
"""

NESTED = """
func.func @f(%c: i1, %m: memref<2xf32>) {
  scf.if %c {
    scf.if %c {
      memref.copy %m, %m : memref<2xf32> to memref<2xf32>
    }
  }
  return
}
"""


def test_live_in_and_live_out_across_blocks():
    live_in, live_out = derive(ACROSS, "live_in", "live_out")
    assert live_in == {("^bb1", "%a"), ("^bb1", "%m"), ("^bb2", "%m")}
    assert live_out == {("^bb0", "%a"), ("^bb0", "%m"), ("^bb1", "%m")}


def test_what_flows_in_comes_from_the_same_region():
    flows, captured = derive(ACROSS, "flows_in", "captured_by_block")
    assert flows == {("^bb1", "%a"), ("^bb1", "%m"), ("^bb2", "%m")}
    assert captured == set()


def test_a_use_in_a_nested_region_counts_for_the_blocks_around():
    used, captured, flows = derive(NESTED, "used_in", "captured_by_block", "flows_in")
    assert used == {("scf.if#2.0", "%m"), ("scf.if#1.0", "%m"), ("^bb0", "%m")}
    assert captured == {("scf.if#2.0", "%m"), ("scf.if#1.0", "%m")}
    assert flows == set()


def test_definitions_have_a_block_and_a_home_region():
    defined, home = derive(ACROSS, "defined_in", "defined_in_region")
    assert defined == {("%m", "^bb0"), ("%a", "^bb0"), ("%b", "^bb0"), ("%x", "^bb2")}
    assert {value for value, _ in home} == {"%m", "%a", "%b", "%x"}
    assert len({region for _, region in home}) == 1


def test_scalars_have_no_liveness():
    text = "func.func @f(%c: i1) {\n cf.br ^bb1\n^bb1:\n cf.cond_br %c, ^bb2, ^bb2\n^bb2:\n return\n}"
    assert derive(text, "live_in") == set()
