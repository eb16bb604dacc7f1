"""Relations say what a tuple means, the schema is what the exporter writes, small IR covers the derived."""

import ast
from functools import cache

import pytest

from dealog import rules
from dealog.engine import Relation, load, loads
from dealog.frontend.details import DETAILS
from dealog.frontend.facts import RELATIONS

from .house import ROOT

RULES = ROOT / "rules"
GIVEN = {
    "schema.dl",
    "details.dl",
    "structure.dl",
    "vocabulary.dl",
    "edits.dl",
}  # facts about the module, what operations mean, and what passes may do; the rest is derived


@cache
def relations() -> dict[str, Relation]:
    return dict(load(sorted(RULES.rglob("*.dl"))).relations)


def file_of(relation: Relation) -> str:
    return relation.position.file.rpartition("/")[2]


def test_every_relation_has_its_sentence():
    assert len(relations()) > 2000
    wrong = [fault for name, relation in sorted(relations().items()) if (fault := fault_of(name, relation))]
    assert wrong == []


@pytest.mark.parametrize(
    ("doc", "fault"),
    [
        ("freed(op): the operation `op` frees a buffer.", None),
        ("freed: the operation `op` frees a buffer.", "the comment above freed has to start with 'freed(op):'"),
        ("freed(op): `op` frees it", "the sentence of freed is none"),
        ("freed(op): the operation frees a buffer.", "the sentence of freed does not speak of ['op']"),
    ],
)
def test_sentences_that_are_wrong_are_seen(doc, fault):
    program = loads(f"// {doc}\n.decl freed(op: symbol)\nfreed(\"x\").\n")
    assert fault_of("freed", program.relations["freed"]) == fault


def fault_of(name: str, relation: Relation) -> str | None:
    """What is wrong with the comment above a relation, or None."""
    columns = [column.name for column in relation.columns]
    signature = f"{name}({', '.join(columns)}):"
    if not relation.doc.startswith(signature):
        return f"the comment above {name} has to start with '{signature}'"
    sentence = relation.documentation.removeprefix(signature).strip()
    if not sentence.endswith((".", ")")) or len(sentence.split()) < 4:
        return f"the sentence of {name} is none"
    silent = [column for column in columns if f"`{column}`" not in sentence]
    return f"the sentence of {name} does not speak of {silent}" if silent else None


@pytest.mark.parametrize(("file", "written"), [("schema.dl", RELATIONS), ("details.dl", DETAILS)])
def test_schema_is_what_the_exporter_writes(file, written):
    declared = {name: relation.bases for name, relation in relations().items() if file_of(relation) == file}
    assert declared == {name: tuple(types) for name, types in written.items()}


def test_the_facts_are_the_only_input():
    assert {name for name, relation in relations().items() if relation.is_input} == {*RELATIONS, *DETAILS}


def test_every_derived_relation_is_covered_by_small_ir():
    files = rules.programs()  # dialects have tests of their own
    analyses = {file.name for file in files} - GIVEN
    derived = {name for name, relation in relations().items() if file_of(relation) in analyses}
    assert len(derived) > 20
    assert sorted(derived - asked_for()) == []


def asked_for() -> set[str]:
    """The relations that the tests of rules and findings ask for: strings in the arguments of `derive(text, …)`."""
    names: set[str] = set()
    tests = ROOT / "tests"
    for file in (*tests.glob("rules/test_*.py"), *tests.glob("findings/test_*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        for scope in ast.walk(tree):
            if isinstance(scope, ast.FunctionDef):
                names |= _asked_in(scope, tree)
    return names


def _asked_in(function: ast.FunctionDef, module: ast.Module) -> set[str]:
    names: set[str] = set()
    for call in ast.walk(function):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "derive":
            for argument in call.args[1:]:
                if isinstance(argument, ast.Starred) and isinstance(argument.value, ast.Name):
                    names |= _assigned(argument.value.id, function) or _assigned(argument.value.id, module)
                else:
                    names |= _strings(argument)
    return names


def _assigned(name: str, scope: ast.AST) -> set[str]:
    return {
        text
        for node in ast.walk(scope)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and target.id == name
        for text in _strings(node.value)
    }


def _strings(node: ast.AST) -> set[str]:
    return {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
