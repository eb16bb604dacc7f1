"""Proofs as data and as pictures: JSON, Graphviz's language, and SVG.

The SVG is laid out here, so that it needs no Graphviz: facts in layers by their longest distance from the
goal, ordered within a layer by where their neighbours stand (the barycentre method of Sugiyama, Tagawa and
Toda).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape
from textwrap import wrap
from typing import Any

from dealog.engine import Program
from dealog.explain.proof import Absent, Aggregated, Compared, GroundAtom, Proof, walk
from dealog.explain.words import Words, where

_WRAP = 38
_WIDTH, _LINE, _PAD, _GAP_X, _GAP_Y = 270, 15, 8, 22, 46
_SWEEPS = 6


@dataclass(frozen=True)
class Node:
    """A fact of a proof as it is drawn."""

    fact: GroundAtom
    text: str
    conditions: tuple[str, ...]
    source: str  # the rule, or where a given fact comes from
    given: bool
    needs: tuple[int, ...]


def nodes(proof: Proof, program: Program, words: Words) -> list[Node]:
    """The facts of a proof, the goal first; `needs` are numbers of later nodes."""
    order = list(reversed(walk(proof)))  # by falling height, so the goal is first
    number = {fact: i for i, fact in enumerate(order)}
    stated = {(fact.relation, fact.values): fact.position for fact in program.facts}
    out = []
    for fact in order:
        derivation = proof.steps[fact]
        if derivation is None:
            place = words.place(fact.values)
            source = where(stated[fact]) if fact in stated else str(place) if place is not None else "given"
            out.append(Node(fact, words.fact(*fact), (), source, True, ()))
            continue
        conditions = tuple(words.premise(p) for p in derivation.premises if not isinstance(p, GroundAtom))
        needs = tuple(number[needed] for needed in derivation.needed)
        source = where(derivation.clause.rule.position)
        out.append(Node(fact, words.fact(*fact), conditions, source, False, needs))
    return out


# ----------------------------------------------------------------------------------------------- JSON


def as_data(proof: Proof, program: Program, words: Words) -> dict[str, Any]:
    """A proof for `json.dumps`: the goal, and each fact with its rule and what that rests on."""
    plain = Words(words.relations, words.places)
    steps = []
    for node in nodes(proof, program, words):
        fact = node.fact
        derivation = proof.steps[fact]
        step: dict[str, Any] = {
            "relation": fact.relation,
            "values": list(fact.values),
            "says": node.text,
            "height": proof.heights[fact],
        }
        if derivation is None:
            place = words.place(fact.values)
            if place is not None:
                step["line"] = place.line
                step["source"] = place.text
                if place.made_by is not None:
                    step["made_by"] = place.made_by
            else:
                step["given"] = node.source
        else:
            step["rule"] = node.source
            step["premises"] = [_premise(p, plain) for p in derivation.premises]
        steps.append(step)
    goal = {"relation": proof.goal.relation, "values": list(proof.goal.values)}
    return {"goal": goal, "height": proof.height, "steps": steps}


def _premise(premise: object, words: Words) -> dict[str, Any]:
    if isinstance(premise, GroundAtom):
        return {"fact": {"relation": premise.relation, "values": list(premise.values)}}
    if isinstance(premise, Absent):
        return {"absent": {"relation": premise.relation, "values": list(premise.pattern)}}
    if isinstance(premise, Compared):
        return {"compared": [premise.left, premise.op, premise.right]}
    assert isinstance(premise, Aggregated)
    facts = [{"relation": f.relation, "values": list(f.values)} for f in premise.facts]
    return {"aggregate": premise.text, "value": premise.value, "over": facts}


# ------------------------------------------------------------------------------------------- Graphviz


def as_dot(proof: Proof, program: Program, words: Words) -> str:
    """A proof in Graphviz's language: an arrow from each fact to what it rests on."""
    out = [
        "digraph proof {",
        '  node [shape=box, style="rounded,filled", fillcolor=white, fontname="sans-serif", fontsize=11];',
    ]
    for i, node in enumerate(nodes(proof, program, words)):
        lines = [*_lines(node), f"[{node.source}]"]
        label = "\\n".join(line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
        colour = ", fillcolor=lightgrey" if node.given else ""
        out.append(f'  n{i} [label="{label}"{colour}];')
        out += [f"  n{i} -> n{needed};" for needed in node.needs]
    return "\n".join([*out, "}", ""])


def _lines(node: Node) -> list[str]:
    lines = wrap(node.text, _WRAP)
    for condition in node.conditions:
        lines += wrap(f"· {condition}", _WRAP)
    return lines


# ------------------------------------------------------------------------------------------------ SVG

_STYLE = """
  .box { fill: #ffffff; stroke: #57606a; } .given { fill: #eaeef2; }
  .goal { stroke-width: 2.5; } .edge { fill: none; stroke: #8c959f; }
  text { font: 11px sans-serif; fill: #1f2328; } .source { fill: #57606a; font-style: italic; }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; } .box { fill: #161b22; stroke: #8b949e; } .given { fill: #21262d; }
    .edge { stroke: #6e7681; } text { fill: #e6edf3; } .source { fill: #8b949e; }
  }
"""


def as_svg(proof: Proof, program: Program, words: Words) -> str:
    """A proof as a picture: the goal on top, an edge from each fact down to what it rests on."""
    drawn = nodes(proof, program, words)
    texts = [[*_lines(node), *wrap(node.source, _WRAP)[:2]] for node in drawn]
    layers = _layers(drawn)
    rows = [max(len(texts[i]) for i in layer) * _LINE + 2 * _PAD for layer in layers]
    width = max(len(layer) for layer in layers) * (_WIDTH + _GAP_X) + _GAP_X
    height = sum(rows) + _GAP_Y * (len(rows) + 1)
    at: dict[int, tuple[float, float, float]] = {}  # left, top, bottom
    top = float(_GAP_Y)
    for layer, row in zip(layers, rows, strict=True):
        left = (width - len(layer) * (_WIDTH + _GAP_X) + _GAP_X) / 2
        for i in layer:
            at[i] = (left, top, top + len(texts[i]) * _LINE + 2 * _PAD)
            left += _WIDTH + _GAP_X
        top += row + _GAP_Y
    edges, boxes = [], []
    for i, node in enumerate(drawn):
        x, y, bottom = at[i]
        for needed in node.needs:
            x2, y2, _ = at[needed]
            x1, x2 = x + _WIDTH / 2, x2 + _WIDTH / 2
            middle = (bottom + y2) / 2
            edges.append(
                f'<path class="edge" d="M{x1:.0f},{bottom:.0f} C{x1:.0f},{middle:.0f} {x2:.0f},{middle:.0f} '
                f'{x2:.0f},{y2:.0f}"/>'
            )
        kind = "box goal" if i == 0 else "box given" if node.given else "box"
        size = f'width="{_WIDTH}" height="{bottom - y:.0f}"'
        boxes.append(f'<rect class="{kind}" x="{x:.0f}" y="{y:.0f}" {size} rx="6"/>')
        sources = len(wrap(node.source, _WRAP)[:2])
        for k, line in enumerate(texts[i]):
            style = ' class="source"' if k >= len(texts[i]) - sources else ""
            base = y + _PAD + (k + 0.8) * _LINE
            boxes.append(f'<text{style} x="{x + _PAD:.0f}" y="{base:.0f}">{escape(line)}</text>')
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
    title = f"<title>{escape(drawn[0].text)}</title>"
    return "\n".join([head, title, f"<style>{_STYLE}</style>", *edges, *boxes, "</svg>", ""])


def _layers(drawn: list[Node]) -> list[list[int]]:
    depth = [0] * len(drawn)
    for i, node in enumerate(drawn):  # a node comes before all that it needs
        for needed in node.needs:
            depth[needed] = max(depth[needed], depth[i] + 1)
    layers: list[list[int]] = [[] for _ in range(max(depth) + 1)]
    for i, layer_number in enumerate(depth):
        layers[layer_number].append(i)
    parents: dict[int, list[int]] = {}
    for i, node in enumerate(drawn):
        for needed in node.needs:
            parents.setdefault(needed, []).append(i)
    for sweep in range(_SWEEPS):
        place = {i: k - len(layer) / 2 for layer in layers for k, i in enumerate(layer)}
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            beside = {i: (parents.get(i, []) if sweep % 2 == 0 else list(drawn[i].needs)) for i in layer}
            keys = {i: sum(place[j] for j in beside[i]) / len(beside[i]) if beside[i] else place[i] for i in layer}
            layer.sort(key=keys.__getitem__)
            place.update({i: k - len(layer) / 2 for k, i in enumerate(layer)})
    return layers


def as_json(data: object) -> str:
    """`data` as JSON text."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
