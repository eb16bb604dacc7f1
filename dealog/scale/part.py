"""Decides one part of a module: some functions in full, and declarations of those that they name."""

from __future__ import annotations

import gc
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from dealog.diagnostics import DealogError, Diagnostic
from dealog.extensions import said_of_parts
from dealog.scale.cut import NotCut, cut

if TYPE_CHECKING:
    from dealog.engine import Program
    from dealog.frontend import Module
    from dealog.frontend.facts import Facts
    from dealog.job import Job
    from dealog.rewriter.materialiser import Relations

Row = tuple[int, str, str, int, int]
"""What is known of a function at a step: the number of the step, the function, and the columns of `said_elsewhere`."""

Called = tuple[frozenset[str], ...]
"""For each step of the pipeline, the passes that are called for ahead of it."""

HELPER = "dealloc_helper"


@dataclass(frozen=True)
class Task:
    """A part of the module in a file called `name`: `text` is a module of its own.

    `pieces` are the operations in it, in order: the number of a piece of the whole that is wanted, or -1, and the
    symbol. `elsewhere` are the functions whose body is in other parts, and whether they are private; `rows` is what
    these parts show, and `called` the passes that they call for (None: what this part calls for is all).
    """

    text: str
    name: str
    job: Job
    pieces: Sequence[tuple[int, str]]
    elsewhere: Mapping[str, bool]
    rows: frozenset[Row]
    called: Called | None
    fingerprint: str


@dataclass
class Result:
    """What became of a task: the texts of the pieces that were wanted, by number; what is to be known of functions in
    other parts, by the symbol of the function in which it shows; what is called for at a step, likewise; the helper
    function, where one was made. `failed` says that it takes the whole module to tell what is wrong."""

    texts: dict[int, str] = field(default_factory=dict)
    rows: dict[str, set[Row]] = field(default_factory=dict)
    asks: dict[str, set[tuple[int, str]]] = field(default_factory=dict)
    called: Called = ()
    helper: str = ""
    helper_name: str = ""
    failed: str = ""


@cache
def fingerprint() -> str:
    """What stands for this version of Dealog: all that its output depends on."""
    import dealog
    from dealog import engine, frontend, rewriter, rules

    digest = sha256(dealog.__version__.encode())
    for folder in (Path(dealog.__file__).parent, *(Path(str(p.__file__)).parent for p in (frontend, rewriter, engine))):
        for file in sorted(folder.rglob("*")):
            if file.suffix in (".py", ".lark"):
                digest.update(file.read_bytes())
    for file in sorted(rules.folder().rglob("*.dl")):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def decide(task: Task) -> Result:
    """Run the passes on a part.

    Raises:
        DealogError: this is not the version of Dealog that cut the module.
    """
    if task.fingerprint != fingerprint():
        hint = "the same version of Dealog has to be installed on all workers"
        raise DealogError(Diagnostic("a worker runs another version of Dealog", hint=hint))
    try:
        return _decide(task)
    except (DealogError, NotCut) as error:
        return Result(failed=str(error) or type(error).__name__)
    finally:
        if not gc.isenabled():
            gc.collect()


def _decide(task: Task) -> Result:
    from dealog.frontend import print_module
    from dealog.job import read_module
    from dealog.pipeline import run_one_by_one
    from dealog.splitting import Chunk
    from dealog.stopwatch import Stopwatch
    from dealog.verification import Verifier

    job, stopwatch = task.job, Stopwatch(show=False)
    module = read_module(Chunk(task.text, 1), task.name, stopwatch, job.allow_unregistered, False, job.extensions)
    _check(module, task)
    verifier = Verifier(job.engine, job.extensions, stopwatch, steps=job.steps) if job.verification != "none" else None
    if verifier is not None:
        verifier.verify(module)
    part = _Part(task, module)
    for _ in run_one_by_one(module, job.steps, job.engine, stopwatch, job.extensions, part):
        if verifier is not None and job.verification == "each":
            verifier.verify(module)
    if verifier is not None and job.steps and job.verification == "around":
        verifier.verify(module)
    result = part.result
    result.called = tuple(part.used)
    _take_apart(print_module(module), task, result)
    return result


def _check(module: Module, task: Task) -> None:
    """Raise `NotCut` where the text is not the operations that it was cut into."""
    operations = module.operation.regions[0].blocks[0].operations
    if len(operations) != len(task.pieces):
        raise NotCut("the module is not what it was taken for")
    starts = {op.offset for op in operations}
    found = cut(task.text)
    if {piece.op for piece in found.pieces} != starts:
        raise NotCut("the module is not what it was taken for")


def _take_apart(text: str, task: Task, result: Result) -> None:
    """Cut the output `text` as the input was."""
    before, after = cut(task.text), cut(text)
    count = len(task.pieces)
    made = after.pieces[count:]
    symbols = [piece.symbol for piece in after.pieces[:count]]
    if before.head != after.head or before.tail != after.tail or symbols != [symbol for _, symbol in task.pieces]:
        raise NotCut("a pass changes what stands between functions")
    if len(made) > 1 or not all(piece.symbol.startswith(HELPER) for piece in made):
        raise NotCut("a pass adds functions")
    for piece in made:
        result.helper, result.helper_name = after.of(piece), piece.symbol
    for (number, _), piece in zip(task.pieces, after.pieces, strict=False):
        if number >= 0:
            result.texts[number] = after.of(piece)


class _Part:
    """See `dealog.pipeline.Part`."""

    def __init__(self, task: Task, module: Module) -> None:
        self.task, self.module = task, module
        self.elsewhere = {f"@{symbol}": private for symbol, private in task.elsewhere.items()}
        self.result = Result()
        self.used: list[frozenset[str]] = []

    def called(self, place: int, own: Collection[str]) -> Collection[str]:
        called = self.task.called
        step = self.task.job.steps[place]
        given = frozenset(own) if called is None else called[place]
        self.used.append(given & {step.pass_.name} if step.pass_.on_call else frozenset())
        return given

    def complete(self, place: int, facts: Facts) -> None:
        relations, elsewhere = facts.relations, self.elsewhere
        external = [row for row in relations["external_function"] if row[0] not in elsewhere]
        private = [row for row in relations["private_function"] if elsewhere.get(str(row[0]), True)]
        relations["external_function"], relations["private_function"] = external, private
        known = [row[1:] for row in self.task.rows if row[0] == place and row[1] in facts.functions]
        relations["said_elsewhere"] = sorted(known)

    def further(self, program: Program) -> Collection[str]:
        return said_of_parts(program)

    def note(self, place: int, facts: Facts, relations: Relations) -> None:
        result = self.result
        for by, function, kind, first, second in relations.get("function_summary", ()):
            row = (place, str(function), str(kind), int(first), int(second))
            result.rows.setdefault(str(by).removeprefix("@"), set()).add(row)
        attributed = set()
        for name, function in relations.get("called_in", ()):
            attributed.add(name)
            result.asks.setdefault(str(function).removeprefix("@"), set()).add((place + 1, str(name)))
        if {name for (name,) in relations.get("calls_for", ())} - attributed:
            raise NotCut("what calls for a pass is not in a function")
        for (function,) in relations.get("dynamic_ownership", ()):
            if str(function) in self.elsewhere:
                _grow(facts.functions[str(function)], self.module)


def _grow(function: object, module: Module) -> None:
    """Let the declaration of a function elsewhere return an i1 with each buffer, as the function itself will."""
    from dealog.frontend import edits, is_memref, lexer
    from dealog.frontend.ir import Operation

    assert isinstance(function, Operation)
    type = function.attributes["function_type"]
    results = type[lexer.balanced_end(type, 0) :].strip().removeprefix("->").strip()
    listed = [results]
    if results.startswith("("):
        listed = [results[a:b] for a, _, b in lexer.split_list(results, 1, len(results) - 1)]
    buffers = [one for one in listed if is_memref(module.expanded(one.split("{")[0].strip()))]
    edits.grow_function_results(function, ["i1"] * len(buffers))
