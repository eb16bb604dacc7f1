"""The cache: it saves work, and nothing ever fails because of it."""

from __future__ import annotations

import gc
import os
import pickle
import shutil
import time
from pathlib import Path

import pytest

from dealog import cache
from dealog.diagnostics import DealogError
from dealog.engine import load, loads, reader

TEXT = ".decl a(x: symbol)\n.decl b(x: symbol)\n// doc\nb(x) :- a(x), !b2(x).\n.decl b2(x: symbol)\n"


@pytest.fixture(autouse=True)
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("DEALOG_CACHE", str(folder))
    reader._grammar.cache_clear()
    reader._statements.cache_clear()
    reader._kept_statements.cache_clear()
    reader._recent.clear()
    return folder


def test_a_cached_program_is_the_program(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = loads(TEXT)
    monkeypatch.setattr(reader, "_parse", None)  # which a cached program never needs
    again = loads(TEXT)
    assert (again.rules, again.relations, again.strata) == (first.rules, first.relations, first.strata)
    assert (again.rules[0].doc, str(again.rules[0].position)) == ("doc", "<string>:4:1")
    assert set(again.dependencies.edges) == {("b", "a"), ("b", "b2")}
    with pytest.raises(TypeError):
        loads(TEXT + " ")


def test_a_comment_of_the_same_length_is_another(tmp_path: Path) -> None:
    """What takes long to read is cached by itself, and with it what its comments say of relations."""
    file = tmp_path / "long.dl"
    filler = "".join(f'a("{number}").\n' for number in range(200))
    for said in ("one thing", "two ducks"):
        reader._statements.cache_clear()
        file.write_text(f".decl a(x: symbol)\n// {said}\n.decl c(x: symbol)\nc(x) :- a(x).\n{filler}")
        assert load(file, keep=False).relations["c"].doc == said


def test_what_files_are_added_to_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though another file is added: what there is, is cached, and so is what is wrong with it."""
    base = tmp_path / "base.dl"
    base.write_text(TEXT)
    read: list[str] = []
    run = reader._Builder.run
    monkeypatch.setattr(reader._Builder, "run", lambda self, text: (read.append(text), run(self, text))[1])
    for name in ("c", "d"):
        file = tmp_path / f"{name}.dl"
        file.write_text(f"// of {name}\n.decl {name}(x: symbol)\n{name}(x) :- b(x).\n")
        program = load(base, extra=[file])
        assert [str(rule.position) for rule in program.rules] == [f"{base}:4:1", f"{file}:3:1"]
        assert program.relations[name].doc == f"of {name}" and program.rules[0].doc == "doc"
        reader._statements.cache_clear()
        reader._kept_statements.cache_clear()
    assert [text.strip()[:7] for text in read] == [".decl a", ".decl c", ".decl d"]
    base.write_text(TEXT + "b(x) :- .")
    for name in ("c", "d"):
        with pytest.raises(DealogError) as caught:
            load(base, extra=[tmp_path / f"{name}.dl"])
        assert f"{base}:6:9: error:" in caught.value.diagnostics[0].render()
        reader._kept_statements.cache_clear()


def test_a_file_is_read_again_only_if_it_was_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each program is made anew, but of what its files say; what is wrong with one is found each time."""
    monkeypatch.setattr(reader, "_LONG", 40)
    files = [tmp_path / "one.dl", tmp_path / "two.dl"]
    files[0].write_text(TEXT)
    files[1].write_text("// of c\n.decl c(x: symbol)\nc(x) :- b(x), x != \"none\".\n")
    read: list[str] = []
    run = reader._Builder.run
    monkeypatch.setattr(reader._Builder, "run", lambda self, text: (read.append(text.strip()[:9]), run(self, text))[1])

    def rules() -> list[str]:
        reader._statements.cache_clear()
        return [str(rule.position) for rule in load(files).rules]

    assert rules() == [f"{files[0]}:4:1", f"{files[1]}:3:1"]
    assert read == [".decl a(x", ".decl c(x"]
    files[0].write_text(f"\n{TEXT}")
    assert rules() == [f"{files[0]}:5:1", f"{files[1]}:3:1"]
    assert read[2:] == [".decl a(x"]
    files[1].write_text(f"{files[1].read_text()}c(x) :- .\n")
    for _ in range(2):
        with pytest.raises(DealogError) as caught:
            rules()
        assert f"{files[1]}:4:9: error:" in caught.value.diagnostics[0].render()
    assert read[3:] == [".decl c(x"] * 2


def test_an_added_file_may_include_one_of_the_files_again(tmp_path: Path) -> None:
    (tmp_path / "base.dl").write_text(".decl a(x: symbol)\n")
    added = tmp_path / "added.dl"
    added.write_text('.decl c(x: symbol)\n#include "base.dl"\nc(x) :- a(x).\n')
    with pytest.raises(DealogError) as caught:
        load(tmp_path / "base.dl", extra=[added])
    assert [diagnostic.message for diagnostic in caught.value.diagnostics] == ["the relation a is declared twice"]


def test_the_name_belongs_to_the_program() -> None:
    assert loads(TEXT, "one.dl").rules[0].position.file == "one.dl"
    assert loads(TEXT, "two.dl").rules[0].position.file == "two.dl"


def test_what_a_wheel_has_is_not_made(empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found wherever the files are, with no cache folder."""
    for place in ("built", "installed"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "main.dl").write_text(TEXT)
    load(tmp_path / "built" / "main.dl")
    empty.rename(tmp_path / "shipped")
    monkeypatch.setattr(cache, "shipped", lambda: tmp_path / "shipped")
    monkeypatch.setattr(reader, "_parse", None)
    program = load(tmp_path / "installed" / "main.dl")
    assert program.rules[0].position.file == str(tmp_path / "installed" / "main.dl")
    assert not empty.exists()


def test_a_change_of_an_included_file_is_seen(tmp_path: Path) -> None:
    (tmp_path / "main.dl").write_text('#include "part.dl"\n')
    (tmp_path / "part.dl").write_text(".decl a(x: symbol)\n")
    assert list(load(tmp_path / "main.dl").relations) == ["a"]
    (tmp_path / "part.dl").write_text(".decl b(x: symbol)\n")
    assert list(load(tmp_path / "main.dl").relations) == ["b"]


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "other"])
def test_damaged_entries(empty: Path, damage: str) -> None:
    expected = loads(TEXT).rules
    reader._grammar.cache_clear()
    reader._statements.cache_clear()
    entries = [*empty.glob("datalog-*"), *empty.glob("program-*"), *empty.glob("statements-*")]
    assert len(entries) == 2
    for path in entries:
        data = path.read_bytes()
        if damage == "cut":
            path.write_bytes(data[: len(data) // 2])
        elif damage == "changed":
            path.write_bytes(data[:100] + b"!" + data[101:])
        elif damage == "empty":
            path.write_bytes(b"")
        else:  # whole, but not what was stored
            cache._write(path, b"something else")
    assert loads(TEXT).rules == expected


def test_files_stand_for_their_names_and_contents(empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("same")
    two.write_text("size")
    first = cache.key_of_files([one, two])
    assert first == cache.key(["one", "same", "two", "size"]) and len(first) == 64
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    for file in (one, two):
        shutil.copy2(file, moved)
    assert cache.key_of_files([moved / "one", moved / "two"]) == first  # wherever they are
    with monkeypatch.context() as patched:
        patched.setattr(cache, "key", None)
        assert cache.key_of_files([one, two]) == first  # without a look into them
    said = two.stat()
    two.write_text("SIZE")
    os.utime(two, ns=(said.st_atime_ns, said.st_mtime_ns))
    assert cache.key_of_files([one, two]) == cache.key(["one", "same", "two", "SIZE"])
    shutil.rmtree(empty)
    assert cache.key_of_files([two]) == cache.key(["two", "SIZE"])
    with pytest.raises(FileNotFoundError):
        cache.key_of_files([tmp_path / "none"])


def _entry(name: str, days: float) -> Path:
    cache.keep_bytes(name, b"x" * 1000)
    path = cache.folder() / name
    then = time.time() - days * 24 * 60 * 60
    os.utime(path, (then, then))
    return path


def test_what_was_not_used_for_longest_goes(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hashes = [f"{i:064x}" for i in range(6)]
    entries = [_entry(f"compact-{hash_}", 10 - i) for i, hash_ in enumerate(hashes)]
    foreign = empty / "compact-notes.txt"
    foreign.write_text("y" * 10_000)
    os.utime(foreign, (0, 0))
    assert cache.kept_bytes(entries[0].name) is not None  # which is used, then
    monkeypatch.setattr(cache, "_MOST", 5000)
    cache.keep_bytes(f"lines-{hashes[0]}", b"new")
    assert all(path.exists() for path in entries)  # it was looked at today
    then = time.time() - 2 * 24 * 60 * 60
    os.utime(empty / "looked", (then, then))
    cache.keep_bytes(f"lines-{hashes[1]}", b"new")
    assert [path.exists() for path in entries] == [True, False, False, False, False, True]
    assert foreign.exists()


def test_a_folder_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DEALOG_CACHE", str(tmp_path / "file" / "cache"))
    assert loads(TEXT).rules and loads(TEXT).rules


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written(empty: Path) -> None:
    empty.mkdir(mode=0o500)
    assert loads(TEXT).rules


def test_the_users_folder_is_the_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("DEALOG_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache.folder().name == "dealog" and tmp_path in cache.folder().parents


def test_the_cycle_collector_looks_at_nothing_that_is_made_or_read(empty: Path) -> None:
    """Nor at what was, right after that: most of what is kept is large. Then it works as it did, whatever happened."""

    def make() -> list[list[int]]:
        assert not gc.isenabled()
        return [[]]

    for _ in range(2):
        made = cache.kept("made", make, pickle.dumps, pickle.loads)
        assert gc.isenabled() and gc.get_freeze_count() == 0
        assert not any(made is each for each in gc.get_objects(generation=0))
        with pytest.raises(ZeroDivisionError):
            cache.kept("fails", lambda: 1 // 0, bytes, int)
        assert gc.isenabled()


def test_what_a_caller_has_frozen_stays_so(empty: Path) -> None:
    gc.freeze()
    try:
        count = gc.get_freeze_count()
        assert cache.kept("made", list, pickle.dumps, pickle.loads) == [] and gc.get_freeze_count() >= count > 0
    finally:
        gc.unfreeze()
