"""The verifier: what the rules in `rules/verify/`, and those that are added, say is wrong with a module."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from dealog.diagnostics import DealogError, Diagnostic
from dealog.extensions import NO_EXTENSIONS, Extensions
from dealog.stages import Stages

if TYPE_CHECKING:
    from dealog.engine import Program, Tuple
    from dealog.frontend import Module
    from dealog.frontend.facts import Facts
    from dealog.pipeline import Engine

PROGRAM = "verification"
"""The name of the rule program."""


class Verifier:
    """Verifies a module, again and again while passes change it.

    Where only the rules that come with Dealog say what is valid, it looks at one operation of each kind (see
    `dealog.frontend.details.survey`), and at none of a kind that it found valid before: they look at nothing else.
    What is wrong is told with all facts at hand.
    """

    def __init__(self, engine: Engine, extensions: Extensions = NO_EXTENSIONS, stages: Stages | None = None) -> None:
        self.engine, self.extensions = engine, extensions
        self.stages = stages if stages is not None else Stages(show=False)
        self.known: set[object] = set()

    def verify(self, module: Module, after: str | None = None) -> None:
        """Raises `DealogError` for a module that is not valid, with all operations that are not, and for what an engine
        reports. `after` says what made the module what it is, where that is not the user."""
        from dealog.frontend.facts import export_facts, export_samples

        program = self.extensions.program(PROGRAM)
        if not program.added:
            with self.stages("verify: facts"):
                samples = export_samples(module, self.extensions.structure, self.known)
            with self.stages("verify: solve"):
                if not samples.operations or not self._diagnosed(program, samples):
                    return
            self.known.clear()
        with self.stages("verify: facts"):
            facts = export_facts(module, self.extensions.structure, locations=False, details=True)
        with self.stages("verify: solve"):
            diagnosed = self._diagnosed(program, facts)
        if diagnosed:
            raise DealogError(_diagnostics(module, facts, diagnosed, after))

    def _diagnosed(self, program: Program, facts: Facts) -> list[Tuple]:
        from dealog.engine import solve

        engine = self.engine
        return solve(
            program, facts.relations, engine=engine.name, outputs=["diagnosed"], compile=engine.compile,
            timeout=engine.timeout,
        )["diagnosed"]  # fmt: skip


def verify(module: Module, engine: Engine, extensions: Extensions = NO_EXTENSIONS) -> None:
    """Raises `DealogError` for a `module` that is not valid; see `Verifier`."""
    Verifier(engine, extensions).verify(module)


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
