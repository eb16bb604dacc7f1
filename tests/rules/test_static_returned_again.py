"""Functions that return one new buffer by several results."""

from __future__ import annotations

import pytest

from dealog.diagnostics import Diagnostic
from tests.rules.derive import derive
from tests.support.dealog import executed, run_dealog

STATIC = ("static_buffer_deallocation",)
T = "memref<4xf32>"
V = "memref<?xf32>"
S = "memref<2xf32, strided<[1], offset: 2>>"
WRITTEN = "this may be written to here, and be two results of a call, or only one of them"

MADE = f"""
  %a = memref.alloc() : {T}
  memref.store %f, %a[%i] : {T}
  %b = memref.alloc() : {T}
  memref.store %f, %b[%i] : {T}"""


def program(body: str, second: str = T, *, write: str = "%x", read: str = "%y", visibility: str = "private") -> str:
    types = {"%x": T, "%y": second}
    return f"""
memref.global "private" @held : {T} = dense<2.0>
func.func {visibility} @two(%c: i1, %f: f32, %i: index, %m: {T}) -> ({T}, {second}) {{{MADE}
{body}
}}
func.func @main(%c: i1) -> f32 {{
  %i = arith.constant 1 : index
  %f = arith.constant 2.0 : f32
  %g = arith.constant 3.0 : f32
  %m = memref.alloc() : {T}
  memref.store %f, %m[%i] : {T}
  %x, %y = call @two(%c, %f, %i, %m) : (i1, f32, index, {T}) -> ({T}, {second})
  memref.store %g, {write}[%i] : {types[write]}
  %r = memref.load {read}[%i] : {types[read]}
  %s = memref.load %m[%i] : {T}
  %t = arith.addf %r, %s : f32
  return %t : f32
}}
"""


AGAIN = {
    "as it is": (f"  return %a, %a : {T}, {T}", T),
    "a cast": (f"  %v = memref.cast %a : {T} to {V}\n  return %a, %v : {T}, {V}", V),
    "two views": (
        f"  %v = memref.cast %a : {T} to {V}\n  %w = memref.cast %v : {V} to {T}\n  return %w, %v : {T}, {V}", V),
    "a part": (f"  %v = memref.subview %a[2][2][1] : {T} to {S}\n  return %a, %v : {T}, {S}", S),
    "on both paths": (
        f"  cf.cond_br %c, ^x, ^y\n^x:\n  return %a, %a : {T}, {T}\n^y:\n  return %b, %b : {T}, {T}", T),
    "of a block that goes on": (
        f"  cf.cond_br %c, ^x, ^y\n^x:\n  cf.br ^y\n^y:\n  return %b, %b : {T}, {T}", T),
    "a choice": (f"  %s = arith.select %c, %a, %b : {T}\n  return %s, %s : {T}, {T}", T),
    "an argument of a block": (
        f"  cf.cond_br %c, ^x(%a : {T}), ^x(%b : {T})\n^x(%z: {T}):\n  return %z, %z : {T}, {T}", T),
    "by a call": (
        f"  %p, %q = call @inner() : () -> ({T}, {T})\n  memref.store %f, %p[%i] : {T}\n"
        f"  return %q, %p : {T}, {T}\n}}\n"
        f"func.func private @inner() -> ({T}, {T}) {{\n  %n = memref.alloc() : {T}\n  return %n, %n : {T}, {T}", T),
}  # fmt: skip


@pytest.mark.parametrize("visibility", ["private", "public"])
@pytest.mark.parametrize("name", AGAIN)
def test_one_buffer_stays_one(name: str, visibility: str) -> None:
    """What is written by one name is read by the other, and the buffer is freed once; a second run changes nothing."""
    body, second = AGAIN[name]
    at = "%y" if second != S else "%x"
    for write, read in (("%x", at), (at, "%x")):
        text = program(body, second, write=write, read=read, visibility=visibility)
        assert ("@two", 1, 0) in derive(text, "returned_again", rules=STATIC)
        assert ("@main/%y", "@main/%x") in derive(text, "same_result", rules=STATIC)
        assert ("@main/%y", "@main/%x") in derive(text, "renames", rules=STATIC)
        out = run_dealog(text, ("static-buffer-deallocation", "convert-bufferization-to-memref")).unwrap()
        assert "memref.copy" not in out
        for condition in ("true", "false"):
            assert executed(out, condition) == executed(text, condition, "--no-ownership") == "f32=5.0\n"
        assert run_dealog(out, ("static-buffer-deallocation",)).unwrap() == out


def test_a_part_is_one_with_its_whole() -> None:
    body, second = AGAIN["a part"]
    last = "%o = arith.constant 3 : index\n  memref.store %g, %x[%o]"
    text = program(body, second).replace("memref.store %g, %x[%i]", last)
    out = run_dealog(text, ("static-buffer-deallocation",)).unwrap()
    assert executed(out, "true") == executed(text, "true", "--no-ownership") == "f32=5.0\n"


APART = {
    "two allocations": f"  return %a, %b : {T}, {T}",
    "on one path only": f"  cf.cond_br %c, ^x, ^y\n^x:\n  return %a, %a : {T}, {T}\n^y:\n  return %a, %b : {T}, {T}",
    "one on each path": f"  cf.cond_br %c, ^x, ^y\n^x:\n  return %a, %m : {T}, {T}\n^y:\n  return %b, %m : {T}, {T}",
}  # fmt: skip


@pytest.mark.parametrize("name", APART)
def test_what_need_not_be_one_buffer(name: str) -> None:
    assert derive(program(APART[name]), "returned_again", rules=STATIC) == set()


def test_an_argument_that_comes_back_twice() -> None:
    chosen = f"{HELD}  %s = arith.select %c, %a, %o : {T}\n  return %s, %s : {T}, {T}"
    for body in (f"  return %m, %m : {T}, {T}", chosen):
        text = program(body)
        assert ("@two", 1, 0) in derive(text, "returned_again", rules=STATIC)
        out = run_dealog(text, ("static-buffer-deallocation", "convert-bufferization-to-memref")).unwrap()
        for condition in ("true", "false"):
            assert executed(out, condition) == executed(text, condition, "--no-ownership")
        assert run_dealog(out, ("static-buffer-deallocation",)).unwrap() == out


def test_a_global_variable_that_is_returned_twice() -> None:
    chosen = f"  %s = arith.select %c, %a, %k : {T}\n  return %s, %s : {T}, {T}"
    text = program(f"  %k = memref.get_global @kept : {T}\n{chosen}")
    text = f'memref.global "private" @kept : {T} = dense<2.0>\n{text}'
    assert derive(text, "may_give_global", rules=STATIC) == {("@two", 0), ("@two", 1)}
    assert derive(text, "gives_global", rules=STATIC) == {("@two", 0)}
    out = run_dealog(text, ("static-buffer-deallocation", "convert-bufferization-to-memref")).unwrap()
    for condition in ("true", "false"):
        assert executed(out, condition) == executed(text, condition, "--no-ownership") == "f32=5.0\n"
    assert run_dealog(out, ("static-buffer-deallocation",)).unwrap() == out


HELD = f"  %o = memref.get_global @held : {T}\n"
PERHAPS = {
    "a choice of it": f"{HELD}  %s = arith.select %c, %a, %o : {T}\n  return %s, %a : {T}, {T}",
    "an argument of a block": (
        f"{HELD}  cf.cond_br %c, ^r(%a, %a : {T}, {T}), ^r(%o, %a: {T}, {T})\n"
        f"^r(%z : {T}, %w : {T}):\n  return %z, %w : {T}, {T}"),
    "on one path only": (
        f"{HELD}  cf.cond_br %c, ^x, ^y\n^x:\n  return %a, %a : {T}, {T}\n^y:\n  return %a, %o : {T}, {T}"),
}  # fmt: skip


def refusal(text: str) -> tuple[Diagnostic, ...]:
    return run_dealog(text, ("static-buffer-deallocation",)).diagnostics


@pytest.mark.parametrize("name", PERHAPS)
def test_what_may_be_one_buffer_is_not_written_to(name: str) -> None:
    """One result is a clone of the other on some path only: a caller that writes to it is refused, others are not."""
    for write, read in (("%x", "%y"), ("%y", "%x")):
        text = program(PERHAPS[name], write=write, read=read)
        assert {each.message for each in refusal(text)} == {WRITTEN}
        assert derive(text, "tells_results_apart", rules=STATIC) == {("@main/memref.store#7", "@two")}
        unwritten = text.replace(f"  memref.store %g, {write}[%i] : {T}\n", "")
        assert refusal(unwritten) == ()
        assert len({row[1:] for row in derive(unwritten, "cloned_beside", rules=STATIC)} & {(0, 1), (1, 0)}) > 0
        out = run_dealog(unwritten, ("static-buffer-deallocation", "convert-bufferization-to-memref")).unwrap()
        for condition in ("true", "false"):
            assert executed(out, condition) == executed(unwritten, condition, "--no-ownership")


@pytest.mark.parametrize(
    "use",
    [
        f"func.call @writes(%x, %g, %i) : ({T}, f32, index) -> ()",
        f"func.call @outside(%x) : ({T}) -> ()",
        f"%k = memref.cast %x : {T} to {V}\n  memref.store %g, %k[%i] : {V}",
        f"%k = func.call @gives_back(%x) : ({T}) -> {T}\n  memref.store %g, %k[%i] : {T}",
        f"func.call @shows(%x) : ({T}) -> ()",
        f"%k = arith.select %c, %x, %m : {T}\n  memref.store %g, %k[%i] : {T}",
        f"%k = scf.if %c -> ({T}) {{ scf.yield %x : {T} }} else {{ scf.yield %m : {T} }}\n"
        f"  memref.store %g, %k[%i] : {T}",
    ],
)  # fmt: skip
def test_it_is_not_written_to_elsewhere(use: str) -> None:
    helpers = f"""
func.func private @outside({T})
func.func @shows(%x: {T}) {{
  call @outside(%x) : ({T}) -> ()
  return
}}
func.func private @gives_back(%x: {T}) -> {T} {{
  return %x : {T}
}}
func.func private @writes(%x: {T}, %g: f32, %i: index) {{
  memref.store %g, %x[%i] : {T}
  return
}}
"""
    text = program(PERHAPS["a choice of it"]).replace(f"memref.store %g, %x[%i] : {T}", use) + helpers
    assert {each.message for each in refusal(text)} == {WRITTEN}


def three(first: str, second: str, third: str, *, write: str, read: str) -> str:
    chosen = f"{HELD}  %s = arith.select %c, %a, %o : {T}\n  return {first}, {second}, {third} : {T}, {T}, {T}"
    text = program(chosen).replace(f") -> ({T}, {T})", f") -> ({T}, {T}, {T})")
    text = text.replace("%x, %y = call", "%x, %y, %z = call")
    return text.replace("%g, %x[%i]", f"%g, {write}[%i]").replace("load %y[%i]", f"load {read}[%i]")


def test_one_of_two_that_are_one() -> None:
    """%x and %y are one buffer, which %z may be: it is used by the name of either."""
    for write, read in (("%y", "%z"), ("%z", "%y")):
        assert {each.message for each in refusal(three("%s", "%s", "%a", write=write, read=read))} == {WRITTEN}
    assert refusal(three("%s", "%s", "%a", write="%x", read="%y")) == ()


def test_a_choice_of_a_choice() -> None:
    chosen = f"  %s = arith.select %c, %a, %b : {T}\n  %t = arith.select %c, %s, %o : {T}"
    body = f"{HELD}{chosen}\n  return %t, %a : {T}, {T}"
    assert {each.message for each in refusal(program(body))} == {WRITTEN}


@pytest.mark.parametrize("made", ["alloca", "alloc"])
@pytest.mark.parametrize(("more", "refused"), [
    ("", False),
    ("  %b = memref.load %k[%o] : MEMORY\n  %u = memref.load %b[%i] : BUFFER\n", False),
    ("  %b = memref.load %k[%o] : MEMORY\n  memref.store %g, %b[%i] : BUFFER\n", True),
    ("  %b = memref.load %k[%i] : MEMORY\n  memref.store %g, %b[%i] : BUFFER\n", True),
    ("  func.call @takes(%k) : (MEMORY) -> ()\n", True),
    ("  %b = memref.cast %k : MEMORY to memref<?xBUFFER>\n", True),
])  # fmt: skip
def test_it_is_written_to_memory(more: str, refused: bool, made: str) -> None:
    """It may be: where that is local, it is seen what is read back."""
    memory = f"%k = memref.{made}() : MEMORY\n  %o = arith.constant 0 : index"
    store = f"{memory}\n  memref.store %x, %k[%o] : MEMORY\n{more}"
    text = program(PERHAPS["a choice of it"]).replace(f"memref.store %g, %x[%i] : {T}", store)
    if "@takes" in more:
        text += "func.func private @takes(%m: MEMORY) {\n  return\n}\n"
    text = text.replace("MEMORY", f"memref<1x{T}>").replace("BUFFER", T)
    assert (WRITTEN in {each.message for each in refusal(text)}) == refused
    lies, kept, into, around, memories = derive(
        text, "kept_in_memory", "kept_there", "writes_into", "passed_around", "made_as_memory", rules=STATIC
    )
    assert {row[1:] for row in into} == {(0, "@main/%k")} and memories == {("@main/%k",)}
    assert (around != set()) == ("cast" in more or "call" in more)
    assert lies == (set() if around else {("@main/%x", "@main/%k")}) and (kept == set()) == (around != set())
    if not refused:
        out = run_dealog(text, ("static-buffer-deallocation", "convert-bufferization-to-memref")).unwrap()
        for condition in ("true", "false"):
            assert executed(out, condition) == executed(text, condition, "--no-ownership")


def test_what_the_message_shows() -> None:
    (message,) = refusal(program(PERHAPS["a choice of it"]))
    assert message.hint is not None and "always return two buffers" in message.hint
    assert [note.message for note in message.notes] == ["what is returned here by two operands may be one buffer"]


def test_a_function_that_only_reads() -> None:
    reads = f"""
func.func private @reads(%x: {T}, %i: index) -> f32 {{
  %r = memref.load %x[%i] : {T}
  return %r : f32
}}
"""
    call = f"%k = func.call @reads(%x, %i) : ({T}, index) -> f32"
    assert refusal(program(PERHAPS["a choice of it"]).replace(f"memref.store %g, %x[%i] : {T}", call) + reads) == ()


def test_a_public_function_that_returns_one_or_both() -> None:
    """Callers that are not seen could see by two names that they are two buffers."""
    text = f"""
func.func @gets(%c: i1, %f: f32, %i: index, %m: {T}) -> {T} {{
  %x, %y = call @two(%c, %f, %i, %m) : (i1, f32, index, {T}) -> ({T}, {T})
  %r = memref.load %y[%i] : {T}
  return %x : {T}
}}
"""
    both = text.replace(f"-> {T} {{", f"-> ({T}, {T}) {{").replace(f"return %x : {T}", f"return %x, %y : {T}, {T}")
    unwritten = program(PERHAPS["a choice of it"]).replace(f"  memref.store %g, %x[%i] : {T}\n", "")
    assert refusal(unwritten + text) == ()
    assert {each.message for each in refusal(unwritten + both)} == {WRITTEN}
    shown, apart = derive(unwritten + both, "shown_to_unseen", "tells_results_apart", rules=STATIC)
    assert {row[1:] for row in shown} == {("@two", 0), ("@two", 1)} and {f for _, f in apart} == {"@two"}


def test_only_one_of_the_two_is_used() -> None:
    assert refusal(program(PERHAPS["a choice of it"], read="%x")) == ()


def test_what_is_returned_again_is_not_taken_over() -> None:
    """A call does not free what it is given, where a caller knows it by a second name, too."""
    text = f"""
func.func private @two() -> ({T}, {T}) {{
  %a = memref.alloc() : {T}
  return %a, %a : {T}, {T}
}}
func.func private @either(%c: i1, %m: {T}) -> {T} {{
  %a = memref.alloc() : {T}
  %s = arith.select %c, %a, %m : {T}
  return %s : {T}
}}
func.func @main(%c: i1, %i: index, %f: f32) -> f32 {{
  %x, %y = call @two() : () -> ({T}, {T})
  %z = call @either(%c, %USED) : (i1, {T}) -> {T}
  memref.store %f, %OTHER[%i] : {T}
  %r = memref.load %z[%i] : {T}
  return %r : f32
}}
"""
    for used, other in (("x", "y"), ("y", "x")):
        each = text.replace("USED", used).replace("OTHER", other)
        assert derive(each, "given_for_good", rules=STATIC) == set()
        assert refusal(each) == ()
    assert derive(text.replace("USED", "x").replace("OTHER", "z"), "given_for_good", rules=STATIC) == set()


def test_what_is_returned_twice_may_be_a_third_result() -> None:
    """One i1 goes along with both, and none is a clone."""
    text = program(
        f"  %s = arith.select %c, %a, %b : {T}\n  return %s, %s, %a : {T}, {T}, {T}", write="%x", read="%y"
    )
    text = text.replace(f") -> ({T}, {T})", f") -> ({T}, {T}, {T})").replace("%x, %y = call", "%x, %y, %z = call")
    out = run_dealog(text, ("static-buffer-deallocation", "convert-bufferization-to-memref")).unwrap()
    assert "return %s, %s, %a" in out and "dealog.owned_0" in out
    for condition in ("true", "false"):
        assert executed(out, condition) == executed(text, condition, "--no-ownership") == "f32=5.0\n"


def test_where_two_operands_are_one_buffer() -> None:
    body = f"""  %v = memref.cast %a : {T} to {V}
  cf.cond_br %c, ^x, ^y
^x:
  return %a, %v : {T}, {V}
^y:
  return %a, %v : {T}, {V}"""
    rows = derive(
        program(body, V), "returned_among", "plainly_new", "returned_view_of", "returns_same", "may_return_from",
        "keeps_same", "same_until_block", "has_next_block", "compares_results", "same_on_return", rules=STATIC,
    )  # fmt: skip
    first, second = "@two/func.return#7", "@two/func.return#8"
    assert rows == (
        {(op, number, value) for op in (first, second) for number, value in ((0, "@two/%a"), (1, "@two/%v"))},
        {("@two/%a",)},
        {("@two/%a", "@two/%a"), ("@two/%v", "@two/%v"), ("@two/%v", "@two/%a")},
        {(first, 1, 0), (second, 1, 0)},
        {("@two/^x",), ("@two/^y",)},
        {("@two", 1, 0, index) for index in range(3)},
        {("@two", 1, 0, index) for index in range(3)},
        {("@two/^bb0",), ("@two/^x",)},
        {("@two",)},
        {("@two", 1, 0)},
    )
    spaces = f"  %v = memref.memory_space_cast %a : {T} to memref<4xf32, 1>\n  return %a, %v : {T}, memref<4xf32, 1>"
    assert derive(program(spaces, "memref<4xf32, 1>"), "view_of_several", rules=STATIC) == {("@two/%v",)}


def test_which_operands_are_compared() -> None:
    """Each one with the first that is the same value, so that many cost no more than their number."""
    text = program("  return %b, %a").replace("return %b, %a", f"return %a, %b, %a, %a : {T}, {T}, {T}, {T}")
    text = text.replace(f") -> ({T}, {T})", f") -> ({T}, {T}, {T}, {T})")
    text = text.replace("%x, %y = call", "%x, %p, %q, %y = call")
    first, several, behind = derive(text, "first_returning", "returns_buffers", "behind_buffer", rules=STATIC)
    back = "@two/func.return#5"
    assert first == {(back, "@two/%a", 0), (back, "@two/%b", 1)} and (back,) in several
    assert {row for row in behind if row[0] == back} == {(back, number) for number in range(1, 5)}
    assert derive(text, "returned_again", rules=STATIC) == {("@two", 2, 0), ("@two", 3, 0)}


def test_what_a_clone_may_be_of() -> None:
    text = program(PERHAPS["a choice of it"])
    assert derive(
        text, "clone_may_be_of", "lent_as", "may_go_on_as", "results_beside", "result_beside", "used_by_a_name",
        "known_by_results", "goes_by_result", rules=STATIC,
    ) == (
        {("@two/func.return#7", 0, f"@two/%{each}") for each in "aos"},
        {("@two/%a", "@two/%s"), ("@two/%o", "@two/%s")},
        {(f"@two/%{each}", f"@two/%{name}") for each, name in ("aa", "as", "oo", "os", "ss")},
        {("@two", 0, 1)},
        {("@main/%x",), ("@main/%y",)},
        {("@main/%x",), ("@main/%y",)},
        {("@main/%x", "@two"), ("@main/%y", "@two")},
        set(),
    )
    again = program(f"{HELD}  %s = arith.select %c, %a, %o : {T}\n  return %s, %s, %a : {T}, {T}, {T}")
    again = again.replace(f") -> ({T}, {T})", f") -> ({T}, {T}, {T})").replace("%x, %y = call", "%x, %y, %z = call")
    assert derive(again, "one_buffer", rules=STATIC) == {("@two/func.return#7", 0, 1)}


def test_a_buffer_from_outside() -> None:
    body = f"  %p = call @outside() : () -> {T}\n  %v = memref.cast %p : {T} to {V}\n  return %p, %v : {T}, {V}"
    text = program(body, V)
    assert ("@two", 1, 0) in derive(f"{text}\nfunc.func private @outside() -> {T}\n", "returned_again", rules=STATIC)


def test_what_parts_of_a_module_say_of_each_other() -> None:
    one = derive(program(AGAIN["as it is"][0]), "function_summary", rules=STATIC)
    assert ("@two", "@two", "returns again", 1, 0) in one
    other = derive(program(PERHAPS["a choice of it"]), "function_summary", rules=STATIC)
    assert ("@two", "@two", "clones beside", 0, 1) in other
    text = program("BODY")
    declared = f"func.func private @two(i1, f32, index, {T}) -> ({T}, {T})\n{text[text.index('func.func @main') :]}"
    said = [("@two", "returns", 0, 0), ("@two", "returns again", 1, 0)]
    assert derive(declared, "same_result", rules=STATIC, given={"said_elsewhere": said}) == {("@main/%y", "@main/%x")}
    said[1] = ("@two", "clones beside", 0, 1)
    given = {"said_elsewhere": said}
    assert derive(declared, "tells_results_apart", rules=STATIC, given=given) == {
        ("@main/memref.store#7", "@two")
    }


def test_a_view_of_one_of_two() -> None:
    body = f'  %v = "mydb.pair"(%a, %b) : ({T}, {T}) -> {T}\n  return %a, %v : {T}, {T}'
    views = [("mydb.pair", 0, 0), ("mydb.pair", 0, 1)]
    assert derive(program(body), "returned_again", rules=STATIC, given={"views": views}) == set()
    assert derive(program(body), "returned_again", rules=STATIC, given={"views": views[:1]}) == {("@two", 1, 0)}
