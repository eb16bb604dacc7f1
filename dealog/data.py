"""Data as text."""

from __future__ import annotations

import json


def json_text(data: object) -> str:
    """`data` as the JSON text that commands write."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
