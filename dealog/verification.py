"""The verifier: what the rules in `rules/verify/`, and those that are added, say is wrong with a module."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from dealog.diagnostics import DealogError, Diagnostic
from dealog.extensions import NO_EXTENSIONS, Extensions
from dealog.stopwatch import Stopwatch

if TYPE_CHECKING:
    from dealog.engine import Tuple
    from dealog.frontend import Module
    from dealog.frontend.facts import Facts
    from dealog.pipeline import Engine

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
    ) -> None:
        """`memory=False` forgets what other modules have shown."""
        self.engine, self.extensions = engine, extensions
        self.stopwatch = stopwatch if stopwatch is not None else Stopwatch(show=False)
        self.memory = memory
        self.known: set[bytes] | None = None

    def verify(self, module: Module, after: str | None = None) -> None:
        """Raises `DealogError` for a module that is not valid, with all operations that are not, and for what an engine
        reports. `after` says what made the module what it is, where that is not the user."""
        from dealog.frontend.facts import export_facts

        if not self._has_own_rules() and self._is_valid(module):
            return
        with self.stopwatch("verify: facts"):
            facts = export_facts(module, self.extensions.structure, locations=False, details=True)
        with self.stopwatch("verify: solve"):
            diagnosed = self._diagnosed(facts.relations)
        if diagnosed:
            raise DealogError(_diagnostics(module, facts, diagnosed, after))

    def _has_own_rules(self) -> bool:
        return bool(self.extensions.rule_files) and bool(self.extensions.for_runs(PROGRAM)[0].added)

    def _is_valid(self, module: Module) -> bool:
        """Whether one operation of each kind is valid."""
        from dealog.engine.remembered import remember, remembered
        from dealog.frontend.facts import export_samples

        with self.stopwatch("verify: facts"):
            if self.known is None:
                self.known = remembered(_memory()) if self.memory else set()
            known = set(self.known)
            samples = export_samples(module, self.extensions.structure, known)
        with self.stopwatch("verify: solve"):
            if samples.operations and self._diagnosed(samples.relations):
                return False
        if len(known) > len(self.known):
            self.known = known
            if self.memory:
                remember(_memory(), known)
        return True

    def _diagnosed(self, facts: Mapping[str, Collection[Tuple]]) -> list[Tuple]:
        from dealog.engine import solve
        from dealog.engine.compact import given_of_names

        engine, extensions = self.engine, self.extensions
        by = partial(solve, engine=engine.name, outputs=["diagnosed"], compile=engine.compile, timeout=engine.timeout)
        if not engine.begins_embedded:
            return by(extensions.program(PROGRAM), facts)["diagnosed"]
        program, stated = extensions.for_runs(PROGRAM)
        known = given_of_names(program, facts, stated)
        return by(program, known, whole=lambda: (extensions.program(PROGRAM), facts))["diagnosed"]


class Verdict:
    """What `verifier` says of `module` as it is when it is asked first, however often it is asked; without a verifier
    every module is valid."""

    def __init__(self, verifier: Verifier | None, module: Module) -> None:
        self.verifier, self.module = verifier, module
        self.given = False
        self.error: DealogError | None = None

    def __call__(self) -> None:
        """Raises `DealogError` for a module that is not valid; see `Verifier.verify`."""
        if self.verifier is not None and not self.given:
            self.given = True
            try:
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


def verify(module: Module, engine: Engine, extensions: Extensions = NO_EXTENSIONS, *, memory: bool = True) -> None:
    """Raises `DealogError` for a `module` that is not valid; see `Verifier`."""
    Verifier(engine, extensions, memory=memory).verify(module)


def _diagnostics(module: Module, facts: Facts, diagnosed: Iterable[Tuple], after: str | None) -> list[Diagnostic]:
    """One error for each operation and message of the lowest rank, in the order of the source."""
    from dealog.pipeline import offset_of

    ranks: dict[str, int] = {}
    rows = [(str(op), int(rank), str(message)) for op, rank, message in diagnosed]
    for op, rank, _ in rows:
        ranks[op] = min(rank, ranks.get(op, rank))
    chosen = [(facts.operations[op], message) for op, rank, message in rows if rank == ranks[op]]
    placed = sorted((offset_of(op), message) for op, message in chosen)
    hint = f"this was valid before {after}; --no-verify writes it all the same" if after is not None else None
    return [Diagnostic(message, source=module.source, offset=at, hint=hint) for at, message in dict.fromkeys(placed)]
