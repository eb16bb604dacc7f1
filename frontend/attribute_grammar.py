"""Reads attributes, locations and file metadata as MLIR does, to find the first thing that is wrong with their text.

What the builtin dialect defines is read to the last token: dictionaries, lists, numbers, elements, maps, sets and
locations. What stands in types and attributes of other dialects is theirs, and is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

from dealog.frontend.described_types import describe
from dealog.frontend.lexer import FLOAT, SPACE, STRING, Unbalanced, balanced_end, integer
from dealog.frontend.type_grammar import read_constructed, read_strided

_MOST_TOKENS = 4000  # what has more holds data
_DEEPEST = 80
_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")

_TOKEN = re.compile(
    rf"{SPACE}(?:"
    r"(?P<number>0x[0-9A-Fa-f]++|[0-9]++(?>(?:\.[0-9]*+(?>(?:[eE][+\-]?[0-9]++)?))?))"
    rf"|(?P<string>{STRING})"
    r"|(?P<word>[A-Za-z_][\w$.]*+)"
    r"|(?P<named>[#!](?:[0-9]++|[A-Za-z_$.][\w$.\-]*+))"
    rf"|(?P<symbol>@(?:[A-Za-z_][\w$.]*+|{STRING}))"
    r"|(?P<value>%(?:[0-9]++|[A-Za-z_$.\-][\w$.\-]*+)(?>(?:#[0-9]++)?))"
    r"|(?P<sign>->|#-\}|[()\[\]{}<>:,=+*?/|\-]|\^[\w$.\-]+)"
    r")",
    re.ASCII,
).match
_SPACE = re.compile(SPACE).match
_WHOLE = re.compile(r"0x[0-9A-Fa-f]+|[0-9]+").fullmatch
_INTEGER_TYPE = re.compile(r"([su]?)i([0-9]{1,8})").fullmatch
_WIDE_INTEGER_TYPE = re.compile(r"[su]?i[0-9]{8,}").fullmatch
_WIDEST = (1 << 24) - 1
_FLOAT_TYPE = re.compile(FLOAT, re.ASCII).fullmatch
_CONSTRUCTORS = ("memref", "tensor", "vector", "complex", "tuple")
_SHAPED = re.compile(
    rf"(memref|tensor|vector)<((?:(?:[0-9]+|[?*]|\[[0-9]+\])x)*)(?:([su]?i[0-9]+|index|{FLOAT})|complex<([su]?i[0-9]+|{FLOAT})>)"
    r"(?:,.*)?>",
    re.ASCII | re.DOTALL,
).fullmatch
_HEX_STRING = re.compile(r'"0x(?:[0-9A-Fa-f]{2})*"').fullmatch
_WIDTHS = {"bf16": 16, "tf32": 19}
_WIDTH = re.compile(r"f([0-9]+)").match
_VALUES = ("true", "false", "unit")
_ATTRIBUTE_WORDS = (
    "dense", "sparse", "dense_resource", "array", "affine_map", "affine_set", "distinct", "loc", "strided",
)  # fmt: skip
_NOT_SCALED = "at least one of the multiply operands has to be either a constant or symbolic"
ATTRIBUTE = (
    r"(?:(?:dense|dense_resource|sparse|array|affine_map|affine_set)\s*<|distinct\s*\[|-?\s*(?:0x[0-9A-Fa-f]+|"
    rf"[0-9]+(?:\.[0-9]*(?:[eE][+\-]?[0-9]+)?)?)\s*:\s*(?:[su]?i[0-9]+\b|index\b|(?:{FLOAT})\b|{'|'.join(_CONSTRUCTORS)}))"
)
"""What begins an attribute wherever it stands, as a pattern."""
_BEGINNING = re.compile(ATTRIBUTE).match
_MOST_RESOURCES = 1 << 20
_LAST_LINE = 2**32 - 1
_ALIGNED = 8  # digits of a blob that say how it is aligned


class Fault(Exception):
    """What is wrong with a text, `message`, and at which `offset`."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message, self.offset = message, offset


class Unclear(Exception):
    """The text has something in it of which nobody can tell here whether it is right."""


@dataclass(frozen=True, slots=True)
class Type:
    """A type that was read: its `text`, and of what `kind` it is: `int`, `index`, `float`, `shaped`, `unknown` or
    `other`.

    Of numbers, `name` is the text; of shaped types it is that of the numbers in them, `""` where these are none, with
    the `shape`, which is None where it is not static.
    """

    text: str
    kind: str
    name: str = ""
    shape: tuple[int, ...] | None = None
    is_complex: bool = False


@dataclass(slots=True)
class Literal:
    """What stands between the brackets of `dense`: a `string`, or numbers with their offsets, and their shape."""

    numbers: list[tuple[str, int]] = field(default_factory=list)
    shape: tuple[int, ...] = ()
    string: tuple[str, int] | None = None


@dataclass(frozen=True, slots=True)
class _Term:
    """An affine expression: the dimensions that are in it for sure, and those that may be, as MLIR works out what is
    constant; the number or the name if it is nothing else."""

    sure: frozenset[str] = frozenset()
    maybe: frozenset[str] = frozenset()
    number: int | None = None
    name: str = ""

    @property
    def all(self) -> frozenset[str]:
        """The dimensions that may be in it."""
        return self.sure | self.maybe

    @property
    def is_kept(self) -> bool:
        """Whether a product with it has all that it is multiplied with: it is a symbol, or a number but 0."""
        return not self.all and (bool(self.name) or bool(self.number))


class Reader:
    """Reads `text` from `at` on, and `most` tokens at most. All methods raise `Fault` where MLIR would, and `Unclear`
    where that is unknown."""

    def __init__(
        self, text: str, at: int = 0, most: int = _MOST_TOKENS, has_words: bool = False, is_generic: bool = False
    ) -> None:
        """Where it `has_words`, any word is an attribute; no attribute leaves its name out where it `is_generic`."""
        self.text = text
        self.is_generic = is_generic
        self.has_words = has_words
        self.behind = at  # where what was read ends
        self.left = most
        self.depth = 0  # of the brackets that are open
        self.kind, self.token, self.at = "", "", at
        self.dimensions: set[str] = set()
        self.symbols: set[str] = set()
        self.next()

    def next(self) -> str:
        """Go on to the next token; returns the one that was at hand."""
        token = self.token
        self.behind = self.at + len(token)
        self.left -= 1
        self.depth += (token in _OPENING) - (token in _CLOSING)
        match = _TOKEN(self.text, self.behind)
        if match is None:
            space = _SPACE(self.text, self.behind)
            self.kind, self.token, self.at = "end", "", space.end() if space is not None else self.behind
            if self.at < len(self.text):
                self.kind = "strange"
        else:
            self.kind = match.lastgroup or ""
            self.token, self.at = match[self.kind], match.start(self.kind)
        if self.left < 0 or self.depth > _DEEPEST:
            raise Unclear
        return token

    def jump(self, end: int) -> None:
        """Go on after `end`, where a bracket is closed."""
        self.token, self.at = "", end
        self.next()

    def fault(self, message: str, at: int | None = None) -> Exception:
        """An error at the token at hand, or at the offset `at`."""
        if self.kind == "strange":  # no token of MLIR's
            if self.text.startswith(".", self.at) and not self.text.startswith("...", self.at):
                return Fault("expected three consecutive dots for an ellipsis", self.at + 1)
            if self.text.startswith("@", self.at):
                return Fault("@ identifier expected to start with letter or '_'", self.at)
            return Unclear()
        return Fault(message, self.at if at is None else at)

    def wrong(self, message: str) -> Exception:
        """An error of a token that is none of those expected: it is placed after the one before."""
        return self.fault(message, self.behind)

    def take(self, sign: str) -> bool:
        """Go on if the token at hand is `sign`; returns whether it was."""
        if self.token != sign or self.kind not in ("sign", "word"):
            return False
        self.next()
        return True

    def expect(self, sign: str, message: str) -> None:
        """Go on if the token at hand is `sign`; else `message` says what is wrong."""
        if not self.take(sign):
            raise self.wrong(message)

    def listed(self, brackets: str, element: Callable[[], object], opening: str, closing: str) -> None:
        """A list between `brackets`; the messages are those of a bracket that is not there."""
        self.expect(brackets[0], opening)
        if self.take(brackets[1]):
            return
        element()
        while self.take(","):
            element()
        self.expect(brackets[1], closing)

    # ---- attributes

    def attribute(self, is_typed: bool = True) -> None:
        """Any attribute; where not `is_typed`, the type of elements may be said elsewhere."""
        kind, token, at = self.kind, self.token, self.at
        if kind == "number" or token == "-":
            self._number()
        elif kind == "string":
            self.next()
            if self.take(":"):
                self.type()
        elif kind == "symbol":
            self._symbol()
        elif token == "[":
            self.listed("[]", self.attribute, "expected '['", "expected ',' or ']'")
        elif token == "{":
            self.dictionary()
        elif kind == "named" and token[0] == "#":
            self._dialect()
        elif kind == "word":
            self._word(token, at, is_typed)
        elif token == "(" or kind == "named":
            self.type()
        elif token == "<" and not self.is_generic:
            raise Unclear  # some operations leave the name of an attribute out
        else:
            raise self.wrong("expected attribute value")

    def _word(self, token: str, at: int, is_typed: bool) -> None:
        if token in _VALUES:
            self.next()
        elif token in ("dense", "sparse"):
            self.next()
            self._elements(token, at, is_typed)
        elif token == "dense_resource":
            self.next()
            self._resource(is_typed)
        elif token == "array":
            self.next()
            self._array()
        elif token in ("affine_map", "affine_set"):
            self.affine()
        elif token == "distinct":
            self.next()
            self._distinct()
        elif token == "loc":
            self.next()
            self.expect("(", "expected '(' in inline location")
            self.location()
            self.expect(")", "expected ')' in inline location")
        elif token == "strided":
            read_strided(self)
        elif _is_type(token):
            self.type()
        elif self.has_words and "." not in token:
            self.next()
        else:
            raise self.wrong("expected attribute value")

    def has_attribute(self) -> bool:
        """Whether an attribute may begin with the token at hand."""
        if self.kind == "word":
            return self.token in _VALUES or self.token in _ATTRIBUTE_WORDS or _is_type(self.token)
        return self.kind in ("number", "string", "symbol", "named") or self.token in ("-", *_OPENING)

    def dictionary(self) -> None:
        """`{name = attribute, ...}`."""
        found = set()

        def entry() -> None:
            if self.kind == "string":
                name = self.token[1:-1]
                if not name:
                    raise self.wrong("expected valid attribute name")
            elif self.kind == "word":
                name = self.token
            else:
                raise self.wrong("expected attribute name")
            if name in found:
                raise self.fault(f"duplicate key '{name}' in dictionary attribute")
            found.add(name)
            self.next()
            if self.take("="):
                self.attribute()

        missing = "in attribute dictionary"
        self.listed("{}", entry, f"expected '{{' {missing}", f"expected '}}' {missing}")

    def _symbol(self) -> None:
        self.next()
        while self.token == ":" and self.text.startswith(":", self.at + 1):
            self.next()
            self.next()
            if self.kind != "symbol":
                raise self.wrong("expected nested symbol reference identifier")
            self.next()

    def _dialect(self) -> None:
        name = self.next()
        if self.token == "<" and self.at == self.behind:
            self.jump(self._closed(self.at))
        elif "." not in name:
            if self.token == ":":
                raise Unclear
            return
        if self.take(":"):
            self.type()

    def _closed(self, at: int) -> int:
        try:
            return balanced_end(self.text, at)
        except Unbalanced:
            raise Unclear from None

    def _end_of_brackets(self) -> int:
        """Where the brackets `<...>` end, which the token at hand opens; 0 where they do not end."""
        try:
            return balanced_end(self.text, self.at) if self.token == "<" else 0
        except Unbalanced:
            return 0

    def _distinct(self) -> None:
        self.expect("[", "expected '[' after 'distinct'")
        if self.kind != "number" or not _WHOLE(self.token):
            raise self.wrong("expected distinct ID")
        number = integer(self.next())
        if number >= 1 << 64:
            raise self.wrong("expected an unsigned 64-bit integer")
        self.expect("]", "expected ']' to close distinct ID")
        self.expect("<", "expected '<' after distinct ID")
        if not self.take(">"):
            self.attribute()
            self.expect(">", "expected '>' to close distinct attribute")

    # ---- numbers

    def _number(self) -> None:
        is_negative = self.take("-")
        if self.kind != "number":
            raise self.wrong("expected constant integer or floating point value")
        at, number = self.at, self.next()
        is_whole = _WHOLE(number) is not None
        type = Type("i64", "int", "i64") if is_whole else Type("f64", "float", "f64")
        if self.take(":"):
            type = self.type()
        if type.kind == "unknown":
            return
        if not is_whole:
            if type.kind != "float":
                raise self.fault("floating point value not valid for specified type")
        elif type.kind == "float":
            self._float(number, is_negative, type.name, at)
        elif type.kind not in ("int", "index"):
            raise self.fault("integer literal not valid for specified type", at)
        elif is_negative and type.name.startswith("u"):
            raise self.fault("negative integer literal not valid for unsigned integer type", at)
        elif not fits(number, is_negative, type.name):
            raise self.fault("integer constant out of range for attribute", at)

    def _float(self, token: str, is_negative: bool, type: str, at: int) -> None:
        """A number of the `type` of a float."""
        if not _WHOLE(token):
            if not token[0].isdigit():
                raise self.fault("expected floating point literal", at)
        elif not token.startswith("0x"):
            raise self.fault("unexpected decimal integer literal for a floating point value", at)
        elif is_negative:
            raise self.fault("hexadecimal float literal should not have a leading minus", at)
        elif (width := _float_width(type)) and int(token, 16).bit_length() > width:
            raise self.fault("hexadecimal float constant out of range for type", at)

    def _array(self) -> None:
        self.expect("<", "expected '<' after 'array'")
        at = self.at
        type = self.type()
        match = _INTEGER_TYPE(type.name) if type.kind == "int" else None
        if type.kind == "unknown":
            raise Unclear
        if type.kind not in ("int", "float"):
            raise self.fault(f"expected integer or float type, got: '{type.text}'", at)
        if match is not None and match[2] != "1" and int(match[2]) % 8:
            raise self.fault("element type bitwidth must be a multiple of 8", at)
        if self.take(">"):
            return
        self.expect(":", "expected ':' after dense array type")
        self._item(type)
        while self.take(","):
            self._item(type)
        self.expect(">", "expected '>' to close an array attribute")

    def _item(self, type: Type) -> None:
        is_negative = self.take("-")
        if type.kind == "float":
            if self.kind != "number":
                raise self.fault("expected floating point literal")
            self._float(self.token, is_negative, type.name, self.at)
        elif type.name == "i1":
            if is_negative or self.token not in ("true", "false", "0", "1"):
                raise self.fault("expected 'true' or 'false' values for i1 type", self.at + len(self.token))
        elif self.token in ("true", "false"):
            raise self.fault("expected i1 type for 'true' or 'false' values")
        elif self.kind != "number" or not _WHOLE(self.token):
            raise self.fault("expected integer literal")
        elif not type.name.startswith("u") and not fits(self.token, is_negative, type.name):
            raise self.fault("integer constant out of range", self.at + len(self.token))
        self.next()

    # ---- elements

    def _resource(self, is_typed: bool) -> None:
        self.expect("<", "expected '<' after 'dense_resource'")
        if self.kind not in ("word", "string"):
            raise self.wrong("expected identifier key for 'resource' entry")
        self.next()
        self.expect(">", "expected '>'")
        if is_typed or self.token == ":":
            at = self.at
            self.expect(":", "expected ':'")
            if self.type().kind not in ("shaped", "unknown"):
                raise self.fault("`dense_resource` expected a shaped type", at)

    def _elements(self, keyword: str, start: int, is_typed: bool) -> None:
        self.expect("<", f"expected '<' after '{keyword}'")
        indices, literal, places = None, Literal(), [start, start]
        if not self.take(">"):
            if keyword == "sparse":
                places[0] = self.at
                indices = self._literal(allow_string=False)
                self.expect(",", "expected ','")
                places[1] = self.at
            literal = self._literal(allow_string=True)
            self.expect(">", "expected '>'")
        elif keyword == "sparse":
            literal.string = "", start  # all that there is, is zero
        if not is_typed and self.token != ":":
            return
        self.expect(":", "expected ':'")
        type = self.type()
        if type.kind == "unknown":
            return
        if type.kind != "shaped":
            raise self.fault("elements literal must be a shaped type", start)
        if type.shape is None:
            raise self.fault("elements literal type must have static shape", start)
        if indices is not None:
            self._sparse(indices, literal, type, start, places)
        elif keyword == "dense":
            self._dense(literal, type, start)

    def _literal(self, allow_string: bool) -> Literal:
        literal = Literal()
        if allow_string and self.kind == "string":
            literal.string = self.token, self.at
            self.next()
        elif self.token == "[":
            literal.shape = self._list(literal)
        else:
            self._element(literal)
        return literal

    def _list(self, literal: Literal) -> tuple[int, ...]:
        """The shape of a list."""
        shapes: list[tuple[int, ...]] = []

        def element() -> None:
            if self.token == "[":
                shapes.append(self._list(literal))
            else:
                self._element(literal)
                shapes.append(())
            if shapes[-1] != shapes[0]:
                raise self.fault("tensor literal is invalid; ranks are not consistent between elements", self.behind)

        self.listed("[]", element, "expected '['", "expected ']'")
        return len(shapes), *(shapes[0] if shapes else ())

    def _element(self, literal: Literal) -> None:
        if self.take("("):
            self._element(literal)
            self.expect(",", "expected ',' between complex elements")
            self._element(literal)
            self.expect(")", "expected ')' after complex elements")
            return
        is_negative = self.take("-")
        if is_negative and self.kind != "number":
            raise self.fault("expected integer or floating point literal")
        if self.kind not in ("number", "string") and self.token not in ("true", "false"):
            raise self.wrong("expected element literal of primitive type")
        literal.numbers.append(("-" * is_negative + self.token, self.at))
        self.next()

    def _dense(self, literal: Literal, type: Type, start: int) -> None:
        """What is wrong with the elements of a `type` with a static shape, if anything is."""
        assert type.shape is not None
        count = prod(type.shape)
        if literal.string is not None and type.name:
            self._data(literal.string, type, count, start)
            return
        if literal.shape and literal.shape != type.shape:
            message = f"inferred shape of elements literal ([{_joined(literal.shape)}]) does not match type "
            raise self.fault(f"{message}([{_joined(type.shape)}])", start)
        if literal.string is None and not literal.numbers and count:
            raise self.fault(f"parsed zero elements, but type ('{type.text}') expected at least 1", start)
        if not type.name:
            return
        found = len(literal.numbers)
        if type.is_complex and not literal.shape and count and found != 2:
            message = f"parsed {found} elements, but type ('complex<{type.name}>') expected 2 elements"
            raise self.fault(message, start)
        if type.is_complex and literal.shape and found != 2 * count:
            raise self.fault(f"parsed {found} elements, but type ('{type.text}') expected {2 * count} elements", start)
        for token, at in literal.numbers:
            self._value(token, at, type.name)

    def _value(self, token: str, at: int, type: str) -> None:
        """One of the elements, which are of the `type` of a number."""
        is_negative, number = token.startswith("-"), token.removeprefix("-")
        if token.startswith('"'):
            raise Unclear
        if _FLOAT_TYPE(type):
            self._float(number, is_negative, type, at)
        elif is_negative and type.startswith("u"):
            raise self.fault("expected unsigned integer elements, but parsed negative value", at)
        elif token in ("true", "false"):
            if type != "i1":
                raise self.fault("expected i1 type for 'true' or 'false' values", at)
        elif not _WHOLE(number):
            raise self.fault("expected integer elements, but parsed floating-point", at)
        elif not fits(number, is_negative, type):
            raise self.fault("integer constant out of range for type", at)

    def _data(self, string: tuple[str, int], type: Type, count: int, start: int) -> None:
        """Elements that are written as their bytes."""
        if not _HEX_STRING(string[0]):
            raise self.fault("expected string containing hex digits starting with `0x`", string[1])
        length = (len(string[0]) - 4) // 2
        match = _INTEGER_TYPE(type.name)
        width = 64 if type.name == "index" else int(match[2]) if match is not None else _float_width(type.name)
        if not width:
            raise Unclear
        size = (width + 7) // 8 * (2 if type.is_complex else 1)
        if type.name == "i1" and not type.is_complex:
            is_right = length == (count + 7) // 8 or string[0][3:-1].upper() in ("00", "FF")
        else:
            is_right = length in (size, size * count)
        if not is_right:
            raise self.fault(f"elements hex data size is invalid for provided type: '{type.text}'", start)

    def _sparse(self, indices: Literal, values: Literal, type: Type, start: int, places: Sequence[int]) -> None:
        """What is wrong with sparse elements; `places` say where the indices and the values begin."""
        shape = type.shape or ()
        rank = len(shape)
        of_indices = indices.shape or (1, rank)
        self._dense(indices, Type(f"tensor<{_joined(of_indices, 'x')}xi64>", "shaped", "i64", of_indices), places[0])
        of_values = values.shape or (of_indices[0],)
        text = f"tensor<{_joined(of_values, 'x')}x{type.name}>"
        self._dense(values, Type(text, "shaped", type.name, of_values, type.is_complex), places[1])
        if len(of_values) != 1:
            raise self.fault("expected 1-d tensor for sparse element values", start)
        fits_rank = of_indices[1] == rank if len(of_indices) == 2 else len(of_indices) == rank == 1
        if not fits_rank or of_indices[0] != of_values[0]:
            message = f"expected shape ([{_joined(shape)}]); inferred shape of indices literal "
            message += f"([{_joined(of_indices)}]); inferred shape of values literal ([{_joined(of_values)}])"
            raise self.fault(message, start)
        numbers = [integer(token) for token, _ in indices.numbers]
        if len(set(numbers)) == 1:  # one number may stand for all
            numbers = numbers[:1] * rank
        for i in range(len(numbers) // rank if rank else 0):
            index = numbers[i * rank : (i + 1) * rank]
            if any(not 0 <= each < size for each, size in zip(index, shape, strict=True)):
                message = f"sparse index #{i} is not contained within the value shape, with "
                shown = _joined([each % (1 << 64) for each in index])
                raise self.fault(f"{message}index=[{shown}], and type='{type.text}'", start)

    # ---- types

    def type(self) -> Type:
        """Any type."""
        start, token = self.at, self.token
        if token == "(":
            self._types()
            self.expect("->", "expected '->' in function type")
            if self.token == "(":
                self._types()
            else:
                self.lone_type()
            return Type(self.text[start : self.behind], "other")
        return self.lone_type()

    def _types(self) -> None:
        self.listed("()", self.type, "expected '('", "expected ')'")

    def lone_type(self) -> Type:
        """Any type but that of a function."""
        start, token = self.at, self.token
        if self.kind == "named" and token[0] == "!":
            self.next()
            if self.token == "<" and self.at == self.behind:
                self.jump(self._closed(self.at))
            return Type(token, "unknown")
        if self.kind == "word" and _WIDE_INTEGER_TYPE(token) and integer(token.lstrip("sui")) > _WIDEST:
            raise self.fault(f"integer bitwidth is limited to {_WIDEST} bits")
        if self.kind != "word" or not _is_type(token):
            raise self.wrong("expected non-function type")
        self.next()
        if token in _CONSTRUCTORS:
            end = self._end_of_brackets()
            if end and "," not in (text := self.text[start:end]) and describe(text) is not None:
                self.jump(end)
            else:
                read_constructed(self, token)
            return _shaped(self.text[start : self.behind])
        if token in ("index", "none"):
            return Type(token, "index" if token == "index" else "other", token)
        return Type(token, "int" if _INTEGER_TYPE(token) else "float", token)

    # ---- affine maps and sets

    def affine(self) -> None:
        """`affine_map<...>` or `affine_set<...>`."""
        is_map = self.next() == "affine_map"
        what = "affine map" if is_map else "integer set"
        self.expect("<", f"expected '<' in {what}")
        start = self.at
        self.dimensions, self.symbols = set(), set()

        def name(names: set[str]) -> None:
            if self.kind != "word":
                raise self.wrong("expected bare identifier")
            if self.token in self.dimensions | self.symbols:
                raise self.fault(f"redefinition of identifier '{self.token}'")
            names.add(self.next())

        listed = "in dimensional identifier list"
        self.listed("()", lambda: name(self.dimensions), f"expected '(' {listed}", f"expected ')' {listed}")
        if self.token == "[":
            self.listed("[]", lambda: name(self.symbols), "", "expected ']' in symbol list")
        if self.take("->"):
            listed = "in affine map range"
            self.listed("()", self.expression, f"expected '(' {listed}", f"expected ')' {listed}")
            if not is_map:
                raise self.fault("expected IntegerSet, but got AffineMap", start)
        else:
            self.expect(":", "expected '->' or ':'")
            listed = "in integer set constraint list"
            self.listed("()", self._constraint, f"expected '(' {listed}", f"expected ')' {listed}")
            if is_map:
                raise self.fault("expected AffineMap, but got IntegerSet", start)
        self.expect(">", f"expected '>' in {what}")

    def subscripts(self) -> None:
        """Affine expressions of values, up to the end of the text."""
        if self.kind == "end":
            return
        self.expression()
        while self.take(","):
            self.expression()
        if self.kind != "end":
            raise Unclear

    def _constraint(self) -> None:
        self.expression()
        if self.token in ("<", ">", "=") and self.text.startswith("=", self.at + 1):
            self.next()
            self.next()
            self.expression()
        else:
            raise self.fault("expected '== affine-expr' or '>= affine-expr' at end of affine constraint")

    def expression(self) -> _Term:
        """An affine expression."""
        left = self._product(None)
        while self.token in ("+", "-"):
            self.next()
            left = _sum(left, self._product(left))
        return left

    def _product(self, before: _Term | None) -> _Term:
        left = self._operand(before)
        while self.token in ("*", "floordiv", "ceildiv", "mod"):
            at, operator = self.at, self.next()
            right = self._operand(left)
            if operator == "*":
                if left.sure and right.sure:
                    raise self.fault(f"non-affine expression: {_NOT_SCALED}", at)
                left = _scaled(left, right)
            else:
                if right.sure:
                    message = f"right operand of {operator} has to be either a constant or symbolic"
                    raise self.fault(f"non-affine expression: {message}", at)
                left = _divided(left, operator, right)
        return left

    def _operand(self, before: _Term | None) -> _Term:
        if self.kind == "number" and _WHOLE(self.token):
            number = integer(self.token)
            if number >= 1 << 63:
                raise self.fault("constant too large for index")
            self.next()
            return _Term(number=number)
        if self.kind == "value":
            return _Term(frozenset((self.next(),)))
        if self.kind == "word":
            if self.token == "symbol" and "symbol" not in self.dimensions | self.symbols:
                self.next()
                if not self.take("(") or self.kind != "value":
                    raise Unclear
                name = self.next()
                self.expect(")", "expected ')' at end of SSA symbol")
                return _Term(name=name)
            if self.token in self.dimensions:
                return _Term(frozenset((self.next(),)))
            if self.token not in self.symbols:
                raise self.wrong("use of undeclared identifier")
            return _Term(name=self.next())
        if self.take("("):
            if self.token == ")":
                raise self.fault("no expression inside parentheses")
            inner = self.expression()
            self.expect(")", "expected ')'")
            return inner
        if self.token == "-":
            while self.take("-"):
                pass
            return self._operand(before)  # its sign does not matter
        if before is not None:
            raise self.fault("missing right operand of binary operator")
        if self.token in ("+", "*"):
            raise self.fault("missing left operand of binary operator")
        raise self.fault("expected affine expression")

    # ---- locations

    def location(self) -> None:
        """What stands in `loc(...)`."""
        if self.kind == "named" and self.token[0] == "#":
            self.aliases.append((self.token, self.at))
            name = self.next()
            if self.token == "<" and self.at == self.behind and "." in name:
                self.jump(self._closed(self.at))
        elif self.kind == "string":
            self.next()
            if self.take("("):
                self.location()
                self.expect(")", "expected ')' after child location of NameLoc")
            elif self.take(":"):
                self._file_location()
        elif self.kind == "word" and self.token == "unknown":
            self.next()
        elif self.kind == "word" and self.token == "callsite":
            self.next()
            self.expect("(", "expected '(' in callsite location")
            self.location()
            self.expect("at", "expected 'at' in callsite location")
            self.location()
            self.expect(")", "expected ')' in callsite location")
        elif self.kind == "word" and self.token == "fused":
            self.next()
            if self.take("<"):
                self.attribute()
                self.expect(">", "expected '>' after fused location metadata")
            self.listed("[]", self.location, "expected '[' in fused location", "expected ']' in fused location")
        else:
            raise self.wrong("expected location instance")

    @cached_property
    def aliases(self) -> list[tuple[str, int]]:
        """The aliases that stand in locations, and where."""
        return []

    def _file_location(self) -> None:
        self._place("line")
        if not self.take(":"):
            return
        self._place("column")
        if self.take("to"):
            if self.kind == "number" and _WHOLE(self.token):
                self._place("line")
            elif self.token != ":":
                raise self.wrong("expected either integer or `:` post `to` in FileLineColRange")
            if not self.take(":"):
                raise self.wrong("expected either integer or `:` post `to` in FileLineColRange")
            self._place("column")

    def _place(self, what: str) -> None:
        if self.kind != "number" or not _WHOLE(self.token) or integer(self.token) > _LAST_LINE:
            raise self.wrong(f"expected integer {what} number in FileLineColRange")
        self.next()

    # ---- file metadata

    def metadata(self) -> None:
        """What stands between `{-#` and `#-}`, with the latter."""
        if self.take("#-}"):
            return
        while True:
            at, key = self.at, self._key("expected identifier key in file metadata dictionary", False)
            self.expect(":", "expected ':'")
            if key not in ("dialect_resources", "external_resources"):
                raise self.fault(f"unknown key '{key}' in file metadata dictionary", at)
            self._section(key == "dialect_resources")
            if not self.take(","):
                break
        self.expect("#-}", "expected ',' or '#-}'")

    def _section(self, of_dialects: bool) -> None:
        def provider() -> None:
            owner = self._key("expected identifier key for 'resource' entry", not of_dialects)
            self.expect(":", "expected ':'")
            self.listed("{}", lambda: resource(owner), "expected '{'", "expected ',' or '}'")

        def resource(owner: str) -> None:
            key = self._key("expected identifier key for 'resource' entry", True)
            self.expect(":", "expected ':'")
            if of_dialects and owner == "builtin":
                self._blob(key)
            elif self.kind != "string" and self.token not in ("true", "false"):
                raise Unclear
            self.next()

        self.listed("{}", provider, "expected '{'", "expected ',' or '}'")

    def _key(self, message: str, in_quotes: bool) -> str:
        if self.kind != "word" and not (in_quotes and self.kind == "string"):
            raise self.fault(message)
        return self.next().strip('"')

    def _blob(self, key: str) -> None:
        message = f"expected hex string blob for key '{key}'"
        if self.kind != "string" or not _HEX_STRING(self.token):
            raise self.fault(message)
        digits = self.token[3 : 3 + _ALIGNED].rstrip('"')
        if len(digits) < _ALIGNED:
            raise self.fault(f"{message} to encode alignment in first 4 bytes")
        alignment = int.from_bytes(bytes.fromhex(digits), "little")
        if alignment & (alignment - 1):
            message += f" to encode alignment in first 4 bytes, but got non-power-of-2 value: {alignment}"
            raise self.fault(message)


def fault_of(read: Callable[[], object]) -> tuple[str, int] | None:
    """What `read`, which reads something, finds wrong, and at which offset; None where it finds nothing."""
    try:
        read()
    except Fault as fault:
        return fault.message, fault.offset
    except Unclear:
        pass
    return None


def read_dictionary(text: str, has_words: bool = False, is_generic: bool = False) -> None:
    """Read a dictionary, which may stand in `<...>`, and another one after it then. Where it `has_words`, these are
    attributes, too; `is_generic` tells that no attribute leaves its name out."""
    reader = Reader(text, has_words=has_words, is_generic=is_generic)
    if reader.take("<"):
        if reader.token != "{":
            return
        reader.dictionary()
        reader.expect(">", "expected '>'")
        if reader.token != "{":
            return
    reader.dictionary()


def read_beginning(text: str) -> None:
    """Read what `text`, which is made of attributes in some way, begins with, where that says what it is."""
    if _BEGINNING(text) is not None:
        Reader(text).attribute(is_typed=False)


def read_type(text: str) -> None:
    """Read the type that `text` begins with."""
    Reader(text).type()


def read_location(text: str, start: int) -> Reader:
    """Read the location after the bracket before the offset `start`, and its bracket."""
    reader = Reader(text, start)
    reader.location()
    reader.expect(")", "expected ')' in location")
    return reader


def read_metadata(text: str, start: int) -> None:
    """Read the file metadata at the offset `start`."""
    Reader(text, start + len("{-#"), _MOST_RESOURCES).metadata()


def fits(number: str, is_negative: bool, type: str) -> bool:
    """Whether `number`, maybe with a minus in front, is one of the `type`, which is `index` or that of an integer."""
    match = _INTEGER_TYPE("si64" if type == "index" else type)
    if match is None:
        return True
    value, sign, width = integer(number), match[1], int(match[2])
    if not width:
        return not is_negative and value == 0
    if is_negative:
        return 0 < value <= 1 << (width - 1)
    return value < 1 << (width - 1 if sign == "s" else width)


def _float_width(type: str) -> int:
    """How many bits a float has; 0 where nobody knows."""
    match = _WIDTH(type)
    return _WIDTHS.get(type) or (int(match[1]) if match is not None else 0)


def _is_type(word: str) -> bool:
    """Whether a type, no alias, begins with `word`."""
    return (
        word in _CONSTRUCTORS
        or word in ("index", "none")
        or _INTEGER_TYPE(word) is not None
        or _FLOAT_TYPE(word) is not None
    )


def _shaped(text: str) -> Type:
    if not text.startswith(("memref", "tensor", "vector")):
        return Type(text, "other")
    match = _SHAPED(text)
    if match is None:
        return Type(text, "unknown")
    sizes = match[2].split("x")[:-1]
    is_static = all(size.isdecimal() for size in sizes)
    if match[1] == "vector" and not is_static:
        return Type(text, "unknown")
    shape = tuple(map(int, sizes)) if is_static else None
    return Type(text, "shaped", match[3] or match[4], shape, match[4] is not None)


def _joined(numbers: Sequence[int], by: str = ", ") -> str:
    return by.join(map(str, numbers))


def _sum(left: _Term, right: _Term) -> _Term:
    sure = (left.sure - right.all) | (right.sure - left.all)
    return _Term(sure, (left.all | right.all) - sure)


def _scaled(left: _Term, right: _Term) -> _Term:
    for one, other in ((left, right), (right, left)):
        if one.is_kept:
            return _Term(other.sure, other.maybe)
    return _Term(maybe=left.all | right.all)


def _divided(left: _Term, operator: str, right: _Term) -> _Term:
    if operator != "mod" and not right.all:
        return _Term(left.sure, left.maybe)
    return _Term(maybe=left.all | right.all)
