"""Relations as sets of tuples, with an index for each choice of columns that is looked up by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dealog.engine import Tuple, Value


class Database:
    """The tuples of each relation, each once, in the order given.

    Args:
        relations: the tuples by relation; a relation that is missing is empty.
        given: which of the tuples are not derived but given: facts about the input, and those that the
            program states itself.
    """

    def __init__(
        self, relations: Mapping[str, Iterable[Tuple]], given: Mapping[str, Iterable[Tuple]] | None = None
    ) -> None:
        self._tuples: dict[str, dict[Tuple, None]] = {n: dict.fromkeys(t) for n, t in relations.items()}
        self._given = {name: frozenset(tuples) for name, tuples in (given or {}).items()}
        self._indexes: dict[tuple[str, tuple[int, ...]], dict[Tuple, list[Tuple]]] = {}
        self._most: dict[tuple[str, tuple[int, ...]], int] = {}

    def put(self, relation: str, tuples: Iterable[Tuple]) -> None:
        """Make `tuples` all that `relation` holds."""
        self._tuples[relation] = dict.fromkeys(tuples)
        self._indexes = {key: index for key, index in self._indexes.items() if key[0] != relation}
        self._most = {key: most for key, most in self._most.items() if key[0] != relation}

    def tuples(self, relation: str) -> Iterable[Tuple]:
        """All tuples of `relation`."""
        return self._tuples.get(relation, ())

    def size(self, relation: str) -> int:
        """The number of tuples of `relation`."""
        return len(self._tuples.get(relation, ()))

    def holds(self, relation: str, values: Tuple) -> bool:
        """Whether the tuple `values` is in `relation`."""
        return values in self._tuples.get(relation, ())

    def is_given(self, relation: str, values: Tuple) -> bool:
        """Whether the tuple `values` of `relation` is a fact that nothing has to derive."""
        return values in self._given.get(relation, ())

    def lookup(self, relation: str, columns: tuple[int, ...], values: Sequence[Value]) -> Iterable[Tuple]:
        """The tuples of `relation` that have `values` in `columns`, which rise."""
        if not columns:
            return self.tuples(relation)
        if len(columns) == self._arity(relation):
            row = tuple(values)
            return (row,) if self.holds(relation, row) else ()
        return self._index(relation, columns).get(tuple(values), ())

    def most(self, relation: str, columns: tuple[int, ...]) -> int:
        """How many tuples of `relation` a lookup by `columns` finds at most."""
        if not columns:
            return self.size(relation)
        if len(columns) == self._arity(relation):
            return 1
        most = self._most.get((relation, columns))
        if most is None:
            index = self._index(relation, columns)
            most = self._most[relation, columns] = max(map(len, index.values()), default=0)
        return most

    def _arity(self, relation: str) -> int:
        return len(next(iter(self.tuples(relation)), ()))

    def _index(self, relation: str, columns: tuple[int, ...]) -> dict[Tuple, list[Tuple]]:
        index = self._indexes.get((relation, columns))
        if index is None:
            index = self._indexes[relation, columns] = {}
            for row in self.tuples(relation):
                index.setdefault(tuple([row[c] for c in columns]), []).append(row)
        return index
