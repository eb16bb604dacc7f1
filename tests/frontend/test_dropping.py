"""What was grown is dropped again: all of it gives the text that was read, part of it a text that mlir-opt takes."""

from __future__ import annotations

import pytest

from dealog.diagnostics import DealogError
from dealog.frontend import Module, edits, parse, print_module
from tests.frontend.structure import differences, mlir_opt
from tests.frontend.test_mutation import BRANCHES, CASES, FOR, IF, UNBOUND, constant, erase, find, last_function

STRUCTURED = [case for case in CASES if case[0] in ("if", "if without name", "for", "while", "branches")]
CHANGES = pytest.mark.parametrize(("text", "change"), [pytest.param(*rest, id=name) for name, *rest in STRUCTURED])
FORMS = pytest.mark.parametrize("form", ["custom", "generic"])


def written(text: str, form: str) -> str:
    """The text in this form."""
    generic = mlir_opt(text, "-mlir-print-op-generic") if form == "generic" else text
    assert generic is not None
    return generic


def drop_all(module: Module) -> None:
    """Drop everything that is not in the text."""
    for op in [op for op in module.walk() if not op.inserted]:
        edits.drop_operands(op, {index for index, value in enumerate(op.operands) if value.offset < 0})
        edits.drop_results(op, {value for value in op.results if value.offset < 0})
        for region in op.regions:
            for block in region.blocks:
                edits.drop_arguments(block, {value for value in block.arguments if value.offset < 0})


@FORMS
@CHANGES
def test_all_is_as_it_was(text, change, form):
    text = written(text, form)
    module, original = parse(text), parse(text)
    change(module)
    assert print_module(module) != text
    drop_all(module)
    for op in list(module.walk()):
        if op.inserted:
            erase(op)
    assert print_module(module) == text
    assert not differences(original, module)


@FORMS
@pytest.mark.parametrize("dropped", [0, 1])
def test_one_of_two_that_go_round(form, dropped):
    module = parse(written(FOR, form))
    true = constant(module, last_function(module))
    (loop,) = find(module, "scf.for")
    body = loop.regions[0].blocks[0]
    (yields,) = find(module, "scf.yield")
    edits.grow_operands(loop, 3, [true, true])
    arguments = edits.grow_arguments(body, ["i1", "i1"])
    results = edits.grow_results(loop, ["i1", "i1"])
    edits.grow_operands(yields, 0, arguments)

    edits.drop_operands(loop, {5 + dropped})
    edits.drop_arguments(body, {arguments[dropped]})
    edits.drop_results(loop, {results[dropped]})
    edits.drop_operands(yields, {2 + dropped})
    printed = print_module(module)
    assert mlir_opt(printed) is not None, printed
    assert not differences(parse(printed), module)
    kept = arguments[1 - dropped]
    assert kept.index == 3
    assert kept.name in printed
    assert arguments[dropped].name + " " not in printed


@FORMS
def test_successors_move_up(form):
    module = parse(written(BRANCHES, form))
    true = constant(module, last_function(module))
    (branch,) = find(module, "cf.cond_br")
    edits.grow_operands(branch, 1, [true, true])
    edits.grow_operands(branch, branch.successors[1].start, [true])
    edits.drop_operands(branch, {3})
    assert [(s.start, s.end) for s in branch.successors] == [(1, 3), (3, 5)]
    edits.drop_operands(branch, {4})
    assert [(s.start, s.end) for s in branch.successors] == [(1, 3), (3, 4)]
    if form == "generic":
        assert branch.attributes["operandSegmentSizes"] == "array<i32: 1, 2, 1>"


def test_results_lose_their_names_again():
    module = parse(UNBOUND)
    (op,) = find(module, "scf.if")
    results = edits.grow_results(op, ["i1"])
    assert op.results[0].name
    edits.drop_results(op, set(results))
    assert [value.name for value in op.results] == [""]


def test_what_the_custom_form_needs_is_not_dropped():
    module = parse(IF)
    (op,) = find(module, "scf.if")
    edits.drop_operands(op, {0})
    with pytest.raises(DealogError, match=r"the custom form of 'scf\.if' has no place for fewer operands"):
        print_module(module)
