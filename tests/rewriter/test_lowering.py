"""What the lowering passes write: the text itself, small inputs."""

from textwrap import dedent

import pytest

from dealog.frontend import parse, print_module
from tests.support import tools
from tests.support.dealog import OWNERSHIP, run_dealog

LOWER = "bufferization-lower-deallocations"
CONVERT = "convert-bufferization-to-memref"
EXPAND = "expand-realloc"


def lowered(text: str, *passes: str) -> str:
    """The output of the passes; that MLIR takes it is checked here."""
    output = run_dealog(dedent(text), passes, allow_unregistered=True).unwrap()
    tools.run_mlir_opt([output], "-allow-unregistered-dialect")[0].unwrap()
    return output.strip("\n")


def body(text: str) -> list[str]:
    """The lines between the braces of the last function."""
    lines = text.split("\n")
    start = max(i for i, line in enumerate(lines) if "func.func @f" in line)
    return [line.strip() for line in lines[start + 1 : lines.index("}", start)] if line.strip() != "return"]


def test_one_buffer_nothing_retained():
    assert lowered(
        """
        func.func @f(%m: memref<2xf32>, %c: i1) {
          // Freed here.
          bufferization.dealloc (%m : memref<2xf32>) if (%c)
          return
        }
        """,
        LOWER,
    ) == dedent(
        """
        func.func @f(%m: memref<2xf32>, %c: i1) {
          // Freed here.
          scf.if %c {
            memref.dealloc %m : memref<2xf32>
          }
          return
        }"""
    ).strip("\n")


def test_conditions_that_are_constants():
    text = lowered(
        """
        func.func @f(%m: memref<2xf32>, %r: memref<2xf32>) {
          %true = arith.constant true
          %false = arith.constant false
          bufferization.dealloc (%m : memref<2xf32>) if (%true)
          bufferization.dealloc (%m : memref<2xf32>) if (%false)
          %own = bufferization.dealloc (%m : memref<2xf32>) if (%false) retain (%r : memref<2xf32>)
          "test.use"(%own) : (i1) -> ()
          return
        }
        """,
        LOWER,
    )
    assert body(text)[2:] == ["memref.dealloc %m : memref<2xf32>", '"test.use"(%false) : (i1) -> ()']


def test_one_buffer_some_retained():
    text = lowered(
        """
        func.func @f(%m: memref<2xf32>, %c: i1, %r: memref<2xf32>, %s: memref<*xf32>) {
          %own:2 = bufferization.dealloc (%m : memref<2xf32>) if (%c)
            retain (%r, %s : memref<2xf32>, memref<*xf32>)
          "test.use"(%own#1) : (i1) -> ()
          return
        }
        """,
        LOWER,
    )
    assert body(text) == [
        "%pointer = memref.extract_aligned_pointer_as_index %m : memref<2xf32> -> index",
        "%pointer_0 = memref.extract_aligned_pointer_as_index %r : memref<2xf32> -> index",
        "%distinct = arith.cmpi ne, %pointer, %pointer_0 : index",
        "%pointer_1 = memref.extract_aligned_pointer_as_index %s : memref<*xf32> -> index",
        "%distinct_0 = arith.cmpi ne, %pointer, %pointer_1 : index",
        "%own_0 = arith.andi %distinct, %distinct_0 : i1",
        "%own_1 = arith.andi %own_0, %c : i1",
        "scf.if %own_1 {",
        "memref.dealloc %m : memref<2xf32>",
        "}",
        "%alias = arith.cmpi eq, %pointer, %pointer_1 : index",
        "%own_2 = arith.andi %alias, %c : i1",
        '"test.use"(%own_2) : (i1) -> ()',
    ]


def test_results_keep_their_names():
    text = lowered(
        """
        func.func @f(%m: memref<2xf32>, %r: memref<2xf32>) -> (i1, memref<2xf32>) {
          %t = arith.constant true
          %mine = bufferization.dealloc (%m : memref<2xf32>) if (%t) retain (%r : memref<2xf32>)
          %copy = bufferization.clone %r : memref<2xf32> to memref<2xf32>
          return %mine, %copy : i1, memref<2xf32>
        }
        """,
        CONVERT,
    )
    assert "  %mine = arith.cmpi eq, %pointer, %pointer_0 : index\n" in text
    assert "  %copy = memref.alloc() : memref<2xf32>\n  memref.copy %r, %copy :" in text
    assert "  return %mine, %copy : i1, memref<2xf32>\n" in text


def test_constants_are_shared_in_a_block():
    two = "bufferization.dealloc (%m, %n : memref<2xf32>, memref<2xf32>) if (%c, %c)"
    text = lowered(
        f"""
        func.func @f(%m: memref<2xf32>, %n: memref<2xf32>, %c: i1) {{
          {two}
          {two}
          scf.if %c {{
            {two}
          }}
          return
        }}
        """,
        LOWER,
    )
    function = text[: text.index("func.func private")]
    assert function.count("arith.constant 0 : index") == 2  # the function's block, and that of the scf.if
    assert function.count("call @dealloc_helper(") == 3


HELPER = """
func.func private @dealloc_helper(%buffers: memref<?xindex>, %retained: memref<?xindex>, \
%conditions: memref<?xi1>, %free: memref<?xi1>, %owned: memref<?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %dim = memref.dim %buffers, %c0 : memref<?xindex>
  %dim_1 = memref.dim %retained, %c0 : memref<?xindex>
  scf.for %i = %c0 to %dim_1 step %c1 {
    memref.store %false, %owned[%i] : memref<?xi1>
  }
  scf.for %i_1 = %c0 to %dim step %c1 {
    %buffer = memref.load %buffers[%i_1] : memref<?xindex>
    %condition = memref.load %conditions[%i_1] : memref<?xi1>
    %distinct_1 = scf.for %i_2 = %c0 to %dim_1 step %c1 iter_args(%distinct = %true) -> (i1) {
      %other = memref.load %retained[%i_2] : memref<?xindex>
      %same = arith.cmpi eq, %other, %buffer : index
      scf.if %same {
        %own = memref.load %owned[%i_2] : memref<?xi1>
        %own_1 = arith.ori %own, %condition : i1
        memref.store %own_1, %owned[%i_2] : memref<?xi1>
      }
      %differs = arith.cmpi ne, %other, %buffer : index
      %own_2 = arith.andi %distinct, %differs : i1
      scf.yield %own_2 : i1
    }
    %distinct_3 = scf.for %i_3 = %c0 to %i_1 step %c1 iter_args(%distinct_2 = %distinct_1) -> (i1) {
      %other_1 = memref.load %buffers[%i_3] : memref<?xindex>
      %differs_1 = arith.cmpi ne, %other_1, %buffer : index
      %own_3 = arith.andi %distinct_2, %differs_1 : i1
      scf.yield %own_3 : i1
    }
    %own_4 = arith.andi %distinct_3, %condition : i1
    memref.store %own_4, %free[%i_1] : memref<?xi1>
  }
  return
}"""


def test_helper_function():
    text = lowered(
        """
        func.func @f(%m: memref<2xf32>, %n: memref<2xf32>, %c: i1) {
          bufferization.dealloc (%m, %n : memref<2xf32>, memref<2xf32>) if (%c, %c)
          return
        }
        """,
        LOWER,
    )
    assert text[text.index("func.func private") :] == HELPER.strip("\n")


def test_helper_stands_in_its_module():
    text = lowered(
        """
        module {
          module @inner {
            func.func @f(%m: memref<2xf32>, %n: memref<2xf32>, %c: i1) {
              bufferization.dealloc (%m, %n : memref<2xf32>, memref<2xf32>) if (%c, %c)
              return
            }
          }
          memref.global @dealloc_helper : memref<1xi8>
        }
        """,
        LOWER,
    )
    assert "\n    func.func private @dealloc_helper(" in text
    assert text.endswith("\n    }\n  }\n  memref.global @dealloc_helper : memref<1xi8>\n}")


def test_generic_form_stays_generic():
    text = lowered(
        """
        "builtin.module"() ({
          "func.func"() <{function_type = (memref<2xf32>, i1) -> (), sym_name = "f"}> ({
          ^bb0(%m: memref<2xf32>, %c: i1):
            %0:1 = "bufferization.dealloc"(%m, %m, %c, %c, %m) <{operandSegmentSizes = array<i32: 2, 2, 1>}> \
: (memref<2xf32>, memref<2xf32>, i1, i1, memref<2xf32>) -> i1
            "func.return"() : () -> ()
          }) : () -> ()
        }) : () -> ()
        """,
        LOWER,
    )
    made = [op for op in parse(text).walk() if op.name != "builtin.module"]
    assert len(made) > 40
    assert all(op.generic for op in made)


def test_operations_that_another_pass_made():
    text = lowered(
        """
        func.func private @g(memref<2xf32>)
        func.func @f(%c: i1, %m: memref<2xf32>) {
          %a = memref.alloc() : memref<2xf32>
          cf.cond_br %c, ^bb1(%a : memref<2xf32>), ^bb1(%m : memref<2xf32>)
        ^bb1(%b: memref<2xf32>):
          call @g(%b) : (memref<2xf32>) -> ()
          return
        }
        """,
        OWNERSHIP,
        CONVERT,
    )
    assert "bufferization." not in text
    assert print_module(parse(text)) == text


def test_uses_that_stand_before_the_deallocation():
    text = lowered(
        """
        func.func @f(%m: memref<2xf32>, %r: memref<2xf32>, %c: i1) {
          cf.br ^second
        ^first:
          bufferization.dealloc (%m : memref<2xf32>) if (%own#0)
          return
        ^second:
          %own:2 = bufferization.dealloc (%m : memref<2xf32>) if (%c)
            retain (%r, %m : memref<2xf32>, memref<2xf32>)
          cf.br ^first
        }
        """,
        LOWER,
    )
    assert "scf.if %own_2 {" in text
    assert "%own_2 = arith.andi %alias, %c : i1" in text


# ---- clones --------------------------------------------------------------------------------------


def clone(source: str, result: str, aliases: str = "") -> list[str]:
    return body(
        lowered(
            f"{aliases}\n"
            f"func.func @f(%m: {source}) -> {result} {{\n"
            f"  %r = bufferization.clone %m : {source} to {result}\n"
            f"  return %r : {result}\n"
            "}\n",
            CONVERT,
        )
    )[:-1]


def test_clone_of_dynamic_sizes():
    assert clone("memref<4x?x?xf32>", "memref<?x?x3xf32>") == [
        "%c4 = arith.constant 4 : index",
        "%c1 = arith.constant 1 : index",
        "%dim = memref.dim %m, %c1 : memref<4x?x?xf32>",
        "%r = memref.alloc(%c4, %dim) : memref<?x?x3xf32>",
        "memref.copy %m, %r : memref<4x?x?xf32> to memref<?x?x3xf32>",
    ]


@pytest.mark.parametrize("aliases", ["", "#layout = strided<[?], offset: ?>"])
def test_clone_with_a_layout(aliases):
    type = "memref<2xf32, strided<[?], offset: ?>, 1>"
    stated = "memref<2xf32, #layout, 1>" if aliases else type
    assert clone(stated, stated, aliases) == [
        "%alloc = memref.alloc() : memref<2xf32, 1>",
        f"%r = memref.cast %alloc : memref<2xf32, 1> to {type}",
        f"memref.copy %m, %r : {type} to {type}",
    ]


def test_clone_of_unknown_rank_stays_in_its_memory_space():
    assert clone("memref<*xf32, 2>", "memref<*xf32, 2>") == [
        "%c0 = arith.constant 0 : index",
        "%c1 = arith.constant 1 : index",
        "%rank = memref.rank %m : memref<*xf32, 2>",
        "%alloca = memref.alloca(%rank) : memref<?xindex>",
        "%size_0 = scf.for %i = %c0 to %rank step %c1 iter_args(%size = %c1) -> (index) {",
        "%dim = memref.dim %m, %i : memref<*xf32, 2>",
        "memref.store %dim, %alloca[%i] : memref<?xindex>",
        "%size_1 = arith.muli %size, %dim : index",
        "scf.yield %size_1 : index",
        "}",
        "%alloc = memref.alloc(%size_0) : memref<?xf32, 2>",
        "%r = memref.reshape %alloc(%alloca) : (memref<?xf32, 2>, memref<?xindex>) -> memref<*xf32, 2>",
        "memref.copy %m, %r : memref<*xf32, 2> to memref<*xf32, 2>",
    ]


# ---- reallocations -------------------------------------------------------------------------------


def test_reallocation_compares_sizes():
    text = lowered(
        """
        func.func @f(%m: memref<?xf32>, %n: index) -> memref<?xf32> {
          %r = memref.realloc %m(%n) {alignment = 8} : memref<?xf32> to memref<?xf32>
          return %r : memref<?xf32>
        }
        """,
        EXPAND,
    )
    assert body(text)[:-1] == [
        "%c0 = arith.constant 0 : index",
        "%dim = memref.dim %m, %c0 : memref<?xf32>",
        "%smaller = arith.cmpi ult, %dim, %n : index",
        "%r = scf.if %smaller -> (memref<?xf32>) {",
        "%alloc = memref.alloc(%n) {alignment = 8} : memref<?xf32>",
        "%subview = memref.subview %alloc[0] [%dim] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>",
        "memref.copy %m, %subview : memref<?xf32> to memref<?xf32, strided<[1]>>",
        "memref.dealloc %m : memref<?xf32>",
        "scf.yield %alloc : memref<?xf32>",
        "} else {",
        "%resized = memref.reinterpret_cast %m to offset: [0], sizes: [%n], strides: [1] "
        ": memref<?xf32> to memref<?xf32>",
        "scf.yield %resized : memref<?xf32>",
        "}",
    ]


@pytest.mark.parametrize("frees", [True, False])
def test_reallocations_of_stated_sizes(frees):
    text = lowered(
        """
        func.func @f(%m: memref<4xf32>) -> memref<2xf32> {
          %r = memref.realloc %m : memref<4xf32> to memref<4xf32>
          %s = memref.realloc %r : memref<4xf32> to memref<8xf32>
          %t = memref.realloc %s : memref<8xf32> to memref<2xf32>
          return %t : memref<2xf32>
        }
        """,
        f"{EXPAND}=emit-deallocs={str(frees).lower()}",
    )
    assert body(text) == [
        "%s = memref.alloc() : memref<8xf32>",
        "%subview = memref.subview %s[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>",
        "memref.copy %m, %subview : memref<4xf32> to memref<4xf32, strided<[1]>>",
        *["memref.dealloc %m : memref<4xf32>"] * frees,
        "%t = memref.reinterpret_cast %s to offset: [0], sizes: [2], strides: [1] "
        ": memref<8xf32> to memref<2xf32>",
        "return %t : memref<2xf32>",
    ]
