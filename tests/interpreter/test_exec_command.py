"""`dealog exec`: arguments in, results out, faults with their lines and exit status 1."""

import re

import pytest
from click.testing import CliRunner

from dealog.commands.exec import exec_
from dealog.diagnostics import DealogError
from dealog.execution import run
from dealog.frontend import parse
from tests.support import tools

from .programs import body

ADD = """
func.func @main(%x: i32, %m: memref<?xf32>) -> (i32, memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %e = memref.load %m[%i] : memref<?xf32>
    %d = arith.addf %e, %e : f32
    memref.store %d, %a[%i] : memref<?xf32>
    memref.store %d, %m[%i] : memref<?xf32>
  }
  return %x, %a : i32, memref<?xf32>
}
"""


def execute(text, *arguments):
    """The exit status, standard output and standard error; an error of Dealog's as its text."""
    result = CliRunner().invoke(exec_, ["-", *arguments], input=text, standalone_mode=False)
    if isinstance(result.exception, DealogError):
        return 1, "", str(result.exception)
    if result.exception is not None:
        raise result.exception
    return result.return_value, result.stdout, result.stderr


def test_results_are_printed():
    status, out, err = execute(ADD, "--args", "-3, [1, 2.5, 0.1]")
    assert (status, err) == (0, "")
    assert out == "i32=-3\nmemref<3xf32>=[2.0, 5.0, 0.2]\n"


def test_arguments_are_printed_when_asked_for():
    _, out, _ = execute(ADD, "--args", "-3", "--args", "memref<2xf32>=1.5", "--show-args")
    assert out.endswith("argument 1: memref<2xf32>=[3.0, 3.0]\n")


def test_printed_values_are_arguments():
    _, out, _ = execute(ADD, "--args", "7, memref<2xf32>=1.5")
    values = out.split("\n")[:2]
    status, again, _ = execute(ADD, "--args", ", ".join(values))
    assert status == 0
    assert again == "i32=7\nmemref<2xf32>=[6.0, 6.0]\n"


def test_random_arguments_come_from_the_seed():
    text = body(
        "return %x, %m : i64, memref<2x2xf32>", "%x: i64, %m: memref<2x2xf32>", "(i64, memref<2x2xf32>)"
    )
    one, same, other = (
        execute(text, "--args", "random", "--seed", seed, "--no-ownership")[1] for seed in ("1", "1", "2")
    )
    assert one == same != other


def test_statistics():
    status, _, err = execute(ADD, "--args", "1, [1, 2]", "--stats")
    assert status == 0
    rows = dict(re.findall(r"^(\S.*\S) +([\d,]+)$", err, re.MULTILINE))
    assert rows["buffers allocated"] == rows["buffers freed"] == "1"
    assert rows["peak bytes on the heap"] == rows["bytes live at once"] == "8"
    assert rows["alias checks"] == "0"


def test_faults_are_reported_with_lines_and_status():
    status, out, err = execute(body("%a = memref.alloc() : memref<4xf32>\nreturn"))
    assert (status, out) == (1, "")
    assert "<stdin>:8:3: error: a buffer is leaked, 16 bytes: allocated here and never freed" in err
    assert "%a = memref.alloc() : memref<4xf32>" in err
    assert "<stdin>:1:1: note: the program ends when this function returns" in err
    assert execute(body("%a = memref.alloc() : memref<4xf32>\nreturn"), "--no-ownership")[0] == 0


def test_limits():
    endless = "func.func @main() {\n  cf.br ^a\n^a:\n  cf.br ^a\n}\n"
    status, _, err = execute(endless, "--max-steps", "500")
    assert status == 1
    assert "the program has not ended after 500 steps" in err
    assert "--max-steps" in err


def test_uninitialized_reads():
    text = body("%a = memref.alloca() : memref<1xf32>\n%x = memref.load %a[%c0] : memref<1xf32>\nreturn")
    assert execute(text)[0] == 0
    assert "warning: an element that was never written is read" in execute(text)[2]
    assert execute(text, "--uninitialized", "error")[0] == 1
    assert execute(text, "--uninitialized", "ignore")[2] == ""


def test_other_entries():
    assert execute(ADD.replace("@main", "@f"), "--entry", "f", "--args", "1, [1]")[0] == 0
    status, _, err = execute(ADD, "--entry", "@nothing")
    assert status == 1
    assert "there is no function '@nothing'" in err
    assert "the functions are: @main" in err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("1", "@main takes 2 arguments and is given 1"),
        ("x, [1]", "argument 0, of type i32: 'x' is not an integer"),
        ("5000000000, [1]", "5000000000 does not fit into i32"),
        ("1, [[1], [2]]", "a list of shape 2x1 is given"),
        ("1, [[1, 2], [3]]", "different lengths"),
        ("1, 3", "the sizes are open"),
        ("1, memref<2xi32>=3", "a value of type memref<2xi32> is given"),
        ("1, [1", "are not read"),
        ("[1], [1]", "argument 0, of type i32"),
    ],
)
def test_wrong_arguments(arguments, says):
    status, out, err = execute(ADD, "--args", arguments)
    assert (status, out) == (1, "")
    assert says in err


def test_elements_that_were_never_written():
    text = body("return %m : memref<2xf32>", "%m: memref<2xf32>", "memref<2xf32>")
    assert execute(text, "--no-ownership", "--args", "uninitialized")[1] == "memref<2xf32>=[_, _]\n"
    assert execute(text, "--no-ownership", "--args", "[_, 1]")[1] == "memref<2xf32>=[_, 1.0]\n"


def test_linalg_needs_lowering():
    text = body(
        "linalg.fill ins(%f1 : f32) outs(%m : memref<4xf32>)\n"
        "%x = memref.load %m[%i] : memref<4xf32>\n"
        "return",
        "%m: memref<4xf32>, %i: index",
    )
    status, _, err = execute(text, "--lower", "never", "--args", "0, 1")
    assert status == 1
    assert "linalg.fill" in err


def test_lowered_programs_keep_the_lines_of_the_text(monkeypatch):
    monkeypatch.setattr("dealog.normalize.find_mlir_opt", lambda: str(tools.mlir_opt()))
    text = body(
        "linalg.fill ins(%f1 : f32) outs(%m : memref<4xf32>)\n"
        "%x = memref.load %m[%i] : memref<4xf32>\n"
        "return %x : f32",
        "%m: memref<4xf32>, %i: index",
        "f32",
    )
    status, _, err = execute(text, "--args", "0, 1", "--show-args")
    assert (status, err) == (0, "")
    status, out, err = execute(text, "--args", "0, 4")
    assert (status, out) == (1, "")
    assert "<stdin>:9:8: error: index 4 is out of bounds: the size is 4" in err
    assert "  %x = memref.load %m[%i]" in err


def test_python_values_are_taken_and_given():
    outcome = run(parse(ADD), "@main", [-3, [1.0, 2.0]])
    assert outcome.ok
    assert outcome.results[0] == -3
    assert (outcome.results[1].shape, outcome.results[1].values) == ((2,), (2.0, 4.0))
    assert outcome.arguments[1].values == (2.0, 4.0)


def test_strided_arguments():
    type = "memref<2x2xf32, strided<[?, 3], offset: ?>>"
    text = body(f"%x = memref.load %m[%c1, %c0] : {type}\nreturn %x : f32", f"%m: {type}", "f32")
    assert run(parse(text), "@main", [[[1, 2], [3, 4]]]).results == [3.0]


def test_what_lowering_leaves_is_refused_where_it_stands_in_the_text(monkeypatch):
    monkeypatch.setattr("dealog.normalize.find_mlir_opt", lambda: str(tools.mlir_opt()))
    text = body(
        "linalg.fill ins(%f1 : f32) outs(%m : memref<4xf32>)\n"
        "%x = vector.load %m[%c0] : memref<4xf32>, vector<2xf32>\n"
        "vector.print %x : vector<2xf32>\n"
        "return",
        "%m: memref<4xf32>",
    )
    status, _, err = execute(text, "--args", "0")
    assert status == 1
    assert "<stdin>:9:8: error: 'vector.load' is not interpreted" in err
    status, _, err = execute(text, "--args", "0, 1")
    assert "@main takes 1 argument and is given 2" in err
