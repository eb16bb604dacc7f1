"""What is wrong with a text that the grammar cannot read: one clear message for each statement.

A construct of Soufflé's that is not portable is reported by its name, a slip that many make by what should stand
there; for the rest, what was found and what was expected.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING, TypeAlias

from dealog.diagnostics import Diagnostic, SourceText
from dealog.engine.program import Position

if TYPE_CHECKING:
    from lark.exceptions import UnexpectedInput

# What stands where the grammar cannot go on: a pattern for the text there, what it is, what to do instead.
_REFUSED: tuple[tuple[str, str, str], ...] = (
    (r"\.(comp|init|override)\b", "components (.{0})", "write the relations out, one file for each subject"),
    (r"\.(functor)\b", "user-defined functors (.{0})", "there are cat, to_string, min, max and arithmetic"),
    (r"\.(lattice)\b", "lattices (.{0})", "use min or max aggregates"),
    (r"\.(plan|pragma)\b", ".{0}", "remove it: it does not change what the program means"),
    (r"\.(printsize|limitsize)\b", ".{0}", "use .output, or a count aggregate"),
    (r"\.(number_type|symbol_type)\b", ".{0}", "write .type Name <: number (or symbol)"),
    (r"\.(include|once)\b", ".{0}", 'write #include "file", and guard files with #ifndef / #define / #endif'),
    (r"choice-domain\b", "choice-domain", "derive all tuples, and choose with a min or max aggregate"),
    (r"(eqrel)\b", "{0} relations", "write the rules of an equivalence out"),
    (r"(inline|no_inline|magic|no_magic|brie|btree_delete|btree|overridable)\b", "{0}", "remove it"),
    (r"(input|output|printsize)\b", "{0} as a word of .decl", "write .{0} name on a line of its own"),
    (r"(b(?:and|or|xor|not|shl|shr|shru)|l(?:and|or|xor|not))\b", "the operator {0}", "use relations"),
    (r"\^", "the operator ^", "multiply"),
    (r"(as)\s*\(", "{0}(...)", "declare columns of a common parent type"),
    (r"(autoinc|recursive_iteration_cnt|debug_delta)\s*\(", "{0}(...)", "number things outside the program"),
    (r"\[", "records", "use one column for each field"),
    (r"\$", "algebraic data types and counters ($)", "use one relation for each case"),
    (r"@", "user-defined functors and annotations (@)", "use relations"),
    (r"\|", "union types and algebraic data types (|)", "use a common parent type: .type Name <: symbol"),
    (r"<>", "lattice columns (<>)", "use min or max aggregates"),
    (r"[0-9]+\.[0-9]", "floating-point numbers", "numbers are 32-bit integers"),
    (r"(?:0x[0-9a-fA-F]+|[0-9]+)u\b", "unsigned numbers", "numbers are signed 32-bit integers"),
)

_TOKEN_NAMES = {
    "IDENT": "a name", "STRING": "a string", "NUMBER": "a number", "WILDCARD": "_",
    "TRUTH": "true or false", "FUNCTOR": "a functor", "AGGREGATE": "an aggregate",
    "COMPARISON": "a comparison", "LPAR": "(", "RPAR": ")", "LBRACE": "{", "RBRACE": "}", "COMMA": ",",
    "DOT": ".", "SEMICOLON": ";", "COLON": ":", "BANG": "!", "__ANON_0": "<:", "__ANON_1": ":-",
    "$END": "the end", "PLUS": "+", "MINUS": "-", "STAR": "*", "SLASH": "/", "PERCENT": "%", "EQUAL": "=",
    "INPUT": ".input", "OUTPUT": ".output", "_TYPE": ".type", "_DECL": ".decl",
}  # fmt: skip

# Slips, mostly habits from other languages: a pattern for what stands there, the message, the advice.
_SLIPS: tuple[tuple[str, str, str], ...] = (
    (r"not\b|\\\+", "a negation is written with !", "write !relation(…)"),
    (r"(and|&&?)(?!\w)", "conditions are joined by commas", "write , for {0}"),
    (r"(or\b|\|\|)", "alternatives are joined by semicolons", "write ; for {0}"),
    (r"(<-|:=|: -)", "a rule is written with :-", "write :- for {0}"),
    (r"->", "a rule is written with :-", "what it derives comes first: head(…) :- conditions"),
    (r"'", "a symbol stands in double quotes", 'write "…"'),
    (r"\*/", "this closes no comment", "a comment starts with /*, or with // and ends with the line"),
)
_DOUBLED = {"==": "=", "=<": "<=", "=>": ">=", "<>": "!=", "/=": "!=", "!==": "!="}
_ENTITY = re.compile(r"[%^@][\w$.-]+(?![\w$.-]|\s*\()")

_DIRECTIVES = (".decl", ".type", ".input", ".output")
_TERM = frozenset({"IDENT", "STRING", "NUMBER", "WILDCARD", "FUNCTOR", "AGGREGATE", "LPAR", "MINUS"})
_OPERATORS = frozenset({"PLUS", "MINUS", "STAR", "SLASH", "PERCENT"})
_STATEMENT = frozenset({"_TYPE", "_DECL", "INPUT", "OUTPUT"})

# A declaration from its dot to where it ends, and the dot of any other statement.
_END = re.compile(
    r'"(?:\\.|[^"\\\n])*(?:"|$)'
    r"|'[^'\n]*'"
    r"|(?P<declaration>(?<![\w)])\.decl\s[^().]*\([^().]*\)|(?<![\w)])\.type\s+[\w?]+\s*<:\s*[\w?]+"
    r"|(?<![\w)])\.(?:input|output)[ \t]+[\w?]+(?:\s*,\s*[\w?]+)*(?:\s*\([^()]*\)|(?!\s*\())(?![\w?])"
    r"|\.(?:comp|lattice)\b[^{}]*\{(?:[^{}]|\{[^{}]*\})*\})"
    r"|(?P<start>(?<![\w)])\.(?=[A-Za-z]))"
    r"|(?<![0-9])\.|\.(?![0-9])",
    re.MULTILINE,
)
_DECLARATION = re.compile(
    r"(?:\.decl\s[^().]*\([^().]*\)|\.type\s+[\w?]+\s*<:\s*[\w?]+"
    r"|\.(?:input|output)\s+[\w?]+(?:\s*,\s*[\w?]+)*(?:\s*\([^()]*\))?)\s*\Z"
)
_NEAR = 2000  # this many characters before a full stop are looked at for what it ends
_DECLARED = re.compile(r"\.(?:decl|type)\s+([\w?]+(?:\s*,\s*[\w?]+)*)")


def pieces(text: str) -> Iterator[tuple[int, int]]:
    """Where the statements of `text` begin and end, as far as that is to be seen without reading them."""
    begin = 0
    for match in _END.finditer(text):
        if match[0].startswith(('"', "'")):
            continue
        starts = match["declaration"] is not None or match["start"] is not None
        if starts and text[begin : match.start()].strip():
            yield begin, match.start()
            begin = match.start()
        if match["start"] is None:
            yield begin, match.end()
            begin = match.end()
    if text[begin:].strip():
        yield begin, len(text)


def declared(piece: str) -> Iterator[str]:
    """The names that a statement which cannot be read seems to declare."""
    for match in _DECLARED.finditer(piece):
        yield from re.findall(r"[\w?]+", match[1])


def explain(fault: UnexpectedInput, source: SourceText, base: int, text: str) -> Diagnostic:
    """Say what stands where the grammar could not go on in `text`, which is at `base` in `source`."""
    from lark.exceptions import UnexpectedToken

    at = fault.pos_in_stream
    ended = isinstance(fault, UnexpectedToken) and fault.token.type == "$END"
    if at is None or ended:
        at = len(text.rstrip())

    def place(start: int, end: int | None = None) -> Position:
        return Position(source, base + start, base + (start if end is None else end))

    word = re.search(r"[\w?]+\s*\Z", text[:at])
    starts = (at, word.start() if word else at)
    expected = _expected(fault)
    before = source.text[max(0, base + at - _NEAR) : base + at]
    if re.match(r"\.(?![A-Za-z])", text[at : at + 2]) and _DECLARATION.search(before):
        return place(at).error("a declaration has no full stop at its end", "remove it")
    known = _slip(text, at, starts) or _refused(text, at, starts) or _misplaced(text, at, expected)
    if known is not None:
        start, message, hint = known
        return place(start).error(message, hint)
    if ended:
        behind = source.text[base + len(text) :]
        hint = "is a full stop missing?"
        if re.match(r"\s*#\s*include\b", behind):
            hint = "an include has to stand between statements"
        elif behind.strip():
            return place(at).error("the statement is not finished", _listed(expected))
        return place(at).error("the text ends inside a statement", hint)
    if text.startswith("<=", at) and re.search(r"\)\s*\Z", text[:at]):
        hint = "derive all tuples, and choose with a min or max aggregate"
        return place(at).error("subsumption (<= between heads): not in the portable part of Datalog", hint)
    if text[at] == "=" and re.search(r"\.type\s+\w+\s*\Z", text[:at]):
        hint = "write .type Name <: symbol (or number, or another type)"
        return place(at).error("a type defined with =: not in the portable part of Datalog", hint)
    if text[at] == '"' and not re.compile(r'"(\\.|[^"\\\n])*"').match(text, at):
        return place(at).error("this string does not end on its line", 'close it with ", or write \\n')
    before = text[:at].rstrip()
    if "DOT" in expected and "\n" in text[len(before) : at]:
        return place(len(before)).error("the statement is not finished", "is a full stop missing?")
    found = re.compile(r"[\w?]+|:-|<:|\S").match(text, at)
    shown = found[0] if found else text[at]
    return place(at).error(f"unexpected {shown}", _listed(expected))


_Known: TypeAlias = "tuple[int, str, str | None] | None"  # where it starts, what it is, what to do


def _slip(text: str, at: int, starts: tuple[int, int]) -> _Known:
    """A habit from another language."""
    for spelling, right in _DOUBLED.items():
        start = at - len(spelling) + 1
        if start >= 0 and text.startswith(spelling, start):
            return start, f"{spelling} is not a comparison", f"write {right}"
    if text[:at].rstrip().endswith(("(", ",")) and (entity := _ENTITY.match(text, at)) is not None:
        name = entity[0] if entity[0].startswith("@") else f"@f/{entity[0]}"
        hint = f'identifiers are symbols, and name their function: write "{name}"'
        return at, f"{entity[0]} stands without quotes", hint
    for start in starts:
        for pattern, message, hint in _SLIPS:
            match = re.compile(pattern).match(text, start)
            if match is not None and (start == at or not text[match.end() : at].strip()):
                return start, message, hint.format(*match.groups())
    return None


def _refused(text: str, at: int, starts: tuple[int, int]) -> _Known:
    """A construct that is not portable."""
    for start in starts:
        for pattern, what, hint in _REFUSED:
            match = re.compile(pattern).match(text, start)
            if match is not None and not text[match.end() : at].strip():
                name, hint = what.format(*match.groups()), hint.format(*match.groups())
                return start, f"{name}: not in the portable part of Datalog", hint
    return None


def _misplaced(text: str, at: int, expected: frozenset[str]) -> _Known:
    """What is incomplete, or cannot start what it stands at the start of."""
    before, found = text[:at].rstrip(), text[at : at + 1]
    if (bare := re.match(r"\s*(\.(?:decl|type|input|output))[ \t]*(?:\n|\Z)", text)) is not None:
        return bare.start(1), f"{bare[1]} names nothing", f"write {bare[1]} and a name"
    if "_DECL" in expected:
        if (directive := re.compile(r"\.[A-Za-z_]+").match(text, at)) is not None:
            close = get_close_matches(directive[0].lower(), _DIRECTIVES, n=1)
            hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(_DIRECTIVES)}"
            return at, f"there is no directive {directive[0]}", hint
        if found == "%":
            return at, "a comment starts with //", None
        if text.startswith(":-", at):
            return at, "a rule says what it derives", "write relation(…) :- conditions"
    if found == "{" and "COLON" in expected:
        return at, "an aggregate has a colon before its braces", "write count : { … }, or sum x : { … }"
    name, start = before[_word(before) :], _word(before)
    if expected == {"COLON"} and re.search(r"\.decl\s+[^)]*\Z", before):
        return start, f"the column {name} has no type", f"write {name}: symbol, or {name}: number"
    if name and "LPAR" in expected:
        if f".{name}" in _DIRECTIVES and "COMPARISON" not in expected:
            return start, f"{name} is a directive, and starts with a dot", f"write .{name}"
        if found in (".", ",", ";", ":"):
            return start, f"{name} stands without arguments", f"write {name}(…); of no columns, {name}()"
    return None


def _word(text: str) -> int:
    """Where the word at the end of `text` starts."""
    word = re.search(r"[\w?]*\Z", text)
    assert word is not None
    return word.start()


def _expected(fault: UnexpectedInput) -> frozenset[str]:
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    expected: Iterable[str] = ()
    if isinstance(fault, UnexpectedToken):
        expected = fault.accepts or fault.expected
    elif isinstance(fault, UnexpectedCharacters):
        expected = fault.allowed or ()
    return frozenset(expected)


def _listed(expected: frozenset[str]) -> str | None:
    """What was expected, in words."""
    names: list[str] = []
    rest = set(expected)
    if rest >= _TERM:
        names.append("a condition" if "BANG" in rest else "a value")
        rest -= _TERM | {"BANG", "TRUTH"}
    elif rest >= _OPERATORS:
        names.append("an operator")
        rest -= _OPERATORS
    if rest >= _STATEMENT:
        names.append("a statement")
        rest -= _STATEMENT | {"IDENT", "$END"}
    names = sorted(_TOKEN_NAMES.get(token, token) for token in rest) + names
    return f"expected {' or '.join(names)}" if names else None
