"""Syntax files: dialects of users, errors in them, and the cache of the tables made of them."""

from __future__ import annotations

import gc
import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import platformdirs
import pytest

from dealog.diagnostics import DealogError
from dealog.frontend import grammar, is_memref, parse, print_module, tables

SYNTAX = """
//! terminators: mydb.stop
//! implicit terminator: mydb.each mydb.stop
//! isolated from above: mydb.table
//! default dialect: mydb.table mydb
//! fixed result: cursor !mydb.cursor

%extend custom_op: "mydb.open" "(" operands? ")" attr_dict? ":" result_type
                 | MYDB_BINARY operand "," operand ":" all_type
                 | "mydb.each" untyped_argument "in" operand mydb_carried? region
                 | "mydb.stop" (operands ":" types)?
                 | "mydb.table" symbol_name region
                 | "mydb.seek" operand cursor
MYDB_BINARY: "mydb.join" | "mydb.meet"
mydb_carried: "carry" "(" bindings ")" "->" result_types
cursor:
"""
TEXT = """
mydb.table @t {
  %0 = open() {unit} : memref<4xf32>
  %1 = mydb.join %0, %0 : memref<4xf32>
  %2 = mydb.each %row in %1 carry(%a = %0) -> (memref<4xf32>) {
    mydb.each %other in %a {
      %3 = mydb.seek %other
    }
    mydb.stop %a : memref<4xf32>
  }
  stop
}
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own, no tables in memory, and few dialects, to save time."""
    folder = tmp_path / "cache"
    few = [
        source for source in grammar._shipped() if source.name in ("core.lark", "builtin.lark", "memref.lark")
    ]
    monkeypatch.setattr(grammar, "_shipped", lambda: list(few))
    monkeypatch.delenv("DEALOG_CACHE", raising=False)
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda *_, **__: str(folder))
    monkeypatch.setattr(grammar, "_loaded", {})
    return folder


def write(folder: Path, text: str, name: str = "mydb.lark") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, "utf-8")
    return folder


def test_a_dialect_of_the_user_needs_one_file(tmp_path: Path) -> None:
    folder = write(tmp_path / "syntax", SYNTAX)
    module = parse(TEXT, syntax_dirs=[folder])
    assert print_module(module) == TEXT
    ops = {op.name: op for op in module.walk()}
    assert [op.name for op in module.walk()][-4:] == ["mydb.seek", "mydb.stop", "mydb.stop", "mydb.stop"]
    assert sum(op.elided for op in module.walk()) == 1
    assert ops["mydb.seek"].results[0].type == "!mydb.cursor"
    carried = next(op for op in module.walk() if op.name == "mydb.each").regions[0].blocks[0].arguments[1]
    assert carried.name == "%a" and is_memref(carried.type)
    with pytest.raises(DealogError, match=r"unknown custom form of 'mydb\.table'"):
        parse(TEXT)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('%extend custom_op: "mydb.x" (', "mydb.lark"),
        ('%extend custom_op: "mydb.x" no_such_rule', "no_such_rule"),
        (
            '%extend custom_op: "memref.load" operand\nX: "memref.load" | "y"\n%extend custom_op: X',
            "described in memref.lark already",
        ),
        ('%extend custom_op: "nodot" operand', "not an operation name"),
        (
            '%extend custom_op: "mydb.x" (mydb_a | mydb_b)\nmydb_a: operand\nmydb_b: operand',
            "may be 'mydb_a' or 'mydb_b'",
        ),
        ("//! terminator: mydb.x", "unknown or incomplete directive 'terminator'"),
        ("//! default dialect: mydb.x", "unknown or incomplete directive 'default dialect'"),
        ('X: /[a-z]+/\n%extend custom_op: "mydb.x" X', "may only be an alternation of strings"),
    ],
)
def test_errors_in_syntax_files_are_told(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DealogError) as caught:
        parse("", syntax_dirs=[write(tmp_path / "syntax", text)])
    assert message in str(caught.value)


def test_missing_folders_and_unreadable_files_are_told(tmp_path: Path) -> None:
    with pytest.raises(DealogError, match="no such folder"):
        parse("", syntax_dirs=[tmp_path / "none"])
    folder = write(tmp_path / "syntax", "")
    (folder / "bad.lark").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DealogError, match=r"bad\.lark:1:1: error: byte 0xff is not UTF-8"):
        parse("", syntax_dirs=[folder])


def test_tables_are_cached_and_found_again(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parse("module {}")
    (file,) = cache.glob("grammar-*")
    monkeypatch.setattr(grammar, "_loaded", {})
    monkeypatch.setattr(grammar, "_make_tables", _must_not_run)
    parse("module {}")
    assert list(cache.glob("grammar-*")) == [file]


def _must_not_run(*_: object) -> dict[str, object]:
    raise AssertionError("the tables are made although they are in the cache")


def _truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-100])


def _flip(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


def _other_layout(file: Path) -> None:
    import hashlib

    payload = b'{"rows": 1}'
    file.write_bytes(hashlib.sha256(payload).hexdigest().encode() + b"\n" + payload)


def _folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize(
    "damage", [_truncate, _flip, _other_layout, _folder, lambda file: file.write_bytes(b"")]
)
def test_damaged_caches_are_made_again(
    cache: Path, monkeypatch: pytest.MonkeyPatch, damage: Callable[[Path], None]
) -> None:
    parse("module {}")
    (file,) = cache.glob("grammar-*")
    good = file.read_bytes()
    damage(file)
    monkeypatch.setattr(grammar, "_loaded", {})
    assert print_module(parse("module {}")) == "module {}"
    assert file.is_dir() or file.read_bytes() == good


def test_a_cache_that_cannot_be_written_does_not_matter(cache: Path) -> None:
    cache.write_text("a file where the folder should be")
    parse("module {}")
    cache.unlink()
    cache.mkdir()
    os.chmod(cache, stat.S_IRUSR | stat.S_IXUSR)
    try:
        grammar._loaded.clear()
        parse("module {}")
    finally:
        os.chmod(cache, stat.S_IRWXU)


def test_tables_depend_on_the_syntax_files_alone(tmp_path: Path) -> None:
    """Whatever the hashes of strings are in a run."""
    program = "import hashlib, json; from dealog.frontend import grammar as g; " + (
        "few = [s for s in g._read(g._shipped()) if s.name in ('core.lark', 'builtin.lark', 'scf.lark')]; "
        "print(hashlib.sha256(json.dumps(g._make_tables(few, [])).encode()).hexdigest())"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1 and outputs != {""}


def test_lark_is_as_it_was_when_threads_have_changed_it() -> None:
    from lark import Lark
    from lark.parsers import grammar_analysis

    whole = grammar_analysis.calculate_sets
    rules = Lark('start: a "x"\na: b "z"*\nb: "y"*\n', parser="lalr").rules
    assert tables._empty_ones(rules)[2] == whole(rules)[2] != set()  # which symbols may be empty

    def change(_: int) -> object:
        with tables._without_unread_sets():
            time.sleep(0.01)
            return grammar_analysis.calculate_sets

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(change, range(8))) == {tables._empty_ones}
    assert grammar_analysis.calculate_sets is whole


def test_threads_that_begin_at_once_make_the_tables_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before Python 3.11.8, parsers of Python on two threads disturb each other where the collector of
    garbage calls into Python, and lark reads its string literals with that parser."""
    sources = grammar._shipped()
    make, made = grammar._make_tables, []

    def make_tables(*arguments: Any) -> dict[str, Any]:
        made.append(arguments)
        return make(*arguments)

    def interrupt(*_: Any) -> None:
        time.sleep(0)

    monkeypatch.setattr(grammar, "_make_tables", make_tables)
    thresholds = gc.get_threshold()
    gc.callbacks.append(interrupt)
    gc.set_threshold(50)
    try:
        with ThreadPoolExecutor(4) as pool:
            grammars = list(pool.map(lambda _: grammar._cached(sources, []), range(4)))
    finally:
        gc.set_threshold(*thresholds)
        gc.callbacks.remove(interrupt)
    assert len(made) == 1
    assert all(other == grammars[0] for other in grammars)


def test_processes_that_begin_at_once_leave_one_whole_cache(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = grammar._shipped()
    program = "from dealog.frontend import grammar as g; " + (
        f"g._cached([s for s in g._shipped() if s.name in {[source.name for source in sources]}], [])"
    )
    runs = [
        subprocess.Popen([sys.executable, "-c", program], env={**os.environ, "DEALOG_CACHE": str(cache)})
        for _ in range(3)
    ]
    assert [run.wait() for run in runs] == [0, 0, 0]
    assert len(list(cache.glob("grammar-*"))) == 1
    monkeypatch.setattr(grammar, "_make_tables", _must_not_run)
    assert grammar._cached(sources, []).op_names
