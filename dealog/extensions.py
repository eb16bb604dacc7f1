"""What a user adds to Dealog: rule files (`--rules`) and dialects of two files (`--dialect`)."""

from __future__ import annotations

import errno
import io
import json
import os
import pickle
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache as memoize
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from dealog import cache, rules
from dealog.cache import key, key_of_files
from dealog.diagnostics import DealogError, Diagnostic, SourceText, did_you_mean

if TYPE_CHECKING:
    from dealog.engine import Fact, Program, Relation, Rule
    from dealog.engine.compact import Stated
    from dealog.engine.divided import Divided
    from dealog.engine.program import Position
    from dealog.frontend.structure import Structure
    from dealog.passes import Pass

T = TypeVar("T")
_PROTOCOL = 5  # of all versions of Python that there are: a wheel is for several
_INCLUDE = re.compile(r'include[ \t\r\n\\]*"([^"\n]+)"')
_OPERATION = re.compile(r'"(\w+\.[\w$.]+)"')  # as rules name operations
_STRUCTURE = (  # the relations of rules/structure.dl
    "function_like", "holds_symbols", "valid_with_others", "valid_anywhere", "valid_by_arguments",
    "compares_sizes", "compares_shapes", "compares_types",
)  # fmt: skip
_TERMINATOR = "terminator"
_SYNTAX, _MEANING = "[!.]*.lark", "[!.]*.dl"  # hidden files are those of editors


@dataclass(frozen=True)
class Extensions:
    """Rule files, and folders of dialects.

    A dialect is one or two files in its folder: `<dialect>.lark`, how its operations are written, and
    `<dialect>.dl`, what they mean. There may be several in a folder.

    Rule files are written against all rules that come with Dealog (`everything`), whose files they may include by
    name. They may add clauses to the relations there, but for the facts about a module, and declare relations.
    """

    rules: tuple[Path, ...] = ()
    dialects: tuple[Path, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.rules or self.dialects)

    def __reduce__(self) -> tuple[object, ...]:
        return Extensions, (self.rules, self.dialects)  # programs stay with the process

    @property
    def syntax_dirs(self) -> tuple[Path, ...]:
        """The folders in which `dealog.frontend.parse` finds how further dialects are written."""
        return tuple(folder for folder in self.dialects if any(folder.glob(_SYNTAX)))

    @cached_property
    def rule_files(self) -> tuple[Path, ...]:
        """All rule files, those of dialects first, each once."""
        meanings = [file for folder in self.dialects for file in sorted(folder.glob(_MEANING))]
        return tuple({os.path.realpath(file): file for file in (*meanings, *self.rules)}.values())

    @cached_property
    def passes(self) -> Mapping[str, Pass]:
        """The passes that the rule files declare, by flag name.

        Raises `DealogError` where one is declared wrongly, or has the name of another.
        """
        from dealog.passes import declared_passes

        return declared_passes(self.rule_files)

    def program(self, name: str | Path, *, ask: bool = False) -> Program:
        """The rule program called `name` with the added clauses that matter to its outputs; with `ask`, those that
        matter to anything in it and the added relations, too. The program of a pass that a rule file declares goes by
        the path of that file; its outputs are the edits that the file derives.

        What files that declare passes say about edits, and about what is refused, is theirs alone.

        Raises `DealogError` for rule files that are wrong.
        """
        if not self.rule_files:
            assert isinstance(name, str)
            return shipped(name)
        known = self._programs.get((name, ask))
        if known is None:
            from dealog.engine.extending import extended

            whole = self.everything()
            passes = {source.name for source in whole.added} & {str(p.program) for p in self.passes.values()}
            foreign = passes - {str(name)}

            def left_out(clause: Rule | Fact) -> bool:
                file = clause.position.file
                return file in foreign and any(head in _pass_relations() for head in _heads(clause))

            new = {place.new for place in whole.set_apart}
            taken = [n for n in self.own_relations() if n not in new and any(each.startswith(n) for each in new)]
            apart = frozenset((*(place.old for place in whole.set_apart), *taken))
            base = shipped(name, apart) if isinstance(name, str) else self._edits_in(name)
            outputs = [relation.name for relation in base.outputs]
            wanted = (*(base.relations if isinstance(name, str) else outputs), *self.own_relations()) if ask else None
            known = self._programs[name, ask] = extended(base, whole, wanted, left_out)
        return known

    def for_runs(self, name: str | Path, in_parts: bool = False) -> tuple[Program, Stated]:
        """What runs need of `program(name)`, and the tuples that it states: see `dealog.engine.compact`. Its outputs
        are those that are carried out; and `in_parts`, what parts of a module tell each other. It is cached as long as
        the rule files and those that they include stay as they are.

        Raises `DealogError` for rule files that are wrong.
        """
        if self is not NO_EXTENSIONS and not self._matter_to(name):
            return NO_EXTENSIONS.for_runs(name, in_parts)
        known = self._for_runs.get((name, in_parts))
        if known is None:
            from dealog.engine.compact import load_compact

            outputs = _asked_of_structure if name == "structure" else _asked_in_parts if in_parts else _asked_in_runs
            made_from = key([str(in_parts), self.made_from])
            known = load_compact(str(name), lambda: self._made_for_runs(name), outputs, made_from)
            self._for_runs[name, in_parts] = known
        return known

    def divided(self, name: str) -> Divided:
        """What `for_runs(name)` gives, in parts of which a run only reads those that it needs.

        Raises `DealogError` for rule files that are wrong.
        """
        if self is not NO_EXTENSIONS and not self._matter_to(name):
            return NO_EXTENSIONS.divided(name)
        known = self._divided.get(name)
        if known is None:
            from dealog.engine.divided import load_divided

            known = load_divided(name, lambda: self._made_for_runs(name), _asked_in_runs, self.made_from)
            self._divided[name] = known
        return known

    def reduced(self, name: str, outputs: Callable[[Program], Collection[str]]) -> Divided:
        """All rules that there are, reduced to what `outputs` picks out of them, as `divided` gives it. It is cached
        under `name`, which stands for `outputs`.

        Raises `DealogError` for rule files that are wrong.
        """
        known = self._divided.get(f"all-{name}")
        if known is None:
            from dealog.engine.divided import load_divided

            known = load_divided(name, self.everything, outputs, self.made_from, in_full=True)
            self._divided[f"all-{name}"] = known
        return known

    def made(self, name: str, make: Callable[[Program], T]) -> T:
        """What `make` makes of all rules that there are. It is cached under `name`, which stands for `make`, as long as
        the rule files and those that they include stay as they are.

        Raises `DealogError` for rule files that are wrong.
        """
        from dealog.engine.version import version

        kept_as = f"made-{key([version(), name, self.made_from, *map(str, self.rule_files)])}"
        made: T = cache.kept(kept_as, lambda: make(self.everything()), _pickle, pickle.loads)
        return made

    def _matter_to(self, name: str | Path) -> bool:
        """Whether the rule files add anything to what runs need of `program(name)`."""
        if not self.rule_files:
            return False
        if isinstance(name, Path):
            return True
        made: bool = cache.kept(
            f"adds-{key([name, self.made_from])}", lambda: bool(self._made_for_runs(name).added),
            lambda made: json.dumps(made).encode(), json.loads,
        )  # fmt: skip
        return made

    def _made_for_runs(self, name: str | Path) -> Program:
        if not self.rule_files:
            return shipped(str(name))
        if name == "structure":
            from dealog.engine.extending import extended

            return extended(shipped("structure"), self.everything(), (*_STRUCTURE, _TERMINATOR))
        return self.program(name)

    @cached_property
    def texts(self) -> Sequence[str]:
        """The texts of the rule files, and of the files that they include."""
        return [text for _, text in self._files]

    @cached_property
    def _files(self) -> Sequence[tuple[str, str]]:
        """The paths and the texts of the rule files, and of the files that they include; the paths of those that their
        includes find beside them, with no text.

        Which these are is cached for these very texts.
        """
        if not self.rule_files:
            return ()
        try:
            own = _read(map(str, self.rule_files))
            guess = cache.kept_bytes(_included(own))  # as it was for these rule files the last time
            if guess is not None:
                with suppress(OSError, ValueError):
                    files = own + _read(json.loads(guess))
                    if cache.kept_bytes(_included(files)) == guess:
                        return files
            included = [source.name for source in self.everything().added]
            files = own + _read(included)
        except (OSError, ValueError):
            return [(source.name, source.text) for source in self.everything().added]  # tells what is wrong, if it is
        for name in (_included(own), _included(files)):
            cache.keep_bytes(name, json.dumps(included).encode())
        return files

    @cached_property
    def made_from(self) -> str:
        """Changes with the texts, and with where they stand beside each other: wherever that is, they mean the same."""
        beside = [(os.path.relpath(path, self.rule_files[0].parent), text) for path, text in self._files]
        return key([_shipped_texts(), *(part for pair in beside for part in pair)])

    def _edits_in(self, path: Path) -> Program:
        """The relations of edits, those being outputs that the file at `path` derives."""
        whole = self.everything()
        every: tuple[Rule | Fact, ...] = (*whole.rules, *whole.facts)
        clauses = [clause for clause in every if clause.position.file == str(path)]
        derived = {head for clause in clauses for head in _heads(clause)} & _pass_relations().keys()
        base = shipped("edits")
        relations = {**base.relations, **{name: whole.relations[name] for name in derived}}
        marked = {
            name: replace(relation, is_output=name in derived) for name, relation in relations.items()
        }
        return replace(base, relations=marked)

    def everything(self) -> Program:
        """All rules that come with Dealog and all added ones.

        Raises `DealogError` for rule files that are wrong.
        """
        return self._whole if self.rule_files else NO_EXTENSIONS._whole

    def own_relations(self) -> list[str]:
        """The relations that the rule files declare, in their order."""
        whole = self.everything()
        added = {id(source) for source in whole.added}
        return [name for name, relation in whole.relations.items() if id(relation.position.source) in added]

    @cached_property
    def structure(self) -> Structure:
        """Which operations are functions, symbol tables, entangled with others, and terminators.

        Raises `DealogError` for rule files that are wrong.
        """
        from dealog.frontend.structure import Structure

        _, stated = self.for_runs("structure")
        mentioned = frozenset(name for text in self.texts for name in _OPERATION.findall(text))
        named = (frozenset(str(name) for (name,) in stated[relation]) for relation in _STRUCTURE)
        terminators = frozenset(str(name) for (name,) in stated.get(_TERMINATOR, ()))
        return replace(Structure(*named), mentioned=mentioned, terminators=terminators)

    def dialect_names(self) -> frozenset[str]:
        """The dialects that are added: those that have a file, and those whose operations the rules speak of."""
        names = {file.stem for folder in self.dialects for files in (_SYNTAX, _MEANING) for file in folder.glob(files)}
        if self.rule_files:
            names |= self.made("dialects", _described_dialects)
        return frozenset(names)

    @cached_property
    def _programs(self) -> dict[tuple[str | Path, bool], Program]:
        return {}

    @cached_property
    def _divided(self) -> dict[str, Divided]:
        return {}

    @cached_property
    def _for_runs(self) -> dict[tuple[str | Path, bool], tuple[Program, Stated]]:
        return {}

    @cached_property
    def _whole(self) -> Program:
        from dealog.engine import load

        if not self.rule_files:
            return _all_shipped()
        whole = load(rules.programs(), extra=self.rule_files, include_dirs=rules.folders())
        if faults := list(_faults(whole)):
            raise DealogError(faults)
        return whole


NO_EXTENSIONS = Extensions()


def _pickle(made: object) -> bytes:
    """`made` as bytes, in which the text of a rule file is where that is: those that come with Dealog may be elsewhere
    the next time."""
    folder, out = Path(rules.__file__).parent, io.BytesIO()

    def reduced(source: SourceText) -> tuple[Callable[[str, bool], SourceText], tuple[str, bool]]:
        path = Path(source.name)
        is_shipped = path.is_relative_to(folder)
        return _source_at, (str(path.relative_to(folder)) if is_shipped else source.name, is_shipped)

    pickler = pickle.Pickler(out, _PROTOCOL)
    pickler.dispatch_table = {SourceText: reduced}
    pickler.dump(made)
    return out.getvalue()


def _source_at(name: str, is_shipped: bool) -> SourceText:
    """The rule file called `name`; see `_pickle`."""
    from dealog.engine.preprocessor import source_text

    path = Path(rules.__file__).parent / name if is_shipped else Path(name)
    return source_text(str(path), path.read_text("utf-8-sig"))


def _read(files: Iterable[str]) -> list[tuple[str, str]]:
    """The paths and the texts of `files`, and the paths of those that their includes find beside them, with no text: a
    new file may be meant by an include that was about one further away before."""
    texts = [(file, Path(file).read_text("utf-8")) for file in files]
    named = [(os.path.dirname(file), name) for file, text in texts for name in _INCLUDE.findall(text)]
    beside = {path: "" for folder, name in named if os.path.isfile(path := os.path.join(folder, name))}
    return [*texts, *beside.items()]


def _included(files: Sequence[tuple[str, str]]) -> str:
    """What it is cached under which files are included by those that have these paths and texts."""
    return f"included-{key([_shipped_texts(), *(part for pair in files for part in pair)])}"


@memoize
def shipped(name: str, apart: frozenset[str] = frozenset()) -> Program:
    """The rule program called `name` as it comes with Dealog. Relations that are a file's own are renamed if they are
    among the names `apart`."""
    from dealog.engine import load

    return _as_shipped(key([name, *sorted(apart)]), lambda: load(rules.program(name), apart=apart, keep=False))


@memoize
def _all_shipped() -> Program:
    """All rules that come with Dealog."""
    from dealog.engine import load

    return _as_shipped("all", lambda: load(rules.programs(), include_dirs=rules.folders(), keep=False))


def _as_shipped(name: str, make: Callable[[], Program]) -> Program:
    """What `make` makes of rules that come with Dealog, cached under `name`: then the files need not be scanned."""
    from dealog.engine.version import version

    def made() -> Program:
        program = make()
        assert program.read_by_rules  # is cached with it
        return program

    found: Program = cache.kept(f"rules-{key([version(), _shipped_texts(), name])}", made, _pickle, pickle.loads)
    return found


@memoize
def _shipped_texts() -> str:
    """Stands for the rules that come with Dealog, and for what is asked of them."""
    own = Path(__file__)
    return key_of_files([own, own.with_name("placements.py"), *rules.files()])


def _asked_in_runs(program: Program) -> list[str]:
    """The relations of `program` that runs ask for, whatever it is for."""
    from dealog.placements import questions

    others = [name for name in ("diagnosed", *_STRUCTURE) if name in program.relations]
    return [*carried_out(program), *questions(program), *others]


def _asked_of_structure(program: Program) -> list[str]:
    """The relations of `program` that say what has to be known before any rule runs."""
    return [name for name in (*_STRUCTURE, _TERMINATOR) if name in program.relations]


def _asked_in_parts(program: Program) -> list[str]:
    """The relations of `program` that runs on a part of a module ask for."""
    return [*_asked_in_runs(program), *said_of_parts(program)]


def said_of_parts(program: Program) -> list[str]:
    """The relations of `program` that say what other parts of a module need to know of a part."""
    return [name for name in ("function_summary", "called_in", "dynamic_ownership") if name in program.relations]


def carried_out(program: Program) -> list[str]:
    """The outputs of the program of a pass that are carried out. What else it decides is for explanations."""
    wanted = {*relation_names("edits"), "refused", "advice", "noted", "calls_for"}
    return [relation.name for relation in program.outputs if relation.name in wanted]


@memoize
def relation_names(name: str) -> tuple[str, ...]:
    """The relations that the rule file called `name`, which comes with Dealog, declares."""
    file = str(rules.program(name))
    return tuple(r for r, relation in shipped(name).relations.items() if relation.position.file == file)


@memoize
def same_buffer_edits() -> frozenset[str]:
    """The edits that are marked `@same_buffer`: the value that they make, in their first column, is another name of the
    buffer in their second."""
    declared = shipped("edits").relations
    return frozenset(name for name, each in declared.items() if any(m.name == "same_buffer" for m in each.annotations))


@memoize
def _pass_relations() -> Mapping[str, Relation]:
    """The relations that each pass derives for itself: edits, what it refuses, and what it calls for."""
    found: dict[str, Relation] = {}
    for name in ("edits", "refused", "calls_for"):
        found |= {each: shipped(name).relations[each] for each in relation_names(name)}
    return found


def _heads(clause: Rule | Fact) -> list[str]:
    from dealog.engine import Fact

    return [clause.relation] if isinstance(clause, Fact) else [head.relation for head in clause.heads]


def _missing(path: Path, message: str) -> Diagnostic:
    """That `path` is not there; or why that cannot be said."""
    from dealog.files import absent

    why = absent(path)
    return Diagnostic(message if why in (None, os.strerror(errno.ENOENT)) else f"cannot read '{path}': {why}")


def fault_of_rule_file(path: Path) -> Diagnostic | None:
    """Why `path` can be no rule file, if it cannot."""
    if os.path.isdir(path):
        hint = "a folder with a dialect is given as a dialect"
        return Diagnostic(f"'{path}' is a folder, not a rule file", hint=hint)
    return None if os.path.exists(path) else _missing(path, f"there is no rule file '{path}'")


def fault_of_dialect(path: Path) -> Diagnostic | None:
    """Why `path` can be no folder with dialects, if it cannot."""
    if not os.path.exists(path):
        return _missing(path, f"there is no folder '{path}' to read a dialect from")
    if not os.path.isdir(path):
        hint = "a dialect is given as the folder of its files, a rule file as such"
        return Diagnostic(f"'{path}' is not a folder of a dialect", hint=hint)
    if not any(True for files in (_SYNTAX, _MEANING) for _ in path.glob(files)):
        hint = "a dialect is <dialect>.lark (how its operations are written), <dialect>.dl (what they mean), or both"
        return Diagnostic(f"the folder '{path}' holds no dialect", hint=hint)
    return None


def fault_of_pack(name: str) -> Diagnostic | None:
    """Why `name` can be no pack, if it cannot."""
    known = rules.packs()
    if name in known:
        return None
    hint = did_you_mean(name, known) or f"the packs are: {', '.join(known)}"
    return Diagnostic(f"there is no pack '{name}'", hint=hint)


def _faults(whole: Program) -> Iterator[Diagnostic]:
    """What added files must not do, though it is portable Datalog."""
    added = {id(source) for source in whole.added}
    for directive in whole.directives:
        if directive.kind == "input" and id(directive.position.source) in added:
            yield directive.position.error(
                "the only relations that are read in are the facts about the module",
                "state tuples in the rule file: name(...). Nothing has to be said of relations without tuples",
            )
    rules_, facts = whole.added_clauses
    heads: list[tuple[str, Position]] = [(fact.relation, fact.position) for fact in facts]
    heads += [(head.relation, head.position) for rule in rules_ for head in rule.heads]
    for name, position in heads:
        relation = whole.relations[name]
        if name in _STRUCTURE and not any(position is fact.position for fact in facts):
            yield position.error(
                f"{name} is asked before any rule runs, so it can only be stated by facts",
                f'state each name: {name}("mydb.name").',
            )
        if relation.is_input:
            yield position.error(
                f"{name} is a fact about the module, and cannot be derived",
                "declare a relation of your own, and derive that",
                [relation.position.note("declared here")],
            )


def _described_dialects(whole: Program) -> set[str]:
    """The dialects that added clauses name, and those of the operations whose meaning they state."""
    from dealog.engine import Constant

    rules_, facts = whole.added_clauses
    stated = [(fact.relation, fact.values) for fact in facts]
    for head in (head for rule in rules_ for head in rule.heads):
        stated.append((head.relation, tuple(a.value if isinstance(a, Constant) else "" for a in head.arguments)))
    vocabulary = str(rules.program("vocabulary"))
    dialects = set()
    for name, values in stated:
        relation = whole.relations[name]
        if relation.position.file == vocabulary and relation.columns[0].name == "name":
            dialect, dot, _ = str(values[0]).partition(".")
            if dot or name == "dialect":
                dialects.add(dialect)
    return dialects
