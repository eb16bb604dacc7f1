"""The grammar of MLIR text: merged from the `.lark` files of `syntax/`, made into LALR tables by lark.

That takes lark seconds, so the tables are kept in the user's cache folder.
"""

from __future__ import annotations

import functools
import os
import pickle
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dealog import cache
from dealog.diagnostics import DealogError, SourceText, not_utf8
from dealog.frontend import syntax_files, tables
from dealog.frontend.tables import CONCAT, HEAD, LEAF, OPERATION, WRAP
from dealog.frontend.tables import make_tables as _make_tables


@dataclass(slots=True)
class Grammar:
    """LALR tables and what the directives of the syntax files say.

    `rows[state]` maps a terminal to the next state, or to `~rule` where the rule has to be reduced;
    `defaults[state]` is the rule to reduce on any other terminal, or -1. `gotos[state]` maps the name of a
    rule to the next state. `rules` holds `(name, number of symbols, action, item kind, has results)`.
    `literals` maps the text of a keyword, operator or operation name to the terminals that it may be.
    """

    rows: list[dict[str, int]]
    defaults: list[int]
    gotos: list[dict[str, int]]
    rules: list[tuple[str, int, int, str, bool]]
    literals: dict[str, tuple[str, ...]]
    starts: dict[str, int]
    ends: dict[str, int]
    op_terminals: frozenset[str]
    op_names: frozenset[str]
    terminators: frozenset[str]
    no_terminator: frozenset[str]
    isolated: frozenset[str]
    one_region: frozenset[str]
    functions: frozenset[str]
    forwarding: frozenset[str]
    segmented: frozenset[str]
    spelled_out: frozenset[str]
    numbers_spelled_out: frozenset[str]
    with_words: frozenset[str]
    with_keywords: frozenset[str]
    unfed: frozenset[str]
    implicit_terminators: dict[str, str]
    default_dialects: dict[str, str]
    fixed_results: dict[str, str]
    segments_after_successors: dict[str, str]
    old_spellings: dict[str, str]
    type_parameters: dict[str, str]
    attribute_parameters: dict[str, str]
    texts: dict[str, str] = field(default_factory=dict)  # terminal -> how a user writes it

    def __post_init__(self) -> None:
        for text, terminals in self.literals.items():
            for terminal in terminals:
                self.texts.setdefault(terminal, text)

    def has_segments(self, name: str) -> bool:
        """Whether the sizes of operand lists are said by an attribute of the operation `name`, as they may be of
        any operation that no syntax file describes."""
        return name in self.segmented or name not in self.op_names


__all__ = ["CONCAT", "HEAD", "LEAF", "OPERATION", "WRAP", "Grammar", "load_grammar"]

EVERYDAY = frozenset((
    "affine", "arith", "bufferization", "builtin", "cf", "complex", "core", "func", "index", "linalg", "math",
    "memref", "ml_program", "scf", "shape", "tensor", "ub", "vector",
))  # fmt: skip
"""The syntax files for what most programs are made of. Their tables are a quarter of all, and are loaded alone, or with
the files that are added, where a text names no other dialect that comes with Dealog."""

_SHORT = 1 << 18  # longer texts take so long to read that looking what they name saves nothing

_loaded: dict[tuple[bool, tuple[tuple[str, int, int], ...]], Grammar] = {}


def load_grammar(
    syntax_dirs: Sequence[str | os.PathLike[str]] = (), text: str | None = None, others: Iterable[str] = ()
) -> Grammar:
    """The grammar of the dialects that come with Dealog and of all `.lark` files in `syntax_dirs`; where it is for
    reading `text`, maybe of no more dialects than that and `others` name.

    Raises `DealogError` where a syntax file cannot be read or is not a valid grammar.
    """
    paths = _files(syntax_dirs)
    everyday = text is not None and all(map(_is_everyday, (text, *others)))
    key = everyday, tuple(map(_version, paths))
    if key not in _loaded:
        shipped = [path for path in _shipped() if path.stem in EVERYDAY or not everyday]
        left = [path for path in _shipped() if path not in shipped] if paths else []
        _loaded[key] = _cached(shipped, _added(paths), left)
    return _loaded[key]


def _is_everyday(text: str) -> bool:
    """Whether `text` is short and names everyday dialects only."""
    return len(text) < _SHORT and not any(f"{path.stem}." in text for path in _shipped() if path.stem not in EVERYDAY)


@functools.cache
def _shipped() -> list[Path]:
    """The syntax files that come with Dealog, the one that the others rest on first."""
    paths = (Path(__file__).parent / "syntax").glob("*.lark")
    return sorted(paths, key=lambda path: (path.name != "core.lark", path.name))


def _read(paths: Iterable[Path]) -> list[SourceText]:
    return [SourceText(path.name, path.read_text("utf-8")) for path in paths]


def _files(syntax_dirs: Iterable[str | os.PathLike[str]]) -> list[Path]:
    """The syntax files in the folders, but for hidden ones: an editor puts those beside what it edits."""
    paths: list[Path] = []
    for folder in syntax_dirs:
        if not Path(folder).is_dir():
            raise DealogError(f"no such folder of syntax files: {os.fspath(folder)}")
        paths += sorted(Path(folder).glob("[!.]*.lark"))
    return paths


def _version(path: Path) -> tuple[str, int, int]:
    """The file at `path`, its time and its size."""
    try:
        known = path.stat()
    except OSError as error:
        raise _cannot_read(path, error) from error
    return os.fspath(path), known.st_mtime_ns, known.st_size


def _cannot_read(path: Path, error: OSError) -> DealogError:
    return DealogError(f"cannot read the syntax file {path}: {error.strerror or error}")


def _added(paths: Iterable[Path]) -> list[SourceText]:
    sources = []
    for path in paths:
        try:
            sources.append(SourceText(str(path), path.read_text("utf-8-sig")))
        except UnicodeDecodeError as error:
            raise not_utf8(str(path), error) from error
        except OSError as error:
            raise _cannot_read(path, error) from error
    return sources


def _cached(shipped: list[Path], added: list[SourceText], others: Sequence[Path] = ()) -> Grammar:
    made_by = cache.key_of_files([__file__, tables.__file__, syntax_files.__file__, *shipped])
    made_from = [made_by, cache.key_of_files(others), *(source.text for source in added)]
    return _from_tables(
        cache.kept(
            f"grammar-{cache.key(made_from)}",
            lambda: _make_tables(_read(shipped), added, _read(others)),
            lambda made: pickle.dumps(made, 5),  # a protocol of all versions of Python that there are
            pickle.loads,
        )
    )


def _from_tables(made: dict[str, Any]) -> Grammar:
    rows, gotos = made["distinct_rows"], made["distinct_gotos"]
    directives = made["directives"]
    return Grammar(
        rows=[rows[i] for i in made["rows"]],
        defaults=made["defaults"],
        gotos=[gotos[i] for i in made["gotos"]],
        rules=[(n, c, a, k, r) for n, c, a, k, r in made["rules"]],
        literals={text: tuple(terminals) for text, terminals in made["literals"].items()},
        starts=made["starts"],
        ends=made["ends"],
        op_terminals=frozenset(made["op_terminals"]),
        op_names=frozenset(made["op_names"]),
        terminators=frozenset(directives["terminators"]),
        no_terminator=frozenset(directives["no terminator"]),
        isolated=frozenset(directives["isolated from above"]),
        one_region=frozenset(directives["one region"]),
        functions=frozenset(directives["functions"]),
        forwarding=frozenset(directives["terminator forwards results"]),
        segmented=frozenset(directives["operand segments"]),
        spelled_out=frozenset(directives["types spelled out"]),
        numbers_spelled_out=frozenset(directives["numbers spelled out"]),
        unfed=frozenset(directives["feeds no successor"]),
        with_words=frozenset(directives["words in dictionaries"]),
        with_keywords=frozenset(directives["keyword on types"]),
        implicit_terminators=directives["implicit terminator"],
        default_dialects=directives["default dialect"],
        fixed_results=directives["fixed result"],
        segments_after_successors=directives["segments after successors"],
        old_spellings=directives["old spelling"],
        type_parameters=directives["type parameters"],
        attribute_parameters=directives["attribute parameters"],
    )
