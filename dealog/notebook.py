"""What notebooks show of modules, answers, proofs and reports: small pieces of HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from dealog.diagnostics import plural

_MONO = "font-family:monospace;white-space:pre;line-height:1.35"
_COLOURS = {"+": "background:rgba(46,160,67,.18)", "-": "background:rgba(248,81,73,.18)", "@": "opacity:.6"}
_MANY = 200  # rows of a table are shown


def code(text: str) -> str:
    """A text as it is."""
    return f'<div style="{_MONO};overflow-x:auto">{escape(text)}</div>'


def diff(text: str) -> str:
    """A unified diff, in colours."""
    lines = []
    for line in text.splitlines():
        style = "opacity:.6" if line.startswith(("+++", "---")) else _COLOURS.get(line[:1], "")
        lines.append(f'<div style="{style}">{escape(line) or " "}</div>')
    return f'<div style="{_MONO};overflow-x:auto">{"".join(lines)}</div>'


def table(columns: Sequence[str], rows: Sequence[Sequence[object]], caption: str) -> str:
    """A table, of which the first rows are shown."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows[:_MANY]
    )
    more = f"; {len(rows) - _MANY} more are not shown" if len(rows) > _MANY else ""
    title = f"{escape(caption)}: {plural(len(rows), 'row')}{more}"
    if not columns:
        return f"<div>{escape(caption)}: {'yes' if rows else 'no'}</div>"
    caption_style = "caption-side:top;text-align:left"
    return (
        f'<table><caption style="{caption_style}">{title}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def tree(lines: Iterable[tuple[str, str, str]], stage: str) -> str:
    """A proof as a tree that can be folded; `lines` are its branches (three characters a level), texts and remarks."""
    where = "in the input" if stage == "input" else f"in the pass {stage}"
    out = [f'<div><small style="opacity:.6">{escape(where)}</small>']
    found = list(lines)
    levels = [len(branches) // 3 for branches, _, _ in found]
    open_: list[int] = []
    for number, (_, text, remark) in enumerate(found):
        while open_ and open_[-1] >= levels[number]:
            open_.pop()
            out.append("</div></details>")
        label = escape(text) + (f' <small style="opacity:.6">{escape(remark)}</small>' if remark else "")
        if number + 1 < len(found) and levels[number + 1] > levels[number]:
            shown = " open" if levels[number] < _SHOWN else ""
            out.append(f'<details{shown}><summary>{label}</summary><div style="margin-left:1.5em">')
            open_.append(levels[number])
        else:
            out.append(f"<div>{label}</div>")
    out += ["</div></details>"] * len(open_)
    return "".join([*out, "</div>"])


_SHOWN = 3  # levels of a proof are unfolded


def frame(page: str, height: int = 640) -> str:
    """A page in a frame of its own."""
    style = f"width:100%;height:{height}px;border:1px solid rgba(128,128,128,.4)"
    return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{escape(page)}"></iframe>'
