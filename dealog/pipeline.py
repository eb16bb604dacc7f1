"""Pipelines: passes with their options, in order; read from mlir-opt's notation, and run on a module."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal, Protocol

from dealog.diagnostics import DealogError, Diagnostic, did_you_mean
from dealog.extensions import NO_EXTENSIONS, Extensions, carried_out
from dealog.passes import INSIDE_PIPELINES, NO_PASSES, PASSES, PIPELINES, Pass, PassOption, Pipeline

if TYPE_CHECKING:
    from dealog.engine import Position, Program, Tuple, Value
    from dealog.engine.compact import Stated
    from dealog.frontend import Module
    from dealog.frontend.facts import Facts
    from dealog.frontend.ir import Operation
    from dealog.rewriter.materialiser import Relations
    from dealog.stopwatch import Stopwatch

EngineName = Literal["auto", "souffle", "embedded"]
_ADD_RULES = "a file with such rules can be added by --rules or --dialect"
_NO_DEFAULTS: Mapping[str, str] = {}
ANY = "any"
MODULE = "builtin.module"
_ON_CALL = PassOption("on-call", "Only run where the rules of the pass right before it call for this one")


@dataclass(frozen=True)
class Engine:
    """How rules are to be evaluated; see `dealog.engine.solve`."""

    name: EngineName = "auto"
    compile: bool = False
    timeout: float | None = None

    @property
    def begins_embedded(self) -> bool:
        """Whether it is the embedded engine that evaluates them, at least to begin with."""
        return self.name == "embedded" or (self.name == "auto" and not self.compile)


@dataclass(frozen=True)
class Step:
    """One pass of a pipeline, with the value of each of its options.

    `nest` says what it runs on: `()` the module itself, `("func.func",)` each function right in the module,
    `("any",)` each operation there that is isolated from above, and so on inwards.
    """

    pass_: Pass
    options: Mapping[str, str]
    nest: tuple[str, ...] = ()


# ---- reading ----------------------------------------------------------------------------------------------


def make_steps(
    name: str, options: str = "", defaults: Mapping[str, str] = _NO_DEFAULTS, declared: Mapping[str, Pass] = NO_PASSES
) -> list[Step]:
    """The pass or the pipeline called `name` with `options` as mlir-opt takes them: `opt1=v1 opt2=v2`. Options
    that are not among them have the values in `defaults`, or else their own. `declared` are a user's passes.

    Raises `DealogError` for a pass, an option or a value that does not exist, with what may have been meant.
    """
    if name in PIPELINES:
        return expand(PIPELINES[name], options, defaults)
    pass_ = PASSES.get(name) or declared.get(name)
    if pass_ is None:
        from dealog.mlir_opt import no_such_pass

        raise DealogError(no_such_pass(name, declared))
    return [_make_step(pass_, options, defaults)]


def expand(pipeline: Pipeline, options: str = "", defaults: Mapping[str, str] = _NO_DEFAULTS) -> list[Step]:
    """The passes of `pipeline`; each of `options` goes to the passes that have it, and `defaults` to the rest.

    Raises `DealogError` for an option or a value that does not exist.
    """
    free = {
        option.name
        for pass_, fixed in pipeline.passes
        for option in pass_.options
        if option.name not in _keys(fixed)
    }
    for key in _keys(options):
        _check_known(f"the pass pipeline '{pipeline.name}'", key, free)
    steps = []
    for pass_, fixed in pipeline.passes:
        own = {option.name for option in pass_.options}
        given = [word for word in options.split() if word.partition("=")[0] in own]
        steps.append(_make_step(pass_, " ".join([fixed, *given]), defaults))
    return steps


def _make_step(pass_: Pass, options: str, defaults: Mapping[str, str]) -> Step:
    known = {option.name: option for option in pass_.options}
    values = {option.name: defaults.get(option.name, option.default) for option in pass_.options}
    for word in options.split():
        key, _, value = word.partition("=")
        _check_known(f"the pass '{pass_.name}'", key, known)
        values[key] = _read_value(known[key], value)
    return Step(pass_, values)


def _keys(options: str) -> list[str]:
    return [word.partition("=")[0] for word in options.split()]


def _check_known(owner: str, key: str, known: Iterable[str]) -> None:
    if key not in known:
        hint = did_you_mean(key, known) or _listed("its options are", known)
        raise DealogError(Diagnostic(f"{owner} has no option '{key}'", hint=hint))


def _read_value(option: PassOption, value: str) -> str:
    read = option.read(value)
    if read is None:
        raise DealogError(f"the option '{option.name}' takes {option.taken}, not '{value}'")
    return read


def _listed(start: str, names: Iterable[str]) -> str:
    listed = ", ".join(sorted(names))
    return f"{start}: {listed}" if listed else "it has none"


_DEEPEST = 100  # parentheses in it
_TOKEN = re.compile(r"\s*(?:([\w.-]+)|\{([^{}]*)\}|([(),])|(\S))")


def parse_pipeline(
    text: str, defaults: Mapping[str, str] = _NO_DEFAULTS, declared: Mapping[str, Pass] = NO_PASSES
) -> list[Step]:
    """Read mlir-opt's textual pipeline: `builtin.module(pass{option=value},pass,…)`; for `defaults` and `declared`
    see `make_steps`.

    Raises `DealogError`, pointing into `text`.
    """
    return list(_Reader(text, defaults, declared).steps())


def anchor(text: str) -> str:
    """The operation that a textual pipeline runs on: `builtin.module`, another one's name, or `any`."""
    return text.partition("(")[0].strip()


def written(steps: Sequence[Step], anchor: str = MODULE) -> str:
    """`steps` in the textual notation, on lines as mlir-opt dumps them; `parse_pipeline` reads it back."""
    lines, opened = [f"{anchor}("], 1
    nest: tuple[str, ...] = () if anchor in (MODULE, ANY) else (anchor,)
    outside = len(nest)
    for number, step in enumerate(steps):
        shared = 0
        while shared < min(len(nest), len(step.nest)) and nest[shared] == step.nest[shared]:
            shared += 1
        while len(nest) > shared:
            nest, opened = nest[:-1], opened - 1
            lines.append("  " * opened + ")")
        if number:
            lines[-1] += ","
        for name in step.nest[shared:]:
            lines.append("  " * opened + f"{name}(")
            nest, opened = (*nest, name), opened + 1
        values = dict(step.options)
        if step.pass_.on_call:
            values[_ON_CALL.name] = "true"
        options = " ".join(f"{key}={value}" for key, value in sorted(values.items()))
        lines.append("  " * opened + step.pass_.name + (f"{{{options}}}" if options else ""))
    lines += ["  " * (opened - 1 - level) + ")" for level in range(len(nest) - outside + 1)]
    return "\n".join(lines)


class _Reader:
    """A reader of the textual notation."""

    def __init__(self, text: str, defaults: Mapping[str, str], declared: Mapping[str, Pass]) -> None:
        self.text, self.defaults, self.declared = text, defaults, declared
        self.tokens = [m for m in _TOKEN.finditer(text) if m.group().strip()]
        self.at = 0

    def steps(self) -> Iterator[Step]:
        name = self._take()
        if not re.fullmatch(r"[\w.-]+", name) or self._take() != "(":
            self._fail("expected the pipeline to be wrapped as 'builtin.module(...)'", 0)
        yield from self._steps(() if name in (MODULE, ANY) else (name,))
        if self.at < len(self.tokens):
            self.at += 1
            self._fail("expected nothing after the closing ')'")

    def _steps(self, nest: tuple[str, ...]) -> Iterator[Step]:
        """The passes up to the parenthesis that closes `nest`."""
        if len(nest) > _DEEPEST:
            self._fail(f"passes are nested at most {_DEEPEST} deep")
        while True:
            name = self._take()
            if not re.fullmatch(r"[\w.-]+", name):
                self._fail("expected the name of a pass")
            if self.at < len(self.tokens) and self.tokens[self.at].group(3) == "(":
                self.at += 1
                yield from self._steps((*nest, name))
            else:
                yield from self._passes(name, nest)
            token = self._take()
            if token == ")":
                return
            if token != ",":
                self._fail("expected ',' or ')' after a pass")

    def _passes(self, name: str, nest: tuple[str, ...]) -> list[Step]:
        here = self.at
        options = ""
        if here < len(self.tokens) and self.tokens[here].group(2) is not None:
            options = self.tokens[here].group(2)
            self.at += 1
        try:
            steps = _textual_steps(name, options, self.defaults, self.declared)
        except DealogError as error:
            (diagnostic,) = error.diagnostics
            self._fail(diagnostic.message, here - 1, diagnostic.hint)
            raise
        return [replace(step, nest=nest) for step in steps]

    def _take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1].group().strip() if self.at <= len(self.tokens) else ""

    def _fail(self, message: str, token: int | None = None, hint: str | None = None) -> None:
        from dealog.diagnostics import SourceText

        token = self.at - 1 if token is None else token
        if token < len(self.tokens):
            match = self.tokens[token]
            offset = match.start() + len(match.group()) - len(match.group().lstrip())
        else:
            offset = len(self.text)
        source = SourceText("<pass-pipeline>", self.text)
        raise DealogError(Diagnostic(message, source=source, offset=offset, hint=hint))


def _textual_steps(
    name: str, options: str, defaults: Mapping[str, str], declared: Mapping[str, Pass]
) -> list[Step]:
    """As `make_steps`, with what only dumped pipelines say: passes that have no flag, and `on-call`."""
    words = options.split()
    on_call = [word for word in words if word.partition("=")[0] == _ON_CALL.name]
    options = " ".join(word for word in words if word not in on_call)
    inside = {pass_.name: pass_ for pass_ in INSIDE_PIPELINES}
    if name in inside:
        steps = [_make_step(inside[name], options, defaults)]
    else:
        steps = make_steps(name, options, defaults, declared)
    if not on_call:
        return steps
    called = _read_value(_ON_CALL, on_call[-1].partition("=")[2]) == "true"
    return [replace(step, pass_=replace(step.pass_, on_call=called)) for step in steps]


# ---- running ----------------------------------------------------------------------------------------------


class Part(Protocol):
    """What is known of a module that is a part of a larger one, and what that one wants to know of it; `place` is the
    number of the step."""

    def called(self, place: int, own: Collection[str]) -> Collection[str]:
        """The passes that are called for ahead of step `place`, when the part itself calls for `own`."""

    def complete(self, place: int, facts: Facts) -> None:
        """Add to the facts about the part what is known of the other parts."""

    def further(self, program: Program) -> Collection[str]:
        """What to derive besides the outputs of `program`."""

    def note(self, place: int, facts: Facts, relations: Relations) -> None:
        """Take note of what was derived, before it is carried out."""


def run(
    module: Module,
    steps: Sequence[Step],
    engine: Engine,
    stopwatch: Stopwatch,
    extensions: Extensions = NO_EXTENSIONS,
) -> None:
    """Run `steps` on `module`, in place, with the rules of `extensions` added to theirs.

    Raises `DealogError` for what a pass refuses (every refused operation, in the order of the source) and for
    what an engine reports; the module may then be half-way through the pipeline, but never through a pass.
    """
    for _ in run_one_by_one(module, steps, engine, stopwatch, extensions):
        pass


@dataclass
class PassRun:
    """A pass that is about to run on `module`, as step number `place` of a pipeline.

    `is_called` is false where it waits for the pass ahead to call for it, which did not; `has_work` says whether
    anything concerns it. With `ask`, its program has what questions need, too; with `locations`, its facts have those
    of operations; with `ask` or `details`, all that is known of types and attributes. `just_run` says that it is only
    carried out, and the embedded engine begins, for which less will do; `in_part`, that other parts of the module ask
    for more.
    `calls_for` are the passes that it calls for, once it is carried out.
    """

    module: Module
    step: Step
    place: int
    extensions: Extensions
    is_called: bool
    has_work: bool
    ask: bool
    locations: bool
    just_run: bool
    in_part: bool = False
    details: bool = False
    calls_for: Collection[str] = ()

    @cached_property
    def program(self) -> Program:
        """The rules by which the pass decides."""
        return self.extensions.program(self.step.pass_.program, ask=self.ask)

    @cached_property
    def decider(self) -> tuple[Program, Stated]:
        """What it is run by: `program`, or as much of it as a run needs, and tuples that it gets beside the facts."""
        from dealog.engine.compact import Stated

        if self.just_run:
            return self.extensions.for_runs(self.step.pass_.program, self.in_part)
        return self.program, Stated()

    @property
    def carried_out(self) -> list[str]:
        """The relations by which it is carried out."""
        program, _ = self.decider
        return [relation.name for relation in program.outputs] if self.just_run else carried_out(program)

    @cached_property
    def facts(self) -> Facts:
        """The facts that it decides from."""
        from dealog.frontend.facts import export_facts, reads_details

        program, _ = self.decider
        details = self.ask or self.details
        return export_facts(
            self.module, self.extensions.structure, self.step.options, roots=roots(self.module, self.step.nest),
            locations=self.locations,
            details=details or reads_details(program.needed_for(relation.name for relation in program.outputs)),
        )  # fmt: skip

    def carry_out(self, relations: Relations) -> None:
        """Rewrite the module as `relations` say, which were decided from the facts.

        Raises `DealogError` for what the pass refuses, and where added rules decide what cannot be done.
        """
        _carry_out(self, relations)
        self.calls_for = {str(name) for (name,) in relations.get("calls_for", ())}


def pass_runs(
    module: Module,
    steps: Sequence[Step],
    extensions: Extensions = NO_EXTENSIONS,
    part: Part | None = None,
    *,
    ask: bool = False,
    locations: bool = False,
    just_run: bool = False,
) -> Iterator[PassRun]:
    """Each pass of `steps` when `module` is as it will see it. Who asks for them decides and carries out what has work.

    Raises `DealogError` where a step cannot run on what it is nested in.
    """
    called: Collection[str] = ()
    for place, step in enumerate(steps):
        if part is not None:
            called = part.called(place, called)
        check_nest(module, step, extensions)
        pass_ = step.pass_
        is_called = not pass_.on_call or pass_.name in called
        work = is_called and has_work(pass_, module, extensions)
        one = PassRun(
            module, step, place, extensions, is_called, work, ask, locations, just_run, in_part=part is not None
        )
        yield one
        called = one.calls_for


def run_one_by_one(
    module: Module,
    steps: Sequence[Step],
    engine: Engine,
    stopwatch: Stopwatch,
    extensions: Extensions = NO_EXTENSIONS,
    part: Part | None = None,
    before_any: Callable[[], None] = lambda: None,
) -> Iterator[Step]:
    """Like `run`, but each step is run when it is asked for; it is given when it has run. `before_any` is called, more
    than once maybe, before anything is carried out, and while an engine computes where that can be."""
    for one in pass_runs(module, steps, extensions, part, just_run=engine.begins_embedded):
        # what others need to know of a part is derived also where the part itself has no work
        if one.has_work or (part is not None and one.is_called and part.further(one.decider[0])):
            _run_pass(one, engine, stopwatch, part, before_any)
        yield one.step


def _run_pass(
    one: PassRun, engine: Engine, stopwatch: Stopwatch, part: Part | None, before_any: Callable[[], None]
) -> None:
    name = one.step.pass_.name
    with stopwatch(f"{name}: facts"):
        facts = one.facts
        if part is not None:
            part.complete(one.place, facts)
    with stopwatch(f"{name}: solve"):
        derived = decided(one, engine, part, before_any)
        if part is not None:
            part.note(one.place, facts, derived)
    before_any()
    if one.has_work:
        with stopwatch(f"{name}: rewrite"):
            one.carry_out(derived)


def decided(
    one: PassRun, engine: Engine, part: Part | None = None, meanwhile: Callable[[], None] = lambda: None
) -> Relations:
    """What the rules of a pass decide about the module as it is. Its facts get the answers to what they ask.

    `meanwhile` is called before there is a result. Raises `DealogError` as `dealog.engine.solve` does.
    """
    from dealog.placements import answer, questions

    program, _ = one.decider
    wanted = one.carried_out if one.has_work else []
    if part is not None:
        wanted = [*wanted, *part.further(program)]
    asked = questions(program)
    derived = _derived(one, [*wanted, *asked], engine, meanwhile)
    if asked and answer(one.facts, derived):
        derived = _derived(one, wanted, engine, meanwhile)
    return derived


def _derived(one: PassRun, outputs: list[str], engine: Engine, meanwhile: Callable[[], None]) -> Relations:
    """The relations `outputs` of the program of a pass; `meanwhile` is called before there is a result."""
    from dealog.engine import solve
    from dealog.engine.compact import given

    facts: Mapping[str, Collection[Tuple]] = one.facts.relations
    program, stated = one.decider

    def whole() -> tuple[Program, Mapping[str, Collection[Tuple]]]:
        return one.program, given(one.program, facts)

    by = partial(
        solve, outputs=outputs, engine=engine.name, compile=engine.compile, timeout=engine.timeout, meanwhile=meanwhile
    )
    if not one.just_run:
        return by(*whole())
    return by(program, given(program, facts, stated), whole=whole)


def has_work(pass_: Pass, module: Module, extensions: Extensions = NO_EXTENSIONS) -> bool:
    """Whether `module` has an operation that concerns `pass_`. Rules added to it may be about any operation."""
    added = bool(extensions) and bool(extensions.for_runs(pass_.program)[0].added)
    return added or pass_.concerns is None or any(op.name in pass_.concerns for op in module.walk())


def roots(module: Module, nest: tuple[str, ...]) -> list[Operation]:
    """The operations that a pass nested in `nest` runs on."""
    roots = [module.operation]
    for name in nest:
        roots = [
            op
            for root in roots
            for region in root.regions
            for block in region.blocks
            for op in block.operations
            if op.name == name or (name == ANY and is_isolated(module, op))
        ]
    return roots


def is_isolated(module: Module, op: Operation) -> bool:
    """Whether the regions of `op` see no values from outside, so that `any(…)` runs on it."""
    return op.name in (op.origin or module.origin).grammar.isolated


def check_nest(module: Module, step: Step, extensions: Extensions = NO_EXTENSIONS) -> None:
    """Raise `DealogError` where `step` is nested, its rules look at the whole module, and there is code that it is
    not nested in: to run it on the rest alone would not be what was asked for."""
    if not step.nest or step.pass_.nests:
        return
    covered = set(roots(module, step.nest))
    open_ = [module.operation]
    for op in open_:
        if op in covered or not any(region.blocks for region in op.regions):
            continue
        if op is not module.operation and op.name not in extensions.structure.symbol_tables:
            nested = "(".join(step.nest)
            raise DealogError(
                Diagnostic(
                    f"the pass '{step.pass_.name}' decides for the whole module, and '{nested}' leaves this out",
                    source=module.source, offset=op.offset if op.offset >= 0 else None,
                    hint=f"run it on the module: 'builtin.module({step.pass_.name})'",
                )
            )  # fmt: skip
        open_ += [inner for region in op.regions for block in region.blocks for inner in block.operations]


def _carry_out(one: PassRun, relations: Relations) -> None:
    """Rewrite the module as `relations` say, which `one` decided.

    Raises `DealogError` for what the pass refuses, and where added rules decide what cannot be done.
    """
    from dealog.rewriter.materialiser import materialise  # late: the command has to start fast

    try:
        _check_refused(one, relations)
        materialise(one.module, one.facts, relations, one.extensions.structure.terminators)
    except DealogError as error:
        relation = getattr(error, "relation", None)  # of an edit
        if deciding := _added_decisions(one.program, relation) if relation is not None else []:
            first, *others = deciding
            notes = [place.note("derived here, too") for place in others]
            said = error.diagnostics[0]
            raise DealogError(first.error(said.message, None, [*said.notes, *notes])) from error
        raise
    except Exception as error:
        if deciding := _added_decisions(one.program):
            first, *others = deciding
            hint = "derive what the pass decides from, rather than what it decides"
            notes = [place.note("decided here, too") for place in others]
            message = f"the pass '{one.step.pass_.name}' cannot carry out what the rules decide"
            raise DealogError(first.error(message, hint, notes)) from error
        raise


def _added_decisions(program: Program, relation: str | None = None) -> list[Position]:
    """Where added clauses derive what a pass carries out, or one `relation` of that."""
    added = {id(source) for source in program.added}
    outputs = {output.name for output in program.outputs if relation in (None, output.name)}
    heads = [(fact.relation, fact.position) for fact in program.facts]
    heads += [(head.relation, head.position) for rule in program.rules for head in rule.heads]
    return [place for name, place in heads if name in outputs and id(place.source) in added]


def _check_refused(one: PassRun, relations: Relations) -> None:
    """Raise `DealogError` for what `relations` say that the pass refuses, in the order of the source."""
    module, facts = one.module, one.facts
    ranks: dict[str, int] = {}
    for op, rank, _ in relations.get("refused", ()):
        ranks[str(op)] = min(int(rank), ranks.get(str(op), int(rank)))
    refused = [
        (facts.operations[str(op)], str(message))
        for op, rank, message in relations.get("refused", ())
        if rank == ranks[str(op)]
    ]
    if refused:
        described = _names(one.program)
        advice = {message: str(help_) for message, help_ in relations.get("advice", ())}
        notes = _notes(one, relations)
        refused.sort(key=lambda row: (offset_of(row[0]), row[1]))
        raise DealogError(
            Diagnostic(
                message,
                source=module.source,
                offset=offset_of(op),
                notes=tuple(notes[op, message]),
                hint=advice.get(message)
                if op.name in described
                else f"no rule says what {op.name} does; {_ADD_RULES}",
            )
            for op, message in refused
        )


def _notes(one: PassRun, relations: Relations) -> defaultdict[tuple[Operation, str], list[Diagnostic]]:
    """The notes that go with what `relations` say is refused, by the operation and the message, in the order of the
    source."""
    operations, source = one.facts.operations, one.module.source
    found: defaultdict[tuple[Operation, str], list[Diagnostic]] = defaultdict(list)
    for op, message, place, note in relations.get("noted", ()):
        at = offset_of(operations[str(place)])
        found[operations[str(op)], str(message)].append(Diagnostic(str(note), "note", source, at))
    for notes in found.values():
        notes.sort(key=lambda note: (note.offset or 0, note.message))
    return found


def _names(program: Program) -> set[Value]:
    """What the facts and the rules of `program` name."""
    from dealog.engine import Atom, Constant

    atoms = (x for rule in program.rules for body in rule.alternatives for x in body if isinstance(x, Atom))
    named = {term.value for atom in atoms for term in atom.arguments if isinstance(term, Constant)}
    return named.union(*(fact.values for fact in program.facts))


def offset_of(op: Operation) -> int:
    """Where `op` stands in the source. For one that an earlier pass made: where that stood which it was made for, or
    what it was put into."""
    at: Operation | None = op
    while at is not None and at.offset < 0:
        at = at.ancestor or at.parent
    return at.offset if at is not None else 0
