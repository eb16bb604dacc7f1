"""Which buffers go to the stack, on small IR: how large they are, which scope frees them, and what keeps them back."""

from __future__ import annotations

from tests.rules.derive import derive

PROMOTION = ("promote_buffers_to_stack",)
DEFAULTS = {"max_alloc_size_in_bytes": "1024", "max_rank_of_allocated_memref": "1", "max_stack_bytes_per_function": "0"}

SIZES = """
func.func @f(%u: memref<*xf32>, %n: index) {
  %a = memref.alloc() : memref<2x3xi7>
  %b = memref.alloc() : memref<4xvector<2x3xf32>>
  %c = memref.alloc() : memref<2xcomplex<f32>>
  %d = memref.alloc() : memref<5x0xf32>
  %r = memref.rank %u : memref<*xf32>
  %e = memref.alloc(%r) : memref<?xindex>
  %g = memref.alloc(%n) : memref<?xindex>
  return
}
"""

SCOPES = """
func.func private @frees(%m: memref<2xf32>) {
  memref.dealloc %m : memref<2xf32>
  return
}
func.func @f(%c: i1, %n: index, %m: memref<2xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %ten = arith.constant 10 : index
  scf.for %i = %zero to %ten step %one {
    %a = memref.alloc() : memref<2xf32>
  }
  scf.for %i = %zero to %n step %one {
    memref.alloca_scope {
      %b = memref.alloc() : memref<2xf32>
    }
    %d = memref.alloc() : memref<2xf32>
  }
  %r = scf.if %c -> (memref<2xf32>) {
    %e = memref.alloc() : memref<2xf32>
    scf.yield %e : memref<2xf32>
  } else {
    scf.yield %m : memref<2xf32>
  }
  %s = memref.alloca_scope -> (memref<2xf32>) {
    %g = memref.alloc() : memref<2xf32>
    memref.alloca_scope.return %g : memref<2xf32>
  }
  %h = memref.alloc() : memref<2xf32>
  call @frees(%h) : (memref<2xf32>) -> ()
  %k = memref.alloc() : memref<2xf32>
  memref.dealloc %k : memref<2xf32>
  return
}
"""

BOUNDED = """
func.func @f() {
  %a = memref.alloca() : memref<2xf32>
  %b = memref.alloc() : memref<4xf32>
  %c = memref.alloc() : memref<3xf32>
  %d = memref.alloc() : memref<1xf32>
  return
}
"""


def test_what_comes_to_the_end_of_what_frees_its_stack() -> None:
    scopes, within, made, ends = derive(
        SCOPES, "frees_its_stack", "in_stack_of", "made_in_region", "comes_to_end", rules=PROMOTION, **DEFAULTS
    )
    region_of = dict(made)
    assert {region for _, region in within} == {region for (region,) in scopes}
    assert (region_of["%e"], region_of["%r"]) in within and region_of["%e"] != region_of["%r"]
    assert ("%g", region_of["%g"]) in ends
    assert "%e" not in {value for value, _ in ends}


def test_sizes() -> None:
    relations = derive(
        SIZES,
        "size_wanted",
        "element_count",
        "elements_before",
        "without_elements",
        "element_of",
        "bits_of_element",
        "size_in_bytes",
        "small_enough",
        "largest_on_stack",
        "sized_by_other",
        "is_rank",
        "operation_renamed",
        rules=PROMOTION,
        **(DEFAULTS | {"max_alloc_size_in_bytes": "40"}),
    )
    (measured, elements, before, empty, of, bits, bytes_, small, largest, other, is_rank, renamed) = relations
    assert measured == {("%a",), ("%b",), ("%c",), ("%d",), ("%e",), ("%g",)}
    assert elements == {("%a", 6), ("%b", 4), ("%c", 2), ("%d", 0)}
    assert {row for row in before if row[0] == "%a"} == {("%a", 0, 1), ("%a", 1, 2), ("%a", 2, 6)}
    assert empty == {("%d",)}
    assert ("%b", "vector<2x3xf32>") in of
    assert {("%a", 7), ("%b", 256), ("%c", 64), ("%d", 32)} <= bits
    assert bytes_ == {("%a", 6), ("%b", 128), ("%c", 16), ("%d", 0)}
    assert largest == {(40,)}
    assert other == {(f"memref.alloc#{n}",) for n in (1, 2, 3, 4, 7)} & other
    assert "%r" in {value for (value,) in is_rank}
    assert small == {("%a",), ("%c",), ("%d",), ("%e",)}
    assert {name for _, name in renamed} == {"memref.alloca"} and len(renamed) == 4


def test_sizes_of_types() -> None:
    bits, whole, lanes, outer, power, innermost, doubling = derive(
        SIZES,
        "element_bits",
        "element_bytes",
        "vector_lanes",
        "outer_lanes",
        "power_above",
        "innermost",
        "size_power",
        rules=PROMOTION,
        **DEFAULTS,
    )
    assert {("i7", 7), ("index", 64), ("vector<2x3xf32>", 256), ("complex<f32>", 64)} <= bits
    assert {("i7", 1), ("f32", 4), ("index", 8)} <= whole
    assert lanes == {("vector<2x3xf32>", 8)}
    assert outer == {("vector<2x3xf32>", 0, 1), ("vector<2x3xf32>", 1, 2), ("vector<2x3xf32>", 2, 6)}
    assert power == {(3, 4)} and innermost == {(3,)}
    assert {(1,), (2,), (1073741824,)} <= doubling and len(doubling) == 31


def test_scopes() -> None:
    relations = derive(
        SCOPES,
        "heap_buffer",
        "runs_on",
        "memory_of_interest",
        "looked_for_in",
        "lets_through",
        "handed_out_of",
        "freed_in_scope",
        "stack_of",
        "frees_stack",
        "in_rounds",
        "counts_up",
        "constant_number",
        "loop_rounds",
        "without_bound",
        "runs_within",
        "runs_in_scope",
        "takes_stack",
        "stays_on_heap",
        "could_go_to_stack",
        "goes_to_stack",
        rules=PROMOTION,
        **DEFAULTS,
    )
    heap, on, watched, looked, lets, handed, freed, of, frees, in_rounds, steps, number = relations[:12]
    rounds, without, times, executions, takes, withheld, could_go, promoted = relations[12:]
    assert {value for value, _ in heap} == {"%a", "%b", "%d", "%e", "%g", "%h", "%k"} and watched == heap
    assert on == {("@f",), ("@frees",)}
    assert len({region for value, region in looked if value == "%e"}) == 2
    assert {("scf.if",), ("scf.execute_region",)} <= lets and ("scf.for",) not in lets
    assert {value for value, _ in handed} == {"%g"}
    assert {value for value, _ in freed} == {"%a", "%b", "%d", "%e", "%h", "%k"}
    assert len({block for value, block in of if value == "%a"}) == 2
    assert len({block for value, block in of if value == "%b"}) == 1
    assert {("func.func",), ("memref.alloca_scope",)} <= frees and ("scf.for",) not in frees
    assert {value for value, _ in in_rounds} == {"%a", "%d"}
    assert {row[1:] for row in steps} == {(0, 10, 1)} and ("%ten", 10) in number
    assert {total for _, total in rounds} == {10}
    assert {value for value, _ in without} == {"%d"}
    assert {(value, total) for value, _, _, total in times if value == "%a"} == {("%a", 1), ("%a", 10)}
    assert executions == {("%a", 10), ("%b", 1), ("%e", 1), ("%h", 1), ("%k", 1)}
    assert takes == {("%a", 80), ("%b", 8), ("%e", 8), ("%h", 8), ("%k", 8)}
    assert withheld == {
        ("%d", "it is allocated in a loop that may run without bound"),
        ("%g", "it leaves the scope that would free it"),
        ("%h", "it is freed by hand, taken over, or kept in memory"),
        ("%k", "it is freed by hand"),
    }
    assert could_go == promoted == {("%a",), ("%b",), ("%e",)}
    (loops,) = (derive(SCOPES, "goes_to_stack", rules=PROMOTION, loops_free_their_stack="true", **DEFAULTS),)
    assert loops == {("%a",), ("%b",), ("%d",), ("%e",)}


def test_memory_is_shared() -> None:
    unknown = '  %x = "some.op"() : () -> memref<2xf32>\n  return\n}\n'
    hands, shares, itself, given, unknown = derive(
        SCOPES.replace("  return\n}\n", unknown, 1),
        "hands_memory",
        "shares_memory",
        "freed_itself",
        "given_up",
        "of_unknown_origin",
        rules=PROMOTION,
        **DEFAULTS,
    )
    assert hands == {("%e", "%r"), ("%m", "%r"), ("%g", "%s")}
    assert {("%e", "%e"), ("%e", "%r"), ("%g", "%s")} <= shares
    assert itself == {("%k",)}
    assert given == {("@frees/%m",), ("%h",), ("%k",)}
    assert len(unknown) == 1


def test_a_function_is_bounded() -> None:
    options = DEFAULTS | {"max_stack_bytes_per_function": "24"}
    bounded, already, wants, wanting, order, first, taken, promoted = derive(
        BOUNDED,
        "stack_bound",
        "on_stack_already",
        "wants_stack",
        "wanting_stack",
        "buffer_order",
        "first_buffer",
        "taken_before",
        "goes_to_stack",
        rules=PROMOTION,
        **options,
    )
    assert bounded == {(24,)} and already == {("%a", "@f")}
    assert wants == {("%b", 16), ("%c", 12), ("%d", 4)} and wanting == {("@f",)}
    assert order == {("@f", 0, "%a"), ("@f", 1, "%b"), ("@f", 2, "%c"), ("@f", 3, "%d")} and first == {("@f", 0)}
    assert taken == {("@f", 0, 8), ("@f", 1, 8), ("@f", 2, 24), ("@f", 3, 24), ("@f", 4, 24)}
    assert promoted == {("%b",)}
