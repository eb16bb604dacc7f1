"""Relations as text, JSON and Markdown: the list of all, and everything about one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from dealog.rulebook.catalog import KINDS, Catalog, Entry, by_file, file_name, place

if TYPE_CHECKING:
    from dealog.engine import Fact, Rule

WIDTH = 100
_FACTS = 8  # of what is stated, so much is shown as text


def as_list(catalog: Catalog, entries: Iterable[Entry], width: int = WIDTH) -> str:
    """`entries` by file: signature, kind, and what a tuple means."""
    out: list[str] = []
    for path, declared in by_file(entries).items():
        out += ["", *wrap(f"{file_name(path)}: {catalog.heading(path)}".rstrip(": "), width), ""]
        for entry in declared:
            out.append(f"  {entry.relation.signature}  [{_kind(entry)}]")
            out += wrap(entry.sentence, width, initial_indent="      ", subsequent_indent="      ")
    return "\n".join(out[1:]) + "\n"


def _kind(entry: Entry) -> str:
    if entry.kind == "output":
        return f"output of {', '.join(entry.output_of)}"
    return f"{entry.kind}, own" if entry.relation.is_own else entry.kind


def as_markdown(catalog: Catalog, entries: Iterable[Entry]) -> str:
    """`entries` as a reference: a section for each file, a table of its relations."""
    out: list[str] = []
    for path, declared in by_file(entries).items():
        out += ["", f"## {file_name(path)}", "", catalog.heading(path), "", "| relation | | what a tuple means |"]
        out.append("|---|---|---|")
        out += [f"| `{e.relation.signature}` | {_kind(e)} | {_cell(e.sentence)} |" for e in declared]
    return "\n".join(out[1:]) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def summary(entry: Entry) -> dict[str, Any]:
    """A relation in the list, for JSON."""
    relation = entry.relation
    return {
        "name": relation.name,
        "columns": [{"name": c.name, "type": c.type, "base": c.base} for c in relation.columns],
        "says": entry.sentence,
        "file": entry.file,
        "line": relation.position.line,
        "kind": entry.kind,
        "own": relation.is_own,
        "output_of": list(entry.output_of),
        "takes_part_in": list(entry.takes_part),
    }


def everything(entry: Entry, strata: int) -> dict[str, Any]:
    """All about one relation, for JSON."""
    return summary(entry) | {
        "stratum": entry.stratum,
        "strata": strata,
        "recursive_with": list(entry.circle),
        "reads": list(entry.reads),
        "used_by": list(entry.used_by),
        "rules": [
            {"file": file_name(r.position.file), "line": r.position.line, "text": r.position.text, "comment": r.doc}
            for r in entry.rules
        ],
        "facts": [
            {"file": file_name(f.position.file), "line": f.position.line, "values": list(f.values), "comment": f.doc}
            for f in entry.facts
        ],
    }


def as_page(entry: Entry, strata: int, width: int = WIDTH) -> str:
    """All about one relation."""
    relation = entry.relation
    out = [relation.signature, *wrap(entry.sentence, width, initial_indent="    ", subsequent_indent="    "), ""]
    rows = [("declared", place(relation.position)), ("kind", KINDS[entry.kind])]
    if relation.is_own:
        rows.append(("own", "only this file may use it; another may declare one of the same name"))
    rows += [(annotation.name, annotation.text) for annotation in relation.annotations]
    passes = [f"{name} (output)" if name in entry.output_of else name for name in entry.takes_part]
    rows.append(("passes", ", ".join(passes) or "none: it is there to be asked for"))
    recursion = "not recursive"
    if entry.circle:
        others = [name for name in entry.circle if name != entry.name]
        recursion = f"recursive, together with {', '.join(others)}" if others else "recursive"
    rows.append(("stratum", f"{entry.stratum + 1} of {strata}, {recursion}"))
    if entry.reads:
        rows.append(("reads", ", ".join(entry.reads)))
    rows.append(("used by", ", ".join(entry.used_by) or "no other relation"))
    for label, text in rows:
        out += wrap(
            text, width, initial_indent=f"{label:<10}", subsequent_indent=" " * 10, break_on_hyphens=False,
        )  # fmt: skip
    for rule in entry.rules:
        out += ["", *_rule(rule)]
    if entry.facts:
        out += ["", *_facts(entry.facts, width)]
    return "\n".join(out) + "\n"


def _rule(rule: Rule) -> Iterable[str]:
    yield f"{place(rule.position)}:"
    for line in (*(f"// {text}" for text in rule.doc.splitlines()), *rule.position.text.splitlines()):
        yield f"    {line}"


def _facts(facts: Sequence[Fact], width: int) -> Iterable[str]:
    if len(facts) <= _FACTS:
        for fact in facts:
            yield f"{place(fact.position)}:"
            yield f"    {fact.position.text}"
        return
    files = Counter(file_name(fact.position.file) for fact in facts)
    counted = ", ".join(f"{count} in {name}" for name, count in files.items())
    yield from wrap(f"{len(facts)} facts: {counted}; --format json has them all.", width, break_on_hyphens=False)
    shown = " ".join(fact.position.text for fact in facts[:_FACTS])
    yield from wrap(f"{shown} …", width, initial_indent="    ", subsequent_indent="    ")
