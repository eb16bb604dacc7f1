"""Which operations the static deallocation is about, where some are chosen."""

from __future__ import annotations

from tests.rules.derive import derive

STATIC = ("static_buffer_deallocation",)
TEXT = """
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<2xf32>
  scf.if %c {
    %b = memref.alloc() : memref<2xf32>
  }
  return
}
func.func @g() {
  %d = memref.alloc() : memref<2xf32>
  return
}
"""


def test_nothing_is_left_alone_where_nothing_is_chosen() -> None:
    some_chosen, to_manage, left_alone, made_elsewhere = derive(
        TEXT, "some_chosen", "to_manage", "left_alone", "made_elsewhere", rules=STATIC
    )
    assert some_chosen == to_manage == left_alone == made_elsewhere == set()


def test_a_function_by_its_name() -> None:
    some_chosen, only_function, to_manage, made_elsewhere = derive(
        TEXT, "some_chosen", "only_function", "to_manage", "made_elsewhere", rules=STATIC, only_function="g"
    )
    assert (some_chosen, only_function) == ({("only-function",)}, {("g", "@g")})
    assert {op for (op,) in to_manage} == {"@g/memref.alloc#1", "@g/func.return#2"}
    assert made_elsewhere == {("%a",), ("%b",)}


def test_what_is_returned_where_nothing_is_cloned() -> None:
    text = """
    memref.global @v : memref<2xf32>
    func.func private @left(%m: memref<2xf32>) -> (memref<2xf32>, memref<2xf32>, memref<2xf32>) {
      %a = memref.alloc() : memref<2xf32>
      %g = memref.get_global @v : memref<2xf32>
      %w = memref.cast %m : memref<2xf32> to memref<2xf32>
      return %a, %g, %w : memref<2xf32>, memref<2xf32>, memref<2xf32>
    }
    func.func @f() {
      %r:3 = call @left(%a) : () -> (memref<2xf32>, memref<2xf32>, memref<2xf32>)
      return
    }
    """.replace("@left(%a) : ()", "@left(%b) : (memref<2xf32>)").replace(
        "@f() {", "@f() {\n %b = memref.alloc() : memref<2xf32>"
    )
    not_new, uncloned = derive(text, "names_not_new", "returns_uncloned", rules=STATIC, only_function="f")
    assert {name for (name,) in not_new} >= {"@left/%m", "@left/%g", "@left/%w"}
    assert "@left/%a" not in {name for (name,) in not_new}
    assert uncloned == set()  # a result that always is an argument or a global variable is none that is cloned
    public = text.replace("private @left", "@left")
    not_new, uncloned = derive(public, "names_not_new", "returns_uncloned", rules=STATIC, only_function="f")
    assert uncloned == {("@left", 1), ("@left", 2)}
    assert derive(public, "returns_uncloned", rules=STATIC) == set()
    through = """
    func.func private @same(%m: memref<2xf32>) -> memref<2xf32> {
      return %m : memref<2xf32>
    }
    func.func @left(%m: memref<2xf32>) -> memref<2xf32> {
      %r = call @same(%m) : (memref<2xf32>) -> memref<2xf32>
      return %r : memref<2xf32>
    }
    func.func @f() {
      return
    }
    """
    assert derive(through, "returns_uncloned", rules=STATIC, only_function="f") == {("@left", 0)}
    declared = "func.func private @same(memref<2xf32>) -> memref<2xf32>\n"
    external = declared + through[through.index("    func.func @left") :]
    assert derive(external, "returns_uncloned", rules=STATIC, only_function="f") == {("@left", 0)}


def test_an_operation_and_what_is_inside() -> None:
    text = TEXT.replace("  }\n", "  } {dealog.managed}\n", 1)
    some_chosen, to_manage, left_alone, made_elsewhere = derive(
        text, "some_chosen", "to_manage", "left_alone", "made_elsewhere", rules=STATIC
    )
    assert some_chosen == {("managed",)}
    assert {op.partition("#")[0] for (op,) in to_manage} == {"scf.if", "memref.alloc", "scf.yield"}
    assert made_elsewhere == {("%a",), ("@g/%d",)}
    assert len(left_alone) == 4
