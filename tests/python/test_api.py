"""`import dealog`: modules, passes, questions, findings, reports; what notebooks get; that it is quick to import."""

import doctest
import json
import math
import subprocess
import sys
import xml.dom.minidom
from html.parser import HTMLParser
from pathlib import Path

import pytest

import dealog
from tests.support.dealog import command
from tests.support.nightly import nightly

ROOT = Path(__file__).parents[2]
WASTE = """\
func.func @waste(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  return %v : f32
}
"""


@pytest.fixture
def module():
    return dealog.Module.parse(WASTE, "waste.mlir", engine="embedded")


@nightly
def test_the_page_is_right(tmp_path):
    """All that docs/python.md shows, in a process of its own."""
    page = ROOT / "docs" / "python.md"
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    script = (
        f"import doctest, sys; sys.exit(doctest.testfile({str(page)!r}, module_relative=False, optionflags={flags})[0])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout
    assert len(doctest.DocTestParser().get_examples(page.read_text())) > 12


def test_importing_is_quick():
    """No module of Dealog's or of a library is imported before it is needed; the time itself is measured in bench/."""
    script = "import sys; import dealog; dealog.Module; before = set(); print(*sorted(sys.modules))"
    light = subprocess.run(
        [sys.executable, "-c", script.replace("dealog.Module; ", "")], capture_output=True, text=True, check=True
    ).stdout.split()
    assert {name for name in light if name.startswith("dealog")} == {"dealog"}
    heavy = {"lark", "clingo", "networkx", "rich", "jinja2", "prompt_toolkit", "pathspec", "xdsl", "click"}
    assert heavy & set(light) == set()
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert heavy & set(loaded) == set()


def test_names_are_there():
    for name in dealog.__all__:
        assert getattr(dealog, name) is not None and name in dir(dealog)
    with pytest.raises(AttributeError):
        dealog.nothing  # noqa: B018


@nightly
def test_users_code_is_typed(tmp_path):
    (tmp_path / "use.py").write_text(
        "import dealog\n"
        "m = dealog.Module.parse('')\n"
        "reveal_type(m.run('dealloc'))\nreveal_type(m.query('').rows)\nreveal_type(m.why(line=1)[0].svg())\n"
        "m.check(only=3)\n"
    )
    linked = tmp_path / "tree"
    from tests.house.house import link_tree

    link_tree(linked)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--python-executable", sys.executable, "use.py"],
        cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
        env={"MYPYPATH": str(linked), "PATH": ""},
    )  # fmt: skip
    assert [line.partition("note: ")[2] for line in done.stdout.splitlines()[:3]] == [
        'Revealed type is "dealog.api.Module"',
        'Revealed type is "tuple[tuple[str | int, ...], ...]"',
        'Revealed type is "str"',
    ]
    assert done.stdout.count("error:") == 1 and "use.py:6: error" in done.stdout


@pytest.mark.parametrize(
    ("pipeline", "flags"),
    [
        ("expand-realloc", ["--expand-realloc"]),
        ("ownership-based-buffer-deallocation=private-function-dynamic-ownership=true", None),
        (["expand-realloc=emit-deallocs=false", "ownership-based-buffer-deallocation"], None),
        ("builtin.module(func.func(expand-realloc))", ["-p", "builtin.module(func.func(expand-realloc))"]),
        ("buffer-deallocation-pipeline", None),
    ],
)
def test_run_does_what_the_command_does(module, pipeline, flags):
    if flags is None:
        flags = [f"--{flag}" for flag in ([pipeline] if isinstance(pipeline, str) else pipeline)]
    run = command("opt", *flags, "--engine", "embedded", stdin=WASTE)
    assert module.run(pipeline).text == run.out and run.status == 0


def test_passes_one_by_one_are_passes_in_a_row(module):
    names = [
        "ownership-based-buffer-deallocation",
        "buffer-deallocation-simplification",
        "bufferization-lower-deallocations",
    ]
    by_one = module
    for name in names:
        by_one = by_one.run(name)
    assert by_one.text == module.run(names).text != module.text
    assert by_one.source == WASTE and str(module) == WASTE


def test_dealloc_check_and_report_do_what_the_commands_do(module, tmp_path):
    (tmp_path / "waste.mlir").write_text(WASTE)
    embedded = ("waste.mlir", "--engine", "embedded")
    assert module.dealloc().text == command("dealloc", *embedded, cwd=tmp_path).out == module.run("dealloc").text
    checked = module.check()
    assert str(checked) == command("check", *embedded, cwd=tmp_path).out
    assert json.loads(checked.json()) == json.loads(command("check", *embedded, "--format", "json", cwd=tmp_path).out)
    assert json.loads(checked.sarif())["version"] == "2.1.0"
    command("report", *embedded, "-o", "page.html", cwd=tmp_path)
    module.report().write(tmp_path / "ours.html")
    assert (tmp_path / "ours.html").read_text() == (tmp_path / "page.html").read_text()


def test_questions_are_answered_as_by_the_commands(module, tmp_path):
    (tmp_path / "waste.mlir").write_text(WASTE)
    run = command("query", "waste.mlir", "static_size(V, D, N)", "--format", "json", cwd=tmp_path)
    assert module.query("static_size(V, D, N)").dicts() == json.loads(run.out)
    proofs = module.why("never_read(%a)")
    assert f"in the input:\n{proofs}\n" == command("why", "waste.mlir", "never_read(%a)", cwd=tmp_path).out
    decided = module.why(value="%a")
    assert len(decided) == 1 and {proof.stage for proof in decided} == {"static-buffer-deallocation"}
    run = command("why-not", "waste.mlir", "never_read(%v)", cwd=tmp_path)
    assert f"{module.why_not('never_read(%v)')}\n" == run.out
    assert len(module.relations_of("bufferization-lower-deallocations")["lowering"]) == 1
    with pytest.raises(dealog.DealogError, match="does not hold"):
        module.why("never_read(%v)")
    with pytest.raises(KeyError):
        module.relations["nothing"]
    with pytest.raises(TypeError):
        module.why()


def test_relations_are_told_with_what_they_mean(module):
    relation = module.relations["static_size"]
    assert relation.columns == ("value", "dimension", "size") and "`size`" in relation.documentation
    assert len(module.relations) > 100 and "never_read" in module.relations and len(relation) == 1
    assert set(module.relations) >= {"operation", "may_alias", "freed_if"}


def test_rules_and_dialects_of_the_user(tmp_path):
    (tmp_path / "ours.dl").write_text(
        "// small(value): `value` is a small buffer here.\n// @finding error at `value`: small\n"
        ".decl small(value: Value)\n"
        "small(V) :- static_size(V, 0, 2).\n"
    )
    module = dealog.Module.parse(WASTE, rules=[tmp_path / "ours.dl"])
    assert module.relations["small"].rows == (("@waste/%a",),)
    assert [found.name for found in module.check(only=["small"])] == ["small"]
    with pytest.raises(dealog.DealogError, match="there is no rule file"):
        dealog.Module.parse(WASTE, rules=["nothing.dl"])


def test_fixing(module):
    fixed = module.fix()
    assert "%a" not in fixed.text and len(fixed.check()) == 0
    assert module.fix(ignore=["never_read"]).text == WASTE


def test_what_is_wrong_is_raised(module):
    for action in (
        lambda: dealog.Module.parse("func.func @f("),
        lambda: dealog.Module.parse("module {}", engine_timeout=-1),
        lambda: dealog.Module.parse("module {}", engine_timeout=math.inf),
        lambda: dealog.Module.read("/nowhere/at/all.mlir"),
        lambda: module.run("no-such-pass"),
        lambda: module.query("nothing(X)"),
        lambda: module.check(only=["nothing"]),
        lambda: module.relations_of("nothing"),
    ):
        with pytest.raises(dealog.DealogError):
            action()


def test_arguments_may_be_numbers():
    module = dealog.Module.parse("func.func @f(%x: f32, %n: i32) -> f32 { return %x : f32 }")
    assert module.exec("f", [1.5, 2]).output == module.exec("f", ["1.5", "2"]).output


class Checker(HTMLParser):
    """Whether HTML is nested as it has to be."""

    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def shown(thing):
    checker = Checker()
    text = thing._repr_html_()
    checker.feed(text)
    assert checker.open == []
    return text, checker.seen


def test_what_a_notebook_shows(module):
    assert "memref.alloc()" in shown(module)[0]
    text, _ = shown(module.dealloc())
    assert "+  memref.dealloc %a" in text and "%c1 = arith" not in text.split("memref.dealloc")[1]
    text, tags = shown(module.why("never_read(%a)"))
    assert tags.count("details") >= 2 and "never_read.dl" in text
    assert shown(module.query("static_size(V, D, N)"))[1].count("td") == 3
    assert "yes" in shown(module.query("buffer(%a)"))[0]
    assert shown(module.relations["static_size"])[1].count("th") == 3
    assert "the buffer %a is never read" in shown(module.check())[0]
    assert shown(module.report())[1] == ["iframe"]
    assert "not so" in shown(module.why_not("never_read(%v)"))[0]
    xml.dom.minidom.parseString(module.why("never_read(%a)")[0].svg())
