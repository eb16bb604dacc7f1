"""Signatures in which tensors become buffers and tuples fall into their parts, on small IR."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.rules.derive import derive
from tests.support.cases import ROOT
from tests.support.dealog import command
from tests.support.nightly import nightly

RULES = ("convert_signatures",)
TENSORS = """
func.func @f(%a: tensor<4xf32>, %n: i1) -> (i1, tensor<4xf32>) {
  %s = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %u:2 = call @f(%a, %n) : (tensor<4xf32>, i1) -> (i1, tensor<4xf32>)
  %t = tensor.cast %s : tensor<?xf32> to tensor<4xf32>
  return %u#0, %t : i1, tensor<4xf32>
}
"""
TUPLES = """
func.func @f(%a: tuple<i1, tuple<tensor<f32>>>) -> tuple<i1, tuple<tensor<f32>>> {
  %b = "test.other"() : () -> tuple<i1, tuple<tensor<f32>>>
  return %b : tuple<i1, tuple<tensor<f32>>>
}
"""
PASSED_ON = """
func.func private @f(%a: tuple<i1, tensor<*xf32>>) -> tuple<i1, tensor<*xf32>> {
  return %a : tuple<i1, tensor<*xf32>>
}
"""


def test_what_functions_take_and_return() -> None:
    """Types at the boundary, and what they become."""
    expected = {
        "boundary_signature": {("@f", "(tensor<4xf32>, i1) -> (i1, tensor<4xf32>)")},
        "takes_type": {("@f", 0, "tensor<4xf32>"), ("@f", 1, "i1")},
        "returns_type": {("@f", 0, "i1"), ("@f", 1, "tensor<4xf32>")},
        "boundary_type": {("i1",), ("tensor<4xf32>",)},
        "any_tensor": {("tensor<4xf32>",)},
        "row_major_form": {("tensor<4xf32>", "memref<4xf32>")},
        "crossing_form": {("i1", "i1"), ("tensor<4xf32>", "memref<4xf32>")},
        "converted_type": {("tensor<4xf32>",)},
        "piece_count": {("i1", 1), ("tensor<4xf32>", 1)},
        "type_piece": {("i1", 0, "i1"), ("tensor<4xf32>", 0, "tensor<4xf32>")},
        "decomposed_type": set(),
        "ambiguous_form": set(),
        "turns_back": {("tensor<4xf32>", "bufferization.to_tensor")},
        "turns_into": {("tensor<4xf32>", "bufferization.to_buffer")},
    }
    found = derive(
        TENSORS, "boundary_signature", "takes_type", "returns_type", "boundary_type", "any_tensor",
        "row_major_form", "crossing_form", "converted_type", "piece_count", "type_piece", "decomposed_type",
        "ambiguous_form", "turns_back", "turns_into",
        rules=RULES,
    )
    assert dict(zip(expected, found, strict=True)) == expected


def test_tuples_fall_into_pieces() -> None:
    """Nested ones into all that is in them."""
    expected = {
        "decomposed_type": {("tuple<i1, tuple<tensor<f32>>>",), ("tuple<tensor<f32>>",)},
        "part_start": {
            ("tuple<i1, tuple<tensor<f32>>>", 0, 0),
            ("tuple<i1, tuple<tensor<f32>>>", 1, 1),
            ("tuple<i1, tuple<tensor<f32>>>", 2, 2),
            ("tuple<tensor<f32>>", 0, 0),
            ("tuple<tensor<f32>>", 1, 1),
        },
        "piece_count": {
            ("i1", 1),
            ("tensor<f32>", 1),
            ("tuple<i1, tuple<tensor<f32>>>", 2),
            ("tuple<tensor<f32>>", 1),
        },
        "type_piece": {
            ("i1", 0, "i1"),
            ("tensor<f32>", 0, "tensor<f32>"),
            ("tuple<i1, tuple<tensor<f32>>>", 0, "i1"),
            ("tuple<i1, tuple<tensor<f32>>>", 1, "tensor<f32>"),
            ("tuple<tensor<f32>>", 0, "tensor<f32>"),
        },
        "parts_in_form": {
            ("tuple<i1, tuple<tensor<f32>>>", 0, ""),
            ("tuple<i1, tuple<tensor<f32>>>", 1, "i1"),
            ("tuple<i1, tuple<tensor<f32>>>", 2, "i1, tuple<memref<f32>>"),
            ("tuple<tensor<f32>>", 0, ""),
            ("tuple<tensor<f32>>", 1, "memref<f32>"),
        },
        "whole_form": {
            ("i1", "i1"),
            ("tensor<f32>", "memref<f32>"),
            ("tuple<i1, tuple<tensor<f32>>>", "tuple<i1, tuple<memref<f32>>>"),
            ("tuple<tensor<f32>>", "tuple<memref<f32>>"),
        },
        "within_tuple": {
            ("tuple<i1, tuple<tensor<f32>>>", "i1"),
            ("tuple<i1, tuple<tensor<f32>>>", "tensor<f32>"),
            ("tuple<i1, tuple<tensor<f32>>>", "tuple<i1, tuple<tensor<f32>>>"),
            ("tuple<i1, tuple<tensor<f32>>>", "tuple<tensor<f32>>"),
            ("tuple<tensor<f32>>", "tensor<f32>"),
            ("tuple<tensor<f32>>", "tuple<tensor<f32>>"),
        },
        "tuple_maker": {("builtin.unrealized_conversion_cast",)},
        "argument_attributes": {("@f", 0, "none")},
        "result_attributes": {("@f", 0, "none")},
        "argument_start": {("@f", 0, 0), ("@f", 1, 2)},
        "result_start": {("@f", 0, 0), ("@f", 1, 2)},
        "arguments_end": {("@f", 2)},
        "results_end": {("@f", 2)},
    }
    found = derive(
        TUPLES, "decomposed_type", "part_start", "piece_count", "type_piece", "parts_in_form", "whole_form",
        "within_tuple", "tuple_maker", "argument_attributes", "result_attributes", "argument_start",
        "result_start", "arguments_end", "results_end",
        rules=RULES, decompose_tuples="true",
    )
    assert dict(zip(expected, found, strict=True)) == expected


def test_tuples_stay_where_nobody_asks() -> None:
    """They are no tensors."""
    expected = {
        "decomposed_type": set(),
        "converted_type": set(),
        "new_signature": set(),
    }
    found = derive(
        TUPLES, "decomposed_type", "converted_type", "new_signature",
        rules=RULES,
    )
    assert dict(zip(expected, found, strict=True)) == expected


def test_results_stay_results() -> None:
    """Tensors become results that are buffers."""
    expected = {
        "new_arguments": {("@f",)},
        "new_results": {("@f",)},
        "new_signature": {("@f",)},
        "function_parameter": {("@f", 0, "%a"), ("@f", 1, "%n")},
        "parameter_name": {("@f", 0, 0, "part @f 0 0")},
        "returned_piece": {("@f", 0, 0, 0, "i1"), ("@f", 1, 1, 0, "tensor<4xf32>")},
        "kept_result": {("@f", 0, "i1", "i1"), ("@f", 1, "tensor<4xf32>", "memref<4xf32>")},
        "appended_type": set(),
        "appended_argument": set(),
        "converted_function": {("func.func#0", "@f")},
        "calls_plainly": {("func.call#2", "@f")},
        "laid_out_form": set(),
    }
    found = derive(
        TENSORS, "new_arguments", "new_results", "new_signature", "function_parameter", "parameter_name",
        "returned_piece", "kept_result", "appended_type", "appended_argument", "converted_function",
        "calls_plainly", "laid_out_form",
        rules=RULES,
    )
    assert dict(zip(expected, found, strict=True)) == expected


def test_results_become_arguments() -> None:
    """Callers hand over a buffer for each."""
    expected = {
        "appended_type": {("tensor<4xf32>",)},
        "appended_argument": {("@f", 1, "out @f 1", "tensor<4xf32>")},
        "kept_result": {("@f", 0, "i1", "i1")},
        "called_piece": {
            ("func.call#2", 0, "result func.call#2 0"),
            ("func.call#2", 1, "alloc func.call#2 1"),
        },
        "results_end": {("@f", 2)},
        "arguments_end": {("@f", 2)},
        "follows_operand": {("func.call#2", 0), ("func.return#4", 0)},
    }
    found = derive(
        TENSORS, "appended_type", "appended_argument", "kept_result", "called_piece", "results_end",
        "arguments_end", "follows_operand",
        rules=RULES, results="append",
    )
    assert dict(zip(expected, found, strict=True)) == expected


def test_what_crosses_boundaries() -> None:
    """What is handed on as it came needs no tensor in between."""
    expected = {
        "converted_call": {("func.call#2", "@f")},
        "converted_return": {("func.return#4", "@f")},
        "comes_in": {
            ("%a", "tensor<4xf32>", "start", "^bb0", 0),
            ("%u#1", "tensor<4xf32>", "after", "func.call#2", 1),
        },
        "called_piece": {
            ("func.call#2", 0, "result func.call#2 0"),
            ("func.call#2", 1, "result func.call#2 1"),
        },
        "arrived_piece": {
            ("%a", 0, "tensor<4xf32>", "memref<4xf32>", "part @f 0 0"),
            ("%u#1", 0, "tensor<4xf32>", "memref<4xf32>", "result func.call#2 1"),
        },
        "crosses_boundary": {("func.call#2", 0), ("func.return#4", 1)},
        "needed_inside": {("%a",)},
        "restored_piece": {("%a", 0, "tensor<4xf32>", "part @f 0 0", "tensor %a 0")},
        "given_piece": {("%a", 0, "tensor %a 0"), ("%u#1", 0, "result func.call#2 1")},
        "goes_out": {
            ("func.call#2", 0, "%a", "tensor<4xf32>", 0),
            ("func.call#2", 1, "%n", "i1", 1),
            ("func.return#4", 0, "%u#0", "i1", 0),
            ("func.return#4", 1, "%t", "tensor<4xf32>", 1),
        },
        "turned_piece": {
            ("func.return#4", 1, 0, "tensor<4xf32>", "%t", "buffer func.return#4 1 0"),
        },
        "sent_piece": {
            ("func.call#2", 0, 0, "part @f 0 0"),
            ("func.call#2", 1, 0, "%n"),
            ("func.return#4", 0, 0, "%u#0"),
            ("func.return#4", 1, 0, "buffer func.return#4 1 0"),
        },
    }
    found = derive(
        TENSORS, "converted_call", "converted_return", "comes_in", "called_piece", "arrived_piece",
        "crosses_boundary", "needed_inside", "restored_piece", "given_piece", "goes_out", "turned_piece",
        "sent_piece",
        rules=RULES,
    )
    assert dict(zip(expected, found, strict=True)) == expected


def test_tuples_are_made_and_taken_apart() -> None:
    """Of tensors, where they are not only handed on."""
    expected = {
        "made_tuple": set(),
        "tuple_type": {
            ("%a", "i1", "i1"),
            ("%a", "tensor<f32>", "memref<f32>"),
            ("%a", "tuple<i1, tuple<tensor<f32>>>", "tuple<i1, tuple<memref<f32>>>"),
            ("%a", "tuple<tensor<f32>>", "tuple<memref<f32>>"),
            ("%b", "i1", "i1"),
            ("%b", "tensor<f32>", "tensor<f32>"),
            ("%b", "tuple<i1, tuple<tensor<f32>>>", "tuple<i1, tuple<tensor<f32>>>"),
            ("%b", "tuple<tensor<f32>>", "tuple<tensor<f32>>"),
        },
        "read_tuple": {
            ("func.return#2", 0, "func.return#2 0", "%b", "tuple<i1, tuple<tensor<f32>>>", 0),
        },
        "read_part": set(),
        "taken_piece": {
            ("func.return#2", 0, 0, "element func.return#2 0 0"),
            ("func.return#2", 0, 1, "element func.return#2 0 1"),
        },
        "turned_piece": {
            ("func.return#2", 0, 1, "tensor<f32>", "element func.return#2 0 1", "buffer func.return#2 0 1"),
        },
        "sent_piece": {
            ("func.return#2", 0, 0, "element func.return#2 0 0"),
            ("func.return#2", 0, 1, "buffer func.return#2 0 1"),
        },
    }
    found = derive(
        TUPLES, "made_tuple", "tuple_type", "read_tuple", "read_part", "taken_piece", "turned_piece", "sent_piece",
        rules=RULES, decompose_tuples="true",
    )
    assert dict(zip(expected, found, strict=True)) == expected


def test_tuples_that_are_handed_on() -> None:
    """They are of buffers."""
    expected = {
        "made_tuple": {("%a", "tuple %a", "tuple<i1, tensor<*xf32>>", 0)},
        "given_piece": {("%a", 0, "part @f 0 0"), ("%a", 1, "part @f 0 1")},
        "tuple_type": {
            ("%a", "i1", "i1"),
            ("%a", "tensor<*xf32>", "memref<*xf32>"),
            ("%a", "tuple<i1, tensor<*xf32>>", "tuple<i1, memref<*xf32>>"),
        },
        "turned_piece": set(),
        "row_major_form": {("tensor<*xf32>", "memref<*xf32>")},
    }
    found = derive(
        PASSED_ON, "made_tuple", "given_piece", "tuple_type", "turned_piece", "row_major_form",
        rules=RULES, decompose_tuples="true",
    )
    assert dict(zip(expected, found, strict=True)) == expected


def test_tuples_that_are_needed_inside() -> None:
    """They are of tensors."""
    body = '"test.use"(%a) : (tuple<i1, tensor<*xf32>>) -> ()\n  return'
    text = PASSED_ON.replace("return", body, 1)
    types, given = derive(text, "tuple_type", "given_piece", rules=RULES, decompose_tuples="true")
    assert types == {
        ("%a", "i1", "i1"),
        ("%a", "tensor<*xf32>", "tensor<*xf32>"),
        ("%a", "tuple<i1, tensor<*xf32>>", "tuple<i1, tensor<*xf32>>"),
    }
    assert given == {("%a", 0, "part @f 0 0"), ("%a", 1, "tensor %a 1")}


# ---- what is refused

REFERRED_TO = """
func.func private @g(tensor<2xf32>)
func.func @f() {
  %g = func.constant @g : (tensor<2xf32>) -> ()
  return
}
"""
OF_ANY_SIZE = """
func.func private @g() -> tensor<?xf32>
func.func @f() {
  %x = call @g() : () -> tensor<?xf32>
  return
}
"""
NO_CALL = """
func.func private @g(tensor<2xf32>)
func.func @f(%a: tensor<2xf32>) {
  "mydb.call"(%a) {callee = @g} : (tensor<2xf32>) -> ()
  return
}
"""


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (REFERRED_TO, "", "referred to other than by calls"),
        (OF_ANY_SIZE, "=results=append", "cannot append a dynamically shaped result"),
        (NO_CALL, "", "cannot convert a call whose operands and results are not those of its function"),
    ],
)
def test_what_is_refused(text: str, options: str, message: str) -> None:
    run = command("opt", "--allow-unregistered-dialect", f"--convert-signatures{options}", stdin=text)
    assert run.status == 1 and not run.out
    assert message in run.errors[0]


def test_results_of_any_size_can_stay_results() -> None:
    run = command("opt", "--convert-signatures", stdin=OF_ANY_SIZE)
    assert run.status == 0 and "call @g() : () -> memref<?xf32>" in run.out


def test_two_forms_are_refused(tmp_path: Path) -> None:
    form = 'boundary_form("tensor<2xf32>", "memref<2xf32, {}>").\n'
    (tmp_path / "forms.dl").write_text('#include "vocabulary.dl"\n' + form.format(1) + form.format(2))
    text = "func.func private @g(tensor<2xf32>)\n"
    run = command("opt", "--rules", tmp_path / "forms.dl", "--convert-signatures", stdin=text)
    assert run.status == 1 and "there are two forms that a type may have" in run.errors[0]


# ---- what rules of users choose


def test_rules_choose_by_type(tmp_path: Path) -> None:
    """The rules in the documentation do what it says of them."""
    documentation = (ROOT / "docs" / "passes.md").read_text()
    (rules,) = re.findall(r"```prolog\n(#include \"vocabulary.dl\".*?boundary_form.*?)```", documentation, re.DOTALL)
    (tmp_path / "chosen.dl").write_text(rules)
    text = """
    func.func private @g(tensor<1xf32>, tuple<i1, tensor<8xf32>>) -> (memref<2xf32>, tensor<1xf32>, tensor<8xf32>)
    func.func @f(%a: tensor<1xf32>, %b: tuple<i1, tensor<8xf32>>) -> tensor<8xf32> {
      %0:3 = call @g(%a, %b)
        : (tensor<1xf32>, tuple<i1, tensor<8xf32>>) -> (memref<2xf32>, tensor<1xf32>, tensor<8xf32>)
      %s = arith.addf %0#2, %0#2 : tensor<8xf32>
      return %s : tensor<8xf32>
    }
    """
    flags = ("--rules", tmp_path / "chosen.dl", "--allow-unregistered-dialect")
    run = command("opt", *flags, "--convert-signatures=results=append decompose-tuples", stdin=text)
    assert run.status == 0, run.err
    declared = "(memref<1xf32>, i1, memref<8xf32, 1>, memref<2xf32>, memref<8xf32, 1>) -> memref<1xf32>\n"
    assert f"@g{declared}" in run.out
    assert '"mydb.make_tuple"(%part, %part_0) : (i1, memref<8xf32, 1>)' in run.out
    assert '"mydb.get_tuple_element"(%tuple) <{index = 1 : i32}>' in run.out
    assert '"bufferization.to_tensor"(%cast) <{restrict}>' in run.out
    assert "bufferization.to_buffer %s : tensor<8xf32> to memref<8xf32, 1>" in run.out


@nightly
def test_casts_are_chosen(tmp_path: Path) -> None:
    casts = 'makes_tensor("mydb.load"). makes_buffer("mydb.save").\n'
    (tmp_path / "casts.dl").write_text(f'#include "vocabulary.dl"\n{casts}')
    flags = ("--rules", tmp_path / "casts.dl", "--allow-unregistered-dialect")
    run = command("opt", *flags, "--convert-signatures", stdin=TENSORS)
    assert '"mydb.load"(%a) : (memref<4xf32>) -> tensor<4xf32>' in run.out
    assert '"mydb.save"(%t) : (tensor<4xf32>) -> memref<4xf32>' in run.out and "bufferization" not in run.out
