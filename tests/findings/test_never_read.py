"""Buffers that nobody reads."""

import pytest

from tests.support.engines import ENGINES

from .derive import derive, findings, told

T = "memref<4xf32>"


def function(*lines: str, result: str = "", returned: str = "") -> str:
    head = f"func.func @f(%m: {T}, %v: f32, %i: index, %x: vector<4xf32>){result} {{\n"
    body = "".join(f"  {line}\n" for line in lines)
    return f"func.func private @use({T})\n{head}{body}  return{returned}\n}}\n"


ALLOC = f"%a = memref.alloc() : {T}"

WRITTEN = {
    "nothing at all": [],
    "store": [f"memref.store %v, %a[%i] : {T}"],
    "copy": [f"memref.copy %m, %a : {T} to {T}"],
    "fill": [f"linalg.fill ins(%v : f32) outs(%a : {T})"],
    "elementwise": [f"linalg.exp ins(%m : {T}) outs(%a : {T})"],
    "two inputs": [f"linalg.add ins(%m, %m : {T}, {T}) outs(%a : {T})"],
    "vector": [f"vector.transfer_write %x, %a[%i] : vector<4xf32>, {T}"],
    "affine": [f"affine.store %v, %a[0] : {T}"],
    "freed": [f"memref.dealloc %a : {T}"],
    "measured": ["%c = arith.constant 0 : index", f"%d = memref.dim %a, %c : {T}"],
    "through a view": [
        f"%w = memref.subview %a[0] [2] [1] : {T} to memref<2xf32, strided<[1]>>",
        "memref.store %v, %w[%i] : memref<2xf32, strided<[1]>>",
    ],
    "in a region": [
        "%c = arith.constant true",
        f"scf.if %c {{ memref.store %v, %a[%i] : {T} }}",
    ],
}

READ = {
    "load": [f"%l = memref.load %a[%i] : {T}"],
    "copied from": [f"memref.copy %a, %m : {T} to {T}"],
    "read in its own update": [f"memref.copy %a, %a : {T} to {T}"],
    "input": [f"linalg.exp ins(%a : {T}) outs(%m : {T})"],
    "accumulated": ["linalg.dot ins(%m, %m : memref<4xf32>, memref<4xf32>) outs(%s : memref<f32>)"],
    "called": [f"call @use(%a) : ({T}) -> ()"],
    "atomic": [f"%l = memref.atomic_rmw addf %v, %a[%i] : (f32, {T}) -> f32"],
    "address": [f"%p = memref.extract_aligned_pointer_as_index %a : {T} -> index"],
    "through a view": [
        f"%w = memref.subview %a[0] [2] [1] : {T} to memref<2xf32, strided<[1]>>",
        "%l = memref.load %w[%i] : memref<2xf32, strided<[1]>>",
    ],
    "selected": ["%c = arith.constant true", f"%s = arith.select %c, %a, %m : {T}"],
    "branched on": ["cf.br ^next(%a : memref<4xf32>)", "^next(%p: memref<4xf32>):"],
    "as a tensor": [
        f"%t = bufferization.to_tensor %a : {T} to tensor<4xf32>",
        "%e = tensor.extract %t[%i] : tensor<4xf32>",
    ],
    "unknown operation": [f'"mydb.scan"(%a) : ({T}) -> ()'],
    "cloned": [f"%b = bufferization.clone %a : {T} to {T}", f"%l = memref.load %b[%i] : {T}"],
    "reallocated": [f"%b = memref.realloc %a : {T} to memref<8xf32>", "%l = memref.load %b[%i] : memref<8xf32>"],
}


@pytest.mark.parametrize("lines", WRITTEN.values(), ids=WRITTEN)
def test_written_at_most(lines):
    assert derive(function(ALLOC, *lines), "never_read") == {("%a",)}


@pytest.mark.parametrize("lines", READ.values(), ids=READ)
def test_put_to_use(lines):
    first = "%s = memref.alloc() : memref<f32>" if "%s :" in lines[0] else ALLOC
    never, used = derive(function(first, *lines), "never_read", "put_to_use")
    assert never == set()
    assert ("%a",) in used or ("%s",) in used


def test_returned():
    assert derive(function(ALLOC, result=f" -> {T}", returned=f" %a : {T}"), "never_read") == set()


def test_allocated_on_the_stack_or_as_a_clone():
    text = function(f"%a = memref.alloca() : {T}", f"%b = bufferization.clone %m : {T} to {T}")
    assert derive(text, "never_read") == {("%a",), ("%b",)}


def test_stored_in_another_buffer():
    lines = (ALLOC, f"%b = memref.alloc() : memref<1x{T}>", f"memref.store %a, %b[%i] : memref<1x{T}>")
    assert derive(function(*lines), "never_read") == {("%b",)}


GENERIC = (
    "linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],"
    ' iterator_types = ["parallel"]}}'
    " ins({ins} : memref<4xf32>) outs({outs} : memref<4xf32>) {{\n"
    "  ^bb0(%in: f32, %out: f32):\n    %y = arith.addf %in, {other} : f32\n    linalg.yield %y : f32\n  }}"
)


def test_a_body_that_only_writes():
    text = function(ALLOC, GENERIC.format(ins="%m", outs="%a", other="%v"))
    unread, output, body = derive(text, "unread", "body_output", "elementwise_body")
    assert unread == {("linalg.generic#2", 1)} and len(output) == 1
    assert {row[0] for row in body} == {"linalg.generic#2"}
    assert derive(text, "never_read") == {("%a",)}


def test_a_body_that_reads_what_it_updates():
    text = function(ALLOC, GENERIC.format(ins="%m", outs="%a", other="%out"))
    assert derive(text, "never_read", "unread") == (set(), set())


def test_a_window_is_no_output():
    # the body does not look at the elements of an input, but its sizes say what is computed
    text = function(ALLOC, GENERIC.format(ins="%a", outs="%m", other="%v").replace("addf %in,", "addf %v,"))
    assert derive(text, "never_read") == set()


def test_map_and_matmul():
    mapped = function(ALLOC, f"linalg.map {{ math.exp }} ins(%m : {T}) outs(%a : {T})")
    assert derive(mapped, "never_read") == {("%a",)}
    lines = (
        "%a = memref.alloc() : memref<4x4xf32>",
        "%b = memref.alloc() : memref<4x4xf32>",
        "linalg.fill ins(%v : f32) outs(%b : memref<4x4xf32>)",
        "linalg.matmul ins(%b, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)",
    )
    assert derive(function(*lines), "never_read") == set()  # a matmul adds to what is there


def test_viewed():
    text = function(ALLOC, f"%w = memref.cast %a : {T} to memref<?xf32>")
    assert derive(text, "makes_view") == {("memref.cast#2", 0)}


@pytest.mark.parametrize("engine", ENGINES)
def test_how_it_is_told(engine):
    text = function(ALLOC, f"memref.copy %m, %a : {T} to {T}")
    (finding,) = findings(text, "never_read", engine=engine)
    assert finding.message == "the buffer %a is never read" and finding.fact == "never_read(%a)"
    assert finding.function == "@f" and finding.spot.source.text[finding.spot.offset : finding.spot.end] == "%a"
    assert told(text, "never_read") == ["3: the buffer %a is never read"]


def test_an_operation_whose_result_has_no_name():
    (finding,) = findings(function(f"bufferization.clone %m : {T} to {T}"), "never_read")
    assert finding.message == "the buffer that bufferization.clone returns is never read"
    assert finding.fact == 'never_read("@f/bufferization.clone#1#0")'
