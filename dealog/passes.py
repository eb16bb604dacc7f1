"""The passes, as data: the flag, the rule program and its options, and the rewriter that carries it out.

Running a pass is always the same three steps, `facts(module) → solve(program, facts) → rewrite(module,
relations)`; see `dealog.pipeline`. To add a pass, add its rule program to `rules/`, its rewriter to
`rewriter/` and an entry to `PASSES`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from dealog.frontend import Module
    from dealog.frontend.facts import Facts
    from dealog.frontend.ir import Operation
    from dealog.rewriter.replacing import Relations

Rewriter: TypeAlias = "Callable[[Module, Facts, Relations], None]"
Concerns: TypeAlias = "Callable[[Operation], bool]"


def _any(op: Operation) -> bool:
    return True


def _named(*names: str) -> Concerns:
    return lambda op: op.name in names


@dataclass(frozen=True)
class PassOption:
    """A yes-or-no option of a pass: rules see it as the fact `option(name, "true"|"false")`."""

    name: str
    summary: str
    default: bool = False


@dataclass(frozen=True)
class Pass:
    """A pass under the flag name that mlir-opt gives it.

    `program` names the rule program in `dealog.rules`. Its `.output` relations and the fact relations
    `reads` are what `rewrite(module, facts, relations)` gets. `nests` says that its rules look at
    `pass_root`, so that it can run on the functions of a module one by one. `concerns` spares facts and rules: of
    a module without any operation of which it holds they would derive nothing to do. A pass `on_call` only runs
    where the rules of the pass right before it derive `calls_for(name)`.
    """

    name: str
    summary: str
    program: str
    rewrite: Rewriter
    options: tuple[PassOption, ...] = ()
    reads: tuple[str, ...] = ()
    nests: bool = False
    concerns: Concerns = _any
    on_call: bool = False


def _insert_deallocations(module: Module, facts: Facts, relations: Relations) -> None:
    from dealog.rewriter.ownership import insert_deallocations  # late: the command has to start fast

    insert_deallocations(module, facts, relations)


def _expand_reallocs(module: Module, facts: Facts, relations: Relations) -> None:
    from dealog.rewriter.realloc import expand_reallocs

    expand_reallocs(module, facts, relations)


def _lower_deallocations(module: Module, facts: Facts, relations: Relations) -> None:
    from dealog.rewriter.lowering import lower_deallocations

    lower_deallocations(module, facts, relations)


def _convert_to_memref(module: Module, facts: Facts, relations: Relations) -> None:
    from dealog.rewriter.lowering import convert_to_memref

    convert_to_memref(module, facts, relations)


def _simplify(module: Module, facts: Facts, relations: Relations) -> None:
    from dealog.rewriter.simplification import simplify_deallocations

    simplify_deallocations(module, facts, relations)


def _fold(module: Module, facts: Facts, relations: Relations) -> None:
    from dealog.rewriter.folding import fold_inserted_code

    fold_inserted_code(module, facts, relations)


FOLD_INSERTED_CODE = Pass(
    name="fold-inserted-code",
    summary="Simplify what the other passes inserted, and nothing else",
    program="fold_inserted_code",
    rewrite=_fold,
)
"""Only used inside pipelines: in a text that was just read, nothing is inserted."""


def _carry_out_nothing(module: Module, facts: Facts, relations: Relations) -> None:
    pass


CHECK_COMPARED_VIEWS = Pass(
    name="check-compared-views",
    summary="Refuse views that comparisons at run time would take for other buffers",
    program="check_compared_views",
    rewrite=_carry_out_nothing,
    concerns=_named("memref.view"),
)
"""Only used inside pipelines, ahead of the lowering: what is compared then is compared at run time."""

_SIMPLIFICATION = Pass(
    name="buffer-deallocation-simplification",
    summary="Answer run-time checks of bufferization.dealloc operations by alias analysis",
    program="buffer_deallocation_simplification",
    rewrite=_simplify,
    concerns=_named("bufferization.dealloc"),
)

_EXPAND_REALLOC = Pass(
    name="expand-realloc",
    summary="Expand memref.realloc into a comparison of sizes, an allocation, a copy and a deallocation",
    program="expand_realloc",
    rewrite=_expand_reallocs,
    concerns=_named("memref.realloc"),
    options=(PassOption("emit-deallocs", "Deallocate the buffer that has become too small", default=True),),
    nests=True,
)

_LOWER_DEALLOCATIONS = Pass(
    name="bufferization-lower-deallocations",
    summary="Lower bufferization.dealloc to memref.dealloc, with checks at run time where they are needed",
    program="bufferization_lower_deallocations",
    rewrite=_lower_deallocations,
    nests=True,
    concerns=_named("bufferization.dealloc"),
)

_CONVERT_TO_MEMREF = Pass(
    name="convert-bufferization-to-memref",
    summary="Lower bufferization.clone and bufferization.dealloc to the memref dialect",
    program="convert_bufferization_to_memref",
    rewrite=_convert_to_memref,
    nests=True,
    concerns=_named(
        "bufferization.dealloc", "bufferization.clone", "bufferization.alloc_tensor", "bufferization.dealloc_tensor",
        "bufferization.materialize_in_destination", "bufferization.to_buffer", "bufferization.to_tensor",
    ),
)

_OWNERSHIP = Pass(
    name="ownership-based-buffer-deallocation",
    summary="Insert bufferization.dealloc operations wherever a buffer's ownership ends",
    program="ownership_based_buffer_deallocation",
    rewrite=_insert_deallocations,
    options=(
        PassOption(
            "private-function-dynamic-ownership",
            "Let private functions take and return ownership indicators instead of following the function "
            "boundary ABI",
        ),
    ),
    reads=("definition_order",),
)

PASSES: Mapping[str, Pass] = {
    p.name: p for p in (_EXPAND_REALLOC, _OWNERSHIP, _SIMPLIFICATION, _LOWER_DEALLOCATIONS, _CONVERT_TO_MEMREF)
}
"""Every pass, by flag name."""


@dataclass(frozen=True)
class Pipeline:
    """Passes under one name, each with the options that it always gets here, as mlir-opt writes them.

    An option of the pipeline is an option of one of its passes.
    """

    name: str
    summary: str
    passes: tuple[tuple[Pass, str], ...]


_DEALLOCATION_PIPELINE = Pipeline(
    name="buffer-deallocation-pipeline",
    summary="Insert, simplify and lower the deallocations of all buffers",
    passes=(
        (_EXPAND_REALLOC, "emit-deallocs=false"),
        (_OWNERSHIP, ""),
        (_SIMPLIFICATION, ""),
        (replace(FOLD_INSERTED_CODE, on_call=True), ""),
        (replace(_SIMPLIFICATION, on_call=True), ""),
        (CHECK_COMPARED_VIEWS, ""),
        (_LOWER_DEALLOCATIONS, ""),
        (FOLD_INSERTED_CODE, ""),
    ),
)

PIPELINES: Mapping[str, Pipeline] = {p.name: p for p in (_DEALLOCATION_PIPELINE,)}
"""Every pipeline, by flag name."""

INSIDE_PIPELINES = (FOLD_INSERTED_CODE, CHECK_COMPARED_VIEWS)
"""The passes that have no flag."""

DEALLOCATION = Pipeline(
    name="dealloc",
    summary="The main job: from bufferized MLIR to MLIR in which nothing of Dealog is left to lower",
    passes=(*_DEALLOCATION_PIPELINE.passes, (_CONVERT_TO_MEMREF, "")),
)
"""What `dealog dealloc` runs."""
