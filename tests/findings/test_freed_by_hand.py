"""What code that frees by hand gets wrong, and that code which gets it right is left in peace."""

from dataclasses import replace

import pytest

from dealog.checking.batch import Task, check_text
from dealog.extensions import NO_EXTENSIONS
from dealog.pipeline import Engine
from tests.support import generate
from tests.support.nightly import NIGHTLY
from tests.support.tools import run_mlir_opt

from .derive import derive, told

T = "memref<4xf32>"
HEAD = f"func.func @f(%c: i1, %m: {T}, %i: index, %n: index) {{\n"
ALLOC = f"  %a = memref.alloc() : {T}\n"
USE = f"  %v = memref.load %a[%i] : {T}\n"
FREE = f"  memref.dealloc %a : {T}\n"
TASK = Task(Engine("embedded"), NO_EXTENSIONS)
KINDS = (
    "leak", "use_after_free", "double_free", "free_too_early", "free_of_foreign", "free_of_foreign_at_times",
    "freed_unmarked", "free_off_heap", "freed_by_another",
)  # fmt: skip


BRANCH = f"""  %r = scf.if %c -> ({T}) {{
    scf.yield %a : {T}
  }} else {{
    scf.yield %m : {T}
  }}
"""


def function(*lines: str) -> str:
    return HEAD + "".join(lines) + "  return\n}\n"


def test_what_is_right() -> None:
    assert told(function(ALLOC, USE, FREE), *KINDS) == []
    branches = ALLOC + "  cf.cond_br %c, ^l, ^r\n^l:\n" + FREE + "  cf.br ^e\n^r:\n" + USE + FREE + "  cf.br ^e\n^e:\n"
    assert told(function(branches), *KINDS) == []
    assert told(function(ALLOC, USE), *KINDS) == []  # nothing is freed by hand: the passes' business


@pytest.mark.parametrize("value", ["true", "false"])
def test_ways_that_are_never_taken(value: str) -> None:
    """A constant says whether control comes to where it is freed."""
    constant = f"  %k = arith.constant {value}\n"
    inside = function(ALLOC, USE, constant, "  scf.if %k {\n", FREE, "  }\n")
    blocks = function(ALLOC, USE, constant, "  cf.cond_br %k, ^f, ^e\n^f:\n", FREE, "  cf.br ^e\n^e:\n")
    start = function(ALLOC, USE, constant, "  cf.cond_br %k, ^f, ^e\n^f:\n", FREE, "  return\n^e:\n")
    for text in (inside, blocks, start):
        result = check_text(text, "test.mlir", TASK)
        leaks = [finding for finding in result.findings if finding.kind.name == "leak"]
        assert len(leaks) == (value == "false") and not result.errors


def test_used_after() -> None:
    assert told(function(ALLOC, FREE, USE), *KINDS) == [
        "4: the buffer %a is used here after it was freed; 3: it is freed here"
    ]
    after, wrong, freed = derive(function(ALLOC, FREE, USE), "use_after_free", "freed_wrongly", "freed_operand")
    assert after == {("memref.load#3", "%a", "memref.dealloc#2")}
    assert wrong == {("%a",)} and freed == {("memref.dealloc#2", "%a")}


def test_used_after_by_another_name() -> None:
    cast = f"  %w = memref.cast %a : {T} to memref<?xf32>\n"
    use = "  %v = memref.load %w[%i] : memref<?xf32>\n"
    assert told(function(ALLOC, cast, FREE, use), *KINDS) == [
        "5: the buffer %a is used here after it was freed; 4: it is freed here"
    ]


def test_freed_twice() -> None:
    said = "4: the buffer %a is freed again here; 3: it is freed here before"
    assert told(function(ALLOC, FREE, FREE), *KINDS) == [said]


def test_each_defect_is_reported_once() -> None:
    """Of what uses a buffer after it was freed, the first; after several deallocations, after the last."""
    used = "4: the buffer %a is used here after it was freed; 3: it is freed here"
    assert told(function(ALLOC, FREE, USE, USE.replace("%v", "%w"), FREE), *KINDS) == [used]
    assert told(function(ALLOC, FREE, USE, "  cf.br ^e\n^e:\n", USE.replace("%v", "%w")), *KINDS) == [used]
    assert told(function(ALLOC, FREE, FREE, USE), *KINDS) == [
        "4: the buffer %a is freed again here; 3: it is freed here before",
        "5: the buffer %a is used here after it was freed; 4: it is freed here",
    ]


@pytest.mark.parametrize(
    "lines",
    [
        (ALLOC, FREE, USE),
        (ALLOC, FREE, FREE),
        (ALLOC, FREE, "  cf.br ^e\n^e:\n", USE),
        (ALLOC.replace("alloc", "alloca"), FREE),
    ],
    ids=["used", "freed", "used further on", "on the stack"],
)
def test_what_a_finding_reports_is_not_reported_as_refused_too(lines: tuple[str, ...]) -> None:
    result = check_text(function(*lines), "test.mlir", TASK)
    assert len([f for f in result.findings if f.kind.name in KINDS]) == 1 and not result.errors
    (kept,) = check_text(function(*lines), "test.mlir", replace(TASK, ignore=KINDS)).errors
    same = derive(function(*lines), "reported_by")
    assert (kept.message, next(f.kind.name for f in result.findings if f.kind.name in KINDS)) in same


def test_all_that_is_said_of_what_is_off_the_heap_is_reported_by_the_finding() -> None:
    said, same = derive(function(ALLOC), "said_of", "reported_by")
    assert {message for _, _, message in said} == {message for message, name in same if name == "free_off_heap"}


def test_used_on_a_path_after() -> None:
    text = ALLOC + FREE + "  cf.cond_br %c, ^l, ^e\n^l:\n" + USE + "  cf.br ^e\n^e:\n"
    assert told(function(text), *KINDS) == ["3: the buffer %a is freed here, and may be used later"]
    assert derive(function(text), "free_too_early") == {("memref.dealloc#2", "%a")}


@pytest.mark.parametrize(
    "text",
    [
        ALLOC + "  cf.cond_br %c, ^l, ^e\n^l:\n" + FREE + "  cf.br ^e\n^e:\n",
        ALLOC + f"  %b = memref.alloc() : {T}\n  memref.copy %a, %b : {T} to {T}\n  memref.dealloc %b : {T}\n",
    ],
)
def test_left_behind(text: str) -> None:
    assert told(function(text), *KINDS) == ["2: the buffer %a is not freed on every path"]
    leak, ours, frees = derive(function(text), "leak", "left_to_us", "frees_in_text")
    assert leak == {("%a", "@f")} and ours == {("%a",)} and frees == {("@f",)}


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("  cf.cond_br %c, ^l, ^e\n^l:\n" + USE.replace("%a", "%m") + "  cf.br ^e\n^e:\n", True),
        ("  cf.br ^e\n^e:\n", False),
    ],
)
def test_what_is_not_ours_is_used_on_a_path_after(lines: str, found: bool) -> None:
    free = f"  memref.dealloc %m : {T}\n"
    told_of = [line for line in told(function(free, lines), *KINDS) if "may be used later" in line]
    assert told_of == (["2: the buffer %m is freed here, and may be used later"] if found else [])


def test_what_is_not_ours_is_freed_in_a_loop_of_blocks() -> None:
    each_round = f"  cf.br ^l\n^l:\n  memref.dealloc %m : {T}\n  cf.cond_br %c, ^l, ^e\n^e:\n"
    assert derive(function(each_round), "free_too_early") == {("memref.dealloc#2", "%m")}
    loaded = each_round.replace("%m", "%r").replace("^l:\n", f"^l:\n  %r = memref.load %h[%i] : memref<?x{T}>\n")
    text = function(loaded).replace("@f(", f"@f(%h: memref<?x{T}>, ")
    assert derive(text, "free_too_early") == set()  # each round reads another one


@pytest.mark.parametrize("further", [True, False])
def test_what_is_used_after_by_a_name_that_it_shares(further: bool) -> None:
    """%p is %a only where that has not been freed; what has no other name is used too late for sure."""
    use = USE.replace("%a", "%p" if further else "%a")
    lines = (
        f"  %true = arith.constant true\n  %false = arith.constant false\n{ALLOC}  cf.cond_br %c, ^l, ^r\n^l:\n{FREE}"
        f"  cf.br ^j(%m, %false : {T}, i1)\n^r:\n  cf.br ^j({'%a' if further else '%m'}, %true : {T}, i1)\n"
        f"^j(%p: {T}, %o: i1):\n{use}  scf.if %o {{\n    memref.dealloc {'%p' if further else '%a'} : {T}\n  }}\n"
    )
    assert [line for line in told(function(lines), *KINDS) if "may be used later" in line] == (
        [] if further else ["7: the buffer %a is freed here, and may be used later"]
    )
    shares = derive(function(lines), "shares_a_name")
    assert shares == ({("%a",)} if further else set())


def test_freed_in_a_loop() -> None:
    text = ALLOC + "  %s = arith.constant 1 : index\n  scf.for %k = %i to %n step %s {\n" + FREE + "  }\n"
    assert told(function(text), "leak") == []  # it is freed, if too often


def test_not_ours() -> None:
    assert told(function(f"  memref.dealloc %m : {T}\n"), *KINDS) == [
        "2: the buffer %m is freed here, but is not allocated here; 1: it is defined here"
    ]
    assert derive(function(f"  memref.dealloc %m : {T}\n"), "free_of_foreign") == {("memref.dealloc#1", "%m")}
    assert derive(function(ALLOC, FREE, FREE), "double_free") == {("memref.dealloc#3", "%a", "memref.dealloc#2")}
    free = f"  memref.dealloc %m : {T}\n"
    assert derive(function(free, free), "double_free") == {("memref.dealloc#2", "%m", "memref.dealloc#1")}
    copy = f"  memref.copy %m, %a : {T} to {T}\n"
    used = derive(function(ALLOC, free, copy, FREE), "use_after_free")
    assert used == {("memref.copy#3", "%m", "memref.dealloc#2")}


def test_not_ours_and_freed_on_the_i1_that_came_with_it() -> None:
    """The i1 may say that it never is."""
    lines = f"""  %p, %own = call @same(%m) : ({T}) -> ({T}, i1)
  scf.if HELD {{
    memref.dealloc %p : {T}
  }}
"""
    same = (
        f"func.func private @same(%x: {T}) -> ({T}, i1) {{\n  %false = arith.constant false\n"
        f"  return %x, %false : {T}, i1\n}}\n"
    )
    for held, expected in (("%own", set()), ("%c", {("%p",)})):
        found = derive(same + function(lines.replace("HELD", held)), "free_of_foreign")
        assert {(str(value).rpartition("/")[2],) for _, value in found} == expected


def test_not_ours_on_some_path() -> None:
    """A block argument, a result of a region, an iteration argument, what is chosen, and a view of one."""
    free = FREE.replace("%a", "%r")
    assert told(function(ALLOC, BRANCH, free), *KINDS) == [
        "8: the buffer %r is freed here, and on some path is %m, which is not allocated here; 1: it is defined here"
    ]
    blocks = f"  cf.cond_br %c, ^b(%a : {T}), ^n\n^n:\n{FREE}  cf.br ^b(%m : {T})\n^b(%r: {T}):\n"
    choice = f"  %r = arith.select %c, %m, %a : {T}\n"
    other = f"  %r = arith.select %c, %a, %m : {T}\n"
    cast = f"  %d = memref.cast %r : {T} to memref<?xf32>\n  memref.dealloc %d : memref<?xf32>\n"
    for lines in ((blocks, free), (choice, free), (other, free), (choice, cast)):
        ((_, value, argument),) = derive(function(ALLOC, *lines), "free_of_foreign_at_times")
        assert (value, argument) == ("%d" if cast in lines else "%r", "%m")
    loop = f"""  %s = arith.constant 1 : index
  %r = scf.for %k = %i to %n step %s iter_args(%q = %m) -> ({T}) {{
    memref.dealloc %q : {T}
    %e = memref.alloc() : {T}
    scf.yield %e : {T}
  }}
{free}"""
    assert {row[1:] for row in derive(function(loop), "free_of_foreign_at_times")} == {("%q", "%m")}


def test_conditions_of_the_text_are_trusted_where_some_paths_bring_what_is_not_ours() -> None:
    free = "  scf.if %c {\n" + FREE.replace("%a", "%r") + "  }\n"
    brings, by, foreign, named = derive(
        function(ALLOC, BRANCH, free), "may_bring", "foreign_by_way", "belongs_to_caller", "goes_by_receiver"
    )
    assert brings == {("%a", "%r"), ("%m", "%r")}
    assert by == {("%r", "%m")} and foreign == {("%m",)} and named == {("%r", "%r")}
    assert told(function(ALLOC, BRANCH, free), *KINDS) == []
    always = ALLOC + "  %k = arith.constant true\n" + f"  %r = arith.select %k, %a, %m : {T}\n"
    assert derive(function(always, FREE.replace("%a", "%r")), "free_of_foreign_at_times") == set()


def test_freed_without_the_mark_of_its_allocation() -> None:
    mark = " {bufferization.manual_deallocation}"
    allocated, freed = ALLOC.replace("()", "()" + mark), FREE.replace("%a", "%a" + mark)
    assert told(function(allocated, USE, freed), *KINDS) == []
    assert told(function(allocated, USE, FREE), *KINDS) == [
        "4: the buffer %a is freed here without the mark that its allocation has; 2: it is defined here"
    ]
    view = f"  %d = memref.cast %a : {T} to memref<?xf32>\n  memref.dealloc %d : memref<?xf32>\n"
    unmarked, hand = derive(function(allocated, view), "freed_unmarked", "by_hand_alone")
    assert {row[1:] for row in unmarked} == {("%d",)} and hand == {("%a",), ("%d",)}
    stack = function(ALLOC.replace("memref.alloc", "memref.alloca"), USE, FREE)
    assert derive(stack, "by_hand_alone") == derive(stack, "freed_unmarked") == set()


def test_not_on_the_heap() -> None:
    stack = ALLOC.replace("memref.alloc", "memref.alloca")
    assert told(function(stack, FREE), *KINDS) == [
        "3: the buffer %a is freed here, and always is a buffer on the stack; 2: it is defined here"
    ]
    chosen = function(
        stack, f"  %b = memref.alloc() : {T}\n  %s = arith.select %c, %a, %b : {T}\n", FREE.replace("%a", "%s")
    )
    expected = ("memref.dealloc#4", "%s", "a buffer on the stack", "on some path")
    assert derive(chosen, "free_off_heap") == {expected}
    assert told(chosen, *KINDS) == [
        "5: the buffer %s is freed here, and on some path is a buffer on the stack; 4: it is defined here"
    ]


def test_freed_by_an_operation_that_does_not_go_with_it() -> None:
    device = ALLOC.replace("memref.alloc", "gpu.alloc")
    right = FREE.replace("memref.dealloc", "gpu.dealloc")
    assert told(function(device, USE, right), *KINDS) == []
    assert told(function(device, USE, FREE), *KINDS) == [
        "4: the buffer %a has to be freed by gpu.dealloc; 2: it is defined here"
    ]
    assert derive(function(device, FREE), "freed_by_another") == {("memref.dealloc#2", "%a", "gpu.dealloc")}
    result = check_text(function(device, FREE), "test.mlir", TASK)
    assert "freed_by_another" in {finding.kind.name for finding in result.findings} and not result.errors
    assert derive(function(ALLOC, right), "freed_by_another") == {("gpu.dealloc#2", "%a", "memref.dealloc")}
    assert derive(function(ALLOC, FREE), "plainly_frees") >= {("memref.dealloc",), ("gpu.dealloc",)}
    grown = function(ALLOC, f"  %b = memref.realloc %a : {T} to memref<5xf32>\n  memref.dealloc %b : memref<5xf32>\n")
    assert derive(grown, "freed_by_another") == set()


def test_marked_as_done_by_hand() -> None:
    text = f"  %a = memref.alloc() {{bufferization.manual_deallocation}} : {T}\n"
    text += f"  memref.dealloc %a {{bufferization.manual_deallocation}} : {T}\n"
    assert told(function(text), *KINDS) == []
    mark = " {bufferization.manual_deallocation}"
    marked = FREE.replace("%a", f"%a{mark}")
    assert told(function(text, marked), *KINDS) == ["4: the buffer %a is freed again here; 3: it is freed here before"]
    assert told(function(text, USE), *KINDS) == [
        "4: the buffer %a is used here after it was freed; 3: it is freed here"
    ]


@pytest.mark.parametrize("free_too", ["", "  scf.if %c {\n    memref.dealloc %b : memref<4xf32>\n  }\n"])
def test_only_the_deallocation_is_marked(free_too: str) -> None:
    """What allocates it is not marked: so it would be freed twice. So it is in a function that frees on a condition."""
    marked = FREE.replace("%a", "%a {bufferization.manual_deallocation}")
    by_hand = f"  %b = memref.alloc() : {T}\n{free_too}" if free_too else ""
    (error,) = check_text(function(ALLOC, by_hand, marked), "test.mlir", TASK).errors[:1]
    assert error.message == "this is marked as freed by hand, and its allocation is not"
    assert [note.message for note in error.notes] == ["it comes from here"]
    assert {row[1] for row in derive(function(ALLOC, by_hand, marked), "frees_by_mark")} == {"%a"}


@pytest.mark.parametrize("option", ["", "=private-function-dynamic-ownership"])
def test_what_mlir_has_deallocated_has_no_finding(option: str) -> None:
    programs = [generate.program(seed, size=8 + seed % 24) for seed in range(100 if NIGHTLY else 5)]
    freed = run_mlir_opt(programs, f"-buffer-deallocation-pipeline{option}", "-convert-bufferization-to-memref")
    texts = [output.text for output in freed if output.text is not None and "dealloc" in output.text]
    assert len(texts) > 3 and [line for text in texts for line in told(text, *KINDS)] == []
