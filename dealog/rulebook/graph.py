"""The dependency graph of relations, with strata: as text, JSON, Graphviz's language, and SVG."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath
from textwrap import wrap
from typing import TYPE_CHECKING, Literal

from dealog.data import json_text
from dealog.rulebook.catalog import file_name

if TYPE_CHECKING:
    import networkx  # type: ignore[import-untyped]

    from dealog.engine import Program

By = Literal["relation", "file"]
LARGEST_PICTURE = 60
"""Pictures of more relations than this show files."""

_WRAP = 34


@dataclass(frozen=True)
class Graph:
    """The relations `names` of `program`, and how they rest on each other.

    An edge leads from a relation to one that it is derived from; it is negative where that goes through a negation
    or an aggregate. A stratum is a set of relations that are recursive with each other.
    """

    program: Program
    names: Collection[str]
    goals: Collection[str] = ()  # what was asked for

    @cached_property
    def edges(self) -> networkx.DiGraph[str]:
        """The relations of the graph, each with an edge to what its rules read."""
        return self.program.dependencies.subgraph(self.names)

    @cached_property
    def strata(self) -> list[list[str]]:
        """The strata in the order of evaluation; of each, the relations in the order of the files."""
        order = {name: i for i, name in enumerate(self.program.relations)}
        return [
            sorted(members, key=order.__getitem__)
            for stratum in self.program.strata
            if (members := [name for name in stratum if name in self.names])
        ]

    def is_given(self, name: str) -> bool:
        """Whether nothing derives the relation `name`: it is read in, or stated."""
        return not self.program.rules_of[name]

    def is_recursive(self, stratum: Sequence[str]) -> bool:
        """Whether the relations of `stratum` rest on themselves."""
        return len(stratum) > 1 or self.edges.has_edge(stratum[0], stratum[0])

    def needs(self, name: str) -> Iterator[tuple[str, bool]]:
        """What `name` is derived from, and whether negatively."""
        for used, data in self.edges[name].items():
            yield used, data["negative"]


def whole(program: Program) -> Graph:
    """All relations of `program`."""
    return Graph(program, tuple(program.relations))


def below(program: Program, goals: Sequence[str], depth: int | None = None) -> Graph:
    """`goals` and what they are derived from, in at most `depth` steps."""
    import networkx

    found: set[str] = set()
    for goal in goals:
        found |= set(networkx.ego_graph(program.dependencies, goal, radius=_all(program) if depth is None else depth))
    return Graph(program, tuple(name for name in program.relations if name in found), goals)


def _all(program: Program) -> int:
    return len(program.relations)


# -------------------------------------------------------------------------------------------- text


def as_text(graph: Graph) -> str:
    """A line for each derived relation, strata in the order of evaluation: what it is derived from, `!` marking what
    is negated or counted."""
    lines: list[str] = []
    given = [name for name in graph.names if graph.is_given(name)]
    derived = [stratum for stratum in graph.strata if not graph.is_given(stratum[0])]
    if given:
        lines += wrap("given: " + ", ".join(given), 110, subsequent_indent="       ", break_on_hyphens=False)
    for number, stratum in enumerate(derived, 1):
        recursive = graph.is_recursive(stratum)
        mark = "recursive" if len(stratum) == 1 else f"{len(stratum)} relations, recursive together"
        lines.append(f"{number}. {mark}:" if recursive and len(stratum) > 1 else f"{number}.")
        for name in stratum:
            used = ", ".join(f"!{needed}" if negative else needed for needed, negative in graph.needs(name))
            own = " (recursive)" if recursive and len(stratum) == 1 else ""
            text = f"{name}{own} <- {used}" if used else name
            first = f"{lines.pop()} " if len(stratum) == 1 else "   "
            lines += wrap(
                text, 110, initial_indent=first, subsequent_indent=" " * (len(first) + 4), break_on_hyphens=False,
                break_long_words=False,
            )  # fmt: skip
    return "\n".join(lines) + "\n"


def as_json(graph: Graph) -> str:
    """The strata, and the edges."""
    relations = graph.program.relations
    data = {
        "strata": graph.strata,
        "relations": {
            name: {
                "file": file_name(relations[name].position.file),
                "given": graph.is_given(name),
                "reads": [{"relation": used, "negative": negative} for used, negative in graph.needs(name)],
            }
            for name in graph.names
        },
    }
    return json_text(data)


# ------------------------------------------------------------------------------------------ pictures


@dataclass(frozen=True)
class _Node:
    """What becomes one box: a stratum with the given relations that it reads, or a file with its relations."""

    title: tuple[str, ...]
    text: str
    kind: str


def _nodes(graph: Graph, by: By) -> tuple[list[_Node], Mapping[tuple[int, int], bool]]:
    """The boxes of a picture, and the arrows between them: whether each is negative (between files, none is).

    Relations that are given are not boxes, unless they were asked for: they are listed in the boxes of those that read
    them, as nearly every relation reads some. Nor are files in which nothing is derived.
    """
    number: dict[str, int] = {}
    found: list[_Node] = []
    if by == "relation":
        for stratum in graph.strata:
            if graph.is_given(stratum[0]) and stratum[0] not in graph.goals:
                continue
            given = sorted({used for name in stratum for used, _ in graph.needs(name) if graph.is_given(used)})
            number.update(dict.fromkeys(stratum, len(found)))
            sign = " ↻" if graph.is_recursive(stratum) else ""
            goal = "goal" if set(stratum) & set(graph.goals) else "given" if graph.is_given(stratum[0]) else ""
            found.append(_Node(tuple(f"{name}{sign}" for name in stratum), ", ".join(given), goal))
    else:
        for file, names in _files(graph).items():
            if not all(graph.is_given(name) for name in names):
                number.update(dict.fromkeys(names, len(found)))
                kind = "goal" if set(names) & set(graph.goals) else ""
                found.append(_Node((file,), ", ".join(names), kind))
    arrows: dict[tuple[int, int], bool] = {}
    for name in graph.names:
        for used, negative in graph.needs(name):
            if name in number and used in number and number[name] != number[used]:
                edge = (number[name], number[used])
                arrows[edge] = arrows.get(edge, False) or (negative and by == "relation")
    return found, arrows


def _files(graph: Graph) -> dict[str, list[str]]:
    """The relations by file; files that rest on each other are one."""
    import networkx

    relations = graph.program.relations
    home = {name: PurePath(relations[name].position.file).name for name in graph.names}
    files: networkx.DiGraph[str] = networkx.DiGraph()
    files.add_nodes_from(home.values())
    files.add_edges_from((home[name], home[used]) for name in graph.names for used, _ in graph.needs(name))
    together = {
        file: ", ".join(sorted(part)) for part in networkx.strongly_connected_components(files) for file in part
    }
    found: dict[str, list[str]] = {}
    for name in graph.names:
        found.setdefault(together[home[name]], []).append(name)
    return found


def by_default(graph: Graph) -> By:
    """What a picture of `graph` shows unless something else is asked for."""
    derived = sum(not graph.is_given(name) for name in graph.names)
    return "relation" if derived <= LARGEST_PICTURE else "file"


def as_dot(graph: Graph, by: By) -> str:
    """The picture in Graphviz's language."""
    found, arrows = _nodes(graph, by)
    out = [
        "digraph relations {",
        '  node [shape=box, style="rounded,filled", fillcolor=white, fontname="sans-serif", fontsize=11];',
    ]
    for i, node in enumerate(found):
        lines = [*node.title, *wrap(node.text, _WRAP)]
        label = "\\n".join(line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
        colour = ", fillcolor=lightgrey" if node.kind == "given" else ""
        bold = ", penwidth=2.5" if node.kind == "goal" else ""
        out.append(f'  n{i} [label="{label}"{colour}{bold}];')
    for (start, end), negative in arrows.items():
        out.append(f"  n{start} -> n{end}{' [style=dashed, color=red]' if negative else ''};")
    return "\n".join([*out, "}", ""])


def as_svg(graph: Graph, by: By) -> str:
    """The picture: each box above all that it is derived from. Arrows that lead where others lead, too, by way of a
    third box, are left out unless they are negative."""
    import networkx

    from dealog.explain.layered import Arrow, Box, svg

    found, arrows = _nodes(graph, by)
    boxes = [
        Box(
            [*((line, "name") for line in node.title), *((line, "source") for line in wrap(node.text, _WRAP))],
            node.kind,
        )
        for node in found
    ]
    direct: networkx.DiGraph[int] = networkx.DiGraph()
    direct.add_nodes_from(range(len(found)))
    direct.add_edges_from(arrows)
    direct = networkx.transitive_reduction(direct)
    kept = [
        Arrow(start, end, "negative" if negative else "")
        for (start, end), negative in arrows.items()
        if negative or direct.has_edge(start, end)
    ]
    title = ", ".join(graph.goals) or "the relations of Dealog's rules"
    if by == "relation":
        says = (
            "A line leads down to what is needed; dashed: through a negation or an aggregate. ↻ is recursive.\n"
            "In italics are the given relations that the rules read: facts about the module, and what is stated.\n"
            "Lines that are not dashed and follow from others are left out."
        )
    else:
        says = (
            "Each box is a file with its relations. A line leads down to what is needed.\n"
            "Files in which nothing is derived are left out, and lines that follow from others."
        )
    return svg(title, boxes, kept, says)
