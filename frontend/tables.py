"""LALR tables, made by lark of the syntax files: what `dealog.frontend.grammar` keeps and the parser runs on.

lark has no public way to its tables. All that is taken from its inside is taken in `_Automaton` and
`_without_unread_sets`; pyproject.toml admits the versions that were tried.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from dealog.diagnostics import DealogError, Diagnostic, SourceText
from dealog.frontend.syntax_files import DIRECTIVE, check, fault_of_grammar, place_of, rest_on

if TYPE_CHECKING:
    from lark import Lark

# What the parser does when it has recognised a rule (see `dealog.frontend.parser`).
CONCAT, LEAF, WRAP, HEAD, OPERATION = range(5)

# fmt: off
_LEAVES = frozenset((
    "operand", "operand_type", "type", "lone_type", "result_type", "all_type", "element_type", "predicate_type",
    "held_type", "induction", "induction_type", "untyped_argument", "bound_argument", "attr_dict", "properties",
    "symbol_name", "function_alias",
    "unknown_result", "unknown_results", "same_result", "implied_region", "empty_region",
))
_WRAPS = frozenset((
    "module", "operands", "typed_operands", "typed_operand", "operand_types", "types", "functional_type",
    "result_types", "result_type_list", "all_types", "destination_types", "counted_types", "argument", "arguments",
    "held_argument", "shadow", "binding", "bindings", "successor", "region", "wrapped_region", "label",
    "late_operands", "late_arguments", "repeated_arguments",
    "unique_operands", "first_region", "first_successor", "function_results", "function_result", "parameters",
    "parameter", "attribute_alias", "type_alias", "function_type", "brief_type",
))
# Rules that make the items of others.
_STAND_INS = {
    "dictionary": "attr_dict",
    "call_type": "functional_type",
    "attributed_types": "types",
    "attributed_results": "result_types",
}
_LISTS = frozenset((
    "terminators", "no terminator", "isolated from above", "one region", "functions",
    "terminator forwards results", "operand segments", "types spelled out", "numbers spelled out", "feeds no successor",
    "words in dictionaries", "keyword on types",
))
_PAIRS = frozenset((
    "implicit terminator", "default dialect", "fixed result", "attribute rule",
    "segments after successors", "old spelling", "type parameters", "attribute parameters",
))
# fmt: on
_PREFIXES = ("attr_", "quoted_", "unit_", "word_")

Literals = dict[str, list[str]]
_STARTS = ["module", "operation"]


def make_tables(
    shipped: list[SourceText], added: list[SourceText], others: Sequence[SourceText] = ()
) -> dict[str, Any]:
    """The tables of the merged grammar, as plain data that JSON can hold; see `Grammar` for what they are.

    The `others` come with Dealog, too. They are merged where `added` files use what they define, and must agree with
    these in any case. The tables depend on the texts alone. Raises `DealogError` where those are not a valid grammar.
    """
    if added:
        check([*shipped, *others], added)
        if others and rest_on(added, others):
            shipped = [*shipped, *others]
    directives = _directives([*shipped, *added])
    lark = _merged(shipped, added)
    literals, by_terminal = _literals(lark, added or shipped)
    op_terminals = _op_terminals(lark)
    op_names = sorted(text for text, terminals in literals.items() if op_terminals.intersection(terminals))
    _check_operations(op_names, op_terminals, literals, added or shipped)
    for name in _LISTS:  # a terminal stands for the operations that it lists
        directives[name] = [
            text for word in directives[name] for text in ((word,) if "." in word else by_terminal.get(word, (word,)))
        ]
    return {
        **_Automaton(lark).tables(directives),
        "literals": literals,
        "op_terminals": sorted(op_terminals),
        "op_names": op_names,
        "directives": directives,
    }


def _merged(shipped: list[SourceText], added: list[SourceText]) -> Lark:
    """The grammar of all files together."""
    # lark is imported here only: with the tables in the cache, it is not needed.
    from lark import Lark
    from lark.exceptions import LarkError
    from lark.lexer import Lexer

    class NoLexer(Lexer):
        """The parser has a lexer of its own; lark only makes the tables."""

        def __init__(self, configuration: Any) -> None:
            pass

        def lex(self, *_: Any) -> Any:
            raise NotImplementedError

    def merge(sources: Iterable[SourceText]) -> Lark:
        text = "\n".join(source.text for source in sources)
        with _without_unread_sets():
            return Lark(text, parser="lalr", start=_STARTS, lexer=NoLexer, maybe_placeholders=False)

    try:
        return merge([*shipped, *added])
    except LarkError as error:
        for source in added if len(added) > 1 else ():  # lark does not say which file it speaks of
            try:
                merge([*shipped, source])
            except LarkError as alone:
                raise DealogError(fault_of_grammar([source], str(alone))) from alone
        raise DealogError(fault_of_grammar(added or shipped, str(error))) from error


_LARK_CHANGED = threading.Lock()


@contextmanager
def _without_unread_sets() -> Iterator[None]:
    """Of what lark works out about symbols, its LALR analysis reads which may be empty. FIRST and FOLLOW, half of the
    work, it never reads. One thread at a time changes lark, so that what it was comes back."""
    from lark.parsers import grammar_analysis

    with _LARK_CHANGED:
        before = grammar_analysis.calculate_sets
        grammar_analysis.calculate_sets = _empty_ones
        try:
            yield
        finally:
            grammar_analysis.calculate_sets = before


def _empty_ones(rules: Iterable[Any]) -> tuple[dict[Any, set[Any]], dict[Any, set[Any]], set[Any]]:
    """No sets FIRST and FOLLOW, and the symbols of which a text may be empty."""
    left = list(rules)
    empty: set[Any] = set()
    before = -1
    while before != (before := len(empty)):
        empty.update(rule.origin for rule in left if empty.issuperset(rule.expansion))
        left = [rule for rule in left if rule.origin not in empty]
    return {}, {}, empty


def _literals(lark: Lark, files: Sequence[SourceText]) -> tuple[Literals, dict[str, list[str]]]:
    """The terminals that each text may be, and the texts that each terminal lists."""
    from lark.lexer import PatternStr

    literals: Literals = {}
    by_terminal: dict[str, list[str]] = {}
    for terminal in lark.terminals:
        if isinstance(terminal.pattern, PatternStr):
            texts = [terminal.pattern.value]
        else:
            texts = _alternatives(terminal.name, terminal.pattern.value, files)
        for text in texts:
            literals.setdefault(text, []).append(terminal.name)
        by_terminal[terminal.name] = texts
    return {text: sorted(terminals) for text, terminals in sorted(literals.items())}, by_terminal


def _op_terminals(lark: Lark) -> set[str]:
    """The terminals that operations begin with."""
    custom = (rule for rule in lark.rules if rule.origin.name == "custom_op" and rule.expansion)
    return {rule.expansion[0].name for rule in custom} - {"UNKNOWN_OP"}


def _check_operations(
    op_names: Sequence[str], op_terminals: set[str], literals: Literals, files: Sequence[SourceText]
) -> None:
    for name in op_names:
        if len(literals[name]) > 1:
            message = f"the operation '{name}' stands in several terminals"
            raise _fault(files, name, message, "an operation has one custom form")
        if "." not in name and literals[name][0] in op_terminals:
            message = f"'{name}' is not an operation name: the dialect's prefix is missing"
            hint = "an alternative of custom_op begins with the operation's full name"
            raise _fault(files, name, message, hint)


class _Automaton:
    """lark's automaton with numbers for its states and rules.

    lark numbers them by their hashes. Here their numbers depend on the grammar alone, so that every run makes the
    same tables.
    """

    def __init__(self, lark: Lark) -> None:
        from lark.parsers.lalr_analysis import Shift

        self.shift = Shift
        self.table: Any = lark.parser.parser._parse_table
        self.nonterminals = sorted({str(rule.origin.name) for rule in lark.rules})
        self.rules = self._sorted_rules(lark)
        self.states = self._reached_states()

    def _sorted_rules(self, lark: Lark) -> dict[Any, int]:
        rules = dict.fromkeys(lark.rules)
        for actions in self.table.states.values():
            rules.update({argument: None for action, argument in actions.values() if action is not self.shift})
        ordered = sorted(rules, key=lambda rule: (rule.origin.name, [symbol.name for symbol in rule.expansion]))
        return {rule: number for number, rule in enumerate(ordered)}

    def _reached_states(self) -> dict[Any, int]:
        states = [state for _, state in sorted(self.table.start_states.items())]
        numbers = {state: number for number, state in enumerate(states)}
        for state in states:  # grows meanwhile
            for _, (action, argument) in sorted(self.table.states[state].items()):
                if action is self.shift and argument not in numbers:
                    numbers[argument] = len(numbers)
                    states.append(argument)
        return numbers

    def tables(self, directives: dict[str, Any]) -> dict[str, Any]:
        """Rows, gotos, defaults and rules, as `Grammar` has them, each distinct row once; rules have short names."""
        short = {name: str(number) for number, name in enumerate(self.nonterminals)}
        rows, gotos, defaults = [], [], []
        for state in self.states:
            row, goto, default = self._row(state, short)
            rows.append(row)
            gotos.append(goto)
            defaults.append(default)
        distinct_rows, row_numbers = _distinct(rows)
        distinct_gotos, goto_numbers = _distinct(gotos)
        actions = [_action(rule, directives) for rule in self.rules]
        return {
            "distinct_rows": distinct_rows,
            "rows": row_numbers,
            "defaults": defaults,
            "distinct_gotos": distinct_gotos,
            "gotos": goto_numbers,
            "rules": [(short[name], *action) for name, *action in actions],
            "starts": {name: self.states[state] for name, state in sorted(self.table.start_states.items())},
            "ends": {name: self.states[state] for name, state in sorted(self.table.end_states.items())},
        }

    def _row(self, state: Any, short: dict[str, str]) -> tuple[dict[str, int], dict[str, int], int]:
        row: dict[str, int] = {}
        goto: dict[str, int] = {}
        reduced: set[int] = set()
        for symbol, (action, argument) in sorted(self.table.states[state].items()):
            if action is not self.shift:
                row[str(symbol)] = ~self.rules[argument]
                reduced.add(self.rules[argument])
            elif symbol in short:
                goto[short[symbol]] = self.states[argument]
            else:
                row[str(symbol)] = self.states[argument]
        if len(reduced) != 1:
            return row, goto, -1
        # The one thing to reduce is reduced whatever follows: a wrong token is found out before it is shifted, and
        # rows stay small.
        return {symbol: target for symbol, target in row.items() if target >= 0}, goto, reduced.pop()


def _distinct(dictionaries: list[dict[str, int]]) -> tuple[list[dict[str, int]], list[int]]:
    known: dict[tuple[tuple[str, int], ...], int] = {}
    numbers = [known.setdefault(tuple(d.items()), len(known)) for d in dictionaries]
    return [dict(items) for items in known], numbers


def _action(rule: Any, directives: dict[str, Any]) -> tuple[str, int, int, str, bool]:
    """What the parser does with a rule: name, number of symbols, action, kind of item, whether results come first."""
    name = str(rule.origin.name)
    size = len(rule.expansion)
    kind = name.partition("{")[0]
    if name in ("operation", "wrapped_operation"):
        has_results = rule.expansion[0].name == "RESULTS"
        return name, size, OPERATION, "op", has_results
    if name in ("custom_op", "generic_op"):
        return name, size, HEAD, name, False
    if kind == "attr_dict":  # what is in it counts, an item "attr_dict" among it
        return name, size, CONCAT, "", False
    if kind.startswith(_PREFIXES):
        prefix, _, attribute = kind.partition("__")[0].partition("_")
        attribute = directives["attribute rule"].get(kind, attribute)
        return name, size, WRAP, f"{prefix}_{attribute}", False
    kind = _STAND_INS.get(kind, kind)
    if kind in _WRAPS:
        return name, size, WRAP, kind, False
    if kind in _LEAVES or kind in directives["fixed result"]:
        return name, size, LEAF, kind, False
    return name, size, CONCAT, "", False


def _alternatives(name: str, pattern: str, files: Sequence[SourceText]) -> list[str]:
    """The strings that a terminal like `A: "x" | "y"` lists, out of the pattern that lark made of it."""
    body = pattern[3:-1] if pattern.startswith("(?:") and pattern.endswith(")") else pattern
    texts = [re.sub(r"\\(.)", r"\1", part) for part in re.split(r"(?<!\\)\|", body)]
    if any(re.search(r"(?<!\\)[()\[\]*+?^$]", part) for part in re.split(r"(?<!\\)\|", body)):
        message = f"the terminal {name} may only be an alternation of strings"
        raise _fault(files, name, message, "frontend/syntax/core.lark lists the others")
    return texts


def _fault(files: Sequence[SourceText], text: str, message: str, hint: str) -> DealogError:
    """An error where `text` stands in `files`."""
    source, offset = place_of(files, text)
    return DealogError(Diagnostic(message, source=source, offset=offset, hint=hint))


def _directives(sources: list[SourceText]) -> dict[str, Any]:
    lists: dict[str, list[str]] = {name: [] for name in sorted(_LISTS)}
    pairs: dict[str, dict[str, str]] = {name: {} for name in sorted(_PAIRS)}
    for source in sources:
        for match in DIRECTIVE.finditer(source.text):
            name, words = match[1], match[2].split()
            if name in _LISTS:
                lists[name].extend(words)
            elif name in _PAIRS and len(words) == 2:
                pairs[name][words[0]] = words[1]
            else:
                known = ", ".join(sorted(_LISTS | _PAIRS))
                raise DealogError(
                    Diagnostic(
                        f"unknown or incomplete directive '{name}'",
                        source=source,
                        offset=match.start(),
                        hint=f"directives are: {known}",
                    )
                )
    return {**lists, **pairs}
