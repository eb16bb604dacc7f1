"""What is wrong with the text of attributes: what the reader of attributes finds, and what is known of the attributes
of dialects.

Only what MLIR's own reader rejects is found, in its words where it has some.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from dealog.frontend.attribute_grammar import ATTRIBUTE, Reader, fault_of, read_beginning, read_dictionary
from dealog.frontend.lexer import COMMENT, STRING, Unbalanced, balanced_end, skip, split_list

_LONGEST = 4000  # what is longer holds data
_STRINGS = re.compile(STRING)
_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\(?![\"\\nt]|[0-9a-fA-F]{2})")
_OF_DIALECT = re.compile(rf"{STRING}|{COMMENT}|#(?P<name>[\w.$]+)\s*<")
_PLAIN = re.compile(r"[\w.+\-]+").fullmatch  # a word or a number
_NAME = re.compile(rf"[A-Za-z_][\w$.]*|{STRING}").fullmatch
_NEXT = re.compile(rf"{STRING}|{COMMENT}|[#!][\w.$]+(?P<own><)|(?<![\w.#%@$\-])(?P<attribute>{ATTRIBUTE})")


def fault(
    text: str,
    parameters: Mapping[str, str],
    is_dictionary: bool = False,
    *,
    has_words: bool = False,
    is_generic: bool = False,
) -> tuple[str, int] | None:
    """What is wrong with the attributes in `text`, a dictionary of them or anything else, and at which offset, -1 if
    that is not known; None where nothing is found. `parameters` says by which names the parameters of attributes are
    called; plain words are attributes where it `has_words`; the text is of a generic form where it `is_generic`."""
    if is_dictionary:
        found = fault_of(lambda: read_dictionary(text, has_words, is_generic))
    elif len(text) > _LONGEST:
        found = fault_of(lambda: read_beginning(text))
    else:
        found = _in_custom_text(text)
    if found is not None or len(text) > _LONGEST:
        return found
    if "\\" in text and any(_ESCAPE.search(string) for string in _STRINGS.findall(text)):
        return "unknown escape in string literal", -1
    return next(_of_dialects(text, parameters), None) if "#" in text else None


def fault_of_plain(name: str, text: str) -> str | None:
    """What is wrong with the attribute `name`, as far as its `text` is a word or a number; None: nothing is found."""
    if not _NAME(name):
        return "expected '}' in attribute dictionary"
    if not _PLAIN(text):
        return None
    reader = Reader(text)
    found = fault_of(reader.attribute)
    if found is not None:
        return found[0]
    return None if reader.kind == "end" else "expected '}' in attribute dictionary"


def _in_custom_text(text: str) -> tuple[str, int] | None:
    """What is wrong with the first of the builtin attributes in `text` with which something is. What stands in types
    and attributes of other dialects is theirs."""
    at = 0
    while (match := _NEXT.search(text, at)) is not None:
        at = match.end()
        if match["attribute"]:
            reader = Reader(text, match.start())
            found = fault_of(lambda: reader.attribute(is_typed=False))  # noqa: B023
            if found is not None:
                return found
            at = max(at, reader.behind)
        elif match["own"]:
            try:
                at = balanced_end(text, at - 1)
            except Unbalanced:
                return None
    return None


def _of_dialects(text: str, parameters: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """What is wrong with the parameters of the attributes of dialects in `text`."""
    for match in _OF_DIALECT.finditer(text):
        if match["name"] in parameters:
            try:
                yield from _parameters(text, match.end() - 1, parameters[match["name"]].split("|"))
            except Unbalanced:
                return


def _parameters(text: str, start: int, known: list[str]) -> Iterator[tuple[str, int]]:
    """The parameters in the brackets at `start`; of those with `#`, the values are numbers."""
    found = set()
    for first, equals, last in split_list(text, start + 1, balanced_end(text, start) - 1):
        if equals < 0:
            continue
        name = text[first:equals].strip()
        is_number = f"{name}#" in known
        value = skip(text, equals + 1, last)
        if name in found or not (is_number or name in known):
            yield f"duplicate or unknown struct parameter name: {name}", -1
        elif is_number and text[value] == '"':
            yield "expected integer value", -1
        elif (wrong := fault_of(lambda: read_beginning(text[value:last]))) is not None:  # noqa: B023
            yield wrong[0], value + wrong[1]
        found.add(name)
