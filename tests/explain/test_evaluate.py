"""The evaluator agrees with the engines: over complete relations, the rules derive just these relations."""

from collections.abc import Mapping

import pytest

from dealog.engine import Atom, Program, Tuple, loads, solve
from dealog.explain.database import Database
from dealog.explain.evaluate import Clauses, Evaluator, unify
from tests.support.nightly import one_in

from .relations import ANALYSES, PROGRAMS, database, of_program, of_text

LOOP = """
func.func private @g(%x: memref<2xf32>) -> memref<2xf32> {
  return %x : memref<2xf32>
}
func.func @f(%n: index, %c: i1, %m: memref<2xf32>) -> memref<2xf32> {
  %z = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %r = scf.for %i = %z to %n step %n iter_args(%x = %m) -> (memref<2xf32>) {
    %y = memref.alloc() : memref<2xf32>
    memref.copy %x, %y : memref<2xf32> to memref<2xf32>
    scf.yield %y : memref<2xf32>
  }
  %s = arith.select %c, %a, %r : memref<2xf32>
  %v = memref.cast %b : memref<?xf32> to memref<4xf32>
  %k = call @g(%s) : (memref<2xf32>) -> memref<2xf32>
  cf.cond_br %c, ^bb1(%a : memref<2xf32>), ^bb2
^bb1(%p: memref<2xf32>):
  memref.copy %p, %k : memref<2xf32> to memref<2xf32>
  cf.br ^bb2
^bb2:
  return %s : memref<2xf32>
}
"""
DEALLOCATED = """
func.func @f(%a: memref<2xf32>, %c: i1, %n: index) {
  %true = arith.constant true
  %x = memref.alloc() : memref<2xf32>
  %y = memref.alloc(%n) : memref<?xf32>
  %z = memref.realloc %y : memref<?xf32> to memref<4xf32>
  %w = bufferization.clone %x : memref<2xf32> to memref<2xf32>
  %0:2 = bufferization.dealloc (%x, %w, %x : memref<2xf32>, memref<2xf32>, memref<2xf32>) if (%true, %c, %c)
    retain (%a, %w : memref<2xf32>, memref<2xf32>)
  bufferization.dealloc (%y : memref<?xf32>) if (%0#1)
  return
}
"""


def consequences(program: Program, database: Database) -> Mapping[str, set[Tuple]]:
    """What one application of all rules to the relations derives, with the program's own facts: just the
    relations themselves, where they are what the program derives."""
    evaluator = Evaluator(database)
    out: dict[str, set[Tuple]] = {name: set() for name in program.relations}
    for fact in program.facts:
        out[fact.relation].add(fact.values)
    for name, every in Clauses(program).items():
        for clause in every:
            for env in evaluator.matches(clause.body, {}):
                out[name].add(tuple([evaluator.value(t, env, clause.body) for t in clause.head.arguments]))
    return out


@pytest.mark.parametrize("text", [LOOP, DEALLOCATED], ids=["loop", "deallocated"])
@pytest.mark.parametrize("name", one_in(3, [*PROGRAMS, *ANALYSES]))
def test_the_rules_derive_just_what_the_engine_derived(name, text):
    program, relations = of_text(text, name, private_function_dynamic_ownership="true")
    found = consequences(program, relations)
    for relation in program.relations.values():
        if not relation.is_input:
            assert found[relation.name] == set(relations.tuples(relation.name)), relation.name
    assert sum(map(len, found.values())) > 0


ARITHMETIC = """
.decl n(x: number)
n(-7). n(-1). n(0). n(2). n(3). n(2147483647).
.decl word(s: symbol)
word("a"). word("b"). word("").
.decl pair(s: symbol, x: number)
pair(s, x) :- word(s), n(x), x < 3, s != "b".
.decl out(op: symbol, a: number, b: number, r: number)
out("+", a, b, a + b) :- n(a), n(b).
out("-", a, b, a - b) :- n(a), n(b).
out("*", a, b, a * b) :- n(a), n(b).
out("/", a, b, a / b) :- n(a), n(b), b > 0.
out("%", a, b, a % b) :- n(a), n(b), b > 0.
out("/", a, b, a / b) :- n(a), n(b), b < 0.
out("%", a, b, a % b) :- n(a), n(b), b < 0.
out("min", a, b, min(a, b)) :- n(a), n(b).
out("max", a, b, max(a, b)) :- n(a), n(b).
out("neg", a, 0, -a) :- n(a).
.decl text(s: symbol)
text(cat(s, "-", to_string(x))) :- pair(s, x).
.decl next(x: number)
next(y - 1) :- n(y).
next(5 - y) :- n(y).
.decl twice(x: number)
twice(x) :- n(x), n(x + x).
.decl same(x: number)
same(x) :- grid(x, x, _).
.decl grid(x: number, y: number, s: symbol)
grid(x, y, s) :- n(x), n(y), word(s), !n(y + 1).
.decl total(what: symbol, r: number)
total("count", c) :- c = count : { grid(_, _, _) }.
total("sum", c) :- c = sum x : { grid(x, _, "a") }.
total("least", c) :- c = min y : { grid(_, y, _), y > -5 }.
total("most", c) :- c = max x * 2 : { n(x), x < 100 }.
total("nothing", c) :- c = max x : { n(x), x > x }.
.decl per(x: number, c: number)
per(x, c) :- n(x), c = count : { grid(x, 0, s), word(s) }.
per(x, count : { pair(s, x) }) :- n(x), x != 0.
.decl either(x: number)
either(x) :- ( n(x), x > 1 ; pair("a", x), !same(x) ), true.
.decl two(x: number)
two(x), either(x) :- n(x), 3 <= x.
.decl nothing()
nothing() :- n(0), false.
.decl something()
something() :- n(_).
"""


def test_terms_aggregates_and_alternatives():
    program, relations = of_program(ARITHMETIC)
    found = consequences(program, relations)
    assert {n: sorted(found[n]) for n in program.relations} == {
        n: sorted(relations.tuples(n)) for n in program.relations
    }
    assert found["something"] == {()} and found["nothing"] == set()
    assert ("nothing", 0) not in found["total"] and len(found["total"]) == 4


def test_what_is_computed_in_a_head_is_undone():
    program, relations = of_program(ARITHMETIC)
    one, other = Clauses(program)["next"]
    evaluator = Evaluator(relations)
    for clause, value in ((one, {"y": 3}), (other, {"y": 3})):
        head = evaluator.value(clause.rule.heads[0].arguments[0], value, clause.body)
        bindings = unify(clause.head, (head,))
        assert [m["y"] for m in evaluator.matches(clause.body, bindings)] == [3]
        assert not isinstance(evaluator.plan(clause.body, bindings).literals[0], Atom)  # first the value
    assert list(evaluator.matches(one.body, unify(one.head, (7,)))) == []


def test_a_division_by_zero_has_no_value():
    text = ".decl n(x: number)\nn(0). n(2).\n.decl q(x: number)\nq(x) :- n(x), n(y), y != 0, 4 / y = x."
    program = loads(text)
    relations = database(program, {})
    assert consequences(program, relations)["q"] == {(2,)}
    assert list(solve(program, {}, engine="embedded", outputs=["q"])["q"]) == [(2,)]
