"""Facts and results as files: Soufflé's own format, one tuple a line, columns parted by tabs.

The format knows no escapes, so a tab, a line end or NUL inside a symbol would break it. Those characters are
written with the sign `␛` (U+241B) before a letter: `␛t`, `␛n`, `␛r`, `␛0`, and `␛␛` for the sign itself; all
else stands for itself, backslashes and quotes too. The scheme goes character by character, so equality and
`cat` mean the same on escaped symbols, and Soufflé can work on the files as they are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from dealog.diagnostics import DealogError, Diagnostic, SourceText
from dealog.engine.program import NUMBER_MAX, NUMBER_MIN, Program, Relation, Tuple

_SIGN = "\u241b"
_CODES = {"\t": _SIGN + "t", "\n": _SIGN + "n", "\r": _SIGN + "r", "\0": _SIGN + "0", _SIGN: _SIGN * 2}
_CHARACTERS = {code: character for character, code in _CODES.items()}
_SPECIAL = re.compile("[\t\n\r\0\u241b]")
_CODE = re.compile("\u241b[tnr0\u241b]")


def escape(symbol: str) -> str:
    """A symbol as it stands in a file."""
    return _SPECIAL.sub(lambda m: _CODES[m[0]], symbol)


def unescape(field: str) -> str:
    """The symbol that a field of a file stands for."""
    return _CODE.sub(lambda m: _CHARACTERS[m[0]], field)


def encode(relation: Relation, tuples: Collection[Tuple]) -> bytes:
    """The contents of a file with these tuples.

    Raises:
        DealogError: a symbol that is not text (a half of a surrogate pair).
    """
    if not relation.columns:
        return b"()\n" if tuples else b""
    rows: Iterable[tuple[Any, ...]] = tuples
    if "number" in relation.bases:
        rows = [tuple(map(str, values)) for values in tuples]
    lines = list(map("\t".join, rows))
    text = "\n".join((*lines, ""))
    plain = text.count("\t") == len(lines) * (relation.arity - 1) and text.count("\n") == len(lines)
    if not plain or "\r" in text or "\0" in text or _SIGN in text:
        text = "\n".join("\t".join(map(escape, map(str, values))) for values in tuples) + "\n"
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as fault:
        wrong = repr(fault.object[fault.start])
        raise DealogError(f"a symbol in {relation.name} contains {wrong}, which is not a character") from None


def decode(relation: Relation, data: bytes, name: str) -> list[Tuple]:
    """The tuples of a file, in the order of its lines; `name` is the file's for messages.

    Raises:
        DealogError: a line that does not fit the declaration.
    """
    text = data.decode("utf-8", "surrogateescape")
    if not text:
        return []
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    if not relation.columns:
        return [()] if lines else []
    rows: list[list[Any]] = [line.split("\t") for line in lines]
    if len(set(map(len, rows)) | {relation.arity}) > 1:
        line = next(i for i, row in enumerate(rows) if len(row) != relation.arity)
        _refuse(relation, text, lines, line, name, f"{len(rows[line])} fields, not {relation.arity}")
    columns = [list(column) for column in zip(*rows, strict=True)]
    for i, base in enumerate(relation.bases):
        if base == "symbol":
            if _SIGN in text:
                columns[i] = list(map(unescape, columns[i]))
            continue
        try:
            columns[i] = list(map(int, columns[i]))
        except ValueError:
            line = next(j for j, field in enumerate(columns[i]) if not re.fullmatch(r"\s*[+-]?\d+\s*", field))
            what = f"{columns[i][line]!r} in the column {relation.columns[i].name} is not a number"
            _refuse(relation, text, lines, line, name, what)
        if min(columns[i]) < NUMBER_MIN or max(columns[i]) > NUMBER_MAX:
            line = next(j for j, value in enumerate(columns[i]) if not NUMBER_MIN <= value <= NUMBER_MAX)
            what = f"{columns[i][line]} in the column {relation.columns[i].name} does not fit into 32 bits"
            _refuse(relation, text, lines, line, name, what)
    return list(zip(*columns, strict=True))


def _refuse(relation: Relation, text: str, lines: list[str], line: int, name: str, what: str) -> None:
    offset = sum(len(before) + 1 for before in lines[:line])
    note = relation.position.note(f"declared as {relation.signature}")
    message = f"this is not a tuple of {relation.name}: {what}"
    raise DealogError(Diagnostic(message, source=SourceText(name, text), offset=offset, notes=(note,)))


def write_folder(program: Program, facts: Mapping[str, Collection[Tuple]], folder: Path) -> None:
    """Write a file for every `.input` relation."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for relation in program.inputs:
            path = folder / _file_name(program, relation)
            path.write_bytes(encode(relation, facts.get(relation.name, ())))
    except OSError as fault:
        raise DealogError(f"cannot write {fault.filename}: {fault.strerror}") from None


def read_folder(program: Program, folder: Path) -> dict[str, list[Tuple]]:
    """Read the files of the `.input` relations that have one."""
    if not os.path.isdir(folder):
        raise DealogError(f"{folder} is not a folder")
    out: dict[str, list[Tuple]] = {}
    for relation in program.inputs:
        path = folder / _file_name(program, relation)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            continue
        except OSError as fault:
            raise DealogError(f"cannot read {path}: {fault.strerror}") from None
        out[relation.name] = decode(relation, data, str(path))
    return out


def _file_name(program: Program, relation: Relation) -> str:
    """Where Soufflé looks for the facts of a relation."""
    name = f"{relation.name}.facts"
    for directive in program.directives:
        if directive.kind == "input" and relation.name in directive.relations:
            for key, value in directive.parameters:
                if key == "filename":
                    name = value
                elif (key, value) not in (("IO", "file"), ("delimiter", "\t")):
                    hint = "facts go through files with tabs between the columns"
                    message = f"{key}={value}: facts in this form cannot be read or written"
                    raise DealogError(directive.position.error(message, hint))
    return name
