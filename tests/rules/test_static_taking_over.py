"""Private functions that take arguments over, as the text frees them there."""

from __future__ import annotations

from tests.rules.derive import derive

STATIC = ("static_buffer_deallocation",)
T = "memref<4xf32>"
FREES = f"""
func.func private @eats(%x: {T}, %y: {T}) {{
  %v = memref.cast %x : {T} to memref<?xf32>
  memref.dealloc %v : memref<?xf32>
  return
}}
func.func private @passes(%x: {T}, %y: {T}) {{
  call @eats(%y, %x) : ({T}, {T}) -> ()
  return
}}
func.func private @grown(%c: i1, %x: {T}) -> {T} {{
  cf.cond_br %c, ^bb1, ^bb2(%x : {T})
^bb1:
  %a = memref.alloc() : {T}
  memref.dealloc %x : {T}
  cf.br ^bb2(%a : {T})
^bb2(%r: {T}):
  return %r : {T}
}}
func.func private @by_hand(%x: {T}) {{
  memref.dealloc %x {{bufferization.manual_deallocation}} : {T}
  return
}}
func.func @eats_in_public(%x: {T}) {{
  memref.dealloc %x : {T}
  return
}}
func.func @f(%c: i1, %m: {T}) {{
  %a = memref.alloc() : {T}
  call @passes(%m, %a) : ({T}, {T}) -> ()
  %b = memref.alloc() : {T}
  %g = call @grown(%c, %b) : (i1, {T}) -> {T}
  return
}}
"""

def test_what_the_text_frees() -> None:
    names, back, frees, operands, taken, given_back, further, refused = derive(
        FREES,
        "names_argument",
        "may_give_back",
        "frees_argument",
        "frees_operand",
        "argument_taken",
        "gives_back",
        "goes_further",
        "refused",
        rules=STATIC,
    )
    assert ("@eats/%v", "@eats", 0) in names and ("@grown/%r", "@grown", 1) in names
    assert back == {("@grown", 0, 1)}
    assert given_back == set()  # as the caller does not own it any more
    assert frees == {("@eats", 0), ("@passes", 1), ("@grown", 1)}  # not @by_hand, nor what a public function is given
    assert operands == {
        ("@eats/memref.dealloc#2", 0),
        ("@passes/func.call#1", 0),
        ("@grown/memref.dealloc#3", 0),
        ("@eats_in_public/memref.dealloc#1", 0),
        ("func.call#2", 1),
        ("func.call#4", 1),
    }
    assert taken == {("@eats/%x",), ("@passes/%y",), ("@grown/%x",)}
    assert {("%a",), ("%b",)} <= further
    assert refused == set()


def test_what_is_freed_by_hand_in_a_function_is_refused() -> None:
    text = f"""
      func.func private @by_hand(%x: {T}) {{
        memref.dealloc %x {{bufferization.manual_deallocation}} : {T}
        return
      }}
      func.func @f() {{
        %a = memref.alloc() : {T}
        call @by_hand(%a) : ({T}) -> ()
        return
      }}
    """
    refused, accounted = derive(text, "refused", "given_to_be_freed", rules=STATIC)
    assert {(place, message) for place, _, message in refused} == {
        ("func.call#2", "what is called here frees a buffer that it is given, and that is freed here, too")
    }
    assert accounted == set()
    plain = text.replace(" {bufferization.manual_deallocation}", "")
    accounted = derive(plain, "given_to_be_freed", rules=STATIC)
    assert accounted == {("func.call#2", "%a")}
