"""Random programs: every tuple has a verified proof of the smallest height, every other tuple a why-not."""

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from dealog.engine import loads
from dealog.explain import proof
from dealog.explain.absence import Inquirer, Question
from dealog.explain.proof import GroundAtom, Prover

from . import answers
from .brute_force import DOMAIN, heights
from .relations import database

ROWS = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=6)
LAYERS = ("p", "q", "r")
VARIABLES = ("x", "y", "z")


@st.composite
def rules(draw, layer: int) -> str:
    """A rule for the relation number `layer`: positive atoms of it and below, the rest of what is below."""
    head, below = LAYERS[layer], ["e", "f", *LAYERS[:layer]]
    argument = st.sampled_from([*VARIABLES, *VARIABLES, "_", "0", "1", "x"])
    atoms = draw(st.lists(st.tuples(st.sampled_from([*below, head]), argument, argument), min_size=1, max_size=3))
    bound = [v for v in VARIABLES if any(v in atom[1:] for atom in atoms)]
    body = [f"{name}({a}, {b})" for name, a, b in atoms]
    known = [*bound, "1"]
    value = st.sampled_from(known)
    for kind in draw(st.lists(st.sampled_from(["not", "differs", "less"]), max_size=2)):
        a, b = draw(value), draw(value)
        if kind == "not":
            body.append(f"!{draw(st.sampled_from(below))}({a}, {draw(st.sampled_from([b, '_']))})")
        elif kind == "differs":
            body.append(f"{a} != {b}")
        else:
            body.append(f"{a} < {b}")
    results = [draw(value), draw(value)]
    if bound and draw(st.integers(0, 3)) == 0:
        body.append(f"n = count : {{ {draw(st.sampled_from(below))}({bound[0]}, _) }}, n < 5")
        results[1] = "n"
    if bound and draw(st.integers(0, 3)) == 0:
        body.append(f"{bound[0]} < 4")
        results[0] = f"{bound[0]} + 1"
    return f"{head}({results[0]}, {results[1]}) :- {', '.join(body)}."


@st.composite
def programs(draw) -> str:
    lines = [f".decl {name}(a: number, b: number)" for name in ("e", "f", *LAYERS)]
    lines += [f"{name}({a}, {b})." for name in ("e", "f") for a, b in sorted(draw(ROWS))]
    for layer in range(len(LAYERS)):
        lines += draw(st.lists(rules(layer), min_size=1, max_size=3))
    return "\n".join(lines)


@settings(max_examples=60, deadline=None)
@given(programs())
def test_every_tuple_has_a_smallest_proof_and_every_other_a_reason(text):
    program = loads(text)
    relations = database(program, {})
    rows = {name: set(relations.tuples(name)) for name in program.relations}
    stated: dict = {}
    for fact in program.facts:
        stated.setdefault(fact.relation, set()).add(fact.values)
    smallest = heights(program, rows, stated)
    assert set(smallest) == {(name, row) for name, found in rows.items() for row in found}
    prover = Prover(program, relations)
    inquirer = Inquirer(program, relations, prover)
    for name in program.relations:
        for row in product(DOMAIN, repeat=2):
            if row in rows[name]:
                found = prover.prove(GroundAtom(name, row))
                assert list(proof.faults(found, program, relations)) == []
                assert {tuple(fact): height for fact, height in found.heights.items()} == {
                    tuple(fact): smallest[fact] for fact in found.steps
                }
            else:
                answer = inquirer.ask(Question(name, row), 2)
                assert list(answers.faults(answer, program, relations)) == []
                assert len(answer.failures) == len(prover.clauses[name])


@settings(max_examples=25, deadline=None)
@given(programs())
def test_alternatives_are_proofs_that_do_not_rest_on_their_goal(text):
    program = loads(text)
    relations = database(program, {})
    prover = Prover(program, relations)
    for name in LAYERS:
        for row in relations.tuples(name):
            goal = GroundAtom(name, row)
            found = prover.proofs(goal)
            assert found[0].height == prover.prove(goal).height
            assert [p.height for p in found] == sorted(p.height for p in found)
            for each in found:
                assert list(proof.faults(each, program, relations)) == []
                assert all(goal not in d.needed for d in each.steps.values() if d is not None)
