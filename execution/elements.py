"""Elements attributes: `dense<...>` and `dense_resource<...>`, as lists of element values."""

from __future__ import annotations

import json
import re
from typing import Any

from dealog.execution.numbers import read_scalar, scalar, vector

_TOKEN = re.compile(r"\s*(\"[^\"]*\"|[\[\](),]|[^\s\[\](),]+)")
_RESOURCE = re.compile(r"dense_resource<\s*(?:\"([^\"]*)\"|([\w.$\-]+))\s*>")
_BLOB_ALIGNMENT_BYTES = 4


def read_elements(text: str, count: int, element: str, module_text: str) -> list[Any]:
    """The `count` values that the attribute `text` gives for elements of type `element`.

    `module_text` is where resources are looked up. Raises `ValueError` where the attribute is none of these
    or its values do not fit.
    """
    text = text.strip()
    if (resource := _RESOURCE.match(text)) is not None:
        return _from_bytes(_resource(resource[1] or resource[2], module_text), count, element)
    if not text.startswith("dense<"):
        raise ValueError(f"'{text[:40]}' is not a dense elements attribute")
    end = _closing_angle(text)
    inside = text[6:end].strip()
    if inside.startswith('"0x'):
        return _from_bytes(bytes.fromhex(inside.strip('"')[2:]), count, element)
    values = read_list(inside, element)
    shape = vector(element)
    if shape is not None:
        if len(values) == 1:
            return [tuple(values) * shape[0]] * count
        values = [tuple(values[at : at + shape[0]]) for at in range(0, len(values), shape[0])]
    if len(values) == 1 and not inside.startswith("["):
        return values * count
    if len(values) != count:
        raise ValueError(f"{count} elements are needed and {len(values)} are given")
    return values


def read_list(text: str, element: str) -> list[Any]:
    """The values in a nested list `[[1, 2], [3, 4]]`, or of a single one, row-major."""
    values: list[Any] = []
    kind = vector(element)
    base = element if kind is None else kind[1]
    part: list[str] | None = None  # of a complex number
    for token in _TOKEN.findall(text):
        if token == "(":
            part = []
        elif token == ")" and part is not None:
            inner = base.removeprefix("complex<").removesuffix(">")
            values.append(complex(*(read_scalar(p, inner) for p in part)))
            part = None
        elif token in "[],":
            continue
        elif part is not None:
            part.append(token)
        else:
            values.append(read_scalar(token, base))
    return values


def _closing_angle(text: str) -> int:
    end = text.rfind(">", 0, text.rfind(":") if ":" in text else len(text))
    if end < 0:
        raise ValueError(f"'{text[:40]}' is not closed")
    return end


def _resource(name: str, module_text: str) -> bytes:
    pattern = rf'(?:"{re.escape(name)}"|(?<![\w.$\-]){re.escape(name)})\s*:\s*"0x([0-9A-Fa-f]*)"'
    start = module_text.rfind("{-#")
    match = re.compile(pattern).search(module_text, start) if start >= 0 else None
    if match is None:
        raise ValueError(
            f"the text has no resource {json.dumps(name)}: were large weights elided when it was printed?"
        )
    return bytes.fromhex(match[1])[_BLOB_ALIGNMENT_BYTES:]


def _from_bytes(data: bytes, count: int, element: str) -> list[Any]:
    kind = scalar(element)
    if kind is None:
        raise ValueError(f"elements of type '{element}' are not read from bytes")
    if kind.width == 1:  # dense attributes pack bits; a splat is one byte
        if len(data) == 1 and count != 1:
            return [int(data[0] != 0)] * count
        return [data[at // 8] >> at % 8 & 1 for at in range(count)]
    size = kind.size
    values = [
        kind.from_bits(int.from_bytes(data[at : at + size], "little")) for at in range(0, len(data), size)
    ]
    if len(values) == 1:
        return values * count
    if len(values) != count:
        raise ValueError(f"{count} elements are needed and {len(values)} are given")
    return values
