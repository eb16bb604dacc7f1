"""`--fix`: carries out the edits that the rules derive for findings, on the text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from dealog.checking.run import Finding, TextEdit
from dealog.diagnostics import DealogError

_ROUNDS = 10  # a mended text may show a further finding that can be mended


def mend(text: str, findings: Callable[[str], Sequence[Finding]], reads: Callable[[str], object]) -> tuple[str, int]:
    """Mend `text` until none of `findings(text)` can be; returns the text and how many findings were mended.

    What does not leave a text that `reads` takes without a `DealogError` is left alone: a name may be taken where a
    value moves to.
    """
    mended = 0
    for _ in range(_ROUNDS):
        chosen = _apart(finding.edits for finding in findings(text))
        if not chosen:
            break
        made, count = _tried(text, chosen, reads)
        if not count:
            break
        text, mended = made, mended + count
    return text, mended


def apply(text: str, edits: Iterable[TextEdit]) -> str:
    """`text` with `edits`, which do not overlap, carried out."""
    out: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        out += [text[position : edit.start], edit.text]
        position = edit.end
    return "".join([*out, text[position:]])


def _apart(groups: Iterable[tuple[TextEdit, ...]]) -> list[tuple[TextEdit, ...]]:
    """Those of `groups` that do not touch what an earlier one has taken."""
    taken: list[TextEdit] = []
    chosen = []
    for edits in groups:
        if edits and not any(a.start < b.end and b.start < a.end for a in edits for b in taken):
            taken += edits
            chosen.append(edits)
    return chosen


def _tried(
    text: str, groups: Sequence[tuple[TextEdit, ...]], reads: Callable[[str], object]
) -> tuple[str, int]:
    """The text with as many of `groups` carried out as leave it readable, and how many these are."""
    made = apply(text, [edit for edits in groups for edit in edits])
    if _readable(made, reads):
        return made, len(groups)
    kept: list[tuple[TextEdit, ...]] = []
    for group in groups:
        if _readable(apply(text, [edit for edits in (*kept, group) for edit in edits]), reads):
            kept.append(group)
    return apply(text, [edit for edits in kept for edit in edits]), len(kept)


def _readable(text: str, reads: Callable[[str], object]) -> bool:
    try:
        reads(text)
    except DealogError:
        return False
    return True
