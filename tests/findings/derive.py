"""Small IR in, relations of the findings out: of the text, or of what a pass gets to see of it."""

from __future__ import annotations

from functools import cache
from typing import Any

from dealog.checking.findings import INPUT, FindingKind, declared
from dealog.checking.run import Finding, find, under_all_rules
from dealog.extensions import NO_EXTENSIONS
from dealog.frontend import parse
from dealog.passes import DEALLOCATION
from dealog.pipeline import Engine, expand
from tests.rules.derive import Rows

LOWERING = "bufferization-lower-deallocations"


def derive(text: str, *relations: str, stage: str = INPUT, engine: Any = "embedded") -> Any:
    """What `relations` hold at `stage`: a set of tuples, or as many sets as relations are asked for."""
    from dealog.asking.stage import input_stage, stage_called

    module, steps = parse(text, "test.mlir"), expand(DEALLOCATION)
    if stage == INPUT:
        seen = input_stage(module, {}, Engine(engine))
    else:
        seen = under_all_rules(stage_called(stage, module, steps, Engine(engine)), NO_EXTENSIONS)
    seen.require(relations)
    sets = tuple(_short(seen.database.tuples(name)) for name in relations)
    return sets[0] if len(sets) == 1 else sets


def _short(rows: Any) -> Rows:
    return {tuple(cell.replace("@f/", "") if isinstance(cell, str) else cell for cell in row) for row in rows}


@cache
def kinds() -> dict[str, FindingKind]:
    """The findings that ship, by name."""
    return {kind.name: kind for kind in declared(NO_EXTENSIONS.everything())}


def findings(text: str, *names: str, engine: Any = "embedded") -> list[Finding]:
    """The findings called `names` in `text`."""
    chosen = [kinds()[name] for name in names]
    found, refused = find(parse(text, "test.mlir"), chosen, expand(DEALLOCATION), Engine(engine), NO_EXTENSIONS)
    assert refused == ()
    return found


def told(text: str, *names: str) -> list[str]:
    """The findings called `names` in `text`, each as `line: message`, with its notes as `line: message` after it."""
    lines = []
    for finding in findings(text, *names):
        spots = [(finding.spot, finding.message), *finding.notes]
        shown = [f"{spot.source.position(spot.offset)[0]}: {message}" for spot, message in spots]
        lines.append("; ".join(shown))
    return lines
