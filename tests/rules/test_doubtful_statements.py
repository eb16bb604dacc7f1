"""What is stated about operations, and is probably not meant."""

from __future__ import annotations

from tests.rules.derive import derive


def stated(*freed: tuple[str, str]) -> set[tuple[str | int, ...]]:
    given = {"freed_by": freed, "allocates": [("mydb.open", 0)]}
    rows = derive("", "doubtful_statement", rules=("doubtful_statements",), given=given)
    assert isinstance(rows, set)
    return {row[:2] for row in rows}


def test_what_ships_and_one_operation_that_frees_are_meant() -> None:
    assert stated() == set()
    assert stated(("mydb.open", "mydb.close")) == set()


def test_what_is_freed_is_allocated_and_by_one_operation() -> None:
    assert stated(("mydb.take", "mydb.close")) == {("freed_by", "mydb.take")}
    assert stated(("mydb.open", "mydb.close"), ("mydb.open", "mydb.drop")) == {("freed_by", "mydb.open")}
