"""Answers on a terminal: proofs in colour, and the prompt of `dealog query`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document

    from dealog.asking.stage import Stage
    from dealog.explain.tree import Line

_ARGUMENTS = re.compile(r"(\w+)\(([^()]*)$")
_NARROW = 30  # columns that a line has at least, however deep it stands
_WORD = re.compile(r"[%^@\w$.:/#'-]*$")


def coloured(lines: Iterable[Line]) -> str:
    """`lines` wrapped to the width of the terminal, with the branches and remarks dim (unless `NO_COLOR`)."""
    import io

    from rich.console import Console
    from rich.text import Text

    console = Console()
    out = io.StringIO()
    width = console.width
    target = Console(file=out, force_terminal=True, width=width, no_color=console.no_color, highlight=False)
    for line in lines:
        room = max(_NARROW, width - len(line.branches))
        remark = f"  [{line.remark}]" if line.remark else ""
        parts = wrap(line.text + remark, room, break_long_words=False, break_on_hyphens=False) or [""]
        following = line.branches.replace("├─ ", "│  ").replace("└─ ", "   ")
        length = len(line.text)
        for i, part in enumerate(parts):
            shown = Text()
            shown.append(line.branches if i == 0 else following, style="dim")
            shown.append(part[: max(0, length)], style="" if line.branches else "bold")
            shown.append(part[max(0, length) :], style="cyan")
            length -= len(part) + 1
            target.print(shown, soft_wrap=True)
    return out.getvalue()


def completer(stage: Stage) -> Completer:
    """Completes relations, with their columns beside them, and the names of the module."""
    from prompt_toolkit.completion import Completer, Completion

    relations = stage.program.relations
    names = sorted(set(stage.entities.names()))

    of_type = {
        "Value": _among(names, stage.facts.values),
        "Block": _among(names, stage.facts.blocks),
        "Operation": _among(names, stage.facts.operations),
        "Function": list(stage.facts.functions),
    }

    def fits(text: str) -> Sequence[str]:
        """The names that fit the column at the end of `text`, or all."""
        open_ = _ARGUMENTS.search(text)
        relation = relations.get(open_[1]) if open_ is not None else None
        if open_ is None or relation is None:
            return names
        column = open_[2].count(",")
        type_ = relation.columns[column].type if column < len(relation.columns) else ""
        return of_type.get(type_, names)

    class Words(Completer):
        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
            match = _WORD.search(document.text_before_cursor)
            word = match[0] if match is not None else ""
            if word[:1].isalpha() or not word:
                for name, relation in relations.items():
                    if name.startswith(word):
                        columns = ", ".join(column.name for column in relation.columns)
                        yield Completion(f"{name}(", -len(word), display_meta=f"({columns})")
            fitting = fits(document.text_before_cursor)
            if word or fitting is not names:
                for name in fitting:
                    if name.startswith(word):
                        yield Completion(name, -len(word))

    return Words()


def _among(names: Iterable[str], entities: Iterable[str]) -> list[str]:
    """Those of `names` that one of `entities` is asked for by, with its function or without."""
    every = {form for name in entities for form in (name, name.rpartition("/")[2])}
    return [name for name in names if name in every]


def prompt(stage: Stage) -> Iterator[str]:
    """What the user enters, until end of file, `quit` or `exit`: with history and completion."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.history import FileHistory, History, InMemoryHistory

    history: History
    try:
        file = _history_file()
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a"):
            pass
        history = FileHistory(str(file))
    except OSError:
        history = InMemoryHistory()
    session: PromptSession[str] = PromptSession(
        "dealog> ", history=history, completer=completer(stage), complete_while_typing=False
    )
    while True:
        try:
            text = session.prompt()
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
        if text.strip() in ("quit", "exit"):
            return
        yield text


def _history_file() -> Path:
    import platformdirs

    return Path(platformdirs.user_state_dir("dealog", appauthor=False)) / "queries"
