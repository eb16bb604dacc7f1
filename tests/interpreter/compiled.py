"""Runs small programs compiled: lowered by `mlir-opt`, executed by `mlir-runner`, results printed as bits."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from tests.support import tools

LOWERING = (
    "-lower-affine",
    "-convert-scf-to-cf",
    "-expand-strided-metadata",
    "-lower-affine",
    "-convert-math-to-llvm",
    "-convert-math-to-libm",
    "-convert-index-to-llvm",
    "-finalize-memref-to-llvm",
    "-arith-expand",
    "-convert-arith-to-llvm",
    "-convert-cf-to-llvm",
    "-convert-func-to-llvm",
    "-reconcile-unrealized-casts",
)


@functools.cache
def results(text: str, functions: tuple[str, ...]) -> list[int]:
    """What functions without arguments return, all of them `() -> i64`."""
    calls = "".join(
        f"  %r{i} = llvm.call @{name}() : () -> i64\n"
        f"  %p{i} = llvm.call @printf(%format, %r{i}) vararg(!llvm.func<i32 (ptr, ...)>)"
        " : (!llvm.ptr, i64) -> i32\n"
        for i, name in enumerate(functions)
    )
    lowered = tools.run([tools.mlir_opt(), *LOWERING, "-"], text).unwrap()
    start = re.search(r"^module.*\{$", lowered, re.MULTILINE)
    assert start is not None
    inside = lowered[start.end() : lowered.rindex("}")]
    program = (
        'llvm.mlir.global internal constant @format("value %ld\\0A\\00")\n'
        "llvm.func @printf(!llvm.ptr, ...) -> i32\n"
        "llvm.func @fflush(!llvm.ptr) -> i32\n"
        f"{inside}\n"
        "llvm.func @main() -> i32 {\n  %format = llvm.mlir.addressof @format : !llvm.ptr\n"
        f"{calls}  %all = llvm.mlir.zero : !llvm.ptr\n  %f = llvm.call @fflush(%all) : (!llvm.ptr) -> i32\n"
        "  %zero = llvm.mlir.constant(0 : i32) : i32\n  llvm.return %zero : i32\n}\n"
    )
    output = tools.run([tools.find("mlir-runner"), "-e", "main", "-entry-point-result=i32", "-O0"], program).unwrap()
    return [int(value) for value in re.findall(r"^value (-?\d+)$", output, re.MULTILINE)]


def as_bits(code: Sequence[str], result: str, type: str) -> str:
    """The body of a function `() -> i64` that returns the bits of the value `result` of a scalar type."""
    lines = list(code)
    width = 64 if type == "index" else int(re.sub(r"\D", "", type))
    if type == "index":
        lines.append(f"%bits = arith.index_cast {result} : index to i64")
        result = "%bits"
    elif not type.startswith("i"):
        lines.append(f"%bits = arith.bitcast {result} : {type} to i{width}")
        result = "%bits"
    if width < 64:
        lines.append(f"%wide = arith.extui {result} : i{width} to i64")
        result = "%wide"
    lines.append(f"return {result} : i64")
    return "\n".join(f"  {line}" for line in lines)
