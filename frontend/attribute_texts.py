"""What is wrong with the text of attributes: numbers that are none of their type, lists and names that cannot be read.

Only what MLIR's own reader rejects is found, in its words where it has some.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from dealog.frontend.attribute_grammar import Reader, fault_of, read_beginning, read_dictionary
from dealog.frontend.lexer import ANGLE, COMMENT, FLOAT, STRING, Unbalanced, balanced_end, skip, split_list

_LONGEST = 4000  # what is longer holds data
_STRINGS = re.compile(STRING)
_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\(?![\"\\nt]|[0-9a-fA-F]{2})")
_COMMENTS = re.compile(COMMENT)
_PARAMETERS = re.compile(r"#([\w.]+)\s*<")
_MAP = re.compile(r"\baffine_map\s*<")
_ELEMENTS = re.compile(r"\bdense\s*<")
_ARRAY = re.compile(r"\barray\s*<\s*(\w+)\s*:([^<>]*)>")
_TYPED = re.compile(r"(?<![\w.#%x\-])(-?\d+(?:\.\d*(?:[eE][+\-]?\d+)?)?)\s*:\s*([a-z]\w*)(<?)")
_BITS = re.compile(r"(?<![\w.#%x\-])0x([0-9A-Fa-f]+)\s*:\s*(bf16|f16|f32|f64|index|[su]?i\d+)\b(?!\s*<)")
_FLOAT_WIDTHS = {"bf16": 16, "f16": 16, "f32": 32, "f64": 64}
_BOOL = re.compile(r"\b(?:true|false)\b")
_NO_ITEMS = re.compile(r"\barray\s*<\s*\w+\s*:\s*>")
_NEGATED = re.compile(r"[=,\[{]\s*-\s*(?:true|false)\b")
_TYPED_BOOL = re.compile(r"[=,\[{]\s*(?:true|false)\s*:")
_WITHOUT_POINT = re.compile(r"[=,\[{]\s*-?\d+[eE][+\-]?\d")
_NUMBER = re.compile(r"(?<![\w.#%])-?\d[\w.]*(?:(?<=[eE])[+\-]\d+)?")
_SHAPED = re.compile(r"\s*:\s*(?:tensor|vector|memref)\s*<(?:\d+x)*(\w+)>")
_SHAPED_TYPES = ("memref", "tensor", "vector", "complex")
_COMMA = re.compile(r"[\[{,]\s*,|,\s*[\]}]")
_SYMBOL = re.compile(r"@(?![A-Za-z_\"])")
_ANGLES = re.compile(ANGLE)
_RELATION = re.compile(r"[<>=]=")  # in affine sets; no angle bracket
_WORD = re.compile(r"[=\[]\s*[A-Za-z_]\w*\.[\w$.]*\s*[,\]}]")  # the name of an operation, say
_BARE = re.compile(r"[=\[]\s*([A-Za-z_]\w*)\s*[,\]}]")
_VALUES = re.compile(
    rf"true|false|unit|index|none|[su]?i\d+|{FLOAT}"  # words that are attributes
)
_NO_NUMBER = re.compile(r"[=\[]\s*-?(?!0x[0-9A-Fa-f])(?>\d+(?:\.\d*(?:[eE][+\-]?\d+)?)?)[A-Za-z_]\w*\s*[,\]}:]")
_TWO_NAMES = re.compile(r"[{,]\s*[A-Za-z_][\w$.]*\s+[\w\"@#!]")
_INTEGER = re.compile(r"([su]?)i(\d{1,8})")
_FLOAT = re.compile(r"(?:bf16|tf32|f\d+\w*)")


def fault(
    text: str,
    parameters: Mapping[str, str],
    is_dictionary: bool = False,
    *,
    has_words: bool = False,
    is_custom: bool = False,
) -> tuple[str, int] | None:
    """What is wrong with the attributes in `text`, a dictionary of them or anything else, and at which offset, -1 if
    that is not known; None where nothing is found. `parameters` says by which names the parameters of attributes are
    called; plain words are attributes where it `has_words`; and where it `is_custom`, an operation has a way of its own
    to write them."""
    read = read_dictionary if is_dictionary and not is_custom else read_beginning
    if not has_words and (found := fault_of(lambda: read(text))) is not None:
        return found
    if len(text) > _LONGEST:
        return None
    if "\\" in text and any(_ESCAPE.search(string) for string in _STRINGS.findall(text)):
        return "unknown escape in string literal", -1
    if '"' in text or "/" in text:
        text = _COMMENTS.sub("", _STRINGS.sub('""', text))
    message = next(_faults(text, parameters, is_dictionary, has_words), None)
    return None if message is None else (message, -1)


def _faults(text: str, parameters: Mapping[str, str], is_dictionary: bool, has_words: bool) -> Iterator[str]:
    try:
        if "#" in text:
            for match in _PARAMETERS.finditer(text):
                if match[1] in parameters:
                    yield from _names(text, match.end() - 1, parameters[match[1]])
        for match in _TYPED.finditer(text):
            yield from _typed(match[1], match[2], bool(match[3]))
        if "0x" in text:
            for match in _BITS.finditer(text):
                yield from _bits(int(match[1], 16), match[2])
        for match in _ELEMENTS.finditer(text):
            yield from _dense(text, match.end() - 1)
        if "#" not in text and "!" not in text:  # what stands in those of dialects is theirs
            for match in _MAP.finditer(text):
                yield from _map(text, match.start())
    except Unbalanced:
        return
    for match in _ARRAY.finditer(text):
        for number in _NUMBER.findall(match[2]) if not match[1].startswith("u") else ():
            yield from _typed(number, match[1], False)
    if _NO_ITEMS.search(text):
        yield "expected integer literal"
    if is_dictionary:
        if _COMMA.search(text):
            yield "expected an attribute"
        if _SYMBOL.search(text):
            yield "@ identifier expected to start with letter or '_'"
        plain, nested = _ANGLES.subn("()", _RELATION.sub("", text))
        while nested:
            plain, nested = _ANGLES.subn("()", plain)
        if _WORD.search(plain):
            yield "expected attribute value"
        if not has_words and any(not _VALUES.fullmatch(word) for word in _BARE.findall(plain)):
            yield "expected attribute value"
        if _NO_NUMBER.search(plain) or _TWO_NAMES.search(plain):
            yield "expected '}' in attribute dictionary"
        if _NEGATED.search(plain):
            yield "expected constant integer or floating point value"
        if _TYPED_BOOL.search(plain) or _WITHOUT_POINT.search(plain):
            yield "expected '}' in attribute dictionary"


def _names(text: str, start: int, allowed: str) -> Iterator[str]:
    """The names of parameters in the brackets at `start`; of those with `#`, the values are numbers."""
    known = allowed.split("|")
    found = set()
    for first, equals, last in split_list(text, start + 1, balanced_end(text, start) - 1):
        if equals < 0:
            continue
        name = text[first:equals].strip()
        is_number = f"{name}#" in known
        if name in found or not (is_number or name in known):
            yield f"duplicate or unknown struct parameter name: {name}"
        elif is_number and text[skip(text, equals + 1, last)] == '"':
            yield "expected integer value"
        found.add(name)


def _typed(number: str, type: str, is_shaped: bool) -> Iterator[str]:
    """A number of a type that is written behind it."""
    is_whole = number.lstrip("-").isdecimal()
    if is_shaped:
        if type in _SHAPED_TYPES:
            yield f"{'integer literal' if is_whole else 'floating point value'} not valid for specified type"
    elif _FLOAT.fullmatch(type):
        if is_whole:
            yield "unexpected decimal integer literal for a floating point value"
    elif type == "index" or _INTEGER.fullmatch(type):
        if "." in number:
            yield "floating point value not valid for specified type"
        elif is_whole and not _fits(int(number), type):
            yield "integer constant out of range for attribute"


def _bits(number: int, type: str) -> Iterator[str]:
    """A number that is written as its bits."""
    if type in _FLOAT_WIDTHS:
        if number.bit_length() > _FLOAT_WIDTHS[type]:
            yield "hexadecimal float constant out of range for type"
    elif not _fits(number, type):
        yield "integer constant out of range for attribute"


@lru_cache(maxsize=4096)
def _fits(number: int, type: str) -> bool:
    match = _INTEGER.fullmatch("si64" if type == "index" else type)
    if match is None:
        return True
    sign, width = match[1], int(match[2])
    if not width:
        return number == 0
    least = 0 if sign == "u" else -(1 << (width - 1))
    most = (1 << (width - 1 if sign == "s" else width)) - 1
    return least <= number <= most


def _map(text: str, start: int) -> Iterator[str]:
    """A map that is none."""
    found = fault_of(Reader(text, start).affine)
    if found is not None:
        yield found[0]


def _dense(text: str, start: int) -> Iterator[str]:
    """The elements in the brackets at `start`, of the type behind them."""
    end = balanced_end(text, start)
    match = _SHAPED.match(text, end)
    if match is None:
        return
    content, type = text[start + 1 : end - 1], match[1]
    is_float = _FLOAT.fullmatch(type) is not None
    if "(" in content or '"' in content or not (is_float or type == "index" or _INTEGER.fullmatch(type)):
        return
    if type != "i1" and _BOOL.search(content):
        yield "expected i1 type for 'true' or 'false' values"
    for number in _NUMBER.findall(content):
        is_whole = number.lstrip("-").isdecimal()
        if is_float and is_whole:
            yield "unexpected decimal integer literal for a floating point value"
        elif not is_float and "." in number:
            yield "expected integer elements, but parsed floating-point"
        elif not is_float and is_whole and not _fits(int(number), type):
            yield "integer constant out of range for type"
