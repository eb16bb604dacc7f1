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


def test_an_operation_and_what_is_inside() -> None:
    text = TEXT.replace("  }\n", "  } {dealog.managed}\n", 1)
    some_chosen, to_manage, left_alone, made_elsewhere = derive(
        text, "some_chosen", "to_manage", "left_alone", "made_elsewhere", rules=STATIC
    )
    assert some_chosen == {("managed",)}
    assert {op.partition("#")[0] for (op,) in to_manage} == {"scf.if", "memref.alloc", "scf.yield"}
    assert made_elsewhere == {("%a",), ("@g/%d",)}
    assert len(left_alone) == 4
