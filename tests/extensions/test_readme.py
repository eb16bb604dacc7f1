"""What the README shows of extending Dealog works as it stands."""

import re
from pathlib import Path

import pytest

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
EXTENDING = README[README.index("## Extending it") :]
RULES, SYNTAX, SETTINGS, PYTHON = re.findall(r"```\w*\n(.*?)```\n", EXTENDING, re.DOTALL)[:4]
IN = """\
func.func @f(%n: index) {
  %a = mydb.open @one(%n) : memref<?xf32>
  %b = mydb.open @two(%n) : memref<?xf32>
  %v = "mydb.column"(%a) : (memref<?xf32>) -> memref<?xf32>
  "mydb.scan"(%v) : (memref<?xf32>) -> ()
  "mydb.scan"(%b) : (memref<?xf32>) -> ()
  return
}
"""


@pytest.fixture
def files(folder):
    (folder / "rules").mkdir()
    (folder / "rules/pools.dl").write_text("// Pools.\n")
    (folder / "mydb").mkdir()
    (folder / "mydb/mydb.dl").write_text(RULES)
    (folder / "mydb/mydb.lark").write_text(SYNTAX)
    (folder / "dealog.toml").write_text(SETTINGS)
    (folder / "in.mlir").write_text(IN)
    return folder


def test_the_example(files, dealog):
    run = dealog("dealloc", "in.mlir")
    assert (run.status, run.err) == (0, "")
    expected = IN
    for use, buffer in (("%v", "%a"), ("%b", "%b")):
        use = f'  "mydb.scan"({use}) : (memref<?xf32>) -> ()\n'
        expected = expected.replace(use, f"{use}  memref.dealloc {buffer} : memref<?xf32>\n")
    assert run.out == expected
    assert dealog("query", "in.mlir", "in_pool(%a, P)").out.splitlines()[2:] == ["@one"]
    assert dealog("query", "in.mlir", "distinct(%a, %b)").out == "yes\n"


def test_the_example_in_python(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "\n" * 9 + "func.func @f() -> f32 {\n  %c = arith.constant 0 : index\n"
    text += "  %a = memref.alloc() : memref<2xf32>\n"
    text += "  %x = memref.load %a[%c] : memref<2xf32>\n  return %x : f32\n}\n"
    (tmp_path / "model.mlir").write_text(text)
    exec(PYTHON, {})
    out = capsys.readouterr().out
    assert "  memref.dealloc %a" in out and "[{'X': '@f/%a'}]" in out and "is freed right after" in out
