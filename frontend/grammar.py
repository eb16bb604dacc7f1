"""The grammar of MLIR text: merged from the `.lark` files of `syntax/`, made into LALR tables by lark.

That takes lark seconds, so the tables are kept in the user's cache folder.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from dealog import cache
from dealog.diagnostics import DealogError, Diagnostic, SourceText
from dealog.frontend.syntax_files import check, fault_of_grammar, place_of

# What the parser does when it has recognised a rule (see `dealog.frontend.parser`).
CONCAT, LEAF, WRAP, HEAD, OPERATION = range(5)

# fmt: off
_LEAVES = frozenset((
    "operand", "type", "lone_type", "result_type", "all_type", "element_type", "predicate_type", "held_type",
    "induction", "induction_type", "untyped_argument", "bound_argument", "attr_dict", "properties",
    "symbol_name", "function_alias",
    "unknown_result", "unknown_results", "same_result", "implied_region", "empty_region",
))
_WRAPS = frozenset((
    "module", "operands", "typed_operands", "typed_operand", "types", "functional_type", "result_types",
    "result_type_list", "all_types", "destination_types", "counted_types", "argument", "arguments",
    "held_argument", "shadow", "binding", "bindings", "successor", "region", "label", "late_operands", "late_arguments",
    "unique_operands", "first_region", "function_results", "function_result", "parameters", "parameter",
    "attribute_alias", "type_alias", "function_type",
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
    "terminator forwards results", "operand segments",
))
_PAIRS = frozenset((
    "implicit terminator", "default dialect", "fixed result", "attribute rule",
    "segments behind successors", "old spelling",
))
# fmt: on
_PREFIXES = ("attr_", "quoted_", "unit_")
_DIRECTIVE = re.compile(r"^//! *([a-z ]+?) *: *(\S.*?) *$", re.MULTILINE)


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
    implicit_terminators: dict[str, str]
    default_dialects: dict[str, str]
    fixed_results: dict[str, str]
    segments_behind_successors: dict[str, str]
    old_spellings: dict[str, str]
    texts: dict[str, str] = field(default_factory=dict)  # terminal -> how a user writes it

    def __post_init__(self) -> None:
        for text, terminals in self.literals.items():
            for terminal in terminals:
                self.texts.setdefault(terminal, text)

    def has_segments(self, name: str) -> bool:
        """Whether the sizes of operand lists are said by an attribute of the operation `name`, as they may be of
        any operation that no syntax file describes."""
        return name in self.segmented or name not in self.op_names


_loaded: dict[tuple[tuple[str, int, int], ...], Grammar] = {}


def load_grammar(syntax_dirs: Sequence[str | os.PathLike[str]] = ()) -> Grammar:
    """The grammar of the dialects that come with Dealog and of all `.lark` files in `syntax_dirs`.

    Raises `DealogError` where a syntax file cannot be read or is no valid grammar.
    """
    paths = _files(syntax_dirs)
    key = tuple((os.fspath(path), (known := path.stat()).st_mtime_ns, known.st_size) for path in paths)
    if key not in _loaded:
        _loaded[key] = _cached(_shipped(), _added(paths))
    return _loaded[key]


def _shipped() -> list[SourceText]:
    entries = [e for e in resources.files("dealog.frontend.syntax").iterdir() if e.name.endswith(".lark")]
    entries.sort(key=lambda entry: (entry.name != "core.lark", entry.name))
    return [SourceText(entry.name, entry.read_text("utf-8")) for entry in entries]


def _files(syntax_dirs: Iterable[str | os.PathLike[str]]) -> list[Path]:
    """The syntax files in the folders."""
    paths: list[Path] = []
    for folder in syntax_dirs:
        if not Path(folder).is_dir():
            raise DealogError(f"no such folder of syntax files: {os.fspath(folder)}")
        paths += sorted(Path(folder).glob("*.lark"))
    return paths


def _added(paths: Iterable[Path]) -> list[SourceText]:
    sources = []
    for path in paths:
        try:
            sources.append(SourceText(str(path), path.read_text("utf-8")))
        except UnicodeDecodeError as error:
            raise DealogError(f"cannot read the syntax file {path}: byte {error.start} is not UTF-8") from error
        except OSError as error:
            raise DealogError(f"cannot read the syntax file {path}: {error.strerror or error}") from error
    return sources


def _cached(shipped: list[SourceText], added: list[SourceText]) -> Grammar:
    texts = [source.text for source in (*shipped, *added)]
    return _from_tables(
        cache.kept(
            f"grammar-{cache.key([Path(__file__).read_bytes(), *texts])}",
            lambda: _make_tables(shipped, added),
            lambda tables: json.dumps(tables, separators=(",", ":")).encode(),
            json.loads,
        )
    )


def _from_tables(tables: dict[str, Any]) -> Grammar:
    rows, gotos = tables["distinct_rows"], tables["distinct_gotos"]
    directives = tables["directives"]
    return Grammar(
        rows=[rows[i] for i in tables["rows"]],
        defaults=tables["defaults"],
        gotos=[gotos[i] for i in tables["gotos"]],
        rules=[(n, c, a, k, r) for n, c, a, k, r in tables["rules"]],
        literals={text: tuple(terminals) for text, terminals in tables["literals"].items()},
        starts=tables["starts"],
        ends=tables["ends"],
        op_terminals=frozenset(tables["op_terminals"]),
        op_names=frozenset(tables["op_names"]),
        terminators=frozenset(directives["terminators"]),
        no_terminator=frozenset(directives["no terminator"]),
        isolated=frozenset(directives["isolated from above"]),
        one_region=frozenset(directives["one region"]),
        functions=frozenset(directives["functions"]),
        forwarding=frozenset(directives["terminator forwards results"]),
        segmented=frozenset(directives["operand segments"]),
        implicit_terminators=directives["implicit terminator"],
        default_dialects=directives["default dialect"],
        fixed_results=directives["fixed result"],
        segments_behind_successors=directives["segments behind successors"],
        old_spellings=directives["old spelling"],
    )


# ------------------------------------------------------------------------------------------------ making


def _make_tables(shipped: list[SourceText], added: list[SourceText]) -> dict[str, Any]:
    # lark is imported here only: with the tables in the cache, it is not needed.
    from lark import Lark
    from lark.exceptions import LarkError
    from lark.lexer import Lexer, PatternStr
    from lark.parsers.lalr_analysis import Shift

    class NoLexer(Lexer):
        """The parser has a lexer of its own; lark only makes the tables."""

        def __init__(self, configuration: Any) -> None:
            pass

        def lex(self, *_: Any) -> Any:
            raise NotImplementedError

    if added:
        check(shipped, added)
    sources = [*shipped, *added]
    directives = _directives(sources)

    def merge(sources: Iterable[SourceText]) -> Lark:
        text = "\n".join(source.text for source in sources)
        return Lark(text, parser="lalr", start=["module", "operation"], lexer=NoLexer, maybe_placeholders=False)

    try:
        lark = merge(sources)
    except LarkError as error:
        for source in added if len(added) > 1 else ():  # lark does not say which file it speaks of
            try:
                merge([*shipped, source])
            except LarkError as alone:
                raise DealogError(fault_of_grammar([source], str(alone))) from alone
        raise DealogError(fault_of_grammar(added or shipped, str(error))) from error

    table = lark.parser.parser._parse_table
    literals: dict[str, list[str]] = {}
    by_terminal: dict[str, list[str]] = {}
    for terminal in lark.terminals:
        if isinstance(terminal.pattern, PatternStr):
            texts = [terminal.pattern.value]
        else:
            texts = _alternatives(terminal.name, terminal.pattern.value, added or shipped)
        for text in texts:
            literals.setdefault(text, []).append(terminal.name)
        by_terminal[terminal.name] = texts
    literals = {text: sorted(terminals) for text, terminals in sorted(literals.items())}
    for name in _LISTS:  # a terminal stands for the operations that it lists
        directives[name] = [
            text for word in directives[name] for text in ((word,) if "." in word else by_terminal.get(word, (word,)))
        ]

    op_terminals = {
        r.expansion[0].name for r in lark.rules if r.origin.name == "custom_op" and r.expansion
    } - {"UNKNOWN_OP"}
    op_names = sorted(t for t, terminals in literals.items() if op_terminals.intersection(terminals))
    for name in op_names:
        if len(literals[name]) > 1:
            message = f"the operation '{name}' stands in several terminals"
            raise _fault(added or shipped, name, message, "an operation has one custom form")
        if "." not in name and literals[name][0] in op_terminals:
            message = f"'{name}' is no operation name: the dialect's prefix is missing"
            hint = "an alternative of custom_op begins with the operation's full name"
            raise _fault(added or shipped, name, message, hint)

    # lark numbers rules and states by their hashes. Here their numbers depend on the grammar alone, so that
    # every run makes the same tables.
    number = dict.fromkeys(lark.rules, 0)
    for actions in table.states.values():
        number.update({argument: 0 for action, argument in actions.values() if action is not Shift})
    ordered = sorted(number, key=lambda rule: (rule.origin.name, [symbol.name for symbol in rule.expansion]))
    number = {rule: i for i, rule in enumerate(ordered)}
    rules = [_action(rule, directives) for rule in ordered]
    states = [state for _, state in sorted(table.start_states.items())]
    order = {state: i for i, state in enumerate(states)}
    for state in states:  # grows meanwhile
        for _, (action, argument) in sorted(table.states[state].items()):
            if action is Shift and argument not in order:
                order[argument] = len(order)
                states.append(argument)
    nonterminals = {rule.origin.name for rule in lark.rules}
    rows: list[dict[str, int]] = []
    gotos: list[dict[str, int]] = []
    defaults: list[int] = []
    for state in states:
        row: dict[str, int] = {}
        goto: dict[str, int] = {}
        reduced: set[int] = set()
        for symbol, (action, argument) in sorted(table.states[state].items()):
            if action is Shift:
                (goto if symbol in nonterminals else row)[str(symbol)] = order[argument]
            else:
                row[str(symbol)] = ~number[argument]
                reduced.add(number[argument])
        default = -1
        if len(reduced) == 1:
            # The one thing to reduce is reduced whatever follows: a wrong token is found out before it is
            # shifted, and rows stay small.
            default = reduced.pop()
            row = {symbol: target for symbol, target in row.items() if target >= 0}
        rows.append(row)
        gotos.append(goto)
        defaults.append(default)
    distinct_rows, row_numbers = _distinct(rows)
    distinct_gotos, goto_numbers = _distinct(gotos)
    return {
        "distinct_rows": distinct_rows,
        "rows": row_numbers,
        "defaults": defaults,
        "distinct_gotos": distinct_gotos,
        "gotos": goto_numbers,
        "rules": rules,
        "literals": literals,
        "starts": {name: order[state] for name, state in sorted(table.start_states.items())},
        "ends": {name: order[state] for name, state in sorted(table.end_states.items())},
        "op_terminals": sorted(op_terminals),
        "op_names": op_names,
        "directives": directives,
    }


def _distinct(dictionaries: list[dict[str, int]]) -> tuple[list[dict[str, int]], list[int]]:
    known: dict[tuple[tuple[str, int], ...], int] = {}
    numbers = [known.setdefault(tuple(d.items()), len(known)) for d in dictionaries]
    return [dict(items) for items in known], numbers


def _action(rule: Any, directives: dict[str, Any]) -> tuple[str, int, int, str, bool]:
    name = str(rule.origin.name)
    size = len(rule.expansion)
    kind = name.partition("{")[0]
    if name == "operation":
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
        for match in _DIRECTIVE.finditer(source.text):
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
