"""Attributes of an operation, read off its text when somebody asks."""

from __future__ import annotations

from collections.abc import Iterator

from dealog.diagnostics import DealogError, Diagnostic, SourceText
from dealog.frontend.grammar import Grammar
from dealog.frontend.header import Header, Span, read_header
from dealog.frontend.lexer import Unbalanced, balanced_end, behind_last, skip, split_list
from dealog.frontend.parser import Item


def read_attributes(source: SourceText, item: Item, grammar: Grammar) -> dict[str, str]:
    """Attributes and properties of the operation of which `item` was read: name -> text of the value as the
    generic form has it, `""` for unit attributes. Raises `DealogError` on a dictionary that is none."""
    text = source.text
    attributes: dict[str, str] = {}
    try:
        if item[0] == "generic":
            match = item[3]
            for group in (4, 5):
                if match[group] is not None:
                    _dictionary(text, match.span(group), attributes)
            return attributes
        _collect(text, item[3], attributes)
    except Unbalanced as error:
        raise DealogError(Diagnostic(error.message, source=source, offset=error.offset)) from None
    if item[6] and item[4] in grammar.functions:
        header = read_header(text, item[3], grammar.fixed_results)
        attributes["function_type"] = function_type(text, header)
    return attributes


def dictionary_entries(text: str, span: Span) -> Iterator[tuple[str, Span | None]]:
    """The entries of the dictionary `{...}` that stands at `span`: name, and where the value stands."""
    for start, equals, end in split_list(text, span[0] + 1, span[1] - 1):
        if equals < 0:
            yield text[start:end].strip('"'), None
        else:
            first = skip(text, equals + 1, end)
            if first == end:
                raise Unbalanced("expected attribute value", equals)
            if text.find("=", first, end) >= 0 and any(further >= 0 for _, further, _ in split_list(text, first, end)):
                raise Unbalanced("expected '}' in attribute dictionary", first)
            yield text[start : behind_last(text, start, equals)].strip('"'), (first, end)


def dictionaries(text: str, item: Item) -> Iterator[Span]:
    """Where the dictionaries of an operation stand, properties (`<{...}>`, without the angles) included."""
    if item[0] == "generic":
        for group in (4, 5):
            if item[3][group] is not None:
                yield item[3].span(group)
        return
    for part in item[3]:
        if part[0] == "attr_dict":
            yield part[1], part[2]
        elif part[0] == "properties":
            yield _inside(text, part)


def _inside(text: str, properties: Item) -> Span:
    """The dictionary in properties."""
    opening = skip(text, properties[1] + 1)
    return opening, balanced_end(text, opening)


def function_type(text: str, header: Header) -> str:
    """The function type that a function's header spells out."""
    inputs = header.parameters
    if inputs is None:
        arguments = header.regions[0].arguments if header.regions else []
        inputs = [argument.type for argument in arguments if argument.type is not None and not argument.late]
    results = [text[start:end] for start, end in header.function_result_types]
    joined = ", ".join(results)
    if len(results) != 1 or joined.startswith("("):
        joined = f"({joined})"
    return f"({', '.join(text[start:end] for start, end in inputs)}) -> {joined}"


def _dictionary(text: str, span: Span, attributes: dict[str, str]) -> None:
    found = set()
    for name, value in dictionary_entries(text, span):
        if name in found:
            raise Unbalanced(f"duplicate key '{name}' in dictionary attribute", span[0])
        found.add(name)
        attributes[name] = "" if value is None else text[value[0] : value[1]]


def _collect(text: str, items: list[Item], attributes: dict[str, str]) -> None:
    for item in items:
        kind, start, end, parts = item
        if kind == "attr_dict":
            _dictionary(text, (start, end), attributes)
        elif kind == "late_operands":
            _collect(text, parts, attributes)
        elif kind == "properties":
            _dictionary(text, _inside(text, item), attributes)
        elif kind == "symbol_name":
            name = text[start + 1 : end]
            attributes["sym_name"] = name if name.startswith('"') else f'"{name}"'
        elif kind.startswith("attr_"):
            written, before = text[start:end], attributes.get(kind[5:])  # repeated: a list
            attributes[kind[5:]] = written if before is None else f"{before}, {written}"
        elif kind.startswith("quoted_"):
            attributes[kind[7:]] = f'"{text[start:end]}"'
        elif kind.startswith("unit_"):
            attributes[kind[5:]] = ""
