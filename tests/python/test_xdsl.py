"""The pass for xDSL: in `xdsl-opt`, and from Python."""

import subprocess
import sys
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.parser import Parser
from xdsl.passes import PassPipeline
from xdsl.utils.exceptions import PassFailedException

from dealog.xdsl import DealogPass
from tests.support.tools import run_mlir_opt

TEXT = """\
builtin.module {
  func.func @f(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    %r = scf.if %c -> (memref<4xf32>) {
      scf.yield %a : memref<4xf32>
    } else {
      scf.yield %m : memref<4xf32>
    }
    func.return %r : memref<4xf32>
  }
}
"""


def xdsl_opt(pipeline, *flags):
    tool = Path(sys.executable).with_name("xdsl-opt")
    return subprocess.run(
        [tool, "-p", pipeline, *flags], input=TEXT, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("pipeline", ["dealog", 'dealog{pipeline="buffer-deallocation-pipeline"}'])
def test_the_pass_of_xdsl_opt(pipeline):
    done = xdsl_opt(pipeline)
    assert done.returncode == 0, done.stderr
    assert "memref.dealloc" in done.stdout
    (output,) = run_mlir_opt([done.stdout])
    assert output.ok, output.errors


def test_passes_of_both_in_one_pipeline():
    done = xdsl_opt('dealog{pipeline="ownership-based-buffer-deallocation"},canonicalize')
    assert done.returncode == 0 and '"bufferization.dealloc"(' in done.stdout


def context():
    made = Context()
    for name, factory in get_all_dialects().items():
        if name in ("builtin", "func", "memref", "scf"):
            made.register_dialect(name, factory)
    return made


def test_a_context_that_lacks_what_is_inserted():
    ctx = context()
    module = Parser(ctx, TEXT).parse_module()
    PassPipeline((DealogPass(pipeline="dealloc"),)).apply(ctx, module)
    assert "memref.dealloc" in str(module)


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (DealogPass(pipeline="nothing-like-it"), "does not refer to a registered pass"),
        (DealogPass(engine="prolog"), "there is no engine 'prolog'"),
    ],
)
def test_what_is_wrong(made, message):
    ctx = context()
    with pytest.raises(PassFailedException, match=message):
        made.apply(ctx, Parser(ctx, TEXT).parse_module())
