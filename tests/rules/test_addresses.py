"""Passes over memory that is used by its address, by a handle, or by what goes on by itself: they leave it as it is."""

from __future__ import annotations

import pytest

from dealog.extensions import Extensions
from tests.rules.derive import derive
from tests.support.dealog import run_dealog

PASSES = (
    "clone-removal", "copy-removal", "plan-memory", "promote-buffers-to-stack", "optimize-allocation-liveness",
    "buffer-hoisting", "buffer-loop-hoisting", "sink-allocations",
)  # fmt: skip
RULES = """known_effects("zz.handle"). known_effects("zz.read"). known_effects("zz.write").
known_effects("zz.number"). exposes("zz.number", 0)."""
FUNCTION = """
func.func private @address(%m: memref<4xf32>) -> i64 {{
  %p = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
  %i = arith.index_cast %p : index to i64
  return %i : i64
}}
func.func private @handle(%m: memref<4xf32>) -> !zz.h {{
  %h = "zz.handle"(%m) : (memref<4xf32>) -> !zz.h
  return %h : !zz.h
}}
func.func @f(%x: f32, %y: f32) -> (f32, f32) {{
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%zero] : memref<4xf32>
  {made}
  %b = {copy}
  {used}
  %v = memref.load %b[%zero] : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  %z = {read}
  memref.dealloc %a : memref<4xf32>
  return %v, %z : f32, f32
}}
"""
POINTER = {
    "used": "llvm.store %y, %ptr : f32, !llvm.ptr",
    "read": "llvm.load %ptr : !llvm.ptr -> f32",
}
HANDLE = {
    "used": '"zz.write"(%h) : (!zz.h) -> ()',
    "read": '"zz.read"(%h) : (!zz.h) -> f32',
}
MADE = {
    "address": {
        "made": """%p = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %i = arith.index_cast %p : index to i64
  %ptr = llvm.inttoptr %i : i64 to !llvm.ptr""",
        **POINTER,
    },
    "address by a call": {
        "made": """%i = call @address(%a) : (memref<4xf32>) -> i64
  %ptr = llvm.inttoptr %i : i64 to !llvm.ptr""",
        **POINTER,
    },
    "handle": {"made": '%h = "zz.handle"(%a) : (memref<4xf32>) -> !zz.h', **HANDLE},
    "handle by a call": {"made": "%h = call @handle(%a) : (memref<4xf32>) -> !zz.h", **HANDLE},
    "number": {
        "made": '%h = "zz.number"(%a) : (memref<4xf32>) -> i64',
        **{key: text.replace("!zz.h", "i64") for key, text in HANDLE.items()},
    },
}
COPIES = {
    "clone": "bufferization.clone %a : memref<4xf32> to memref<4xf32>",
    "copy": "memref.alloc() : memref<4xf32>\n  memref.copy %a, %b : memref<4xf32> to memref<4xf32>",
}
GROUP = """
func.func @g(%n: index, %x: f32, %m: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %g = async.create_group %n : !async.group
  %a = memref.alloc() : memref<4xf32>
  %t = async.execute {
    memref.store %x, %a[%zero] : memref<4xf32>
    memref.copy %a, %m : memref<4xf32> to memref<4xf32>
    async.yield
  }
  %i = async.add_to_group %t, %g : !async.token
  async.await_all %g
  memref.dealloc %a : memref<4xf32>
  return
}
"""


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Extensions:
    """The dialect of these texts."""
    file = tmp_path_factory.mktemp("rules") / "zz.dl"
    file.write_text(RULES)
    return Extensions(rules=(file,))


@pytest.mark.parametrize("copy", COPIES)
@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("pass_", PASSES)
def test_what_is_used_by_its_address_stays(pass_: str, made: str, copy: str, described: Extensions) -> None:
    """Allocations may stand elsewhere, and `%b` on the stack: `%a` is what it was, and freed where it was."""
    text = FUNCTION.format(copy=COPIES[copy], **MADE[made])
    output = run_dealog(text, (pass_,), extensions=described).text
    assert output is not None
    kept = ["%a = memref.alloc() : memref<4xf32>", *MADE[made]["made"].splitlines(), COPIES[copy].splitlines()[-1]]
    for line in (*kept, MADE[made]["used"]):
        assert line.strip() in output, (line, output)
    reads, frees = output.index(MADE[made]["read"]), output.index("memref.dealloc %a")
    assert reads < frees


@pytest.mark.parametrize("pass_", [*PASSES, "buffer-deallocation", "static-buffer-deallocation"])
def test_what_is_in_a_group_goes_on_until_that_is_awaited(pass_: str) -> None:
    freed = "  memref.dealloc %a : memref<4xf32>\n"
    text = GROUP.replace(freed, "") if pass_ == "static-buffer-deallocation" else GROUP
    output = run_dealog(text, (pass_,)).text
    assert output is not None
    assert output.index("async.await_all") < output.index("memref.dealloc %a")


def test_groups_are_handed_what_is_put_into_them() -> None:
    put, received, derived = derive(GROUP, "put_into", "receives_derived", "derived_value")
    assert put == {("@g/async.add_to_group#8", 0, "@g/%g")}
    assert ("@g/%g", "@g/%t") in received
    assert ("@g/%g",) in derived
