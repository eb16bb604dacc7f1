"""The tables, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain

from bench import answers as of_answers
from bench.allocations import allocations
from bench.chains import chains as of_chains
from bench.growth import Program, growth, of_families
from bench.parsing import parsing
from bench.programs import CHAINS, PIPELINE, STATIC
from bench.quality import quality as left
from bench.scale import scale
from bench.settings import Settings, doubled
from bench.table import Table
from tests.support.cases import examples
from tests.support.families import FAMILIES

_OWNERSHIP_SIZES = {
    "diamonds": doubled(8, 1024),
    "ladder": doubled(8, 1024),
    "live_through": doubled(64, 1024),
    "block_chain": doubled(1024, 65536),
    "nested_ifs": doubled(64, 1024),
    "nested_fors": doubled(64, 1024),
    "straight_line": doubled(512, 4096),
}
_OWNERSHIP_QUICK = {
    "diamonds": (8, 16, 64),
    "ladder": (8, 16, 64),
    "live_through": (64, 128),
    "block_chain": (512, 1024),
    "nested_ifs": (64, 128),
    "nested_fors": (64, 128),
    "straight_line": (512, 1024),
}
_PIPELINE_SIZES = {family: doubled(512, 2048 if family == "selects" else 4096) for family in PIPELINE}
_PIPELINE_QUICK = dict.fromkeys(PIPELINE, (64, 128))

_STATIC_SIZES = {
    **_PIPELINE_SIZES,
    **dict.fromkeys(("kept_ifs", "kept_fors", "overlapping_ifs", "selected_and_kept", "exits"), doubled(64, 256)),
    **dict.fromkeys((family for family in STATIC if family.startswith("lent_to_")), doubled(512, 2048)),
    "stored_by_index": doubled(512, 2048),
    **dict.fromkeys(("at_once", "left_at_once"), doubled(512, 2048)),
    "used_in_turn": doubled(64, 256),
    "deep_uses": doubled(32, 128),
    **dict.fromkeys(("through_blocks", "replaced_in_blocks", "small_functions"), doubled(1024, 4096)),
    **dict.fromkeys(("given_to_calls", "given_in_blocks", "passed_on_by_calls"), doubled(1024, 4096)),
    **dict.fromkeys(("given_to_unseen_calls", "passed_on_by_unseen_calls"), doubled(1024, 4096)),
    **dict.fromkeys(("chained_functions", "functions_in_a_cycle"), doubled(1024, 4096)),
}
_STATIC_QUICK = dict.fromkeys(STATIC, (64, 128))

_CHAINS_SIZES = dict.fromkeys(CHAINS, doubled(128, 512))
_CHAINS_QUICK = dict.fromkeys(CHAINS, (64, 128))

_ANSWERS_SIZES = {
    **dict.fromkeys(of_answers.ASKED, doubled(128, 1024)),
    "selects": doubled(128, 512),
    "block_chain": doubled(512, 4096),
    "live_through": doubled(64, 256),
}
_ANSWERS_QUICK = dict.fromkeys(of_answers.ASKED, (64, 128))


def _examples(settings: Settings) -> Iterable[Program]:
    return ((case.name, None, case.text) for case in examples() if settings.wants(case.name))


def ownership(settings: Settings) -> list[Table]:
    """The ownership-based pass alone, on the examples and on families of growing programs."""
    sizes = _OWNERSHIP_QUICK if settings.quick else _OWNERSHIP_SIZES
    return growth(
        "ownership",
        "--ownership-based-buffer-deallocation, whole command",
        "ownership-based-buffer-deallocation",
        chain(_examples(settings), of_families(FAMILIES, sizes, settings)),
        settings,
        souffle=True,
    )


def pipeline(settings: Settings) -> list[Table]:
    """The whole pipeline, on families that MLIR's canonicalization does not fold away."""
    sizes = _PIPELINE_QUICK if settings.quick else _PIPELINE_SIZES
    return growth(
        "pipeline",
        "--buffer-deallocation-pipeline, whole command",
        "buffer-deallocation-pipeline",
        chain(_examples(settings), of_families(PIPELINE, sizes, settings)),
        settings,
        souffle=True,
    )


def static(settings: Settings) -> list[Table]:
    """The static deallocation beside mlir-opt's pipeline, also on families in which much takes what came before."""
    sizes = _STATIC_QUICK if settings.quick else _STATIC_SIZES
    return growth(
        "static",
        "--static-buffer-deallocation beside --buffer-deallocation-pipeline of mlir-opt, whole command",
        "static-buffer-deallocation",
        chain(_examples(settings), of_families(STATIC, sizes, settings)),
        settings,
        souffle=False,
        mlir_flag="buffer-deallocation-pipeline",
    )


def answers(settings: Settings) -> list[Table]:
    """Questions beside the deallocation that they are about."""
    sizes = _ANSWERS_QUICK if settings.quick else _ANSWERS_SIZES
    families = of_families({**FAMILIES, **PIPELINE}, sizes, settings)
    return of_answers.answers(chain(_examples(settings), families), settings)


def chains(settings: Settings) -> list[Table]:
    """Passes on allocations, and findings, on programs in which something takes what came before it."""
    sizes = _CHAINS_QUICK if settings.quick else _CHAINS_SIZES
    return of_chains(of_families(CHAINS, sizes, settings), settings)


def quality(settings: Settings) -> list[Table]:
    """What is left in outputs, and what passes on allocations save."""
    return [*left(settings), *allocations(settings)]


TABLES: Mapping[str, Callable[[Settings], list[Table]]] = {
    "ownership": ownership,
    "parsing": parsing,
    "pipeline": pipeline,
    "static": static,
    "chains": chains,
    "quality": quality,
    "answers": answers,
    "scale": scale,
}
