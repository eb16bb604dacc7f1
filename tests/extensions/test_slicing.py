"""What of added files takes part in a program that is not made of all that they are written against."""

import pytest

from dealog import rules
from dealog.engine import Program, load, solve
from dealog.engine.extending import as_one_file, extended
from dealog.extensions import NO_EXTENSIONS, Extensions
from dealog.passes import INSIDE_PIPELINES, PASSES
from tests.support.nightly import one_in

FACTS = """
#ifndef FACTS
#define FACTS
.decl edge(a: symbol, b: symbol)
.input edge
#endif
"""
PATHS = """
#ifndef PATHS
#define PATHS
#include "facts.dl"
.type Colour <: symbol
.decl path(a: symbol, b: symbol)
path(x, y) :- edge(x, y).
path(x, z) :- path(x, y), edge(y, z).
.decl looping, knotted(a: symbol) looping(x) :- path(x, x). knotted(x) :- looping(x), edge(x, _).
#endif
"""
ENDS = """
#include "facts.dl"
.decl said(a: symbol)
said("ends").
.decl end(a: symbol)
end(x) :- edge(_, x), !edge(x, _).
.decl aside(a: symbol)
aside(x) :- edge(x, _).
.output end
"""
STARTS = """
#include "facts.dl"
#include "paths.dl"
.decl start(a: symbol)
start(x) :- edge(x, _), !edge(_, x).
"""
EDGES = {"edge": [("a", "b"), ("b", "b"), ("b", "c")]}


@pytest.fixture
def make(folder):
    """The programs that come of an added file: the one extended (to answer `wanted`), and the one it was."""
    for name, text in {"facts": FACTS, "paths": PATHS, "ends": ENDS, "starts": STARTS}.items():
        (folder / f"{name}.dl").write_text(text)

    def make(text: str, wanted: list[str] | None = None) -> tuple[Program, Program]:
        (folder / "added.dl").write_text(text)
        whole = load(["ends.dl", "starts.dl"], extra=["added.dl"])
        program = load("ends.dl")
        return extended(program, whole, wanted), program

    return make


def added(program: Program) -> list[str]:
    clauses = (*program.rules, *program.facts)
    return [f"{c.position.file}:{c.position.line}" for c in clauses if c.position.file != "ends.dl"]


def test_a_clause_that_matters_takes_part(make, engine):
    made, _ = make('end(x) :- edge(x, "c").\nend("z").')
    assert added(made) == ["added.dl:1", "added.dl:2"]
    assert solve(made, EDGES, engine=engine)["end"] == [("b",), ("c",), ("z",)]


def test_a_clause_that_does_not_matter_is_left_out(make):
    made, program = make('aside("q").\n.decl own(a: symbol)\nown(x) :- path(x, x).\nstart("s").\n')
    assert made is program


def test_a_relation_of_the_files_own_comes_along(make, engine):
    made, _ = make(".decl liked(a: symbol)\nliked(x) :- edge(x, x).\nliked(x) :- loved(x).\n"
                   ".decl loved(a: symbol)\nloved(\"l\").\nend(x) :- liked(x).\n.decl hated(a: symbol)\n")  # fmt: skip
    assert added(made) == ["added.dl:2", "added.dl:3", "added.dl:6", "added.dl:5"]
    assert set(made.relations) == {"edge", "said", "end", "aside", "liked", "loved"}
    assert solve(made, EDGES, engine=engine)["end"] == [("b",), ("c",), ("l",)]


def test_relations_that_the_program_does_not_have_come_with_their_clauses(make, engine):
    made, _ = make("end(x) :- knotted(x), !start(x).")
    assert set(added(made)) == {"paths.dl:7", "paths.dl:8", "paths.dl:9", "starts.dl:5", "added.dl:1"}
    assert [r.name for r in made.outputs] == ["end"]
    assert solve(made, EDGES, engine=engine)["end"] == [("b",), ("c",)]


def test_relations_that_the_program_has_keep_their_clauses(make, folder, engine):
    """`said` is stated in another way in another file of the whole, which the program is not made of."""
    (folder / "starts.dl").write_text('.decl start(a: symbol)\nstart("s").\nsaid("starts") :- start(_).\n')
    made, _ = make("end(x) :- said(x), start(_).")
    assert added(made) == ["added.dl:1", "starts.dl:2"]
    assert solve(made, EDGES, engine=engine)["end"] == [("c",), ("ends",)]


def test_what_is_wanted_can_be_more(make, engine):
    made, _ = make('aside("q").\n.decl own(a: symbol)\nown(x) :- path(x, x).\n', wanted=["aside", "own"])
    assert solve(made, EDGES, engine=engine, outputs=["aside", "own"])["own"] == [("b",)]
    assert solve(made, EDGES, engine=engine, outputs=["aside"])["aside"] == [("a",), ("b",), ("q",)]


def test_outputs_and_types_of_added_files(make, engine):
    made, _ = make('.type Shade <: Colour\n.decl hue(s: Shade)\n.output hue\nhue("red").\nend(x) :- hue(x).\n')
    assert [r.name for r in made.outputs] == ["end"]
    assert made.relations["hue"].columns[0].type == "Shade"
    assert solve(made, EDGES, engine=engine)["end"] == [("c",), ("red",)]


def test_a_rule_with_several_heads(make, engine):
    made, _ = make(".decl own(a: symbol)\nend(x), start(x), own(x) :- edge(x, x).\n")
    assert solve(made, EDGES, engine=engine)["end"] == [("b",), ("c",)]
    assert solve(made, EDGES, engine=engine, outputs=["start"])["start"] == [("a",), ("b",)]


def test_places_are_those_of_the_files(make, engine):
    made, _ = make("\n\n  end(x) :- edge(x, y),\n      1 = 1 / (2 - 2), path(x, y).")
    from dealog.diagnostics import DealogError

    with pytest.raises(DealogError) as caught:
        solve(made, EDGES, engine=engine)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.source is not None and diagnostic.source.name == "added.dl"
    assert diagnostic.position is not None and diagnostic.position[0] in (3, 4)


def test_a_program_as_one_file(make, folder, engine):
    made, _ = make("end(x) :- knotted(x), !start(x). // no more")
    (folder / "one.dl").write_text(as_one_file(made))
    assert solve(load("one.dl"), EDGES, engine=engine)["end"] == [("b",), ("c",)]


# ------------------------------------------------------------------------------------- Dealog's own programs

PROGRAMS = sorted({p.program for p in (*PASSES.values(), *INSIDE_PIPELINES)})


def extensions(folder, text: str) -> Extensions:
    (folder / "own.dl").write_text(text)
    return Extensions((folder / "own.dl",))


@pytest.mark.parametrize("name", PROGRAMS)
def test_without_extensions_the_programs_are_what_they_are(name):
    made, program = NO_EXTENSIONS.program(name), load(rules.program(name))
    assert (made.rules, made.facts, made.relations) == (program.rules, program.facts, program.relations)


def test_every_pass_gets_what_matters_to_it(folder):
    own = extensions(
        folder,
        'known_effects("mydb.open").\nallocates("mydb.open", 0).\n.decl own_apart(v: Value, w: Value)\n'
        'own_apart(V, W) :- allocation(V, _), loaded_buffer(W).\ndistinct(V, W) :- own_apart(V, W).\n'
        ".decl own_kept(v: Value)\nown_kept(V) :- retained(_, _, V).\n",
    )
    lines = {
        name: [c.position.line for c in (*p.rules, *p.facts) if c.position.file.endswith("own.dl")]
        for name in PROGRAMS
        for p in [own.program(name)]
    }
    assert lines == {
        "buffer_deallocation": [1, 2],
        "buffer_deallocation_simplification": [4, 5, 2],
        "buffer_hoisting": [1, 2],
        "buffer_loop_hoisting": [1, 2],
        "buffer_results_to_out_params": [1, 2],
        "bufferization_lower_deallocations": [],
        "clone_removal": [4, 5, 1, 2],
        "convert_bufferization_to_memref": [],
        "convert_signatures": [],
        "copy_removal": [4, 5, 1, 2],
        "drop_equivalent_buffer_results": [],
        "expand_realloc": [],
        "fold_inserted_code": [],
        "optimize_allocation_liveness": [1, 2],
        "ownership_based_buffer_deallocation": [1, 2],
        "plan_memory": [1, 2],
        "promote_buffers_to_stack": [1, 2],
        "sink_allocations": [],
        "static_buffer_deallocation": [1, 2],
    }


@pytest.mark.parametrize("name", one_in(8, list(PROGRAMS)))
def test_any_relation_can_be_asked_for_in_any_pass(folder, name, engine):
    own = extensions(folder, "".join(
        f".decl q{i}()\nq{i}() :- {relation.name}({', '.join('_' * relation.arity)}).\n"
        for i, relation in enumerate(NO_EXTENSIONS.everything().relations.values())
        if not relation.is_own
    ))  # fmt: skip
    program = own.program(name, ask=True)
    assert set(own.own_relations()) <= set(program.relations)
    assert not set(own.own_relations()) & set(own.program(name).relations)
    outputs = own.own_relations()
    assert set(solve(program, {}, engine=engine, outputs=outputs)) == set(outputs)


def test_dialects_that_rules_describe(folder):
    own = extensions(
        folder,
        'known_effects("one.open").\nexit_operand(T, 0, 0) :- operation(T, "two.yield", _, _), branch("three.x").\n'
        'terminator("four.stop") :- buffer(_).\n.decl seen(name: symbol)\nseen("five.x").\ndialect("six").\n',
    )
    assert own.dialect_names() == {"one", "four", "six"}
