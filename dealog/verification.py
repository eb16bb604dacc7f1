"""The verifier: what the rules in `rules/verify/`, and those that are added, say is wrong with a module."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from dealog.diagnostics import DealogError, Diagnostic
from dealog.extensions import NO_EXTENSIONS, Extensions
from dealog.forking import forked, may_fork
from dealog.stopwatch import Stopwatch

if TYPE_CHECKING:
    from dealog.engine import Tuple
    from dealog.frontend import Module
    from dealog.frontend.details import Met
    from dealog.frontend.facts import Facts
    from dealog.frontend.ir import Origin
    from dealog.pipeline import Engine, Step

PROGRAM = "verification"
"""The name of the rule program."""


class Verifier:
    """Verifies a module, again and again while passes change it.

    Where only the rules that come with Dealog say what is valid, it looks at one operation of each kind (see
    `dealog.frontend.details.survey`), and at none of a kind that was found valid before, be it in another module: the
    cache folder remembers them. Errors are reported with all facts at hand.
    """

    def __init__(
        self,
        engine: Engine,
        extensions: Extensions = NO_EXTENSIONS,
        stopwatch: Stopwatch | None = None,
        *,
        memory: bool = True,
        steps: Sequence[Step] = (),
    ) -> None:
        """`memory=False` forgets what other modules have shown. The passes between are `steps`."""
        self.engine, self.extensions = engine, extensions
        self.stopwatch = stopwatch if stopwatch is not None else Stopwatch(show=False)
        self.memory = memory
        self.steps = steps
        self.known: set[bytes] | None = None
        self.ordinary: set[bytes] = set()  # the kinds that need not be remembered
        self.met: tuple[Origin | None, Met] = None, {}

    def verify(self, module: Module, after: str | None = None) -> None:
        """Raises `DealogError` for a module that is not valid, with all operations that are not, and for what an engine
        reports. `after` says what made the module what it is, where that is not the user."""
        from dealog.frontend.facts import export_facts

        if not self._has_own_rules() and self.has_valid_kinds(module, after is not None):
            return
        with self.stopwatch("verify: facts"):
            facts = export_facts(module, self.extensions.structure, locations=False, details=True)
        with self.stopwatch("verify: solve"):
            diagnosed = self._diagnosed(facts.relations)
        if diagnosed:
            raise DealogError(_diagnostics(module, facts, diagnosed, after))

    def begin(self, module: Module) -> Callable[[], bool]:
        """Begin to verify `module` in a process of its own, by the embedded engine, where there are two processors and
        all can be copied. What is given back waits for it, and says whether the module was found valid there; if not,
        `verify` has to look. The module may change in the meantime."""
        engine = self.engine
        if not may_fork() or not engine.begins_embedded or engine.timeout is not None or self._has_own_rules():
            return lambda: False
        known, samples = self._samples(module)
        here = Verifier(replace(engine, name="embedded"), self.extensions)
        answer = forked(lambda: not here._diagnosed(samples.relations)) if samples.operations else None

        def valid() -> bool:
            with self.stopwatch("verify: wait"):
                found = answer is None or answer()
            if found:
                self._keep(known)
            return found

        return valid

    def _has_own_rules(self) -> bool:
        return bool(self.extensions.rule_files) and bool(self.extensions.divided(PROGRAM).program.added)

    def has_valid_kinds(self, module: Module, is_changed: bool = False) -> bool:
        """Whether one operation of each kind is valid; `is_changed` tells that passes were there."""
        known, samples = self._samples(module)
        if samples.operations and is_changed and self.memory and _is_like_ordinary(self.steps):
            assert self.known is not None
            self.ordinary = ordinary_kinds()
            if not self.ordinary <= self.known:
                self.known |= self.ordinary
                known, samples = self._samples(module)
        with self.stopwatch("verify: solve"):
            if samples.operations and self._diagnosed(samples.relations):
                return False
        self._keep(known)
        return True

    def _keep(self, known: set[bytes]) -> None:
        """Keep in mind that operations of the `known` kinds are valid."""
        from dealog.engine.remembered import remember

        if self.known is None or len(known) > len(self.known):
            self.known = known
            if self.memory:
                remember(self._remembered_as(), known - self.ordinary)

    def _samples(self, module: Module) -> tuple[set[bytes], Facts]:
        """One operation of each kind of `module` that is not known, and the kinds that are known when it is valid."""
        from dealog.engine.remembered import remembered
        from dealog.frontend.facts import export_samples

        with self.stopwatch("verify: facts"):
            if self.known is None:
                self.known = set()
                if self.memory:
                    self.ordinary = ordinary_kinds(make=False)
                    self.known = remembered(self._remembered_as()) | self.ordinary
            if self.met[0] is not module.origin:
                self.met = module.origin, {}
            known = set(self.known)
            return known, export_samples(module, self.extensions.structure, known, self.met[1])

    def _remembered_as(self) -> str:
        """What the kinds are remembered under: operations are heard of that only rules of the user speak of."""
        from dealog.cache import key

        mentioned = self.extensions.structure.mentioned
        return f"{_memory()}-{key(sorted(mentioned))}" if mentioned else _memory()

    def _diagnosed(self, facts: Mapping[str, Collection[Tuple]]) -> list[Tuple]:
        from dealog.engine import solve

        engine, extensions = self.engine, self.extensions
        by = partial(solve, engine=engine.name, outputs=["diagnosed"], compile=engine.compile, timeout=engine.timeout)
        if not engine.begins_embedded:
            return by(extensions.program(PROGRAM), facts)["diagnosed"]
        program, known = extensions.divided(PROGRAM).for_run(facts)
        return by(program, known, whole=lambda: (extensions.program(PROGRAM), facts))["diagnosed"]


class Verdict:
    """What `verifier` says of `module` as it is when it is asked first, however often it is asked; without a verifier
    every module is valid."""

    def __init__(self, verifier: Verifier | None, module: Module) -> None:
        self.verifier, self.module = verifier, module
        self.given = False
        self.error: DealogError | None = None
        self.found_valid: Callable[[], bool] = lambda: False

    def begin(self) -> None:
        """Begin to find out, beside what else this process does, where that is possible."""
        if self.verifier is not None:
            self.found_valid = self.verifier.begin(self.module)

    def __call__(self) -> None:
        """Raises `DealogError` for a module that is not valid; see `Verifier.verify`."""
        if self.verifier is not None and not self.given:
            self.given = True
            try:
                if not self.found_valid():
                    self.verifier.verify(self.module)
            except DealogError as error:
                self.error = error
        if self.error is not None:
            raise self.error


@cache
def _memory() -> str:
    """What the kinds that were found valid are remembered under: it stands for all that finds them valid."""
    from dealog import frontend, rules
    from dealog.cache import key_of_files

    reader = Path(frontend.__file__).parent
    return f"valid-{key_of_files([__file__, *rules.files(), *sorted(reader.glob('*.py'))])}"


def ordinary_kinds(*, make: bool = True) -> set[bytes]:
    """The kinds that an ordinary program has before and after buffers are freed; none where they are not kept, and are
    not to be made."""
    from dealog import cache, ordinary
    from dealog.engine.remembered import digests

    def made() -> bytes:
        return b"".join(sorted(_verified_ordinary())) if make else b""

    name = f"ordinary-{cache.key([_memory(), cache.key_of_files([ordinary.__file__])])}"
    return digests(cache.kept(name, made, bytes, bytes, keep=bool))


def _verified_ordinary() -> set[bytes]:
    from dealog.ordinary import PASS, ordinary
    from dealog.pipeline import Engine, make_steps, run_one_by_one

    engine, module = Engine("embedded"), ordinary()
    verifier = Verifier(engine, memory=False)
    valid = verifier.has_valid_kinds(module)
    for _ in run_one_by_one(module, make_steps(PASS), engine, verifier.stopwatch):
        valid = valid and verifier.has_valid_kinds(module)
    return verifier.known if valid and verifier.known is not None else set()


def _is_like_ordinary(steps: Sequence[Step]) -> bool:
    """Whether what `steps` insert is like what is inserted into an ordinary program."""
    from dealog.ordinary import PASS

    return any(step.pass_.name == PASS for step in steps)


def verify(module: Module, engine: Engine, extensions: Extensions = NO_EXTENSIONS, *, memory: bool = True) -> None:
    """Raises `DealogError` for a `module` that is not valid; see `Verifier`."""
    Verifier(engine, extensions, memory=memory).verify(module)


def _diagnostics(module: Module, facts: Facts, diagnosed: Iterable[Tuple], after: str | None) -> list[Diagnostic]:
    """One error for each operation and message of the lowest rank, in the order of the source. Where something is wrong
    with the text at a known place, that is all there is to say of the operation."""
    from dealog.pipeline import offset_of

    ranks: dict[str, int] = {}
    places = facts.places
    rows = [(str(op), int(rank), str(message)) for op, rank, message in diagnosed]
    rows = [(op, -1 if (op, message) in places else rank, message) for op, rank, message in rows]
    for op, rank, _ in rows:
        ranks[op] = min(rank, ranks.get(op, rank))
    chosen = [(op, message) for op, rank, message in rows if rank == ranks[op]]
    placed = sorted((places.get((op, message)) or offset_of(facts.operations[op]), message) for op, message in chosen)
    hint = f"this was valid before {after}; --no-verify writes it all the same" if after is not None else None
    return [Diagnostic(message, source=module.source, offset=at, hint=hint) for at, message in dict.fromkeys(placed)]
