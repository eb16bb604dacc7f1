"""Proofs as data and as pictures: JSON, Graphviz's language, and SVG, which needs no Graphviz (see `layered`)."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from dealog.engine import Program
from dealog.explain.layered import Arrow, Box, svg
from dealog.explain.proof import Absent, Aggregated, Compared, GroundAtom, Proof, walk
from dealog.explain.words import Words, where

_WRAP = 38
_WIDTH = 270


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
            step["premises"] = [_premise(p) for p in derivation.premises]
        steps.append(step)
    goal = {"relation": proof.goal.relation, "values": list(proof.goal.values)}
    return {"goal": goal, "height": proof.height, "steps": steps}


def _premise(premise: object) -> dict[str, Any]:
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


def as_svg(proof: Proof, program: Program, words: Words) -> str:
    """A proof as a picture: the goal on top, an edge from each fact down to what it rests on."""
    drawn = nodes(proof, program, words)
    boxes = []
    for i, node in enumerate(drawn):
        lines = [(line, "") for line in _lines(node)] + [(line, "source") for line in wrap(node.source, _WRAP)[:2]]
        boxes.append(Box(lines, "goal" if i == 0 else "given" if node.given else "", _WIDTH))
    arrows = [Arrow(i, needed) for i, node in enumerate(drawn) for needed in dict.fromkeys(node.needs)]
    return svg(drawn[0].text, boxes, arrows)
