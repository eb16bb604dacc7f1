"""Private functions that return a clone of what they are given: where a caller could see that, it is refused."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support.dealog import executed, run_dealog

STATIC = ("static_buffer_deallocation",)
LOWERED = ("static-buffer-deallocation", "convert-bufferization-to-memref")
SEEN = "this is written to here, and what a call returned may be a clone of it, or it a clone"
GIVEN = ("true, true", "true, false", "false, true", "false, false")
T = "memref<4xf32>"
PICK = f"""func.func private @pick(%c: i1, %x: {T}, %y: {T}) -> {T} {{
  %s = arith.select %c, %x, %y : {T}
  return %s : {T}
}}
func.func private @fill(%x: {T}, %f: f32) {{
  %i = arith.constant 0 : index
  memref.store %f, %x[%i] : {T}
  return
}}
func.func private @outer(%x: {T}, %f: f32) {{
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %n = memref.dim %x, %zero : {T}
  %s = memref.cast %x : {T} to memref<?xf32>
  %r = scf.for %k = %zero to %n step %one iter_args(%w = %s) -> (memref<?xf32>) {{
    func.call @inner(%w, %f) : (memref<?xf32>, f32) -> ()
    scf.yield %w : memref<?xf32>
  }}
  return
}}
func.func private @inner(%x: memref<?xf32>, %f: f32) {{
  %i = arith.constant 0 : index
  memref.store %f, %x[%i] : memref<?xf32>
  return
}}
func.func private @twice(%c: i1, %x: {T}, %y: {T}) -> ({T}, {T}) {{
  %z = arith.select %c, %x, %y : {T}
  return %z, %z : {T}, {T}
}}
func.func private @get(%h: memref<1x{T}>) -> {T} {{
  %i = arith.constant 0 : index
  %x = memref.load %h[%i] : memref<1x{T}>
  return %x : {T}
}}
"""
HEAD = f"""func.func @main(%c: i1, %d: i1) -> f32 {{
  %i = arith.constant 0 : index
  %one = arith.constant 1 : index
  %f = arith.constant 2.0 : f32
  %g = arith.constant 3.0 : f32
  %a = memref.alloc() : {T}
  memref.store %f, %a[%i] : {T}
"""
NEW = f"%b = memref.alloc() : {T}\n    memref.store %f, %b[%i] : {T}"
GETS = f"%r = func.call @pick(%c, %a, %b) : (i1, {T}, {T}) -> {T}"
WRITE = f"memref.store %g, %a[%i] : {T}"
READ = f"%v = memref.load %q[%i] : {T}"
OUT_OF_A_REGION = f"""  %q = scf.if %d -> ({T}) {{
    {NEW}
    {GETS}
    scf.yield %r : {T}
  }} else {{
    scf.yield %a : {T}
  }}
  {WRITE}
  {READ}
"""
PROGRAMS = {
    "out of a region": OUT_OF_A_REGION,
    "around a loop": f"""  %q = scf.for %k = %i to %one step %one iter_args(%p = %a) -> ({T}) {{
    {NEW}
    {GETS.replace("%a", "%p")}
    scf.yield %r : {T}
  }}
  {WRITE}
  {READ}
""",
    "between blocks": f"""  cf.cond_br %d, ^x, ^y(%a : {T})
^x:
    {NEW}
    {GETS}
  cf.br ^y(%r : {T})
^y(%q : {T}):
  {WRITE}
  {READ}
""",
    "to memory": f"""  {NEW}
  %h = memref.alloc() : memref<1x{T}>
  {GETS}
  memref.store %r, %h[%i] : memref<1x{T}>
  {WRITE}
  %q = memref.load %h[%i] : memref<1x{T}>
  {READ}
""",
    "from memory": f"""  %h = memref.alloc() : memref<1x{T}>
  memref.store %a, %h[%i] : memref<1x{T}>
  %q = call @get(%h) : (memref<1x{T}>) -> {T}
  memref.store %g, %q[%i] : {T}
  %v = memref.load %a[%i] : {T}
""",
    "read by another result": OUT_OF_A_REGION.replace("%r = func.call @pick", "%r:2 = func.call @twice").replace(
        f"-> {T}", f"-> ({T}, {T})").replace("yield %r", "yield %r#1"),
    "written in a region": OUT_OF_A_REGION.replace(WRITE, f"scf.if %c {{\n    {WRITE}\n  }}"),
    "written by a function": OUT_OF_A_REGION.replace(WRITE, f"call @fill(%a, %g) : ({T}, f32) -> ()"),
    "written further in": OUT_OF_A_REGION.replace(WRITE, f"call @outer(%a, %g) : ({T}, f32) -> ()"),
}
TAIL = "  return %v : f32\n}\n"


def program(body: str) -> str:
    return PICK + HEAD + body + TAIL


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_write_that_would_be_missed_is_refused(name: str) -> None:
    text = program(PROGRAMS[name])
    assert {diagnostic.message for diagnostic in run_dealog(text, LOWERED).diagnostics} == {SEEN}


def test_what_is_returned_is_read_by_callers() -> None:
    head = HEAD.replace("@main", "private @made").replace("-> f32", f"-> {T}")
    text = PICK + head + OUT_OF_A_REGION.replace(READ, "") + f"""  return %q : {T}
}}
func.func @main(%c: i1, %d: i1) -> f32 {{
  %i = arith.constant 0 : index
  %q = call @made(%c, %d) : (i1, i1) -> {T}
  %v = memref.load %q[%i] : {T}
{TAIL}"""
    assert {diagnostic.message for diagnostic in run_dealog(text, LOWERED).diagnostics} == {SEEN}


LATER = OUT_OF_A_REGION.replace(f"  {WRITE}\n", "").replace(READ, f"{READ}\n  {WRITE}")
EARLIER = f"  {WRITE}\n" + OUT_OF_A_REGION.replace(f"  {WRITE}\n", "")
AGAIN = f"""  %h = memref.alloc() : {T}
  scf.for %k = %i to %one step %one {{
    {WRITE}
{OUT_OF_A_REGION.replace(f"  {WRITE}", "").replace("%v =", "%u =")}
    memref.store %u, %h[%i] : {T}
  }}
  %v = memref.load %h[%i] : {T}
"""


ANEW = f"""  %z = memref.alloc() : {T}
  memref.store %f, %z[%i] : {T}
  %q = scf.for %k = %i to %one step %one iter_args(%p = %z) -> ({T}) {{
    %m = memref.alloc() : {T}
    memref.store %g, %m[%i] : {T}
    %u = memref.load %p[%i] : {T}
    memref.store %u, %a[%i] : {T}
    {NEW}
    {GETS.replace("%a", "%m")}
    scf.yield %r : {T}
  }}
  {READ}
"""


VIEWED = OUT_OF_A_REGION.replace(WRITE, f"%w = memref.cast %a : {T} to memref<?xf32>").replace(
    READ, f"{READ}\n  %u = memref.load %w[%i] : memref<?xf32>"
)
KEPT = OUT_OF_A_REGION.replace(
    WRITE, f"%h = memref.alloc() : memref<1x{T}>\n  memref.store %a, %h[%i] : memref<1x{T}>")  # fmt: skip
STORED = OUT_OF_A_REGION.replace(
    READ,
    f"%h = memref.alloc() : memref<1x{T}>\n  memref.store %q, %h[%i] : memref<1x{T}>\n"
    f"  %v = memref.load %a[%i] : {T}"
)  # fmt: skip


@pytest.mark.parametrize("body", [LATER, EARLIER, AGAIN, ANEW, VIEWED, KEPT, STORED])
def test_others_are_right(body: str) -> None:
    """What is written before the call, or after the last read, is not missed; nor is it where the call comes again, or
    where what it is given is made anew."""
    text = program(body)
    out = run_dealog(text, LOWERED).unwrap()
    for given in GIVEN:
        assert executed(out, given) == executed(text, given, "--no-ownership"), given


PICKED = "@main/func.call#10"


def of_main(rows: set[tuple[str | int, ...]]) -> set[tuple[str | int, ...]]:
    """Without the call, which is the same in all of them, and the name of the function."""
    return {tuple(str(cell).removeprefix("@main/") for cell in row if cell != PICKED) for row in rows}


def test_what_is_cloned() -> None:
    assert derive(
        program(OUT_OF_A_REGION), "argument_cloned", "clone_call", "few_clone_calls", "clone_from", "clone_or_source",
        rules=STATIC,
    ) == (
        {("@pick", 0, 1), ("@pick", 0, 2)},
        {(PICKED, "@pick", "@main")},
        {("@main",)},
        {(PICKED, "@main/%r", "@main/%a"), (PICKED, "@main/%r", "@main/%b")},
        {("@main/%r",), ("@main/%a",), ("@main/%b",)},
    )  # fmt: skip
    borrowed = derive(program(OUT_OF_A_REGION), "borrowed_on_way", rules=STATIC)
    assert {("@pick/%x", "@pick/%s"), ("@pick/%y", "@pick/%s")} <= borrowed


def test_where_it_is_seen() -> None:
    named, writes, reads, written, anew, reaches, sees, shows = map(of_main, derive(
        program(OUT_OF_A_REGION), "named_as", "writes_as", "reads_as", "may_be_written", "made_anew_at", "reaches",
        "sees_clone", "shows_clone", rules=STATIC,
    ))  # fmt: skip
    assert named == {
        ("%a", "clone", "%r"), ("%a", "either", "%q"), ("%a", "source", "%a"), ("%b", "clone", "%r"),
        ("%b", "clone", "%q"), ("%b", "source", "%b"),
    }  # fmt: skip
    stores = ("%a", "source", "memref.store#13"), ("%a", "source", "memref.store#6"), ("%b", "source", "memref.store#9")
    assert writes == set(stores)
    assert reads == {
        ("%a", "either", "memref.load#14"), ("%a", "source"), ("%b", "clone", "memref.load#14"), ("%b", "source")
    }
    assert written == {("%a",), ("%b",)}
    assert anew == {
        ("%a", "^bb0", "4"), ("%a", "scf.if#7.0", "2"), ("%b", "scf.if#7.0", "0"), ("%b", "scf.if#7.0", "2"),
    }  # fmt: skip
    assert reaches == {
        ("%a", "none", "memref.store#13"), ("%a", "none", "memref.load#14"), ("%a", "source", "memref.load#14"),
        ("%b", "none", "memref.load#14"),
    }  # fmt: skip
    assert sees == {("memref.load#14", "%a", "source")}
    assert shows == {("memref.store#13",)}


def test_where_control_goes_on() -> None:
    comes, stands = map(of_main, derive(program(PROGRAMS["between blocks"]), "comes_to", "stands_at", rules=STATIC))
    assert {row for row in comes if row[0] == "%a"} == {
        ("%a", "none", "^x", "2"), ("%a", "none", "^y", "-1"), ("%a", "source", "^y", "0"),
    }  # fmt: skip
    assert {row for row in stands if row[0] == "%a"} == {
        ("%a", "^x", "2"), ("%a", "memref.store#6", "^bb0", "5"), ("%a", "memref.store#12", "^y", "0"),
        ("%a", "memref.load#13", "^y", "1"),
    }  # fmt: skip
    inside, ends, around = map(of_main, derive(
        program(PROGRAMS["written in a region"]), "comes_inside", "may_come_to_end", "stands_around", rules=STATIC
    ))  # fmt: skip
    assert inside == {("%a", "none", "scf.if#13")}
    assert ("%a", "source", "scf.if#13.0") in ends and ("%a", "source", "^bb0") in ends
    assert around == {
        ("%a", "scf.if#13", "^bb0", "7"), ("%a", "scf.if#7", "^bb0", "6"), ("%b", "scf.if#7", "^bb0", "6")
    }
    first, after = derive(program(ANEW), "made_anew_first", "made_anew_after", rules=STATIC)
    assert {row[3:] for row in first if row[1] == "@main/%m"} == {(-1, 0), (1, 6), (2, 6)}
    assert first < after


def test_where_many_calls_return_clones() -> None:
    """There, it is not looked at."""
    many = "".join(f"  %s{number} = func.call @get(%h) : (memref<1x{T}>) -> {T}\n" for number in range(30))
    body = PROGRAMS["from memory"].replace("  memref.store %g, %q", f"{many}  memref.store %g, %q")
    few, shown = derive(program(body), "few_clone_calls", "shows_clone", rules=STATIC)
    assert (few, shown) == (set(), set())


def test_by_way_of_memory() -> None:
    """One of two is read. Where many buffers are read, it is not looked at which they may be."""
    store = f"memref.store %r, %h[%i] : memref<1x{T}>"
    body = PROGRAMS["to memory"].replace(store, f"{store}\n  memref.store %a, %h[%one] : memref<1x{T}>")
    body = body.replace(WRITE, f"{WRITE}\n  %j = arith.index_castui %d : i1 to index")
    body = body.replace("memref.load %h[%i]", "memref.load %h[%j]").replace(f"1x{T}", f"2x{T}")
    there, few, goes = derive(program(body), "read_there", "few_read", "goes_as", rules=STATIC)
    assert (there, few) == ({("@main", T, "@main/%q")}, {("@main", T)})
    assert ("@main/%r", "@main/%q") in goes
    many = "".join(f"  %l{number} = memref.load %h[%j] : memref<2x{T}>\n" for number in range(30))
    text = program(body.replace("  %q = memref.load", f"{many}  %q = memref.load"))
    assert derive(text, "few_read", rules=STATIC) == set()


def test_what_is_written_and_read_by_which_name() -> None:
    text = program(PROGRAMS["written by a function"])
    goes, named, alters, as_is, inwards, written, writes, output, reads = derive(
        text, "goes_as", "named_operand", "alters", "leaves_as_is", "given_inwards", "is_written", "writes_name",
        "output_only", "reads_by_name", rules=STATIC,
    )  # fmt: skip
    assert goes == {(f"@main/%{value}", f"@main/%{name}") for value, name in ("aa", "aq", "bb", "rr", "rq")}
    assert inwards == {("@pick/%x",), ("@pick/%y",), ("@pick/%s",), ("@fill/%x",)}
    assert alters == {("@main/memref.store#6", 1), ("@main/memref.store#9", 1), ("@fill/memref.store#2", 1)}
    assert alters | as_is == named
    assert written == {("@fill/%x",)}
    assert ("@main/func.call#13", "@main/%a") in writes
    assert output == {("@main/memref.store#6", 1), ("@main/memref.store#9", 1)}
    assert ("@main/memref.load#14", "@main/%q") in reads
    assert derive(program(PROGRAMS["from memory"]), "cloned_read", rules=STATIC) == {("@get", 0)}
    assert {("@main/%r", "@main/%q"), ("@main/%b", "@main/%b")} <= derive(
        program(PROGRAMS["to memory"]), "goes_as", rules=STATIC
    )


def test_what_parts_of_a_module_say_of_each_other() -> None:
    text = program(PROGRAMS["from memory"])
    for source, summary in (
        (program(OUT_OF_A_REGION), ("@pick", "@pick", "clones argument", 0, 1)),
        (text, ("@get", "@get", "clones what it reads", 0, 0)),
    ):
        assert summary in derive(source, "function_summary", rules=STATIC)
    head = f"func.func private @pick(i1, {T}, {T}) -> {T}\nfunc.func private @get(memref<1x{T}>) -> {T}\n{HEAD}"
    for body, *said in (
        (OUT_OF_A_REGION, ("@pick", "returns", 0, 0), ("@pick", "clones argument", 0, 1)),
        (PROGRAMS["from memory"], ("@get", "returns", 0, 0), ("@get", "clones what it reads", 0, 0)),
    ):
        given = {"said_elsewhere": said}
        assert derive(f"{head}{body}{TAIL}", "shows_clone", rules=STATIC, given=given)


# ---- what goes on as a clone ------------------------------------------------------------------------------------

CHOSEN = f"""  %n = memref.alloc() : {T}
  memref.store %f, %n[%i] : {T}
  %j = arith.index_castui %d : i1 to index
  %q:2 = scf.if %d -> ({T}, {T}) {{
    %m = memref.alloc() : {T}
    memref.store %f, %m[%i] : {T}
    %h = memref.alloc() : memref<2x{T}>
    memref.store %m, %h[%i] : memref<2x{T}>
    memref.store %m, %h[%one] : memref<2x{T}>
    %l = memref.load %h[%j] : memref<2x{T}>
    %s = arith.select %c, %m, %a : {T}
    scf.yield %s, %l : {T}, {T}
  }} else {{
    scf.yield %a, %n : {T}, {T}
  }}
"""
BEYOND = {"what is made from this buffer is needed where the buffer cannot be"}


def test_a_clone_beside_a_choice_of_what_it_is_a_clone_of() -> None:
    """%l may be %m, which goes on as %s at times: what is written to the one is read by the other."""
    text = program(f"{CHOSEN}  memref.store %g, %q#0[%i] : {T}\n  %v = memref.load %q#1[%i] : {T}\n")
    assert {diagnostic.message for diagnostic in run_dealog(text, LOWERED).diagnostics} == BEYOND
    assert derive(text, "may_have_become", rules=STATIC) == {
        (f"@main/%{name}", "@main/%m") for name in ("m", "s", "q#0")
    }


def test_a_clone_that_is_returned_beside_what_it_is_a_clone_of() -> None:
    made = HEAD.replace("@main(%c: i1, %d: i1) -> f32", f"private @made(%c: i1, %d: i1) -> ({T}, {T})")
    text = made + CHOSEN + f"""  return %q#0, %q#1 : {T}, {T}
}}
func.func @main(%c: i1, %d: i1) -> f32 {{
  %i = arith.constant 0 : index
  %g = arith.constant 3.0 : f32
  %q:2 = call @made(%c, %d) : (i1, i1) -> ({T}, {T})
  memref.store %g, %q#0[%i] : {T}
  %v = memref.load %q#1[%i] : {T}
  return %v : f32
}}
"""
    assert {diagnostic.message for diagnostic in run_dealog(text, LOWERED).diagnostics} == BEYOND
