"""Decides a module part by part: cuts it, has the parts decided, and puts them together.

What functions show of each other (`rules/analysis/summary.dl`) is found as the sequential run finds it, as a least
solution: callees come first, and where a part turns out to have been decided with less than is known at the end, it is
decided again. Where that would not do, the module is not cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dealog.scale.cut import Cut, NotCut, Piece, cut, symbols_in
from dealog.scale.part import HELPER, Called, Result, Row, Task, decide, fingerprint
from dealog.scale.store import Store, key

if TYPE_CHECKING:
    from collections.abc import Callable

    from dealog.job import Job
    from dealog.scale.workers import Workers

_SMALLEST, _LARGEST = 16 * 1024, 512 * 1024  # characters in a task: enough that what each costs does not count
_TASKS_EACH = 4  # tasks for each worker, where there are enough
_ROUNDS = 25
_ACROSS = frozenset(("callee", "symbol_use"))  # facts that lead to other functions
_GUESS = "?"
_CHOOSES = "dealog.managed"
_GUESSED = ("named", "returns")

_Rows = frozenset[Row]


def is_cut(job: Job) -> bool:
    """Whether the functions of a module can be decided apart, as far as `job` says. Printing in between, messages that
    are compared, and what is nested need the whole; so do rules of the user's that are more than facts."""
    extensions = job.extensions
    for step in job.steps:
        program, _ = extensions.for_runs(step.pass_.program, in_parts=True)
        needed = program.needed_for(relation.name for relation in program.outputs)
        if "function_summary" not in program.relations and not _ACROSS.isdisjoint(needed):
            return False
    if extensions.rule_files:
        whole = extensions.everything()
        added = {id(source) for source in whole.added}
        if extensions.passes or any(id(rule.position.source) in added for rule in whole.rules):
            return False
    return not (
        job.verify is not None
        or job.unknown_effects != "refuse"
        or job.normalize
        or job.annotate
        or job.anchor not in (None, "builtin.module", "any")
        or not job.implicit_module
        or job.generic
        or job.locations
        or bool(job.dumps)
        or not job.steps
        or any(step.nest for step in job.steps)
    )


def stands_for(job: Job) -> str:
    """A text that is the same for jobs that decide alike."""
    steps = [(step.pass_.name, sorted(step.options.items()), step.pass_.on_call) for step in job.steps]
    syntax = [
        (file.name, file.read_text("utf-8", "surrogateescape"))
        for folder in job.extensions.syntax_dirs
        for file in sorted(folder.glob("[!.]*.lark"))
    ]
    written = (
        job.split_marker, job.output_marker, job.verify, job.verification, job.unknown_effects, job.allow_unregistered,
        job.normalize, job.annotate, job.anchor, job.implicit_module, job.generic, job.locations,
    )  # fmt: skip
    return repr((fingerprint(), steps, syntax, job.extensions.made_from, written))


def transformed(
    text: str, name: str, job: Job, workers: Workers, store: Store | None, tell: Callable[[str], None]
) -> str:
    """What the passes of `job` make of the module `text`; `tell` is called with how far it is.

    Raises:
        NotCut: it takes the whole module at once, be it to tell what is wrong with it.
        DealogError: there is something wrong with the workers.
    """
    if _CHOOSES in text:
        raise NotCut("what one function says is managed, others leave alone")
    module = _Module(cut(text), name, job, workers, store, tell)
    return module.run()


@dataclass
class _Unit:
    """A function with a body; the one without a name is all that stands outside of such."""

    symbol: str
    numbers: list[int]
    named: set[str]
    size: int
    needs: set[str] = field(default_factory=set)  # callees of which more than the signature matters
    group: int = 0
    done: bool = False
    used: tuple[_Rows, Called] | None = None  # what it was decided with
    rows: _Rows = frozenset()
    asks: frozenset[tuple[int, str]] = frozenset()
    texts: dict[int, str] = field(default_factory=dict)
    helper: str = ""


@dataclass(frozen=True)
class _Record:
    """What became of a unit, and what it showed and called for."""

    texts: dict[int, str]
    rows: _Rows
    asks: frozenset[tuple[int, str]]
    helper: str


class _Module:
    def __init__(
        self, whole: Cut, name: str, job: Job, workers: Workers, store: Store | None, tell: Callable[[str], None]
    ) -> None:
        self.whole, self.name, self.job = whole, name, job
        self.workers, self.store, self.tell = workers, store, tell
        self.prefix = stands_for(job)
        self.by_symbol = {piece.symbol: n for n, piece in enumerate(whole.pieces) if piece.symbol}
        outside = whole.head + whole.tail
        self.always = {symbol for symbol in self.by_symbol if symbol.startswith(HELPER)}
        if "@" in outside:
            self.always |= symbols_in(outside) & self.by_symbol.keys()
        self.always |= {""}
        self.units: dict[str, _Unit] = {}
        self.about: dict[str, dict[Row, set[str]]] = {}  # what is shown of a function, and by which units
        self.called: Called | None = None
        self.on_call = [place for place, step in enumerate(job.steps) if step.pass_.on_call]
        self.tasks: dict[int, list[tuple[_Unit, _Rows]]] = {}  # with what is known for each
        self.number = 0
        self.again = False  # something is decided that was decided before
        self.settling = 0  # the step up to which what is shown is looked at
        self.unsettled = False  # some unit was decided again for that
        self.contexts: dict[str, set[str]] = {}
        self._make_units()
        self.guessed = self._guess()

    def _make_units(self) -> None:
        rest = _Unit("", [], set(), 0)
        pieces = self.whole.pieces
        for number, piece in enumerate(pieces):
            if piece.stub:
                unit = _Unit(piece.symbol, [number], self._known(self.whole.named(piece)), piece.end - piece.start)
                self.units[piece.symbol] = unit
            else:
                rest.numbers.append(number)
                rest.named |= self._known(self.whole.named(piece))
                rest.size += piece.end - piece.start
        if rest.numbers:
            self.units[""] = rest
        for unit in self.units.values():
            called = unit.named & self.units.keys()
            unit.needs = {symbol for symbol in called if pieces[self.by_symbol[symbol]].private}

    def _known(self, symbols: set[str]) -> set[str]:
        return symbols & self.by_symbol.keys()

    def _guess(self) -> set[tuple[str, str]]:
        """Which functions something other than a call seems to name, and which return. Both take part in what else is
        shown by not being so, and have to be known from the start."""
        named = symbols_in(self.whole.head) | symbols_in(self.whole.tail)
        for unit in self.units.values():
            for number in unit.numbers:
                named |= self.whole.named_beside_calls(self.whole.pieces[number])
        places = [
            place
            for place, step in enumerate(self.job.steps)
            if "function_summary" in self.job.extensions.program(step.pass_.program).relations
        ]
        found = {(f"@{symbol}", "named") for symbol in named & self.units.keys()}
        for symbol, unit in self.units.items():
            if any(self.whole.returns(self.whole.pieces[number]) for number in unit.numbers if symbol):
                found.add((f"@{symbol}", "returns"))
        for name, kind in found:
            known = self.about.setdefault(name, {})
            known |= {(place, name, kind, 0, 0): {_GUESS} for place in places}
        return found

    # ---- the run

    def run(self) -> str:
        if not self.units:
            raise NotCut("there are no functions")
        if not self.on_call:
            self.called = tuple(frozenset[str]() for _ in self.job.steps)
        self._group()
        self._recall()
        pending = [unit for unit in self.units.values() if not unit.done]
        for _ in range(_ROUNDS):
            self._decide(pending)
            pending = self._stale()
            if not pending:
                break
            self.again = True
            for unit in pending:
                unit.done = False
        else:
            raise NotCut("what functions show of each other does not settle")
        self._keep()
        return self._joined()

    def _group(self) -> None:
        """Put the units, callees first, into groups that can wait for each other; units that call each other are in
        one."""
        import networkx  # type: ignore[import-untyped]

        graph = networkx.DiGraph()
        graph.add_nodes_from(self.units)
        graph.add_edges_from((unit.symbol, symbol) for unit in self.units.values() for symbol in sorted(unit.needs))
        limit = self._limit()
        groups: list[list[_Unit]] = [[]]
        size = 0
        for component in networkx.strongly_connected_components(graph):
            units = [self.units[symbol] for symbol in sorted(component)]
            more = sum(unit.size for unit in units)
            if size and size + more > limit:
                groups.append([])
                size = 0
            groups[-1] += units
            size += more
        for number, group in enumerate(groups):
            for unit in group:
                unit.group = number

    def _limit(self) -> int:
        """How many characters to put in a task."""
        total = sum(unit.size for unit in self.units.values())
        return min(_LARGEST, max(_SMALLEST, total // (_TASKS_EACH * self.workers.count)))

    def _decide(self, units: Sequence[_Unit]) -> None:
        """Have `units` decided, each when those that it needs are."""
        left: dict[int, list[_Unit]] = {}
        for unit in units:
            left.setdefault(unit.group, []).append(unit)
        waits = {number: self._waits(group, number, left) for number, group in left.items()}
        for_: dict[int, list[int]] = {}
        for number, others in waits.items():
            for other in others:
                for_.setdefault(other, []).append(number)
        ready = [number for number in sorted(left) if not waits[number]]
        open_ = {number: len(group) for number, group in left.items()}
        pool: list[_Unit] = []
        total, limit = len(self.units), self._limit()

        def finish(unit: _Unit) -> None:
            open_[unit.group] -= 1
            if open_[unit.group]:
                return
            for number in for_.get(unit.group, ()):
                waits[number].discard(unit.group)
                if not waits[number]:
                    ready.append(number)

        while ready or pool or self.tasks:
            probing = self.called is None
            while ready and len(self.tasks) < _TASKS_EACH * self.workers.count and not (probing and self.tasks):
                for unit in left[ready.pop(0)]:
                    if self._remembered(unit):
                        finish(unit)
                    else:
                        pool.append(unit)
                if sum(unit.size for unit in pool) >= limit:
                    pool = self._submit(pool, limit)
            if pool and not (probing and self.tasks) and (not self.tasks or not ready):
                self._submit(pool, 0)
                pool = []
            if self.tasks:
                for unit in self._take():
                    finish(unit)
                done = sum(unit.done for unit in self.units.values()) if total < 1000 else None
                self.tell(f"functions: {done} of {total}" if done is not None else "functions")

    def _waits(self, group: Sequence[_Unit], number: int, left: dict[int, list[_Unit]]) -> set[int]:
        """The groups that have to be done before `group`; in later rounds, callers and callees may wait for each
        other, and those that come first in order go first."""
        needed = {self.units[symbol].group for unit in group for symbol in unit.needs}
        return {other for other in needed if other in left and other < number}

    def _submit(self, units: list[_Unit], limit: int) -> list[_Unit]:
        """Make tasks of `units`, and return those that are too few for one."""
        chosen: list[_Unit] = []
        size = 0
        for unit in units:
            if limit and size >= limit and unit.group != chosen[-1].group:
                self._start(chosen)
                chosen, size = [], 0
            chosen.append(unit)
            size += unit.size
        if size >= limit > 0:
            self._start(chosen)
            chosen = []
        if not limit and chosen:
            self._start(chosen)
            chosen = []
        return chosen

    def _start(self, units: Sequence[_Unit]) -> None:
        self.number += 1
        own = {unit.symbol for unit in units}
        self.tasks[self.number] = [(unit, self._known_for(unit, own)) for unit in units]
        self.workers.submit(self.number, (decide, self._task(units)))

    # ---- tasks

    def _task(self, units: Sequence[_Unit]) -> Task:
        own = {unit.symbol for unit in units}
        wanted = {number for unit in units for number in unit.numbers}
        beside = self._beside(units)
        pieces: list[tuple[int, str]] = []
        elsewhere: dict[str, bool] = {}
        texts = [self.whole.head]
        everywhere = self.whole.pieces
        for number in sorted(wanted | beside):
            piece = everywhere[number]
            pieces.append((number if number in wanted else -1, piece.symbol))
            texts.append(self._text(piece, number in wanted))
            if number not in wanted and piece.stub:
                elsewhere[piece.symbol] = piece.private
        texts.append(self.whole.tail)
        rows = frozenset(row for unit in units for row in self._known_for(unit, own))
        return Task(
            "".join(texts), self.name, self.job, pieces, elsewhere, rows, self.called, fingerprint()
        )  # fmt: skip

    def _text(self, piece: Piece, in_full: bool) -> str:
        return piece.stub if piece.stub and not in_full else self.whole.of(piece)

    def _beside(self, units: Iterable[_Unit]) -> set[int]:
        """The numbers of the pieces that stand beside `units` for them to be understood."""
        own = {number for unit in units for number in unit.numbers}
        found: set[int] = set()
        open_ = [symbol for unit in units for symbol in unit.named]
        open_ += [symbol for symbol in self.always if symbol]
        while open_:
            symbol = open_.pop()
            number = self.by_symbol[symbol]
            if number not in found and number not in own:
                found.add(number)
                open_ += self._context(symbol)
        unnamed = {n for n, piece in enumerate(self.whole.pieces) if not piece.symbol} if self._has_unnamed() else set()
        return found | (unnamed - own)

    def _has_unnamed(self) -> bool:
        return "" in self.units and any(not self.whole.pieces[n].symbol for n in self.units[""].numbers)

    def _context(self, symbol: str) -> set[str]:
        """The symbols that are named where `symbol` is declared, or defined where that is not a function."""
        known = self.contexts.get(symbol)
        if known is None:
            piece = self.whole.pieces[self.by_symbol[symbol]]
            known = self._known(symbols_in(self._text(piece, False)) - {symbol})
            self.contexts[symbol] = known
        return known

    def _known_for(
        self, unit: _Unit, own: set[str], about: Mapping[str, Mapping[Row, set[str]]] | None = None
    ) -> _Rows:
        """What others than `own` show of `unit`, and of the functions that it names."""
        found = set()
        about = self.about if about is None else about
        for symbol in (*unit.named, unit.symbol):
            for row, by in about.get(f"@{symbol}", {}).items():
                if by - own:
                    found.add(row)
        return frozenset(found)

    def _take(self) -> list[_Unit]:
        """The units of a task that is done now."""
        number, result = self.workers.next_done()
        assert isinstance(result, Result)
        if result.failed:
            raise NotCut(result.failed)
        known = self.tasks.pop(number)
        units = [unit for unit, _ in known]
        if self.called is None:
            self.called = result.called
        own = {unit.symbol for unit in units}
        for unit in units:
            calls_helper = bool(result.helper) and any(
                f"@{result.helper_name}" in result.texts[number] for number in unit.numbers
            )
            self._decided(
                unit, result.rows.get(unit.symbol, set()), result.asks.get(unit.symbol, set()),
                {number: result.texts[number] for number in unit.numbers}, result.helper if calls_helper else "",
            )  # fmt: skip
        for unit, given in known:
            inside = {row for row in self._known_for(unit, {unit.symbol}) if self.about[row[1]][row] & own}
            unit.used = (given | inside, result.called)
            self._remember(unit)
        return units

    def _decided(
        self, unit: _Unit, rows: Iterable[Row], asks: Iterable[tuple[int, str]], texts: dict[int, str], helper: str
    ) -> None:
        new = frozenset(rows)
        if self.again:
            self._compare(unit, new)
        for row in unit.rows - new:
            self.about[row[1]][row].discard(unit.symbol)
        for row in new:
            self.about.setdefault(row[1], {}).setdefault(row, set()).add(unit.symbol)
        unit.rows, unit.asks, unit.texts, unit.helper, unit.done = new, frozenset(asks), texts, helper, True

    def _compare(self, unit: _Unit, new: _Rows) -> None:
        """Raise `NotCut` where `unit` no longer shows what it has shown, and what that rests on has settled."""
        if any(row[0] <= self.settling for row in unit.rows - new):
            raise NotCut("what a function shows of another depends on the order")

    def _stale(self) -> list[_Unit]:
        """The units that were decided with other than what is known now. Steps are looked at one by one, as what is
        shown at one rests on what is decided at those before it."""
        assert self.called is not None
        called = list(self.called)
        for place in self.on_call:
            name = self.job.steps[place].pass_.name
            asked = any((place, name) in unit.asks for unit in self.units.values())
            now = frozenset({name} if asked else ())
            if now != called[place]:
                called[place] = now
                break  # what is called for later depends on it
        if tuple(called) != self.called:
            self.called = tuple(called)
            self.settling = 0
            return self._forget(-1)
        while self.settling < len(self.job.steps):
            stale = [unit for unit in self.units.values() if not self._is_settled(unit)]
            if stale:
                self.unsettled = True
                return stale
            self.settling += 1
            shown = (row for unit in self.units.values() for row in unit.rows)
            if self.unsettled and any(row[0] >= self.settling and row[2] not in _GUESSED for row in shown):
                self.unsettled = False
                return self._forget(self.settling - 1)
            self.unsettled = False
        found = {(row[1], row[2]) for unit in self.units.values() for row in unit.rows if row[2] in _GUESSED}
        inside = {(name, kind) for name, kind in found if name.removeprefix("@") in self.units}
        if found and self.guessed != inside:
            raise NotCut("what names a function, or whether it returns, does not show in the text")
        return []

    def _is_settled(self, unit: _Unit) -> bool:
        """Whether `unit` was decided with what is known up to the step at hand."""
        assert unit.used is not None
        now = self._known_for(unit, {unit.symbol})
        return unit.used[1] == self.called and not any(row[0] <= self.settling for row in unit.used[0] ^ now)

    def _forget(self, place: int) -> list[_Unit]:
        """Forget what is shown after the step `place`, and have all decided anew."""
        for shown in self.about.values():
            for row in [row for row in shown if row[0] > place]:
                shown[row] &= {_GUESS}
        for unit in self.units.values():
            unit.rows = frozenset(row for row in unit.rows if row[0] <= place)
        return list(self.units.values())

    # ---- what is remembered

    def _recall(self) -> None:
        """Take over from the last run on this file what does not depend on anything that has changed."""
        kept = self.store.get(self._name_of_run()) if self.store is not None else None
        if not isinstance(kept, dict):
            return
        self.called = tuple(frozenset(names) for names in kept["called"])
        shown = {
            symbol: frozenset((row[0], row[1], row[2], row[3], row[4]) for row in rows)
            for symbol, rows in kept["rows"].items()
            if symbol in self.units
        }
        known = {name: dict(rows) for name, rows in self.about.items()}
        for symbol, rows in shown.items():
            for row in rows:
                known.setdefault(row[1], {})[row] = known.get(row[1], {}).get(row, set()) | {symbol}
        used = {unit.symbol: self._known_for(unit, {unit.symbol}, known) for unit in self.units.values()}
        found = {}
        for unit in self.units.values():
            record = self._record(unit, used[unit.symbol])
            if record is not None and record.rows == shown.get(unit.symbol, frozenset()):
                found[unit.symbol] = record
        gone = set(self.units) - found.keys()
        resting: dict[str, set[str]] = {}  # on what a unit shows, the units that were decided with it
        for symbol in found:
            for row in used[symbol]:
                for by in known[row[1]][row] - {symbol, _GUESS}:
                    resting.setdefault(by, set()).add(symbol)
        open_ = sorted(gone)
        while open_:
            for symbol in resting.get(open_.pop(), ()):
                if found.pop(symbol, None) is not None:
                    open_.append(symbol)
        for symbol, record in found.items():
            self._settle(self.units[symbol], record, used[symbol])

    def _keep(self) -> None:
        """Keep what the next run on this file starts from."""
        if self.store is not None and self.called is not None:
            rows = {unit.symbol: sorted(unit.rows) for unit in self.units.values() if unit.rows}
            self.store.put(self._name_of_run(), {"called": [sorted(names) for names in self.called], "rows": rows})

    def _name_of_run(self) -> bytes:
        return key(("run", self.prefix, self.name))

    def _key(self, unit: _Unit, rows: _Rows, called: Called) -> bytes:
        pieces = self.whole.pieces
        texts = [self.whole.of(pieces[number]) for number in unit.numbers]
        beside = [f"{self._text(pieces[n], False)}{pieces[n].private}" for n in sorted(self._beside([unit]))]
        return key((
            self.prefix, self.whole.head, self.whole.tail, *texts, "beside", *beside,
            repr(sorted(rows)), repr([sorted(names) for names in called]),
        ))  # fmt: skip

    def _remembered(self, unit: _Unit) -> bool:
        """Whether what becomes of `unit` is known."""
        rows = self._known_for(unit, {unit.symbol})
        record = self._record(unit, rows)
        if record is None:
            return False
        self._settle(unit, record, rows)
        return True

    def _record(self, unit: _Unit, rows: _Rows) -> _Record | None:
        """What became of `unit` when `rows` were known."""
        if self.store is None or self.called is None:
            return None
        kept = self.store.get(self._key(unit, rows, self.called))
        if not isinstance(kept, dict):
            return None
        return _Record(
            dict(zip(unit.numbers, kept["texts"], strict=True)),
            frozenset((row[0], row[1], row[2], row[3], row[4]) for row in kept["rows"]),
            frozenset((place, name) for place, name in kept["asks"]),
            kept["helper"],
        )

    def _settle(self, unit: _Unit, record: _Record, rows: _Rows) -> None:
        assert self.called is not None
        self._decided(unit, record.rows, record.asks, record.texts, record.helper)
        unit.used = (rows, self.called)

    def _remember(self, unit: _Unit) -> None:
        if self.store is None or unit.used is None:
            return
        self.store.put(
            self._key(unit, *unit.used),
            {
                "texts": [unit.texts[number] for number in unit.numbers],
                "rows": sorted(unit.rows), "asks": sorted(unit.asks), "helper": unit.helper,
            },
        )  # fmt: skip

    def _joined(self) -> str:
        return "".join(self._parts())

    def _parts(self) -> Iterator[str]:
        yield self.whole.head
        owners = {number: unit for unit in self.units.values() for number in unit.numbers}
        helper = ""
        for number in range(len(self.whole.pieces)):
            unit = owners[number]
            yield unit.texts[number]
            helper = unit.helper or helper
        yield helper
        yield self.whole.tail

