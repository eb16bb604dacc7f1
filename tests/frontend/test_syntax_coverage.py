"""No operation whose custom form Dealog claims to read goes without an input that has it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from dealog.diagnostics import DealogError
from dealog.frontend import parse
from dealog.frontend.grammar import EVERYDAY, load_grammar
from tests.frontend.structure import parts
from tests.support import tools
from tests.support.nightly import nightly, one_in

INPUTS = Path(__file__).parent / "inputs"

BY_SHAPE = {"arith", "arm_sme", "nvvm", "rocdl", "smt", "spirv", "tosa", "wasmssa"}
"""So many operations of these are written alike that one of each shape has to do."""

OLDER = {
    "bufferization.to_memref",
    "linalg.batch_matmul_transpose_a",
    "linalg.batch_matmul_transpose_b",
    "linalg.elemwise_binary",
    "linalg.elemwise_unary",
    "linalg.matmul_transpose_a",
    "linalg.matmul_transpose_b",
    "tosa.fully_connected",
    "tosa.int_div",
    "tosa.reduce_prod",
    "tosa.variable.read",
    "tosa.variable.write",
    "arm_sme.move_tile_slice_to_vector",
    "arm_sme.move_vector_to_tile_slice",
    "llvm.intr.experimental.stepvector",
    "tensor.pack",
    "tensor.unpack",
    "vector.extractelement",
    "vector.flat_transpose",
    "vector.insertelement",
    "vector.matrix_multiply",
    "vector.splat",
}
"""Gone from MLIR 22; test_spellings.py has them."""
OLDER_DIALECTS = {"mesh"}
"""Likewise; what they were called later is read by the same rules."""
NEWER = {"arith.convertf"}
DIALECTS = sorted(path.stem for path in INPUTS.glob("*.mlir"))


def written(dialect: str) -> set[str]:
    """The operations that the dialect's inputs have in custom form."""
    text = (INPUTS / f"{dialect}.mlir").read_text("utf-8")
    return {op.name for part in parts(text) for op in parse(part).walk() if not op.generic}


@pytest.mark.parametrize("dialect", sorted(set(DIALECTS) - BY_SHAPE))
def test_every_custom_form_has_an_input(dialect: str) -> None:
    known = {name for name in load_grammar().op_names if name.startswith(f"{dialect}.")}
    assert known
    assert not known - OLDER - written(dialect)


@pytest.mark.parametrize("dialect", sorted(BY_SHAPE.intersection(DIALECTS)))
def test_every_shape_has_an_input(dialect: str) -> None:
    grammar = load_grammar()
    names = {name for name in grammar.op_names if name.startswith(f"{dialect}.")} - NEWER - OLDER
    shapes = {shape for name in names for shape in grammar.literals[name]}
    assert not shapes - {shape for name in written(dialect) for shape in grammar.literals[name]}


def test_every_dialect_has_inputs() -> None:
    assert dialects(load_grammar().op_names) <= {*DIALECTS, *OLDER_DIALECTS, "builtin"}


def test_mlir_has_all_operations() -> None:
    names = sorted(load_grammar().op_names - {"wasmssa.global"})  # with nothing behind it, mlir-opt crashes at this one
    run = tools.run([tools.mlir_opt(), "-split-input-file"], "".join(f"{name}\n// -----\n" for name in names))
    assert not run.crashed
    unknown = {names[int(line) // 2] for line in re.findall(r"^<stdin>:(\d+):.* is unknown$", run.errors, re.M)}
    assert {name for name in unknown if dialects([name]).isdisjoint(OLDER_DIALECTS)} == OLDER | NEWER


def dialects(names: Iterable[str]) -> set[str]:
    """The dialects that operations are of."""
    return {name.partition(".")[0] for name in names}


def test_text_that_names_everyday_dialects_only_is_read_by_their_grammar() -> None:
    everyday = load_grammar(text="func.func @f()")
    whole = load_grammar()
    assert "memref.alloc" in everyday.op_names < whole.op_names
    assert len(everyday.rules) * 2 < len(whole.rules)
    assert load_grammar(text="func.func @f()", others=["memref.copy", "arith.addi"]) is everyday
    assert load_grammar(text="func.func @f()", others=["memref.copy", "gpu.barrier"]) is whole
    for text in ("gpu.barrier", '"gpu.barrier"() : () -> ()', "!gpu.async.token", "x" * (1 << 18)):
        assert load_grammar(text=text) is whole
    assert {name.partition(".")[0] for name in everyday.op_names} < EVERYDAY


@nightly
def test_added_files_are_merged_with_what_the_text_and_they_need(tmp_path: Path) -> None:
    everyday, whole = load_grammar(text="func.func @f()"), load_grammar()
    added = tmp_path / "mydb.lark"
    added.write_text('%extend custom_op: "mydb.open" operand ":" type\n')
    assert load_grammar([tmp_path], "func.func @f()").op_names == {*everyday.op_names, "mydb.open"}
    assert load_grammar([tmp_path], "gpu.barrier").op_names == {*whole.op_names, "mydb.open"}
    added.write_text('%extend custom_op: "mydb.open_all" gpu_tokens operand ":" type\n')
    assert load_grammar([tmp_path], "func.func @f()").op_names == {*whole.op_names, "mydb.open_all"}
    directives = ("default dialect: mydb.open gpu", "old spelling: opened gpu.barrier", "terminators: GPU_DESTROY")
    for directive in one_in(3, directives):
        added.write_text(f'//! {directive}\n%extend custom_op: "mydb.open" operand ":" type\n')
        assert load_grammar([tmp_path], "func.func @f()").op_names == {*whole.op_names, "mydb.open"}
    added.write_text('%extend custom_op: "gpu.barrier" operand ":" type\n')
    with pytest.raises(DealogError, match=r"the custom form of 'gpu.barrier' is described in gpu.lark already"):
        load_grammar([tmp_path], "func.func @f()")
