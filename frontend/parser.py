"""Parses MLIR text into items: the LALR automaton, driven with a lexer that knows the automaton's state.

The items are what `dealog.frontend.builder` makes IR of: tuples `(kind, start, end, parts)`, where `kind` is
the name of a rule of the vocabulary (`syntax/core.lark`), `[start, end)` the place in the text and `parts`
the items inside. Operations are `("op", start, end, items, name, end of results or -1, custom?)`, and,
where a whole operation in generic form was taken at once, `("generic", start, end, match)`.

Which token a lexeme is depends on what the grammar allows where it stands: `constant` is a keyword in one
place and a name in another, `{` opens a region or a dictionary. The state of an LALR automaton knows this, so
nothing is reserved. There is no recursion, so regions may be nested as deep as memory allows.
"""

from __future__ import annotations

from typing import Any

from dealog.diagnostics import DealogError, Diagnostic, SourceText
from dealog.frontend import lexer
from dealog.frontend.grammar import CONCAT, HEAD, LEAF, OPERATION, WRAP, Grammar

Item = Any  # a tuple as described above; typing its shapes would cost more than it tells

_VALUE, _TYPE, _WORD, _PUNCTUATION = lexer.VALUE, lexer.TYPE, lexer.WORD, lexer.PUNCTUATION
_EXCLAMATION, _HASH, _QUOTED = lexer.EXCLAMATION, lexer.HASH, lexer.QUOTED
_TYPE_LIKE = (_TYPE, _EXCLAMATION)
_PLAIN = {lexer.SYMBOL: "SYMBOL", lexer.BLOCK: "BLOCK", lexer.NUMBER: "NUMBER"}
_END = 0
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
    text = source.text
    rows, defaults, gotos, rules = grammar.rows, grammar.defaults, grammar.gotos, grammar.rules
    literals, op_terminals = grammar.literals, grammar.op_terminals
    lexeme, generic_operation, results = lexer.LEXEME, lexer.GENERIC_OPERATION, lexer.RESULTS

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
        terminal = None
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
            value: Any = None
            if kind == _WORD:
                word = text[at:lexeme_end]
                for candidate in literals.get(word, ()):
                    if candidate in row:
                        terminal = candidate
                        if terminal in op_terminals:
                            value = word
                        break
                else:
                    if "TYPE" in row and (
                        lexer.is_simple_type(word)
                        or _has_angle(text, word, lexeme_end, lexer.TYPE_CONSTRUCTORS)
                    ):
                        terminal = "TYPE"
                        if word in lexer.TYPE_CONSTRUCTORS:
                            token_end = _angle_end(text, lexeme_end)
                    elif word == "loc" and "LOCATION" in row:
                        opening = lexer.skip(text, lexeme_end)
                        if text[opening : opening + 1] == "(":
                            terminal = "LOCATION"
                            token_end = lexer.balanced_end(text, opening)
                    elif "ATTRIBUTE" in row and _has_angle(
                        text, word, lexeme_end, lexer.ATTRIBUTE_CONSTRUCTORS
                    ):
                        terminal = "ATTRIBUTE"
                        token_end = _angle_end(text, lexeme_end)
                    elif "WORD" in row:
                        terminal = "WORD"
                    elif "CUSTOM_FORM" in row:
                        terminal = "CUSTOM_FORM"
                    elif "UNKNOWN_OP" in row:
                        terminal, value = _short_name(word, row, grammar, dialects)
                        if terminal == "UNKNOWN_OP" and row[terminal] >= 0:
                            raise _unknown_operation(source, at, word, grammar)
            elif kind == _PUNCTUATION:
                character = text[at:lexeme_end]
                for candidate in literals.get(character, ()):
                    if candidate in row:
                        terminal = candidate
                        break
                if character == "{":
                    if "ATTR_DICT" in row and (terminal is None or lexer.DICTIONARY_START(text, at)):
                        terminal = "ATTR_DICT"
                        token_end = lexer.balanced_end(text, at)
                    elif terminal is not None and row[terminal] >= 0:
                        dialects.append(_enclosing_dialect(values, grammar))
                    elif terminal is None and "RESOURCES" in row and text.startswith("{-#", at):
                        resources = lexer.RESOURCES(text, at)
                        if resources is None:
                            raise lexer.Unbalanced("'{-#' is never closed by '#-}'", at)
                        terminal, token_end = "RESOURCES", resources.end()
                elif character == "}":
                    if terminal is not None and row[terminal] >= 0:
                        dialects.pop()
                elif terminal is not None:
                    pass
                elif character == "<":
                    if "PROPERTIES" in row and text.startswith("<{", at):
                        terminal = "PROPERTIES"
                    elif "ANGLE" in row:
                        terminal = "ANGLE"
                    if terminal:
                        token_end = lexer.balanced_end(text, at)
                elif character == "[":
                    if "SQUARE" in row:
                        terminal = "SQUARE"
                        token_end = lexer.balanced_end(text, at)
                elif character == "(":
                    if "ROUND" in row:
                        terminal = "ROUND"
                        token_end = lexer.balanced_end(text, at)
                elif character == "-" and "NUMBER" in row:
                    number = lexer.NUMBER_AFTER_MINUS(text, at, stop)
                    if number is not None:
                        terminal, token_end = "NUMBER", number.end()
            elif kind == _VALUE:
                if "GENERIC_OPERATION" in row:
                    match = generic_operation(text, at, stop) if whole else None
                    if match is not None:
                        terminal, value, token_end = "GENERIC_OPERATION", match, match.end()
                    else:
                        match = results(text, at, stop)
                        if match is not None:
                            terminal, token_end = "RESULTS", match.end()
                elif "VALUE" in row and not (defaults[state] >= 0 and results(text, at, stop)):
                    terminal = "VALUE"
            elif kind == _QUOTED:
                if "STRING" in row:
                    terminal = "STRING"
                elif "OP_NAME" in row:
                    match = (
                        generic_operation(text, at, stop) if whole and "GENERIC_OPERATION" in row else None
                    )
                    if match is not None:
                        terminal, value, token_end = "GENERIC_OPERATION", match, match.end()
                    else:
                        terminal, value = "OP_NAME", text[at + 1 : lexeme_end - 1]
            elif kind in _TYPE_LIKE:
                if "TYPE" in row:
                    terminal = "TYPE"
                    if kind == _EXCLAMATION and text.startswith("<", lexeme_end):
                        token_end = lexer.balanced_end(text, lexeme_end)
                elif "TYPE_ALIAS" in row:
                    match = lexer.ALIAS(text, at, stop)
                    if match is not None:
                        terminal, token_end = "TYPE_ALIAS", match.end()
            elif kind == _HASH:
                if "ATTRIBUTE" in row:
                    terminal = "ATTRIBUTE"
                    if text.startswith("<", lexeme_end):
                        token_end = lexer.balanced_end(text, lexeme_end)
                elif "ATTRIBUTE_ALIAS" in row:
                    match = lexer.ALIAS(text, at, stop)
                    if match is not None:
                        terminal, token_end = "ATTRIBUTE_ALIAS", match.end()
            elif kind == _END:
                terminal = "$END" if "$END" in row else None
            elif _PLAIN[kind] in row:
                terminal = _PLAIN[kind]

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
        elif action == CONCAT:
            if size == 1:
                if type(values[-1]) is not list:
                    values[-1] = None
            else:
                merged = None
                for part in values[-size:]:
                    if type(part) is list:
                        if merged is None:
                            merged = part  # lists belong to one rule only, so they may be extended in place
                        else:
                            merged += part
                last = ends[-1]
                del values[1 - size :], starts[1 - size :], ends[1 - size :], states[1 - size :]
                values[-1] = merged
                ends[-1] = last
            states.pop()
        elif action == LEAF:
            first, last = starts[-size], ends[-1]
            if size > 1:
                del values[1 - size :], starts[1 - size :], ends[1 - size :], states[1 - size :]
            values[-1] = [(item, first, last, None)]
            ends[-1] = last
            states.pop()
        else:
            first, last = starts[-size], ends[-1]
            parts: Any = []
            op_name = None
            for part in values[-size:]:
                if type(part) is list:
                    parts = parts + part if parts else part
                elif part is not None:
                    op_name = part
            results_end = ends[-size] if has_results else -1
            if size > 1:
                del values[1 - size :], starts[1 - size :], ends[1 - size :], states[1 - size :]
            ends[-1] = last
            states.pop()
            if action == OPERATION:
                if type(op_name) is tuple:
                    values[-1] = [("op", first, last, op_name[1], op_name[0], results_end, op_name[2])]
                else:
                    values[-1] = [("generic", first, last, op_name)]
            elif action == HEAD:
                values[-1] = (op_name, parts, item == "custom_op")
            else:
                values[-1] = [(item, first, last, parts)]
        state = gotos[states[-1]][name]
        states.append(state)


def _has_angle(text: str, word: str, end: int, constructors: frozenset[str]) -> bool:
    if word not in constructors:
        return False
    return text[lexer.skip(text, end) : lexer.skip(text, end) + 1] in ("<", "[")


def _angle_end(text: str, position: int) -> int:
    """Behind the `<...>` (or `[...]<...>`) that starts at `position`."""
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
_SILENT = {"RESULTS", "GENERIC_OPERATION", "UNKNOWN_OP", "RESOURCES", "ATTRIBUTE_ALIAS", "TYPE_ALIAS"}


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
