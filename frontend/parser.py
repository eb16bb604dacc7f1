"""Parses MLIR text into items: the LALR automaton, driven with a lexer that knows the automaton's state.

The items are what `dealog.frontend.builder` makes IR of: tuples `(kind, start, end, parts)`, where `kind` is
the name of a rule of the vocabulary (`syntax/core.lark`), `[start, end)` the place in the text and `parts`
the items inside. Operations are `("op", start, end, items, name, end of results or -1, custom?)`, and,
where a whole operation in generic form was taken at once, `("generic", start, end, match)`; one that is written like
another before is `("like", start, end, pattern, names)` (`dealog.frontend.patterns`).

Which token a lexeme is depends on what the grammar allows where it stands: `constant` is a keyword in one
place and a name in another, `{` opens a region or a dictionary. The state of an LALR automaton knows this, so
nothing is reserved. There is no recursion, so regions may be nested as deep as memory allows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from dealog.diagnostics import DealogError, Diagnostic, SourceText
from dealog.frontend import lexer
from dealog.frontend.attribute_grammar import fault_of, read_location, read_metadata
from dealog.frontend.grammar import CONCAT, HEAD, LEAF, WRAP, Grammar
from dealog.frontend.patterns import Pattern, pattern_of

Item = Any  # a tuple as described above; typing its shapes would cost more than it tells

_VALUE, _TYPE, _WORD, _PUNCTUATION = lexer.VALUE, lexer.TYPE, lexer.WORD, lexer.PUNCTUATION
_EXCLAMATION, _HASH, _QUOTED = lexer.EXCLAMATION, lexer.HASH, lexer.QUOTED
_SPECIAL = frozenset("{}<[(-")
_BRACKETED = {"<": "ANGLE", "[": "SQUARE", "(": "ROUND"}
_PLAIN = {lexer.SYMBOL: "SYMBOL", lexer.BLOCK: "BLOCK", lexer.NUMBER: "NUMBER"}
# Not what begins a line in a dictionary or a list.
_BEGINS_WITH = re.compile(
    r"(?:^|\r)\s*(?:%[^=\r\n]*=\s*)?([A-Za-z_][\w$.]*+)(?!\s*[=,}\]])", re.MULTILINE | re.ASCII
).findall
_COMMENT = re.compile(lexer.COMMENT)
_END = 0
_JOINING = (CONCAT, WRAP)
_ROOT_DIALECT = "builtin"


def parse_items(
    source: SourceText,
    grammar: Grammar,
    goal: str = "module",
    start: int = 0,
    end: int | None = None,
    dialects: tuple[str, ...] = (_ROOT_DIALECT,),
    whole: bool = True,
) -> Item:
    """Parse `source.text[start:end]` as a `module` or one `operation`; returns its item.

    `dialects` are the default dialects in force, innermost last. With `whole` false, operations in generic
    form are not taken at once but in parts. Raises `DealogError` at the first syntax error.
    """
    text = source.text
    stop = len(text) if end is None else end
    try:
        return _parse(source, grammar, goal, start, stop, list(dialects), whole)
    except lexer.Unbalanced as error:
        raise DealogError(Diagnostic(error.message, source=source, offset=error.offset)) from None


def _parse(
    source: SourceText,
    grammar: Grammar,
    goal: str,
    position: int,
    stop: int,
    dialects: list[str],
    whole: bool,
) -> Item:
    """The automaton: `_Tokens` says what a lexeme is, `_headed` and `_operations` what comes of a rule.

    The most frequent cases of both stand here, as calls would take longer than what they do.
    """
    text = source.text
    rows, defaults, gotos, rules = grammar.rows, grammar.defaults, grammar.gotos, grammar.rules
    literals, op_terminals = grammar.literals, grammar.op_terminals
    lexeme, results, simple_type = lexer.LEXEME, lexer.RESULTS, lexer.SIMPLE_TYPE
    tokens = _Tokens(source, grammar, stop, dialects, whole)
    word_token, punctuation_token, other_tokens = tokens.word, tokens.punctuation, tokens.others

    accepting = grammar.ends[goal]
    state = grammar.starts[goal]
    states = [state]
    starts: list[int] = [position]
    ends: list[int] = [position]
    values: list[Any] = [None]

    kind = -1  # of the lexeme at hand; -1: none is
    at = 0  # where it starts
    lexeme_end = 0
    while True:
        row = rows[state]
        terminal: str | None = None
        value: Any = None
        if row:
            if kind < 0:
                match = lexeme(text, position, stop)
                if match is not None:
                    kind = match.lastindex or 0
                    at, lexeme_end = match.span(kind)
                else:
                    kind = _END
                    at = lexeme_end = _end_of_text(source, position, stop)
            token_end = lexeme_end
            if kind == _WORD:
                word = text[at:lexeme_end]
                for candidate in literals.get(word, ()):
                    if candidate in row:
                        terminal = candidate
                        if terminal in op_terminals:
                            value = word
                        break
                else:
                    if "CUSTOM_FORM" in row:
                        terminal = "CUSTOM_FORM"
                        if "GENERIC_OPERATION" in row and (run := tokens.operations_like(at)):
                            terminal, value, token_end = "GENERIC_OPERATION", run, run[-1][2]
                    elif "TYPE" in row and simple_type(word):
                        terminal = "TYPE"
                    else:
                        terminal, value, token_end = word_token(row, word, at, lexeme_end)
            elif kind == _PUNCTUATION:
                character = text[at:lexeme_end]
                for candidate in literals.get(character, ()):
                    if candidate in row:
                        terminal = candidate
                        break
                if character in _SPECIAL and (terminal is None or character == "{" or character == "}"):
                    terminal, token_end = punctuation_token(row, character, terminal, at, lexeme_end, values)
            elif kind == _VALUE and "VALUE" in row and not (defaults[state] >= 0 and results(text, at, stop)):
                terminal = "VALUE"
            elif kind == _TYPE and "TYPE" in row:
                terminal = "TYPE"
            else:
                terminal, value, token_end = other_tokens[kind](row, at, lexeme_end)

        if terminal is None:
            rule = defaults[state]
            if rule < 0:
                if state == accepting and kind == _END:
                    return values[1][0]
                if state == accepting and not row:
                    # Nothing more is expected: only the end of the text may follow.
                    match = lexeme(text, position, stop)
                    if match is None and _end_of_text(source, position, stop) >= 0:
                        return values[1][0]
                raise _unexpected(source, grammar, row, kind, at, lexeme_end, text)
        else:
            state_or_rule = row[terminal]
            if state_or_rule >= 0:
                state = state_or_rule
                states.append(state)
                starts.append(at)
                if terminal == "CUSTOM_FORM":  # takes no text
                    ends.append(at)
                    values.append(None)
                    continue
                ends.append(token_end)
                values.append(value)
                position = token_end
                kind = -1
                continue
            rule = ~state_or_rule

        name, size, action, item, has_results = rules[rule]
        if size == 0:
            nothing: list[Item] | None = [] if action == WRAP else None
            values.append(None if action == CONCAT else [(item, ends[-1], ends[-1], nothing)])
            starts.append(ends[-1])
            ends.append(ends[-1])
        elif size == 1 and action == CONCAT:
            if type(values[-1]) is not list:
                values[-1] = None
            states.pop()
        else:
            last = ends[-1]
            made: Any = None
            if action in _JOINING:  # lists belong to one rule only: they may be extended in place
                for part in values[-size:]:
                    if type(part) is list:
                        if made is None:
                            made = part
                        else:
                            made += part
                if action == WRAP:
                    made = [(item, starts[-size], last, made or [])]
            elif action == LEAF:
                made = [(item, starts[-size], last, None)]
            elif action == HEAD:
                made = _headed(values[-size:], item == "custom_op")
            else:
                made = _operations(starts[-size], ends[-size] if has_results else -1, last, values[-size:])
                if starts[-size] == tokens.unknown_at:
                    tokens.learn(made[0])
            if size > 1:
                del values[1 - size :], starts[1 - size :], ends[1 - size :], states[1 - size :]
                ends[-1] = last
            values[-1] = made
            states.pop()
        state = gotos[states[-1]][name]
        states.append(state)


def _headed(values: list[Any], is_custom: bool) -> tuple[str, list[Item], bool]:
    """An operation's name, its items, and whether it has its custom form."""
    items: list[Item] = []
    name = ""
    for part in values:
        if type(part) is list:
            items = items + part if items else part
        elif part is not None:
            name = part
    return name, items, is_custom


def _operations(first: int, results_end: int, last: int, values: list[Any]) -> list[Item]:
    """The item of the operation that `_headed` made; those of operations in generic form are made already."""
    for part in values:
        if type(part) is tuple:
            return [("op", first, last, part[1], part[0], results_end, part[2])]
        if part is not None:
            run: list[Item] = part
    return run


_Token = tuple[str | None, Any, int]  # the terminal, or None; its value; where it ends


class _Tokens:
    """Which terminal a lexeme is where the row of a state allows some, and how far it reaches."""

    __slots__ = (
        "dialects", "grammar", "others", "patterns", "source", "stop", "text", "unknown", "unknown_at", "unknown_end",
        "whole",
    )  # fmt: skip

    def __init__(self, source: SourceText, grammar: Grammar, stop: int, dialects: list[str], whole: bool) -> None:
        self.source = source
        self.text = source.text
        self.grammar = grammar
        self.stop = stop
        self.dialects = dialects  # the default dialects of the regions that are open
        self.whole = whole
        self.patterns: dict[str, Pattern | Item | None] = {}  # by the text of a line; an item: of the first one
        self.unknown, self.unknown_at, self.unknown_end = "", -1, -1  # a line that is none of these
        self.others = {
            _VALUE: self._value,
            _TYPE: self._type,
            _EXCLAMATION: self._type,
            _HASH: self._hash,
            _QUOTED: self._quoted,
            _END: self._plain("$END"),
            **{kind: self._plain(terminal) for kind, terminal in _PLAIN.items()},
        }

    @staticmethod
    def _plain(terminal: str) -> Callable[[dict[str, int], int, int], _Token]:
        return lambda row, at, end: (terminal if terminal in row else None, None, end)

    def word(self, row: dict[str, int], word: str, at: int, end: int) -> _Token:
        """A word that is neither a keyword here nor a type without brackets."""
        text = self.text
        if "TYPE" in row and word in lexer.TYPE_CONSTRUCTORS and _has_angle(text, end):
            return "TYPE", None, _angle_end(text, end)
        if word == "loc" and "LOCATION" in row:
            opening = lexer.skip(text, end)
            if text[opening : opening + 1] == "(":
                closed = lexer.balanced_end(text, opening)
                if not lexer.LOCATION(text, at):
                    self._check(lambda: read_location(text, opening + 1))
                return "LOCATION", None, closed
            return None, None, end
        if "ATTRIBUTE" in row and word in lexer.ATTRIBUTE_CONSTRUCTORS and _has_angle(text, end):
            return "ATTRIBUTE", None, _angle_end(text, end)
        if "WORD" in row:
            return "WORD", None, end
        if "UNKNOWN_OP" not in row:
            return None, None, end
        terminal, name = _short_name(word, row, self.grammar, self.dialects)
        if terminal == "UNKNOWN_OP" and row[terminal] >= 0:
            raise _unknown_operation(self.source, at, word, self.grammar)
        return terminal, name, end

    def punctuation(
        self, row: dict[str, int], character: str, terminal: str | None, at: int, end: int, values: list[Any]
    ) -> tuple[str | None, int]:
        """A bracket, which may be taken with all that is in it, or the sign of a number; `terminal` is what it is as
        a literal."""
        text = self.text
        if character == "{":
            if text.startswith("{-#", at):  # no region and no dictionary
                if "RESOURCES" not in row:
                    return None, end
                resources = lexer.RESOURCES(text, at)
                if resources is None:
                    raise lexer.Unbalanced("'{-#' is never closed by '#-}'", at)
                self._check(lambda: read_metadata(text, at))
                return "RESOURCES", resources.end()
            if "OPAQUE" in row:
                end = lexer.balanced_end(text, at)
                if terminal is None or not self._readable(text[at:end]):
                    return "OPAQUE", end
                end = at + 1
            if "ATTR_DICT" in row and (terminal is None or lexer.DICTIONARY_START(text, at)):
                return "ATTR_DICT", lexer.balanced_end(text, at)
            if terminal is not None and row[terminal] >= 0:
                self.dialects.append(_enclosing_dialect(values, self.grammar))
        elif character == "}":
            if terminal is not None and row[terminal] >= 0:
                self.dialects.pop()
        elif character == "<" and "PROPERTIES" in row and lexer.PROPERTIES_START(text, at):
            return "PROPERTIES", lexer.balanced_end(text, at)
        elif (bracketed := _BRACKETED.get(character)) in row:
            return bracketed, lexer.balanced_end(text, at)
        elif character == "-" and "NUMBER" in row:
            number = lexer.NUMBER_AFTER_MINUS(text, at, self.stop)
            if number is not None:
                return "NUMBER", number.end()
        return terminal, end

    def _check(self, read: Callable[[], object]) -> None:
        """Raises `DealogError` for what `read`, which reads something, finds wrong."""
        found = fault_of(read)
        if found is not None:
            raise DealogError(Diagnostic(found[0], source=self.source, offset=found[1]))

    def _readable(self, body: str) -> bool:
        """Whether all lines of `body` that begin with the name of an operation begin with one that is described; some
        go on with what a line before has begun, by a keyword."""
        names, dialects = self.grammar.op_names, {"", *self.dialects, *self.grammar.default_dialects.values()}
        return all(
            any(f"{dialect}.{name}".lstrip(".") in names for dialect in dialects) or name in self.grammar.literals
            for name in _BEGINS_WITH(_COMMENT.sub("", body))
        )

    def _value(self, row: dict[str, int], at: int, end: int) -> _Token:
        if "GENERIC_OPERATION" not in row:
            return None, None, end
        if run := self.operations_like(at) or self._generic_operations(at):
            return "GENERIC_OPERATION", run, run[-1][2]
        match = lexer.RESULTS(self.text, at, self.stop)
        return (None, None, end) if match is None else ("RESULTS", None, match.end())

    def _generic_operations(self, at: int) -> list[Item]:
        """The operations in generic form that stand at `at`, one after the other, as far as a pattern takes each."""
        text, stop = self.text, self.stop
        run: list[Item] = []
        match = lexer.GENERIC_OPERATION(text, at, stop) if self.whole else None
        while match is not None:
            start, end = match.span()
            run.append(("generic", start, end, match))
            match = lexer.GENERIC_OPERATION(text, lexer.skip(text, end, stop), stop)
        return run

    def operations_like(self, at: int) -> list[Item]:
        """The operations that stand at `at`, one after the other, as long as each is like one before."""
        run: list[Item] = []
        if not self.whole or at == self.unknown_at:
            return run
        text, stop, patterns, names = self.text, self.stop, self.patterns, lexer.NAMES
        while (match := lexer.OPERATION_LINE(text, at, stop)) is not None:
            line = match[1].rstrip()
            key = names.sub("\0", line)
            end = at + len(line)
            pattern = patterns.get(key, text)
            if pattern is text:
                self.unknown, self.unknown_at, self.unknown_end = key, at, end
                break
            if type(pattern) is tuple:
                pattern = patterns[key] = pattern_of(text, pattern)
            if pattern is None:
                break
            run.append(("like", at, end, pattern, names.findall(line)))
            at = match.end()
        return run

    def learn(self, item: Item) -> None:
        """Take note of the operation that stands on the line that was not known."""
        if item[2] == self.unknown_end:
            self.patterns[self.unknown] = item

    def _quoted(self, row: dict[str, int], at: int, end: int) -> _Token:
        if "STRING" in row:
            return "STRING", None, end
        if "OP_NAME" not in row:
            return None, None, end
        if "GENERIC_OPERATION" in row and (run := self._generic_operations(at)):
            return "GENERIC_OPERATION", run, run[-1][2]
        return "OP_NAME", self.text[at + 1 : end - 1], end

    def _type(self, row: dict[str, int], at: int, end: int) -> _Token:
        return self._named("TYPE", "TYPE_ALIAS", row, at, end)

    def _hash(self, row: dict[str, int], at: int, end: int) -> _Token:
        return self._named("ATTRIBUTE", "ATTRIBUTE_ALIAS", row, at, end)

    def _named(self, terminal: str, alias: str, row: dict[str, int], at: int, end: int) -> _Token:
        """`!...` or `#...`, or what begins the definition of such an alias."""
        if terminal in row:
            deep = self.text.startswith("<", end) and self.text[at] in "!#"
            return terminal, None, lexer.balanced_end(self.text, end) if deep else end
        match = lexer.ALIAS(self.text, at, self.stop) if alias in row else None
        return (None, None, end) if match is None else (alias, None, match.end())


def _has_angle(text: str, end: int) -> bool:
    return text[lexer.skip(text, end) : lexer.skip(text, end) + 1] in ("<", "[")


def _angle_end(text: str, position: int) -> int:
    """After the `<...>` (or `[...]<...>`) that starts at `position`."""
    end = lexer.balanced_end(text, lexer.skip(text, position))
    if text[lexer.skip(text, position)] == "[" and text.startswith("<", end):
        end = lexer.balanced_end(text, end)
    return end


def _enclosing_dialect(values: list[Any], grammar: Grammar) -> str:
    """The default dialect in the region that opens now, which its operation decides."""
    for value in reversed(values):
        if type(value) is str:
            return grammar.default_dialects.get(value, "")
    return ""


def _short_name(
    word: str, row: dict[str, int], grammar: Grammar, dialects: list[str]
) -> tuple[str, str | None]:
    for dialect in reversed(dialects):
        if dialect:
            name = f"{dialect}.{word}"
            for candidate in grammar.literals.get(name, ()):
                if candidate in row:
                    return candidate, name
    name = grammar.old_spellings.get(word, "")
    for candidate in grammar.literals.get(name, ()):
        if candidate in row:
            return candidate, name
    return "UNKNOWN_OP", None


def _end_of_text(source: SourceText, position: int, stop: int) -> int:
    """The end of the text, when nothing but space and comments is left; else there is no lexeme here."""
    at = lexer.skip(source.text, position, stop)
    if at >= stop:
        return at
    character = source.text[at]
    if character == '"':
        raise lexer.Unbalanced("expected '\"' in string literal", at)
    shown = f"character '{character if character.isprintable() else f'U+{ord(character):04X}'}'"
    if "\udc80" <= character <= "\udcff":  # as `surrogateescape` decodes it
        shown = f"byte 0x{ord(character) - 0xDC00:02x}, which is not UTF-8"
    raise DealogError(Diagnostic(f"unexpected {shown}", source=source, offset=at))


# ------------------------------------------------------------------------------------------- diagnostics

_NAMES = {
    "VALUE": "SSA operand",
    "SYMBOL": "symbol name",
    "BLOCK": "block name",
    "STRING": "string",
    "NUMBER": "number",
    "WORD": "bare word",
    "TYPE": "type",
    "ATTRIBUTE": "attribute",
    "LOCATION": "'loc'",
    "ATTR_DICT": "attribute dictionary",
    "PROPERTIES": "'<{'",
    "SQUARE": "'['",
    "ROUND": "'('",
    "ANGLE": "'<'",
    "OP_NAME": "operation",
    "CUSTOM_FORM": "operation",
    "$END": "end of file",
}
_SILENT = {"OPAQUE", "RESULTS", "GENERIC_OPERATION", "UNKNOWN_OP", "RESOURCES", "ATTRIBUTE_ALIAS", "TYPE_ALIAS"}


def _unexpected(
    source: SourceText, grammar: Grammar, row: dict[str, int], kind: int, at: int, end: int, text: str
) -> DealogError:
    if kind < 0:
        match = lexer.LEXEME(text, at)
        kind, end = (match.lastindex or 0, match.end()) if match else (_END, at)
    expected = []
    for terminal in row:
        if terminal in _SILENT or terminal in grammar.op_terminals:
            continue
        name = _NAMES.get(terminal) or f"'{grammar.texts.get(terminal, terminal)}'"
        if name not in expected:
            expected.append(name)
    found = "end of file" if kind == _END else f"'{_clipped(text[at:end])}'"
    message = f"unexpected {found}"
    if expected:
        listed = ", ".join(expected[:-1]) + " or " + expected[-1] if len(expected) > 1 else expected[0]
        message = f"expected {listed}, found {found}"
    return DealogError(Diagnostic(message, source=source, offset=at))


def _clipped(text: str) -> str:
    return text if len(text) <= 60 else text[:60] + "..."


def _unknown_operation(source: SourceText, at: int, word: str, grammar: Grammar) -> DealogError:
    from difflib import get_close_matches

    hint = (
        "write the operation in MLIR's generic form (mlir-opt -mlir-print-op-generic, or --normalize with "
        "mlir-opt on PATH), or add a syntax file for its dialect (--dialect)"
    )
    close = get_close_matches(word[:100], grammar.op_names, n=1, cutoff=0.85)
    if close:
        hint = f"did you mean '{close[0]}'? Otherwise {hint}"
    message = f"unknown custom form of '{_clipped(word)}'"
    return DealogError(Diagnostic(message, source=source, offset=at, hint=hint))
