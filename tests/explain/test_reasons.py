"""Each operation that a pass made or changed holds the edits that did it, and each of these has a proof.

What a pass did is found by looking at the module before and after. To see that this can fail, each output relation of
each pass that is carried out by edits is hidden once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest

from dealog.engine import Tuple
from dealog.explain.database import Database
from dealog.explain.proof import GroundAtom, Proofs, faults
from dealog.extensions import NO_EXTENSIONS, Extensions
from dealog.frontend import parse
from dealog.passes import PASSES
from dealog.pipeline import make_steps
from tests.support.cases import corpus
from tests.support.decisions import Done, Passes
from tests.support.joined import join

from .relations import rules
from .test_every_decision import GIVES

STATIC, OWNERSHIP = "static-buffer-deallocation", "ownership-based-buffer-deallocation"
MADE_BY = {
    "operand added": {"operand_appended"},
    "operand dropped": {"operand_dropped", "block_inserted"},
    "operand replaced": {"operand_set", "value_replaced"},
    "result added": {"result_appended"},
    "result dropped": {"result_dropped"},
    "argument added": {"argument_appended"},
    "argument dropped": {"argument_dropped"},
    "type grown": {"function_result_appended", "argument_appended"},
    "moved": {"operation_moved"},
    "renamed": {"operation_renamed"},
    "removed": {"operation_erased"},
}
"""For each kind of change to what is there, the edits that do it; what is inserted may be so by any."""
COUNTED = ("operand added", "result added", "argument added")
ELSE = """\
func.func @f(%c: i1, %m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  scf.if %c {
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  }
  return
}
"""
TAKES = 'known_effects("db.give"). takes("db.give", 0).\n'


def files(*names: str) -> str:
    cases = [case for folder in ("", "static") for case in corpus(folder) if case.name.partition("-")[0] in names]
    assert cases
    return join(cases)


def refused() -> str:
    return join(corpus("refused"))


RUNS = {
    (STATIC, "graphs"): (lambda: files("cond_branches", "select"), "", ""),
    (STATIC, "lent on"): (lambda: files("lent_on"), "", ""),
    (STATIC, "returns"): (lambda: files("returns") + ELSE, "", ""),
    (STATIC, "loops"): (lambda: files("scf_while", "calls"), "", ""),
    (STATIC, "taken over"): (lambda: GIVES, "", TAKES),
    (STATIC, "refused"): (refused, "", ""),
    (OWNERSHIP, "graphs"): (lambda: files("cond_branches", "select"), "", ""),
    (OWNERSHIP, "loops"): (lambda: files("scf_for"), "", ""),
    (OWNERSHIP, "functions"): (lambda: files("calls", "returns"), "private-function-dynamic-ownership", ""),
    (OWNERSHIP, "by hand"): (lambda: files("manual_deallocation"), "", ""),
    (OWNERSHIP, "taken over"): (lambda: GIVES, "", TAKES),
    (OWNERSHIP, "refused"): (refused, "", ""),
}
"""By pass: a module, options, and rules."""


@dataclass(frozen=True)
class Ran:
    """A pass that has run, with the reasons that operations hold, proved."""

    done: Done
    proofs: Proofs

    def missing(self, hidden: str = "") -> Iterator[str]:
        """What is not explained, where the tuples of the relation `hidden` are not known."""
        done, stage = self.done, self.done.stage
        given: dict[str, list[Tuple]] = {name: list(rows) for name, rows in stage.facts.relations.items()}
        for fact in stage.program.facts:
            given.setdefault(fact.relation, []).append(fact.values)
        database = Database({n: rows for n, rows in {**given, **stage.derived}.items() if n != hidden}, given)
        if done.refused and not database.size("refused"):
            yield "refused"
        counted: Counter[tuple[str, object]] = Counter()
        for change in done.changes:
            reasons = [name for name, row in change.op.reasons if database.holds(name, row)]
            if change.kind != "inserted":
                reasons = [name for name in reasons if name in MADE_BY[change.kind]]
            counted[change.kind, change.op] += 1
            least = counted[change.kind, change.op] if change.kind in COUNTED else 1
            if len(reasons) < least:
                yield str(change)
        yield from faults(self.proofs, stage.program, database)


@cache
def ran(key: tuple[str, str], folder) -> Ran:
    text, options, added = RUNS[key]
    extensions = NO_EXTENSIONS
    if added:
        (folder / "added.dl").write_text(added)
        extensions = Extensions((folder / "added.dl",))
    run = Passes(parse(text(), "test.mlir"), make_steps(key[0], options), extensions)
    (done,) = run
    held = {GroundAtom(*reason): None for change in done.changes for reason in change.op.reasons}
    if done.refused:
        held = {GroundAtom("refused", row): None for row in done.stage.database.tuples("refused")}
    return Ran(done, done.stage.prover.prove_all(list(held)))


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("rules")


@pytest.mark.parametrize("key", RUNS, ids=" ".join)
def test_every_change_holds_the_edits_that_made_it(key, folder):
    run = ran(key, folder)
    assert list(run.missing()) == []
    assert run.done.changes or run.done.refused


NO_EDIT = {(OWNERSHIP, "moved")}
"""What is decided where nothing is done: an operation takes the buffer itself."""
OUTPUTS = [
    (name, relation.name)
    for name in (STATIC, OWNERSHIP)
    for relation in rules(PASSES[name].program).outputs
    if (name, relation.name) not in NO_EDIT
]


@pytest.mark.parametrize(("name", "relation"), OUTPUTS)
def test_what_is_hidden_is_missed(name, relation, folder):
    missed = (missing for key in RUNS if key[0] == name for missing in ran(key, folder).missing(relation))
    assert next(missed, None) is not None
