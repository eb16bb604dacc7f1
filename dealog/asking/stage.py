"""Modules with all that the rules say about them: as they were read, and as each pass sees them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from dealog.asking.reasons import Derivations, decisions_of, origin
from dealog.diagnostics import DealogError
from dealog.engine import Program, Relation, Tuple, Value, solve
from dealog.engine.compact import given
from dealog.engine.program import body_relations
from dealog.explain.absence import Inquirer
from dealog.explain.database import Database
from dealog.explain.proof import GroundAtom, Prover
from dealog.explain.query import Entities, Query
from dealog.explain.words import Places, Words
from dealog.extensions import NO_EXTENSIONS, Extensions
from dealog.frontend.facts import Facts, export_facts
from dealog.pipeline import Engine, Step, pass_runs
from dealog.placements import answer, questions

if TYPE_CHECKING:
    from dealog.frontend import Module
    from dealog.frontend.ir import Operation

INPUT = "input"
"""The name of the stage at which the module is as it was read, and all rules apply."""


_BESIDE = ("advice", "noted")
"""The outputs that only say something beside what is refused."""


def deciding(program: Program) -> list[Relation]:
    """The relations by which a pass decides: those that are marked as decisions, and its outputs."""
    names = [*decisions_of(program), *(relation.name for relation in program.outputs if relation.name not in _BESIDE)]
    return [program.relations[name] for name in dict.fromkeys(names)]


@dataclass
class Stage:
    """A module at some stage of a pipeline, and the relations of the rules that apply there.

    `name` is that of the pass that comes next, or `INPUT`; of a pass that runs several times, the second
    run is `name:2`. `idle` says that the pass has nothing to do, `decides` that `program` is its own, and no more.
    """

    name: str
    module: Module
    program: Program
    facts: Facts
    engine: Engine
    made: Mapping[Operation, str] = field(default_factory=dict)
    idle: bool = False
    decides: bool = False
    derived: dict[str, list[Tuple]] = field(default_factory=dict)

    @cached_property
    def deciding(self) -> list[Relation]:
        """The relations by which the pass decides."""
        return deciding(self.program)

    @cached_property
    def marks(self) -> Mapping[str, str]:
        """The relations that are marked as decisions, with the texts of the marks."""
        return decisions_of(self.program)

    def carries_out(self, relation: str) -> bool:
        """Whether `relation` only says how something else that the pass decides is carried out. A pass without marks
        decides by its edits."""
        return bool(self.marks) and relation not in self.marks and relation != "refused"

    @cached_property
    def refuses(self) -> bool:
        """Whether the pass refuses the module, so that nothing it decides is carried out."""
        if not self.decides or all(relation.name != "refused" for relation in self.program.outputs):
            return False
        known = self.derived if "refused" in self.derived else self.derive(["refused"])
        return bool(known["refused"])

    def require(self, relations: Collection[str]) -> None:
        """Compute `relations` and all that they are derived from, if that was not done yet."""
        needed = self.program.needed_for(relations)
        missing = [n for n in needed if self.program.rules_of[n] and n not in self.derived]
        if missing:
            self.derived |= self.derive(missing)
            self._forget()

    def ask(self, query: Query) -> None:
        """Compute what `query` asks of. A relation that is asked of entities alone is only computed for these, where
        nothing else needs it: `may_alias` of one buffer, say, rather than of all."""
        narrow = {name: patterns for name in query.relations if (patterns := self._narrowed(query, name))}
        below = {used for name in narrow for rule in self.program.rules_of[name] for used, _, _ in body_relations(rule)}
        self.require((query.relations - narrow.keys()) | below)
        database, prover = self.database, self.prover
        for name, patterns in narrow.items():
            stated = [fact.values for fact in self.program.facts if fact.relation == name]
            derived = (prover.evaluator.derivable(prover.clauses[name], pattern) for pattern in patterns)
            database.put(name, sorted({*stated, *chain.from_iterable(derived)}))

    def _narrowed(self, query: Query, name: str) -> list[tuple[Value | None, ...]]:
        """What `query` asks of the relation called `name`, where it can be computed for that alone; else nothing."""
        rules = self.program.rules_of[name]
        if not rules or name in self.derived:
            return []
        used = {relation for rule in rules for relation, _, _ in body_relations(rule)}
        if name in self.program.needed_for((query.relations - {name}) | used):
            return []
        patterns = query.patterns_of(name)
        entities = self.entities
        return patterns if all(any(entities.known(v) for v in pattern) for pattern in patterns) else []

    def decided(self) -> Mapping[str, list[Tuple]]:
        """The output relations of the program. Where nothing else was computed yet, nothing else is."""
        outputs = [relation.name for relation in self.program.outputs]
        if all(name in self.derived for name in outputs if self.program.rules_of[name]):
            return {name: list(self.database.tuples(name)) for name in outputs}
        return self.derive(outputs)

    def derive(self, relations: Iterable[str]) -> Mapping[str, list[Tuple]]:
        """What the rules derive of `relations`; nothing is kept."""
        engine = self.engine
        return solve(
            self.program, given(self.program, self.facts.relations), engine=engine.name, outputs=sorted(relations),
            compile=engine.compile, timeout=engine.timeout,
        )  # fmt: skip

    def _forget(self) -> None:
        for name in ("database", "prover", "inquirer"):
            self.__dict__.pop(name, None)

    @cached_property
    def database(self) -> Database:
        """The facts, what the program states, and all relations that were computed."""
        given: dict[str, list[Tuple]] = {n: list(t) for n, t in self.facts.relations.items() if t}
        for fact in self.program.facts:
            given.setdefault(fact.relation, []).append(fact.values)
        return Database({**given, **self.derived}, given)

    @cached_property
    def prover(self) -> Prover:
        """What finds proofs of what was derived."""
        return Prover(self.program, self.database)

    @cached_property
    def inquirer(self) -> Inquirer:
        """What finds why something was not derived."""
        return Inquirer(self.program, self.database, self.prover)

    @cached_property
    def places(self) -> Places:
        """Where in the source text the entities of the facts stand."""
        return Places(self.module, self.facts, self.made)

    @cached_property
    def words(self) -> Words:
        """What puts tuples into words."""
        return Words(self.program.relations, self.places)

    @cached_property
    def entities(self) -> Entities:
        """What finds the entities that users name."""
        return Entities(self.places)

    def fact(self, text: str) -> Query:
        """Read a fact, and compute what it asks of. Raises `DealogError` for one that does not fit."""
        from dealog.explain.query_reader import parse_fact  # late: not every question is a text

        query = parse_fact(text, self.program, self.entities)
        self.ask(query)
        return query

    def matching(self, query: Query) -> list[GroundAtom]:
        """The tuples that the fact `query` describes, sorted."""
        atom = query.atom
        return sorted(GroundAtom(atom.relation, row) for row in query.tuples(self.database))


def input_stage(
    module: Module, options: Mapping[str, str], engine: Engine, extensions: Extensions = NO_EXTENSIONS
) -> Stage:
    """`module` as it is, under all rules there are."""
    facts = export_facts(module, extensions.structure, options, details=True)
    return Stage(INPUT, module, extensions.everything(), facts, engine)


def stage_names(steps: Sequence[Step]) -> list[str]:
    """What the stages before each of `steps` are called."""
    names: list[str] = []
    for step in steps:
        runs = sum(name.partition(":")[0] == step.pass_.name for name in names)
        names.append(f"{step.pass_.name}:{runs + 1}" if runs else step.pass_.name)
    return names


def stages(
    module: Module, steps: Sequence[Step], engine: Engine, extensions: Extensions = NO_EXTENSIONS
) -> Iterator[Stage]:
    """`module` as each of `steps` sees it; asking for the next stage runs the step.

    Raises `DealogError` where a step refuses the module.
    """
    made: dict[Operation, str] = {}
    runs = pass_runs(module, steps, extensions, ask=True, locations=True)
    for name, one in zip(stage_names(steps), runs, strict=True):
        stage = Stage(name, module, one.program, one.facts, engine, dict(made), not one.has_work, decides=True)
        if asked := [] if stage.idle else questions(one.program):
            answer(stage.facts, stage.derive(asked))
        yield stage
        if stage.idle:
            continue
        one.carry_out(stage.decided())
        for op in module.walk():
            if op.offset < 0:
                made.setdefault(op, one.step.pass_.name)


def stage_called(
    name: str,
    module: Module,
    steps: Sequence[Step],
    engine: Engine,
    extensions: Extensions = NO_EXTENSIONS,
) -> Stage:
    """The stage called `name`, the passes before it having run."""
    for stage in stages(module, steps, engine, extensions):
        if stage.name == name:
            return stage
    raise DealogError(f"the pass '{name}' is not run")


# ------------------------------------------------------------------------------------------ decisions


def on_line(stage: Stage, line: int) -> set[str]:
    """The identifiers of what stands on `line`: operations, values, blocks, and blocks that end there."""
    start, end = stage.module.source.extent(line)
    found: set[str] = set()
    places, facts = stage.places, stage.facts
    here: set[Operation] = set()
    anchors = places.anchors()
    for name, op in facts.operations.items():
        first = anchors[op] if op in anchors else places.anchor(op)
        last = first if op.regions or op.end < 0 else op.end - 1
        if first < end and start <= last and (op.parent is not None or op.offset >= 0):
            here.add(op)
            found.add(name)
    for name, value in facts.values.items():
        if value.owner in here or start <= value.offset < end:
            found.add(name)
    for name, block in facts.blocks.items():
        ends = block.operations[-1] in here if block.operations else False
        if ends or (block.offset >= 0 and start <= block.offset < end):
            found.add(name)
    for name, op in facts.functions.items():
        if op in here:
            found.add(name)
    return found


def about_value(stage: Stage, identifiers: Collection[str]) -> set[str]:
    """`identifiers` of values, and those of the base buffers that passes extracted from them."""
    roots = {stage.facts.values[i] for i in identifiers if i in stage.facts.values}
    return {*identifiers, *(name for name, value in stage.facts.values.items() if origin(value) in roots)}


def undecided(stage: Stage, identifiers: Collection[str]) -> list[str]:
    """What the rules of `stage` say about those buffers among `identifiers` of which its pass decides nothing."""
    relations = ("answers_to", "undecided_because")
    if any(name not in stage.program.relations for name in relations):
        return []
    stage.require(relations)
    others, reasons = ([other for v, other in stage.database.tuples(r) if v in identifiers] for r in relations)
    names = " or of ".join(stage.words.value(other) for other in others)
    return [f"it may be another name of {names}: ask about that"] if others else [str(reason) for reason in reasons]


def decisions(
    stage: Stage, identifiers: Collection[str], *, values_only: bool = False, bookkeeping: bool = False
) -> list[GroundAtom]:
    """What the pass of `stage` decided about any of `identifiers`, in the order of its relations; with
    `bookkeeping`, how it carried that out instead.

    With `values_only`, they are values, and decisions count, too, that name none of them, but led to edits that do.
    """
    relations = [relation for relation in stage.deciding if stage.carries_out(relation.name) == bookkeeping]
    relations.sort(key=lambda relation: relation.name != "refused")  # where it holds, nothing else is carried out
    stage.require([relation.name for relation in (stage.deciding if values_only else relations)])
    behind = Derivations(stage).on_values(identifiers) if values_only and not bookkeeping else []
    found = []
    for relation in relations:
        rows = [row for row in stage.database.tuples(relation.name) if any(value in identifiers for value in row)]
        rows += [fact.values for fact in behind if fact.relation == relation.name]
        found += [GroundAtom(relation.name, row) for row in dict.fromkeys(rows)]
    return found
