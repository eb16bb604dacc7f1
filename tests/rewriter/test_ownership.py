"""What the ownership pass writes, by small IR before and after."""

from __future__ import annotations

import re

import pytest

from tests.support.dealog import run_dealog

PASS = ["ownership-based-buffer-deallocation"]


def after(text: str, *options: str) -> str:
    return run_dealog(text, [PASS[0] + "".join(options)], "embedded").unwrap()


SEED = """\
func.func @example(%memref: memref<?xi8>, %select_cond: i1, %br_cond: i1, %n: index) {
  %alloc = memref.alloc(%n) : memref<?xi8>
  %alloca = memref.alloca(%n) : memref<?xi8>
  %select = arith.select %select_cond, %alloc, %alloca : memref<?xi8>
  cf.cond_br %br_cond, ^bb1(%alloc : memref<?xi8>), ^bb1(%memref : memref<?xi8>)
^bb1(%bbarg: memref<?xi8>):
  memref.copy %bbarg, %select : memref<?xi8> to memref<?xi8>
  return
}
"""


def test_the_seed_documents_example() -> None:
    """As the document has it, but for what is never freed: its conditions are `false` there."""
    text = after(SEED)
    pattern = r"(?:(.*) = )?bufferization.dealloc \(([^:]*) : [^)]*\) if \(([^)]*)\)(?: retain \(([^:]*) : .*\))?"
    then, otherwise, last = re.findall(pattern, text)
    assert then[3] == "%alloc, %select" and then[2] == "%br_cond"
    assert otherwise[3] == "%memref, %select"
    assert f"{otherwise[2]} = arith.xori %br_cond, %true : i1" in text
    assert then[1] == otherwise[1] == "%base_buffer"  # that of %alloc
    first, second = then[0].split(", "), otherwise[0].split(", ")
    merged = re.search(rf"(%\w+) = arith.select %br_cond, {first[1]}, {second[1]} : i1", text)
    assert merged is not None
    branch = f"cf.cond_br %br_cond, ^bb1(%alloc, {first[0].strip()} : memref<?xi8>, i1), "
    assert branch + f"^bb1(%memref, {second[0].strip()} : memref<?xi8>, i1)" in text
    argument = re.search(r"\^bb1\(%bbarg: memref<\?xi8>, (%\w+): i1\):", text)
    assert argument is not None
    # %select flows in, %bbarg is an argument: each is freed on its own condition, nothing is retained
    assert last[2] == f"{merged[1]}, {argument[1]}" and last[3] == ""


def test_untouched_text_stays() -> None:
    text = "// a comment\nfunc.func @f( %m : memref<4xf32> ) {\n\n  return // the end\n}\n"
    assert after(text) == text


def test_written_in_the_form_of_what_is_around() -> None:
    text = """\
"func.func"() <{function_type = () -> (), sym_name = "f"}> ({
  %0 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf32>
  "memref.copy"(%0, %0) : (memref<4xf32>, memref<4xf32>) -> ()
  "func.return"() : () -> ()
}) : () -> ()
"""
    inserted = [line for line in after(text).splitlines() if line not in text.splitlines()]
    assert inserted == [
        '  %true = "arith.constant"() <{value = true}> : () -> i1',
        '  "bufferization.dealloc"(%0, %true) <{operandSegmentSizes = array<i32: 1, 1, 0>}> '
        ": (memref<4xf32>, i1) -> ()",
    ]


CALLS = """\
func.func private @g(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}
func.func @f(%m: memref<4xf32>) {
  %r = call @g(%m) : (memref<4xf32>) -> memref<4xf32>
  return
}
"""


def test_private_functions_hand_indicators_back_if_told_to() -> None:
    text = after(CALLS, "=private-function-dynamic-ownership=true")
    assert "func.func private @g(%m: memref<4xf32>) -> (memref<4xf32>, i1) {" in text
    assert "return %m, %false : memref<4xf32>, i1" in text
    assert "%r, %own = call @g(%m) : (memref<4xf32>) -> (memref<4xf32>, i1)" in text
    assert "bufferization.clone" not in text


def test_by_default_the_function_boundary_abi_holds() -> None:
    text = after(CALLS)
    assert "%clone = bufferization.clone %m" in text and "return %clone : memref<4xf32>" in text
    assert "%r = call @g(%m) : (memref<4xf32>) -> memref<4xf32>" in text


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_order_of_functions_does_not_matter(order: tuple[int, int]) -> None:
    functions = [SEED, CALLS.split("}\n")[0] + "}\n"]
    alone = [after(function) for function in functions]
    assert after("".join(functions[i] for i in order)) == "".join(alone[i] for i in order)


def test_names_do_not_matter() -> None:
    renamed = re.sub(r"%alloc\b", "%zebra", SEED).replace("%select ", "%aardvark ").replace("%select :", "%aardvark :")
    expected = re.sub(r"%alloc\b", "%zebra", after(SEED))
    expected = re.sub(r"%select\b", "%aardvark", expected)
    assert after(renamed) == expected


def test_what_an_earlier_pass_made_grows_as_well() -> None:
    text = """\
func.func @f(%m: memref<?xf32>, %n: index) {
  %r = memref.realloc %m(%n) : memref<?xf32> to memref<?xf32>
  memref.copy %r, %m : memref<?xf32> to memref<?xf32>
  return
}
"""
    out = run_dealog(text, ["expand-realloc=emit-deallocs=false", *PASS], "embedded").unwrap()
    assert "%r, %own = scf.if %smaller -> (memref<?xf32>, i1) {" in out
    assert re.search(r"scf.yield %alloc, %own_\w+ : memref<\?xf32>, i1", out)
    assert "scf.yield %resized, %false : memref<?xf32>, i1" in out


@pytest.mark.parametrize("spelled", ["memref<*xf32>", "memref <*xf32>", "memref< *xf32>"])
def test_unranked_buffers_are_known_however_their_type_is_spelled(spelled: str) -> None:
    text = f"""\
func.func private @make() -> {spelled}
func.func @f(%m: {spelled}) -> {spelled} {{
  %a = func.call @make() : () -> {spelled}
  return %m : {spelled}
}}
"""
    out = after(text)
    assert out.count("memref.extract_strided_metadata %ranked") == out.count("memref.extract_strided_metadata") == 2
    assert f"%ranked = memref.reinterpret_cast %a to offset: [0], sizes: [], strides: [] : {spelled} to" in out
