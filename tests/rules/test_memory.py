"""What memory holds, where it may be read, and which buffers that needs."""

from __future__ import annotations

from tests.support.cases import corpus
from tests.support.dealog import run_dealog
from tests.support.soundness import cases

from .derive import derive

# A call writes a buffer to memory, and a global variable; a copy of the memory is read in another block.
CALLED = """
memref.global "private" @g : memref<1xmemref<2xi64>> = uninitialized
func.func private @put(%h: memref<1xmemref<2xi64>>, %m: memref<2xi64>) {
  %zero = arith.constant 0 : index
  memref.store %m, %h[%zero] : memref<1xmemref<2xi64>>
  %g = memref.get_global @g : memref<1xmemref<2xi64>>
  memref.store %m, %g[%zero] : memref<1xmemref<2xi64>>
  return
}
func.func @f(%n: index) {
  %zero = arith.constant 0 : index
  %h = memref.alloc() : memref<1xmemref<2xi64>>
  %k = memref.alloc() : memref<1xmemref<2xi64>>
  %a = memref.alloc() : memref<2xi64>
  func.call @put(%h, %a) : (memref<1xmemref<2xi64>>, memref<2xi64>) -> ()
  memref.copy %h, %k : memref<1xmemref<2xi64>> to memref<1xmemref<2xi64>>
  cf.br ^bb1
^bb1:
  %l = memref.load %k[%zero] : memref<1xmemref<2xi64>>
  %x = memref.load %l[%zero] : memref<2xi64>
  return
}
"""
# One load reads what was just written, the other one may read what an iteration before has written.
LOOP = """
func.func @f(%n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %h = memref.alloc() : memref<2xmemref<2xi64>>
  scf.for %i = %zero to %n step %one {
    %a = memref.alloc() : memref<2xi64>
    memref.store %a, %h[%i] : memref<2xmemref<2xi64>>
    %l = memref.load %h[%i] : memref<2xmemref<2xi64>>
    %o = memref.load %h[%zero] : memref<2xmemref<2xi64>>
  }
  return
}
"""
KEPT = "this buffer is kept in memory that outlives it"


def test_what_is_put_where() -> None:
    puts_away, puts, holds, copies = derive(CALLED, "puts_away", "writes_argument_to", "memory_holds", "copies")
    assert puts_away == {
        ("@put/memref.store#2", "@put/%m", "@put/%h"),
        ("@put/memref.store#4", "@put/%m", "@put/%g"),
        ("func.call#5", "%a", "%h"),
    }
    assert puts == {("@put", 1, 0)}
    assert holds == {("%h", "%a"), ("%k", "%a"), ("@put/%g", "@put/%m"), ("@put/%h", "@put/%m")}
    assert copies == {("memref.copy#6", "%h"), ("memref.copy#6", "%k")}
    fills, located, lies_in = derive(CALLED, "fills_memory", "located", "lies_in")
    assert fills == {("@f",), ("@put",)}
    assert {("%a",), ("%h",), ("%k",), ("%l",)} <= located
    assert {row for row in lies_in if row[0] == "%l"} == {("%l", "%l"), ("%l", "%a")}


def test_what_is_kept_beyond_the_function() -> None:
    beyond, strays, loses = derive(CALLED, "kept_beyond", "strays", "loses_argument")
    assert beyond == {("@put/memref.store#2", "@put/%m"), ("@put/memref.store#4", "@put/%m"), ("func.call#5", "%a")}
    assert strays == {("@put/memref.store#4", "@put/%m"), ("func.call#5", "%a")}
    assert loses == {("@put", 1)}
    outlasts, of_global, refused = derive(CALLED, "outlasts", "of_global", "refused")
    assert outlasts == {("@put/%g",), ("@put/%h",), ("@put/%m",)}
    assert of_global == {("@put/%g",)}
    assert refused == {("memref.alloc#4", 12, KEPT)}


def test_what_is_read_where() -> None:
    reads, meets, loaded, calls = derive(CALLED, "reads_memory", "meets", "loaded_by", "call_of")
    assert ("memref.load#8", "%k") in reads and ("memref.copy#6", "%k") not in reads
    assert meets == {
        ("func.call#5", "%a", "%h"), ("memref.copy#6", "%a", "%h"), ("memref.load#8", "%a", "%k")
    }  # fmt: skip
    assert {("%l", "memref.load#8")} <= loaded and calls == {("func.call#5",)}
    would, needed, derived, passes = derive(CALLED, "would_need", "needed_by", "derived_from", "passes_by")
    assert would == needed == {(op, "%a") for op in ("func.call#5", "memref.copy#6", "memref.load#8")}
    assert ("%l", "%a") in derived
    assert {("memref.load",), ("memref.cast",)} <= passes and ("func.call",) not in passes
    made, placed, behind, kept = derive(CALLED, "made_at", "placed", "runs_after", "kept_from")
    assert {("%a", "^bb0", 3), ("@put/%m", "@put/^bb0", -1)} <= made
    assert placed == {("func.call#5", "^bb0", 4), ("memref.copy#6", "^bb0", 5), ("memref.load#8", "^bb1", 0)}
    assert behind == {("^bb0", "^bb1")} and ("^bb0",) in kept


def test_an_element_just_written_is_read_back() -> None:
    names = ("element_read", "may_write", "unwritten_since", "written_at", "last_writer")
    read, write, since, at, last = derive(LOOP, *names)
    loads = ("memref.load#7", "memref.load#8")
    assert read == {("memref.load#7", "scf.for#4.0", 2), ("memref.load#8", "scf.for#4.0", 3)}
    assert write == {("scf.for#4.0", 1)}
    assert since == {("scf.for#4.0", 1, position) for position in range(2, 6)}
    assert at == {(load, "scf.for#4.0", 1) for load in loads}
    assert last == {(load, "memref.store#6") for load in loads}
    back, same, other = derive(LOOP, "reads_back", "same_memory", "other_element")
    assert back == {("memref.load#7", "memref.store#6")}
    assert same == last and other == {("memref.load#8", "memref.store#6")}


def test_what_an_iteration_before_has_written() -> None:
    gone, again, within, refused = derive(LOOP, "gone_by", "runs_again", "made_within", "refused")
    assert gone == {("memref.load#8", "%a")}
    assert again == {("scf.for#4",)}
    assert ("%a", "^bb0", 3) in within and not any(row[0] == "%h" for row in within)
    message = "this buffer is kept in memory that is read where the buffer cannot be"
    assert refused == {("memref.alloc#5", 12, message)}


def test_what_memory_holds_may_itself_be_derived() -> None:
    text = """
        func.func private @first(%h: memref<1xmemref<2xi64>>) -> memref<2xi64> {
          %zero = arith.constant 0 : index
          %l = memref.load %h[%zero] : memref<1xmemref<2xi64>>
          return %l : memref<2xi64>
        }
        func.func @f(%i: index) {
          %zero = arith.constant 0 : index
          %h = memref.alloc() : memref<1xmemref<2xi64>>
          %bytes = memref.alloc() : memref<64xi8>
          %v = memref.view %bytes[%i][] : memref<64xi8> to memref<2xi64>
          memref.store %v, %h[%zero] : memref<1xmemref<2xi64>>
          %l = func.call @first(%h) : (memref<1xmemref<2xi64>>) -> memref<2xi64>
          return
        }"""
    held, needed, derived = derive(text, "held_derived", "needed_by", "derived_from")
    assert held == {("func.call#6",)}
    assert needed == {("func.call#6", "%bytes")}
    assert {("%v", "%bytes"), ("%l", "%bytes")} <= derived


HANDED = """
    func.func @f(%k: i64, %c: i1) {
      %zero = arith.constant 0 : index
      scf.while (%n = %zero) : (index) -> (memref<1xmemref<4xi64>>) {
        %a = memref.alloc() : memref<4xi64>
        %h = memref.alloc() : memref<1xmemref<4xi64>>
        memref.store %a, %h[%zero] : memref<1xmemref<4xi64>>
        scf.condition(%c) %h : memref<1xmemref<4xi64>>
      } do {
      ^bb0(%w: memref<1xmemref<4xi64>>):
        %l = memref.load %w[%zero] : memref<1xmemref<4xi64>>
        %x = memref.load %l[%zero] : memref<4xi64>
        scf.yield %zero : index
      }
      return
    }"""
ROUND = """
    func.func @f(%h: memref<1xmemref<4xi64>>, %c: i1) {
      %zero = arith.constant 0 : index
      cf.br ^loop(%h : memref<1xmemref<4xi64>>)
    ^loop(%w: memref<1xmemref<4xi64>>):
      READ
      %a = memref.alloc() : memref<4xi64>
      %new = memref.alloc() : memref<1xmemref<4xi64>>
      memref.store %a, FILLED[%zero] : memref<1xmemref<4xi64>>
      cf.cond_br %c, ^loop(%new : memref<1xmemref<4xi64>>), ^done
    ^done:
      return
    }"""
READ = "%l = memref.load READ[%zero] : memref<1xmemref<4xi64>>"


def test_what_another_region_has_handed_on() -> None:
    handed, gone, needed = derive(HANDED, "reads_handed_on", "gone_by", "needed_by")
    assert handed == {("memref.load#7", "scf.while#2")}
    assert gone == {("memref.load#7", "%a")} and needed == set()


def test_what_an_earlier_round_of_blocks_has_written() -> None:
    text = ROUND.replace("READ", READ).replace("READ", "%w").replace("FILLED", "%new")
    names = ("kept_on_cycle", "shares_cycle", "leads_round", "reads_around", "gone_by")
    on_cycle, shared, back, around, gone = derive(text, *names)
    assert on_cycle == {("^loop",)} and shared == {("^loop", "^loop")}
    assert back == {("^bb0", "^loop"), ("^loop", "^loop")}
    assert around == {("memref.load#3", "^loop")} and gone == {("memref.load#3", "%a")}


def test_memory_from_before_the_rounds_is_read_in_the_next() -> None:
    text = ROUND.replace("READ", READ).replace("READ", "%box").replace("FILLED", "%box")
    text = text.replace("cf.br", "%box = memref.alloc() : memref<1xmemref<4xi64>>\n      cf.br")
    assert derive(text, "gone_by") == {("memref.load#4", "%a")}


INNER = """
    func.func @f(%c: i1) {
      %zero = arith.constant 0 : index
      cf.br ^outer
    ^outer:
      %h = memref.alloc() : memref<1xmemref<4xi64>>
      cf.br ^inner
    ^inner:
      %a = memref.alloc() : memref<4xi64>
      memref.store %a, %h[%zero] : memref<1xmemref<4xi64>>
      cf.cond_br %c, ^BACK, ^behind
    ^behind:
      %l = memref.load %h[%zero] : memref<1xmemref<4xi64>>
      cf.cond_br %c, ^outer, ^end
    ^end:
      return
    }"""


def test_memory_is_read_after_rounds_that_may_have_filled_it() -> None:
    names = ("may_hold_older", "comes_without", "reads_around", "gone_by")
    older, without, around, gone = derive(INNER.replace("BACK", "inner"), *names)
    assert older == {("^inner", "^outer")}
    assert {block for _, _, block in without} == {"^inner", "^behind", "^end"}
    assert around == {("memref.load#8", "^inner")} and gone == {("memref.load#8", "%a")}


def test_memory_of_each_round_holds_what_was_made_in_that() -> None:
    names = ("may_hold_older", "comes_without", "reads_around", "gone_by", "needed_by")
    older, without, around, gone, needed = derive(INNER.replace("BACK", "outer"), *names)
    assert older == {("^inner", "^outer")} and ("^inner", "^outer", "^inner") not in without
    assert around == gone == set() and needed == {("memref.load#8", "%a")}


def test_this_round_is_left_with_memory_that_an_earlier_one_has_filled() -> None:
    text = ROUND.replace("READ", "").replace("FILLED", "%new")
    text = text.replace("^done", "^done(%w : memref<1xmemref<4xi64>>)", 1)
    text = text.replace("^done:", "^done(%z: memref<1xmemref<4xi64>>):\n      " + READ.replace("READ", "%z"))
    around, gone = derive(text, "reads_around", "gone_by")
    assert around == {("memref.load#7", "^loop")} and gone == {("memref.load#7", "%a")}


def test_what_this_round_has_written_can_be_read() -> None:
    text = ROUND.replace("READ", "").replace("FILLED", "%new")
    text = text.replace("cf.cond_br", READ.replace("READ", "%new") + "\n      cf.cond_br")
    gone, needed = derive(text, "gone_by", "needed_by")
    assert gone == set() and needed == {("memref.load#6", "%a")}


def test_what_a_call_returns_may_hold_what_it_was_given() -> None:
    text = """
        func.func private @holding(%x: memref<4xi64>, %y: memref<4xi64>) -> (memref<4xi64>, memref<1xmemref<4xi64>>) {
          %zero = arith.constant 0 : index
          %h = memref.alloc() : memref<1xmemref<4xi64>>
          memref.store %y, %h[%zero] : memref<1xmemref<4xi64>>
          return %x, %h : memref<4xi64>, memref<1xmemref<4xi64>>
        }
        func.func @f() {
          %zero = arith.constant 0 : index
          %a = memref.alloc() : memref<4xi64>
          %b = memref.alloc() : memref<4xi64>
          %r, %h = call @holding(%a, %b) : (memref<4xi64>, memref<4xi64>) -> (memref<4xi64>, memref<1xmemref<4xi64>>)
          %l = memref.load %h[%zero] : memref<1xmemref<4xi64>>
          return
        }
    """
    returns, puts_away, holds, derived = derive(
        text, "returns_memory_with", "puts_away", "memory_holds", "derived_from"
    )
    assert returns == {("@holding", 1, 1)}
    assert {row for row in puts_away if "@" not in row[0]} == {("func.call#4", "%b", "%h")}
    assert ("%h", "%b") in holds and ("%h", "%a") not in holds
    assert ("%l", "%b") in derived and ("%l", "%a") not in derived


def test_names_that_end_stand_for_what_they_were_handed() -> None:
    """A view of the loop, and what it reads and writes back, name the buffer from before; what it allocates is gone."""
    text = """
        func.func @f(%n: index) {
          %zero = arith.constant 0 : index
          %one = arith.constant 1 : index
          %h = memref.alloc() : memref<2xmemref<?xi64>>
          %a = memref.alloc(%n) : memref<?xi64>
          scf.for %i = %zero to %n step %one iter_args(%p = %a) -> (memref<?xi64>) {
            memref.store %p, %h[%zero] : memref<2xmemref<?xi64>>
            %r = memref.load %h[%one] : memref<2xmemref<?xi64>>
            memref.store %r, %h[%zero] : memref<2xmemref<?xi64>>
            %next = memref.alloc(%n) : memref<?xi64>
            scf.yield NEXT : memref<?xi64>
          }
          %l = memref.load %h[%zero] : memref<2xmemref<?xi64>>
          %x = memref.load %l[%zero] : memref<?xi64>
          return
        }"""
    gone, needed, read_before, refused = derive(
        text.replace("NEXT", "%p"), "gone_by", "needed_by", "read_before", "refused"
    )
    last = "memref.load#11"
    assert (last, "%p") in gone and (last, "%a") in needed and (last, "%a") not in gone
    assert ("%r",) in read_before and (last, "%r") not in gone and refused == set()
    gone, refused = derive(text.replace("NEXT", "%next"), "gone_by", "refused")
    message = "this buffer is kept in memory that is read where the buffer cannot be"
    assert (last, "%next") in gone and refused == {("memref.alloc#9", 12, message)}


def sound(name: str) -> str:
    """The program of `tests/corpus/sound` called `name`, its last function `@f`."""
    (text,) = (case.text for case in cases() if case.name == f"elements-{name}")
    return text.replace(f"@{name}(", "@f(")


def test_functions_that_are_called_by_their_addresses() -> None:
    calls, runs, passes = derive(sound("put_by_address"), "calls_by_address", "runs", "passes_on_arguments")
    assert calls == {("func.call_indirect#6",)} and passes == {("@put_into",)}
    assert runs == {("func.call_indirect#6", "@put_into", 1)}
    put, held = derive(sound("put_by_address"), "put_by_call", "memory_holds")
    assert put == {("func.call_indirect#6", "%x", "%h")} and ("%h", "%x") in held


def test_what_loops_combine() -> None:
    combined, given, derived = derive(sound("reduced"), "combined_in", "given_to_regions", "derived_from")
    assert combined >= {("scf.parallel#8", "%i")} and given == {("scf.reduce#9", "%i")}
    assert {("%j", "%x"), ("%w", "%x"), ("%u", "%x"), ("%q", "%x")} <= derived


def test_numbers_that_operations_write() -> None:
    writes, may_hold, plain = derive(sound("captured"), "may_write_operands", "may_hold_access", "plain_elements")
    assert writes == set() and ("%m",) in may_hold and ("i32",) in plain and ("i64",) not in plain
    assert derive(sound("filled"), "may_write_operands") == {("linalg.fill#9",)}
    for name in ("captured", "filled"):
        assert ("%m", "%i") in derive(sound(name), "memory_holds")


def test_what_is_copied_from_memory_to_memory() -> None:
    copied, holds, loaded = derive(sound("copied_by_llvm"), "copied_to_other", "memory_holds", "may_be_loaded")
    assert ("%j", "%i") in loaded
    assert {("%mq", "%nq"), ("%nq", "%mq")} == copied and {("%n", "%i"), ("%m", "%i")} <= holds


def test_containers_of_containers() -> None:
    text = sound("written_two_levels_down")
    given, written, number, put = derive(text, "given_within", "written_within", "writes_number_to", "put_by_call")
    call = "func.call#7"
    assert given == {(call, 1, "%x")} and written == {(call, 0, "%outer"), (call, 0, "%inner")} and number == set()
    assert put == {(call, "%x", "%outer"), (call, "%x", "%inner")}
    depth, holds, types, of_types = derive(text, "depth", "holds_buffers", "buffer_type", "type_depth")
    assert {("memref<4xi64>", 0), ("memref<1xmemref<4xi64>>", 1)} <= of_types
    assert {("%x", 0), ("%inner", 1), ("%outer", 2)} <= depth and {("%inner",), ("%outer",)} <= holds
    assert ("memref<4xi64>",) in types and ("%x",) not in holds
    assert {row for row in derive(text, "puts_away") if row[0] == call} == {(call, "%x", "%inner")}


def test_containers_that_calls_give_back() -> None:
    (text,) = (case.text for case in corpus("static") if "func.func @given_back(" in case.text)
    given, lies = derive(text.replace("@given_back(", "@f("), "given_by_call", "lies_in")
    assert given == {("%h", "%inner")} and ("%h", "%inner") in lies


def test_transfers_last_until_the_tag_is_read() -> None:
    text = """
        func.func private @wait(memref<1xi32>)
        func.func @f(%n: index) {
          %a = memref.alloc() : memref<4xf32>
          %b = memref.alloc() : memref<4xf32, 1>
          %tag = memref.alloc() : memref<1xi32>
          affine.dma_start %a[%n], %b[%n], %tag[%n], %n : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
          call @wait(%tag) : (memref<1xi32>) -> ()
          return
        }
        """
    tag, holds, needed = derive(text, "tag_of", "memory_holds", "needed_by")
    assert tag == {("affine.dma_start#4", "%tag")} and holds == {("%tag", "%a"), ("%tag", "%b")}
    assert needed == {("func.call#5", "%a"), ("func.call#5", "%b")}
    freed = run_dealog(text, ("static-buffer-deallocation",)).text
    assert freed is not None and freed.index("call @wait") < freed.index("memref.dealloc %a")


def test_memory_with_floats_holds_no_buffers() -> None:
    """A function that writes a buffer to memory calls one that returns a new buffer, or what it is given: with an i1,
    and not as a clone, which would differ from what was given once something is written to it."""
    text = """
        func.func private @g(%c: i1, %d: i1, %a: memref<4xf32>) -> memref<4xf32> {
          %e = arith.andi %c, %d : i1
          %r = scf.if %e -> (memref<4xf32>) {
            %n = memref.alloc() : memref<4xf32>
            scf.yield %n : memref<4xf32>
          } else {
            scf.yield %a : memref<4xf32>
          }
          return %r : memref<4xf32>
        }
        func.func @f(%c: i1, %d: i1, %x: f32) -> f32 {
          %i = arith.constant 0 : index
          %a = memref.alloc() : memref<4xf32>
          %b = memref.alloc() : memref<4xf32>
          %h = memref.alloc() : memref<1xmemref<4xf32>>
          memref.store %b, %h[%i] : memref<1xmemref<4xf32>>
          %l = memref.load %h[%i] : memref<1xmemref<4xf32>>
          memref.store %x, %l[%i] : memref<4xf32>
          %r = call @g(%c, %d, %a) : (i1, i1, memref<4xf32>) -> memref<4xf32>
          memref.store %x, %r[%i] : memref<4xf32>
          %y = memref.load %a[%i] : memref<4xf32>
          return %y : f32
        }
        """
    floats, narrow, reads = derive(text, "holds_floats", "narrow_float", "reads_memory")
    assert ("%a",) in floats and ("%h",) not in floats and ("f32",) in narrow
    assert {memory for _, memory in reads} == {"%h"}
    output = run_dealog(text, ("static-buffer-deallocation",)).text
    assert output is not None and "clone" not in output and "dealog.owned_0 = 1" in output
