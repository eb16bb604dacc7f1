"""What types say: their normal spelling, and the parts that a verifier asks for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from dealog.frontend.layouts import STRIDED, is_identity
from dealog.frontend.lexer import COMMENT, FLOAT, Unbalanced, balanced_end, integer, split_list
from dealog.frontend.types import MemRefType, may_be_layout, parse_memref

_COMMENT = re.compile(COMMENT)
_SPREAD = re.compile(r"[/\r\n]")
_SPACES = re.compile(r"\s+")
_INTEGER = re.compile(r"[su]?i([0-9]{1,8})")
_FLOAT = re.compile(rf"(?={FLOAT}\Z)\D+([0-9]+)\w*", re.ASCII)
_VECTOR_SIZE = re.compile(r"\s*(\[?)([0-9]{1,18})(\]?)\s*x")
_TENSOR_SIZE = re.compile(r"\s*([0-9]{1,19}|\?|\*)\s*x")
_MAP = re.compile(r"affine_map\s*<\s*(\([^)]*\)\s*(?:\[[^\]]*\])?\s*->\s*.*)>", re.DOTALL)
_PERMUTATION = re.compile(r"affine_map<\([^)]*\) -> \((?:d\d+(?:, d\d+)*)?\)>")
_IDLE = re.compile(r"(?<![\w.])0+(?=[0-9])|(?<=-)\s+(?=[0-9])")  # in front of the digits of a number
_COMMAS = re.compile(r" ?, ?")
_INSIDE = re.compile(r"(?<=\() | (?=\))")
_WORD = re.compile(r"[A-Za-z_]\w*")
_NUMBER = re.compile(r"(-?\d+)(?:\s*:\s*i64)?")
_ENCODINGS = (
    "affine_map", "affine_set", "dense", "dense_resource", "sparse", "loc", "distinct", "true", "false", "unit",
)  # fmt: skip
_BRACKETS = re.compile(r"[<(]|(?<!-)>|[)]")
_LARGEST_SIZE = (1 << 63) - 1
_WIDEST = (1 << 24) - 1
_NARROW_TF = 19  # tf32 has 19 bits

_SIZES = re.compile(r"(?<![\w.])((?:(?:\?|-?\d+)x)+)(?=[\w!])")
_SIZES_IN_FRONT = re.compile(r"(?:\w+=)?(?:(?:\?|\d+)x)*")
_NUMBERS = re.compile(r"(?<![\w.!#])(?:index|[su]?i\d+|b?f\d+\w*|tf32)(?![\w.=])")
# A number that is all that a type is made of, a stride, a number of barriers, the space of a memref, levels to go over.
_OTHERS = re.compile(
    r"<(-?\d+)>|stride=(\d+)|num_barriers=(?!1>)(-?\d+)|memref<[^<>,]*,(?!0>)(\d+)>|lvls=(\d+(?:to\d+)?)"
)
_HEXADECIMAL = re.compile(r"0x[0-9A-F]{4}")
_QUOTED = re.compile(r'"[^"]*"')
_TYPED_NUMBER = re.compile(r"(?<=\d):[a-z]+\d*")
_LLVM_FUNCTION = "!llvm.func<"
DEEPEST = 80
"""So deep may types be nested."""


@dataclass(frozen=True, slots=True)
class Described:
    """A type: `text` is its normal spelling, `kind` what it is (`memref`, `unranked_memref`, `tensor`,
    `unranked_tensor`, `vector`, `integer` (without a sign), `signed_integer`, `index`, `float`, `complex`, `tuple`,
    `function`, `none`, `dialect`).

    Of shaped types, `sizes` has the size of each dimension (None: dynamic), `scalable` the scalable ones; `layout`
    and `space` are `""` where they are those that go without saying. `vague` says that there is something in the
    type that may be spelled in several ways; `outline` is the text without all such parts: types of different
    outlines differ. A tuple has `parts`. `content` is what the text of a type of `dialect` names of sizes and of types
    of numbers, sorted.
    """

    text: str
    kind: str
    outline: str
    vague: bool = False
    element: str = ""
    sizes: tuple[int | None, ...] = ()
    scalable: tuple[int, ...] = ()
    layout: str = ""
    space: str = ""
    width: int = 0
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    dialect: str = ""
    content: str = ""

    @property
    def shape(self) -> str:
        """The sizes as they are written, `4x?`."""
        marks = ("[{}]" if i in self.scalable else "{}" for i in range(len(self.sizes)))
        return "x".join(m.format("?" if size is None else size) for m, size in zip(marks, self.sizes, strict=True))


def is_too_deep(type: str) -> bool:
    """Whether `type` is nested deeper than can be described."""
    if type.count("<") + type.count("(") <= DEEPEST:
        return False
    steps = (1 if bracket in "<(" else -1 for bracket in _BRACKETS.findall(type))
    return max(accumulate(steps)) > DEEPEST


def describe(type: str) -> Described | None:
    """The description of the type that `type` (without aliases) spells; None where it is none, or too deep."""
    return None if is_too_deep(type) else _described(type)


@lru_cache(maxsize=8192)
def _described(type: str) -> Described | None:
    try:
        return _describe(
            _SPACES.sub(" ", _COMMENT.sub("", type)).strip() if _SPREAD.search(type) else type.strip()
        )
    except (ValueError, Unbalanced):
        return None


def _describe(type: str) -> Described:
    start = type[:1]
    if start == "!":
        plain = "<" not in type
        if type.startswith(_LLVM_FUNCTION) and type.endswith(")>"):
            return _llvm_function(_SPACES.sub(" ", type))
        if plain:
            return Described(type, "dialect", type)
        text = _SPACES.sub("", type)
        name, _, inside = text.partition("<")
        if "." not in name:  # !dialect<name> is !dialect.name
            return _describe(f"{name}.{inside[:-1]}")
        return Described(
            text, "dialect", name, True, element=_held(inside[:-1]), dialect=name[1 : name.index(".")],
            content=_content(text),
        )  # fmt: skip
    if start == "(":
        return _function(type)
    if type.endswith(">"):
        head, _, _ = type.partition("<")
        read = _CONSTRUCTORS.get(head.strip())
        if read is None:
            raise ValueError(type)
        return read(type)
    if type == "index" or type == "none":
        return Described(type, type, type)
    if match := _INTEGER.fullmatch(type):
        width = int(match[1])
        if width > _WIDEST:
            raise ValueError(type)
        text = f"{type[: match.start(1)]}{width}"
        return Described(text, "integer" if start == "i" else "signed_integer", text, width=width)
    if match := _FLOAT.fullmatch(type):
        return Described(type, "float", type, width=_NARROW_TF if type == "tf32" else int(match[1]))
    raise ValueError(type)


def _content(text: str) -> str:
    """What the type of a dialect names of sizes, types of numbers and texts; `""` where that is not known."""
    if _HEXADECIMAL.search(text) or "\\" in text:
        return ""
    quoted = _QUOTED.findall(text)
    text = _TYPED_NUMBER.sub("", _QUOTED.sub('""', text))
    others = [number for groups in _OTHERS.findall(text) for number in groups if number]
    return " ".join(sorted(_SIZES.findall(text) + _NUMBERS.findall(_SIZES.sub(" ", text)) + others) + quoted)


def _held(inside: str) -> str:
    """The type in `4x8xf32, ...`, which stands between the brackets of a dialect's type; `""` where there is none."""
    start, _, end = next(iter(split_list(inside, 0, len(inside))), (0, 0, 0))
    sizes = _SIZES_IN_FRONT.match(inside, start)
    known = describe(inside[sizes.end() if sizes else start : end])
    return known.text if known is not None else ""


def _part(text: str) -> Described:
    known = describe(text)
    if known is None:
        raise ValueError(text)
    return known


def parts_of_function(type: str) -> tuple[list[str], list[str]]:
    """The texts of what functions of `type` take and return. Raises `ValueError` or `Unbalanced` where it is none."""
    if not type.startswith("("):
        raise ValueError(type)
    end = balanced_end(type, 0)
    arrow = type.index("->", end)
    if type[end:arrow].strip():
        raise ValueError(type)
    behind = type[arrow + 2 :].strip()
    listed = behind.startswith("(") and balanced_end(behind, 0) == len(behind)
    return _list(type[1 : end - 1]), _list(behind[1:-1]) if listed else [behind]


def _function(type: str) -> Described:
    taken, returned = parts_of_function(type)
    inputs, outputs = [_part(text) for text in taken], [_part(text) for text in returned]

    def spelled(of: str) -> str:
        results = [getattr(output, of) for output in outputs]
        alone = len(results) == 1 and outputs[0].kind != "function"
        after = results[0] if alone else f"({', '.join(results)})"
        return f"({', '.join(getattr(x, of) for x in inputs)}) -> {after}"

    return Described(
        spelled("text"), "function", spelled("outline"), any(x.vague for x in (*inputs, *outputs)),
        inputs=tuple(x.text for x in inputs), outputs=tuple(x.text for x in outputs),
    )  # fmt: skip


def _llvm_function(type: str) -> Described:
    """`!llvm.func<R (A, ...)>`, in which `!llvm.` is left out of types."""
    opened = type.rindex("(") if type.count("(") == 1 else next(
        at for at, c in enumerate(type) if c == "(" and balanced_end(type, at) == len(type) - 1
    )
    result = type[len(_LLVM_FUNCTION) : opened].strip()
    taken = [text for text in _list(type[opened + 1 : -2]) if text != "..."]
    known = [describe(text) or describe(f"!llvm.{text}") for text in (*taken, result)]
    if None in known:
        raise ValueError(type)
    *inputs, output = [found.text for found in known if found is not None]
    return Described(
        _SPACES.sub("", type), "dialect", "!llvm.func", True,
        inputs=tuple(inputs), outputs=() if result == "void" else (output,),
    )  # fmt: skip


def _list(text: str) -> list[str]:
    return [text[start:end] for start, _, end in split_list(text, 0, len(text))]


def _inside(type: str) -> str:
    return type[type.index("<") + 1 : -1]


def _memref(type: str) -> Described:
    parsed = parse_memref(type)
    in_front = _list(_inside(type))[1:-1]
    if not all(may_be_layout(part, is_last=False) for part in in_front) or (
        parsed.shape is None and parsed.layout is not None
    ):
        raise ValueError(type)
    element = _part(parsed.element)
    layout, vague_layout = _layout(parsed)
    space, vague_space = _space(parsed.memory_space)
    sizes = parsed.shape
    _check(sizes or ())
    head = "*x" if sizes is None else "".join("?x" if size is None else f"{size}x" for size in sizes)
    more = "".join(f", {part}" for part in (layout, space) if part)
    vague = element.vague or vague_layout or vague_space
    return Described(
        f"memref<{head}{element.text}{more}>", "memref" if sizes is not None else "unranked_memref",
        f"memref<{head}{element.outline}{', #' if space.startswith('#') else ''}>", vague, element.text, sizes or (),
        layout=layout, space=space,
    )  # fmt: skip


def _check(sizes: Iterable[int | None]) -> None:
    """Raises `ValueError` for a size that is not a 64-bit number."""
    if any(size is not None and size > _LARGEST_SIZE for size in sizes):
        raise ValueError(sizes)


def _layout(type: MemRefType) -> tuple[str, bool]:
    """The normal spelling of a memref's layout, and whether there may be others."""
    written = type.layout and _IDLE.sub("", type.layout)
    if written is None or (type.shape is not None and written.startswith("affine_map") and is_identity(type)):
        return "", False
    if match := STRIDED.fullmatch(written):
        strides = [part.strip() for part in match[1].split(",") if part.strip()]
        offset = (match[2] or "0").strip()
        if any(part != "?" and abs(integer(part)) > _LARGEST_SIZE for part in (*strides, offset)):
            raise ValueError(written)
        behind = "" if offset == "0" else f", offset: {offset}"
        return f"strided<[{', '.join(strides)}]{behind}>", False
    if written.startswith("strided"):
        raise ValueError(written)
    spelled = _map(written)
    return spelled or _SPACES.sub("", written), not _PERMUTATION.fullmatch(spelled)


def _map(text: str) -> str:
    """An affine map as mlir-opt names its dimensions and symbols; `""` for what is not an affine map."""
    match = _MAP.fullmatch(text)
    if match is None:
        return ""
    arguments, _, results = match[1].partition("->")
    dimensions, _, symbols = arguments.partition("[")
    names = {name: f"d{i}" for i, name in enumerate(_WORD.findall(dimensions))}
    names |= {name: f"s{i}" for i, name in enumerate(_WORD.findall(symbols))}
    head = f"({', '.join(n for n in names.values() if n[0] == 'd')})"
    if symbols:
        head += f"[{', '.join(n for n in names.values() if n[0] == 's')}]"
    spelled = _WORD.sub(lambda word: names.get(word[0], word[0]), _spaced(results))
    return f"affine_map<{head} -> {spelled}>"


def _spaced(results: str) -> str:
    """The results of an affine map, with spaces as mlir-opt writes them after commas and inside of brackets."""
    return _COMMAS.sub(", ", _INSIDE.sub("", _SPACES.sub(" ", results).strip()))


def _space(written: str | None) -> tuple[str, bool]:
    """The normal spelling of a memory space, and whether there may be others."""
    if written is None:
        return "", False
    written = _IDLE.sub("", written)
    if match := _NUMBER.fullmatch(written):
        return ("" if match[1] == "0" else match[1]), False
    return _SPACES.sub("", written), not written.startswith('"')


def _tensor(type: str) -> Described:
    parts = _list(_inside(type).rstrip(" ,"))  # a comma may stand at the end
    if not parts or ",," in type:
        raise ValueError(type)
    sizes: list[int | None] = []
    text, at = parts[0], 0
    ranked = True
    while match := _TENSOR_SIZE.match(text, at):
        at = match.end()
        if match[1] == "*":
            if not ranked or sizes:
                raise ValueError(type)
            ranked = False
        else:
            sizes.append(None if match[1] == "?" else int(match[1]))
    _check(sizes)
    element = _part(text[at:])
    if len(parts) > 1 and (len(parts) > 2 or not ranked or not _is_encoding(parts[1])):
        raise ValueError(type)
    encoding = f", {_SPACES.sub('', parts[1])}" if len(parts) > 1 else ""
    head = "".join("?x" if size is None else f"{size}x" for size in sizes) if ranked else "*x"
    return Described(
        f"tensor<{head}{element.text}{encoding}>", "tensor" if ranked else "unranked_tensor",
        f"tensor<{head}{element.outline}{', #' if encoding else ''}>", element.vague or bool(encoding), element.text,
        tuple(sizes),
    )  # fmt: skip


def _is_encoding(text: str) -> bool:
    """Whether a tensor type may have the attribute `text`, as far as the word tells that it begins with."""
    match = _WORD.match(text)
    return match is None or match[0] in _ENCODINGS or describe(text) is not None


def _vector(type: str) -> Described:
    sizes: list[int | None] = []
    scalable = []
    text, at = _inside(type), 0
    if "," in text and "<" not in text:
        raise ValueError(type)
    while match := _VECTOR_SIZE.match(text, at):
        if bool(match[1]) != bool(match[3]):
            raise ValueError(type)
        if match[1]:
            scalable.append(len(sizes))
        at = match.end()
        sizes.append(int(match[2]))
    element = _part(text[at:])
    marks = "".join(f"[{size}]x" if i in scalable else f"{size}x" for i, size in enumerate(sizes))
    return Described(
        f"vector<{marks}{element.text}>", "vector", f"vector<{marks}{element.outline}>", element.vague, element.text,
        tuple(sizes), tuple(scalable),
    )  # fmt: skip


def _complex(type: str) -> Described:
    element = _part(_inside(type))
    return Described(f"complex<{element.text}>", "complex", f"complex<{element.outline}>", element.vague, element.text)


def _tuple(type: str) -> Described:
    parts = [_part(text) for text in _list(_inside(type))]
    text, outline = (f"tuple<{', '.join(getattr(part, of) for part in parts)}>" for of in ("text", "outline"))
    held = tuple(part.text for part in parts)
    return Described(text, "tuple", outline, any(part.vague for part in parts), parts=held)


_CONSTRUCTORS = {"memref": _memref, "tensor": _tensor, "vector": _vector, "complex": _complex, "tuple": _tuple}
