"""What gives access to the memory of a buffer, and which buffers it needs."""

from __future__ import annotations

from tests.support.dealog import run_dealog

from .derive import derive

# Numbers, a view with a shift, a call that gives an address back, a region and a branch.
ADDRESSES = """
func.func private @address(%m: memref<8xi64>) -> index {
  %i = memref.extract_aligned_pointer_as_index %m : memref<8xi64> -> index
  return %i : index
}
func.func @f(%c: i1, %m: memref<8xi64>) -> i64 {
  %zero = arith.constant 0 : index
  %none = index.constant 0
  %four = arith.constant 4 : index
  %a = memref.alloc() : memref<8xi64>
  %bytes = memref.alloc() : memref<64xi8>
  %v = memref.view %bytes[%four][] : memref<64xi8> to memref<2xi64>
  %w = memref.view %bytes[%zero][] : memref<64xi8> to memref<2xi64>
  %u = memref.cast %v : memref<2xi64> to memref<?xi64>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xi64> -> index
  %q = arith.addi %p, %four : index
  %same = arith.cmpi eq, %p, %q : index
  %r = func.call @address(%a) : (memref<8xi64>) -> index
  %s = scf.if %c -> index {
    scf.yield %q : index
  } else {
    scf.yield %r : index
  }
  cf.br ^bb1(%s : index)
^bb1(%t: index):
  %i = arith.index_cast %t : index to i64
  return %i : i64
}
"""
# The address that comes to ^bb3 is that of %a, which can be used there, or that of %n, which cannot.
MEETING = """
func.func @f(%c: i1) -> i64 {
  %a = memref.alloc() : memref<8xi64>
  cf.cond_br %c, ^bb1(%a : memref<8xi64>), ^bb2
^bb1(%b: memref<8xi64>):
  %p = memref.extract_aligned_pointer_as_index %b : memref<8xi64> -> index
  cf.br ^bb3(%p : index)
^bb2:
  %n = memref.alloc() : memref<8xi64>
  %q = memref.extract_aligned_pointer_as_index %n : memref<8xi64> -> index
  cf.br ^bb3(%q : index)
^bb3(%t: index):
  %i = arith.index_cast %t : index to i64
  %z = llvm.inttoptr %i : i64 to !llvm.ptr
  %x = llvm.load %z : !llvm.ptr -> i64
  return %x : i64
}
"""
# The address that goes round is that of a choice of a choice: %n, or what was read from memory, or %a.
CHOSEN = """
func.func @f(%c: i1, %p: index) {
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<8xi64>
  %h = memref.alloc() : memref<1xmemref<8xi64>>
  memref.store %a, %h[%zero] : memref<1xmemref<8xi64>>
  cf.br ^bb1(%p : index)
^bb1(%w: index):
  %n = memref.alloc() : memref<8xi64>
  %l = memref.load %h[%zero] : memref<1xmemref<8xi64>>
  %s = arith.select %c, %n, %l : memref<8xi64>
  %t = arith.select %c, %s, %a : memref<8xi64>
  %q = memref.extract_aligned_pointer_as_index %t : memref<8xi64> -> index
  cf.br ^bb1(%q : index)
}
"""
ASYNCHRONOUS = """
func.func @f(%m: memref<8xi64>) {
  %a = memref.alloc() : memref<8xi64>
  %token = "async.execute"() ({
    %zero = arith.constant 0 : index
    %b = memref.alloc() : memref<8xi64>
    %x = memref.load %a[%zero] : memref<8xi64>
    memref.store %x, %b[%zero] : memref<8xi64>
    "async.yield"() : () -> ()
  }) {operandSegmentSizes = array<i32: 0, 0>} : () -> !async.token
  return
}
"""


def test_what_is_made_from_buffers() -> None:
    zero, shifted, exposed, made = derive(ADDRESSES, "zero", "makes_shifted", "exposed", "made_from")
    assert zero == {("%zero",), ("%none",)}
    assert shifted == {("memref.view#6", "%v")}
    assert {value for _, value in exposed} == {"@address/%i", "%p", "%r"}
    assert made == {("@address/%i", "@address/%m"), ("%p", "%a"), ("%r", "%a"), ("%v", "%bytes")}
    handed_out, gives_access, leaves = derive(ADDRESSES, "handed_out", "gives_access", "leaves_function")
    assert handed_out == {("scf.if#13", 0)}
    assert gives_access == {("@address", 0), ("@f", 0)}
    assert leaves == {("@address/func.return#2", "@address"), ("func.return#18", "@f")}


def test_what_regions_use() -> None:
    inside, used, outside, made = derive(ASYNCHRONOUS, "inside", "used_inside_of", "defined_outside", "made_from")
    assert inside == {("async.execute#2.0", "async.execute#2")}
    assert used == {("async.execute#2", "%a"), ("async.execute#2", "%b")}
    assert outside == {("%a", "async.execute#2")}
    assert made == {("%token", "%a")}


def test_what_is_computed_and_handed_on() -> None:
    derived, computed, received = derive(ADDRESSES, "derived_value", "computed_from", "receives_derived")
    assert {value for (value,) in derived} == {"@address/%i", *(f"%{name}" for name in "pqrsituv")}
    assert computed == {("%q", "%p"), ("%u", "%v"), ("%i", "%t")}
    assert received == {("%s", "%q"), ("%s", "%r"), ("%t", "%s")}
    narrow, anew = derive(ADDRESSES, "narrow", "makes_anew")
    assert narrow == {("%c",), ("%same",)}
    assert {("memref.alloc", 0), ("memref.load", 0)} <= anew and ("memref.view", 0) not in anew


def test_an_address_in_the_bits_of_a_float() -> None:
    text = """
        func.func @f(%n: index, %t: tensor<4xi64>) -> f64 {
          %a = memref.alloc() : memref<4xf64>
          %p = memref.extract_aligned_pointer_as_index %a : memref<4xf64> -> index
          %i = arith.index_cast %p : index to i64
          %x = arith.bitcast %i : i64 to f64
          %y = arith.negf %x : f64
          %j = arith.bitcast %y : f64 to i64
          %q = llvm.inttoptr %j : i64 to !llvm.ptr
          %z = llvm.load %q : !llvm.ptr -> f64
          %e = memref.load %a[%n] : memref<4xf64>
          %w = arith.addf %z, %e : f64
          return %w : f64
        }
        """
    wide, narrow, needed = derive(text, "wide_number", "narrow", "derived_from")
    assert {value for (value,) in wide} == {"%p", "%i", "%x", "%y", "%j"}
    assert ("%x",) in narrow and ("%j",) not in narrow
    assert {(f"%{name}", "%a") for name in "pixyjq"} == needed
    freed = run_dealog(text, ("static-buffer-deallocation",)).text
    assert freed is not None and freed.index("llvm.load") < freed.index("memref.dealloc")


def test_which_buffers_are_needed() -> None:
    needed, lent, only = derive(ADDRESSES, "derived_from", "lent_buffer", "lends_only")
    assert {row for row in needed if not str(row[0]).startswith("@")} == {
        *((f"%{name}", "%a") for name in "pqrsit"), ("%v", "%bytes"), ("%u", "%bytes")
    }  # fmt: skip
    assert lent == {("%v",), ("%u",)} and only == {("%u", "%v")}
    used, live, owned = derive(ADDRESSES, "used_in", "live_in", "never_owned")
    assert ("^bb1", "%a") in used and ("^bb1", "%a") in live
    assert owned == {("%m",), ("%c",), ("@address/%m",)}


def test_what_is_chosen_from_a_choice_may_be_needed_out_of_scope() -> None:
    may_need, out = derive(CHOSEN, "may_need", "out_of_scope")
    assert {source for value, source in may_need if value == "%w"} == {"%a", "%l", "%n", "%s", "%t"}
    assert out == {("%w", f"%{source}") for source in "lnst"}


def test_scopes() -> None:
    may_need, fits, out, needed = derive(MEETING, "may_need", "in_scope", "out_of_scope", "derived_from")
    assert may_need == {("%t", "%a"), ("%t", "%b"), ("%t", "%n")}
    assert fits == {("%a", "%t")}
    assert out == {("%t", "%b"), ("%t", "%n")}
    assert {("%t", "%a"), ("%z", "%a"), ("%p", "%b")} <= needed and ("%t", "%b") not in needed
    comes_by, arrives, behind, scope_block = derive(MEETING, "comes_by", "arrives_from", "origin_asked", "scope_block")
    assert comes_by == arrives == {("%b", "%a")}
    assert behind == {("%a",), ("%b",), ("%n",)}
    assert scope_block == {("%a", "^bb0"), ("%b", "^bb1"), ("%n", "^bb2"), ("%t", "^bb3")}
    home, around, branching, skirts = derive(MEETING, "at_home", "defined_inside", "joins_derived", "path_around")
    assert home == {("%t", "func.func#0:0")} and branching == {("func.func#0:0",)}
    assert around == {("%t", "builtin.module#0:0")}
    assert skirts == {("^bb1", f"^bb{n}") for n in (0, 2, 3)} | {("^bb2", f"^bb{n}") for n in (0, 1, 3)}


def test_what_is_needed_where_its_buffer_cannot_be_is_refused() -> None:
    refused, brings = derive(MEETING, "refused", "brings_buffer")
    assert refused == {("memref.alloc#5", 12, "what is made from this buffer is needed where the buffer cannot be")}
    assert brings == {("memref.alloc#1", "%a"), ("memref.alloc#5", "%n")}
    refused = derive(ADDRESSES, "refused")
    assert refused == {("memref.alloc#4", 12, "what is made from this buffer is returned, but not the buffer")}


def test_what_is_made_from_a_view_is_made_from_its_buffer() -> None:
    text = """
        func.func @f(%m: memref<64xi8>) -> index {
          %zero = arith.constant 0 : index
          %a = memref.alloc() : memref<64xi8>
          %b = memref.alloc() : memref<64xi8>
          %v = memref.view %a[%zero][] : memref<64xi8> to memref<8xi64>
          %p = memref.extract_aligned_pointer_as_index %v : memref<8xi64> -> index
          %q = memref.extract_aligned_pointer_as_index %b : memref<64xi8> -> index
          return %p : index
        }
    """
    returned, refused = derive(text, "returned_access", "refused")
    assert returned == {("%v",), ("%a",)}
    assert refused == {("memref.alloc#2", 12, "what is made from this buffer is returned, but not the buffer")}


def test_functions_that_return_what_is_derived_keep_to_the_abi() -> None:
    text = """
        func.func private @half(%m: memref<64xi8>, %i: index) -> memref<32xi8> {
          %v = memref.view %m[%i][] : memref<64xi8> to memref<32xi8>
          return %v : memref<32xi8>
        }
        func.func private @same(%m: memref<64xi8>) -> memref<64xi8> {
          return %m : memref<64xi8>
        }
        """
    names = ("returns_derived", "dynamic_ownership", "hands_on", "forwarded_buffer")
    returns, dynamic, handed, forwards = derive(text, *names, private_function_dynamic_ownership="true")
    assert returns == {("@half",)} and dynamic == {("@same",)}
    assert handed == {("@half/^bb0", 0, 0, "@half/%v"), ("@same/^bb0", 0, 0, "@same/%m")}
    assert forwards == handed


OF_TENSORS = """
func.func @f(%n: index, %m: memref<4xf32>, %o: memref<?xindex>) -> f32 {
  %a = memref.alloc(%n) : memref<?xf32>
  %t = bufferization.to_tensor %a restrict : memref<?xf32> to tensor<?xf32>
  %x = tensor.extract %t[%n] : tensor<?xf32>
  %d = tensor.dim %t, %n : tensor<?xf32>
  %u = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
  memref.store %d, %o[%n] : memref<?xindex>
  return %x : f32
}
"""


def test_what_only_tells_of_a_tensor() -> None:
    """A number and a size give no access to the buffer."""
    shape, derived = derive(OF_TENSORS, "tells_shape", "derived_value")
    assert {("tensor.dim",), ("tensor.rank",)} <= shape
    assert derived == {("%t",), ("%u",)}
    freed = derive(OF_TENSORS, "freed_at", rules=("static_buffer_deallocation",))
    assert {value for value, *_ in freed} == {"%a"}

