"""The passes, as data: the flag, the rule program and its options.

Running a pass is always the same three steps, `facts(module) → solve(program, facts) → carry out(edits)`; see
`dealog.pipeline`. A pass is one rule file, which declares it in comments::

    // @pass expand-realloc: Expand memref.realloc into a comparison of sizes, an allocation, a copy and a deallocation
    // @option emit-deallocs = true: Deallocate the buffer that has become too small
    // @concerns memref.realloc
    // @nests

`@pass` has the flag and a summary. `@option` (any number) is an option, which rules see as the fact
`option(name, value)`; its default says of which kind it is:

- `= true` or `= false`, or no default: yes or no;
- `= 1024`: a number, which rules also see as `option_value(name, number)`;
- `= keep of append, keep`: one of the values that are listed;
- `= []`, or `= [a, b]`: a list, any number of values with commas between them, with a fact for each of them.
  `= [] of a, b` says which values they may be.

`@concerns` spares the run of a pass on modules that have no operation of these names,
as its rules would derive nothing to do. `@nests` says that the rules look at `pass_root`, so that the pass can run on
the functions of a module one by one. Texts may go on on the next lines.

To add a pass, add its rule file to `rules/passes/`; a user's is given by `--rules`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from dealog import rules
from dealog.diagnostics import DealogError, Diagnostic, SourceText

_MARK = re.compile(
    r"^[ \t]*//[ \t]*@(pass|option|concerns|nests)\b[ \t]*(.*(?:\n[ \t]*//(?![ \t]*@)[ \t]*\S.*)*)", re.MULTILINE
)
_CONTINUED = re.compile(r"\s*\n[ \t]*//[ \t]*")
_PASS = re.compile(r"([A-Za-z][\w-]*)[ \t]*:[ \t]*(\S.*)", re.DOTALL)
_WORD = r"[\w.-]+"
_WORDS = rf"{_WORD}(?:[ \t]*,[ \t]*{_WORD})*"
_OPTION = re.compile(
    rf"([A-Za-z][\w-]*)[ \t]*(?:=[ \t]*({_WORD}|\[(?:{_WORDS})?\])[ \t]*(?:of[ \t]+({_WORDS})[ \t]*)?)?:[ \t]*(\S.*)",
    re.DOTALL,
)
OptionKind = Literal["bool", "number", "choice", "list"]
_LARGEST_NUMBER = 2**31 - 1  # in Datalog; what is larger is no bound, either
_TOO_LARGE = 2**64


@dataclass(frozen=True)
class PassOption:
    """An option of a pass: rules see it as the fact `option(name, value)`, one for each value of a list.

    `default` is written as on the command line. `values` are those that there are, where they are listed.
    """

    name: str
    summary: str
    default: str = "false"
    kind: OptionKind = "bool"
    values: tuple[str, ...] = ()

    @property
    def placeholder(self) -> str:
        """What stands for a value in help."""
        return "|".join(self.values) if self.values else {"number": "uint"}.get(self.kind, self.kind)

    @property
    def listed(self) -> str:
        """The option as mlir-opt lists it."""
        return self.name if self.kind == "bool" else f"{self.name}=<{self.placeholder}>"

    def read(self, text: str) -> str | None:
        """A value as rules see it, from how the user writes it; None where the option does not take it."""
        text = text.strip()
        if self.kind == "bool":
            lower = text.lower()
            return "true" if lower in ("true", "1", "") else "false" if lower in ("false", "0") else None
        if self.kind == "number":
            digits = text.lstrip("0") or text[:1]
            is_taken = re.fullmatch(r"[0-9]{1,20}", digits) and int(digits) < _TOO_LARGE
            return str(min(int(digits), _LARGEST_NUMBER)) if is_taken else None
        words = [word for word in text.split(",") if word] if self.kind == "list" else [text]
        return ",".join(words) if all(word in self.values for word in words) or not self.values else None

    @property
    def taken(self) -> str:
        """What the option takes, for messages."""
        if self.kind == "bool":
            return "true or false"
        if self.kind == "number":
            return "a number below 2^64"
        return ("values among " if self.kind == "list" else "one of ") + ", ".join(self.values)


def _option(parts: re.Match[str]) -> PassOption | None:
    """An option as `@option` declares it; None where its default is none of its values."""
    name, default, listed, summary = parts.groups()
    values = tuple(re.split(r"[ \t]*,[ \t]*", listed)) if listed else ()
    default = re.sub(r"\s", "", default or "false")
    kind: OptionKind = "choice"
    if default.startswith("["):
        kind, default = "list", default[1:-1]
    elif default in ("true", "false") and not values:
        kind = "bool"
    elif default.isdigit() and not values:
        kind = "number"
    elif not values:
        return None
    found = PassOption(name, summary, default, kind, values)
    return found if found.read(default) is not None else None


@dataclass(frozen=True)
class Pass:
    """A pass under its flag name: for most, the one that mlir-opt gives it.

    `program` names the rule program in `dealog.rules`, or is the rule file of a user. Of its `.output` relations, the
    edits are carried out. `concerns` are names of operations: of a module without any of them the rules derive nothing
    to do; None: any operation may matter. A pass `on_call` only runs where the rules of the pass right before it derive
    `calls_for(name)`.
    """

    name: str
    summary: str
    program: str | Path
    options: tuple[PassOption, ...] = ()
    nests: bool = False
    concerns: frozenset[str] | None = None
    on_call: bool = False


def read_pass(path: Path) -> Pass | None:
    """The pass that the rule file at `path` declares, if it declares one.

    Raises `DealogError` where its marks are wrong.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None  # whoever reads the rules says what is wrong
    if "@pass" not in text:
        return None
    found: Pass | None = None
    options: list[PassOption] = []
    concerns: frozenset[str] | None = None
    nests = False

    def fault(match: re.Match[str], message: str, hint: str) -> DealogError:
        offset = text.index("@", match.start())
        return DealogError(Diagnostic(message, source=SourceText(str(path), text), offset=offset, hint=hint))

    for match in _MARK.finditer(text):
        kind, said = match[1], _CONTINUED.sub(" ", match[2].strip())
        if kind == "pass":
            parts = _PASS.fullmatch(said)
            if parts is None:
                raise fault(match, "'@pass' needs a flag and a summary", "// @pass my-pass: What it does to a module")
            if found is not None:
                raise fault(match, "a rule file declares one pass", f"'{found.name}' is declared in this file, too")
            found = Pass(parts[1], parts[2], path)
        elif kind == "option":
            parts = _OPTION.fullmatch(said)
            if parts is None:
                raise fault(
                    match, "'@option' needs a name and a summary", "// @option my-option = false: What it changes"
                )
            option = _option(parts)
            if option is None:
                hint = "true, false, a number, one of the values after 'of', or a list in brackets"
                raise fault(match, f"the option '{parts[1]}' cannot have this default", hint)
            options.append(option)
        elif kind == "concerns":
            concerns = (concerns or frozenset()) | set(re.split(r"[\s,]+", said))
        else:
            nests = True
    return found and replace(found, options=tuple(options), concerns=concerns, nests=nests)


def _shipped() -> Mapping[str, Pass]:
    found = {}
    for path in rules.passes():
        made = read_pass(path)
        if made is not None:
            found[made.name] = replace(made, program=path.stem)
    return found


_EVERY = _shipped()

FOLD_INSERTED_CODE = _EVERY["fold-inserted-code"]
"""Only used inside pipelines: in a text that was just read, nothing is inserted."""

INSIDE_PIPELINES = (FOLD_INSERTED_CODE,)
"""The passes that have no flag."""

PASSES: Mapping[str, Pass] = {name: p for name, p in _EVERY.items() if p not in INSIDE_PIPELINES}
"""Every pass that comes with Dealog, by flag name."""

NO_PASSES: Mapping[str, Pass] = {}


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
        (PASSES["expand-realloc"], "emit-deallocs=false"),
        (PASSES["ownership-based-buffer-deallocation"], ""),
        (PASSES["buffer-deallocation-simplification"], ""),
        (replace(FOLD_INSERTED_CODE, on_call=True), ""),
        (replace(PASSES["buffer-deallocation-simplification"], on_call=True), ""),
        (PASSES["bufferization-lower-deallocations"], ""),
        (FOLD_INSERTED_CODE, ""),
    ),
)

_CLASSIC_PIPELINE = Pipeline(
    name="classic-buffer-deallocation-pipeline",
    summary="Hoist allocations, promote small ones to the stack, free the rest as MLIR did up to 19, and remove clones",
    passes=(
        (PASSES["buffer-hoisting"], ""),
        (PASSES["buffer-loop-hoisting"], ""),
        (PASSES["promote-buffers-to-stack"], ""),
        (PASSES["buffer-deallocation"], ""),
        (PASSES["clone-removal"], ""),
    ),
)

_STATIC_PIPELINE = Pipeline(
    name="static-buffer-deallocation-pipeline",
    summary="Free every buffer after its last use, decided at compile time, and fold what that leaves to compute",
    passes=(
        (PASSES["expand-realloc"], "emit-deallocs=false"),
        (PASSES["static-buffer-deallocation"], ""),
        (replace(FOLD_INSERTED_CODE, on_call=True), ""),
    ),
)

PIPELINES: Mapping[str, Pipeline] = {
    p.name: p for p in (_DEALLOCATION_PIPELINE, _STATIC_PIPELINE, _CLASSIC_PIPELINE)
}
"""Every pipeline, by flag name."""


def declared_passes(files: Iterable[Path]) -> Mapping[str, Pass]:
    """The passes that rule files of a user declare, by flag name.

    Raises `DealogError` where one is declared wrongly, or has the name of another.
    """
    found: dict[str, Pass] = {}
    for path in files:
        made = read_pass(path)
        if made is None or path.resolve().parent == rules.folder().resolve() / "passes":
            continue  # no pass, or one that comes with Dealog
        if made.name in found or made.name in _EVERY or made.name in PIPELINES:
            whose = f"'{found[made.name].program}' declares one" if made.name in found else "it comes with Dealog"
            text = path.read_text("utf-8-sig")
            source, offset = SourceText(str(path), text), text.index("@pass")
            message = f"there is a pass '{made.name}' already"
            raise DealogError(Diagnostic(message, source=source, offset=offset, hint=whose))
        found[made.name] = made
    return found


_TO_MEMREF = PASSES["convert-bufferization-to-memref"], "strided-clones leave-tensors"

DEALLOCATION = Pipeline(
    name="dealloc",
    summary="The main job: from bufferized MLIR to MLIR in which nothing of Dealog is left to lower",
    passes=(*_DEALLOCATION_PIPELINE.passes, _TO_MEMREF),
)
"""What `dealog dealloc --pipeline=mlir` runs."""

STATIC_DEALLOCATION = Pipeline(
    name="static-dealloc",
    summary="The main job, decided at compile time",
    passes=(*_STATIC_PIPELINE.passes, _TO_MEMREF),
)
"""What `dealog dealloc` runs."""
