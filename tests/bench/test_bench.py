"""The benchmarks in small: commands that end well, late, and badly; the tables; the programs."""

import json
import sys

import pytest
from click.testing import CliRunner

from bench import answers as of_answers
from bench.__main__ import main
from bench.allocations import measured
from bench.growth import growth, power
from bench.measure import Measurement, in_turns, run
from bench.programs import PIPELINE, selects
from bench.quality import Group, counted, quality
from bench.settings import Settings, doubled
from bench.table import Column, Exponent, Table, ratio, to_json, to_markdown
from tests.support import tools
from tests.support.cases import Case, examples
from tests.support.dealog import command
from tests.support.families import FAMILIES, diamonds
from tests.support.nightly import one_in

PYTHON = [sys.executable, "-I", "-S", "-c"]
SMALL = Settings(quick=True, timeout=30, rounds=1)


def test_a_command_is_measured():
    small = run([*PYTHON, "pass"], 30)
    large = run([*PYTHON, "x = b'x' * 80_000_000; import time; time.sleep(0.3)"], 30)
    assert small.ok and large.ok
    assert large.seconds > small.seconds and large.seconds > 0.3
    assert large.peak - small.peak > 70_000_000


def test_the_memory_is_not_that_of_the_process_that_measures():
    held = b"x" * 200_000_000
    assert run([*PYTHON, "pass"], 30).peak < len(held) // 2


@pytest.mark.parametrize(
    ("program", "outcome"),
    [
        ("import time; time.sleep(60)", "timeout"),
        ("import os; os.abort()", "crash"),
        ("raise SystemExit('unknown')", "refused"),
    ],
)
def test_how_a_command_ended(program, outcome):
    taken = run([*PYTHON, program], 2)
    assert taken.outcome == outcome and taken.seconds is None and taken.peak is None


def test_a_command_that_is_not_there():
    with pytest.raises(FileNotFoundError):
        run(["no-such-command-anywhere"], 5)


def test_commands_take_turns(tmp_path):
    log = tmp_path / "log"
    commands = {name: [*PYTHON, f"open({str(log)!r}, 'a').write('{name}')"] for name in "ab"}
    in_turns(commands, 30, 3)
    assert log.read_text() == "ababab"


def test_exponents():
    cubic = [(n, 0.2 + 1e-6 * n**3) for n in (128, 256, 512)]
    assert power(cubic, 0.2, 60).power == pytest.approx(3)
    assert power([(8, 0.2), (16, 0.2)], 0.2, 60) is None
    assert power([(8, 0.2), (16, 0.26), (32, None)], 0.2, 60) == Exponent(pytest.approx(9.96, abs=0.01), True)


def test_tables_as_text_and_data():
    table = Table("t", "Title", [Column("name", left=True), Column("ratio", ratio)])
    table.rows = [["a", 0.5], ["b", 123.4]]
    assert "| a | 0.50× |\n| b | 123× |" in to_markdown([table], ["header"])
    rows = json.loads(to_json([table], ["header"]))["tables"][0]["rows"]
    assert rows[0] == {"name": "a", "ratio": 0.5}


def test_doubled():
    assert doubled(512, 4096) == (512, 1024, 2048, 4096)


def test_growth_of_the_real_tools():
    programs = [("diamonds", n, diamonds(n)) for n in (4, 8)]
    times, exponents = growth(
        "t", "Title", "ownership-based-buffer-deallocation", programs, SMALL, souffle=False
    )
    assert [row[:2] for row in times.rows] == [["(empty module)", None], ["diamonds", 4], ["diamonds", 8]]
    assert all(taken.ok for row in times.rows for taken in (row[2], row[3]))
    assert exponents.rows[0][0] == "diamonds"


def every_question():
    for family in of_answers.ASKED:
        yield (family, 4, {**FAMILIES, **PIPELINE}[family](4))
    yield from ((case.name, None, case.text) for case in examples() if case.name == "mlp")
    yield of_answers._SMALLEST


@pytest.mark.parametrize("program", one_in(4, list(every_question())), ids=lambda program: program[0])
def test_questions_have_answers(program, tmp_path):
    path = tmp_path / "program.mlir"
    path.write_text(program[2])
    value, line = of_answers.asked(program)
    assert value in program[2].splitlines()[line - 1]
    for who, (_, *arguments) in of_answers._commands(path, program).items():
        run_ = command(*arguments)
        assert run_.status == 0, run_.err
        assert run_.out.startswith("not so: ", run_.out.index("\n") + 1) == ("why-not" in who)


def test_answers_beside_the_deallocation(monkeypatch):
    def taken(commands, timeout, rounds):
        return {who: Measurement("ok", 0.5 if "dealloc" in line else 1.0, 1) for who, (_, line, *_) in commands.items()}

    monkeypatch.setattr("bench.growth.in_turns", taken)
    programs = [("selects", n, PIPELINE["selects"](n)) for n in (4, 8)]
    times, exponents = of_answers.answers(programs, SMALL)
    rows = json.loads(to_json([times], []))["tables"][0]["rows"]
    assert [(row["program"], row["N"]) for row in rows] == [("(one buffer)", None), ("selects", 4), ("selects", 8)]
    assert all(row["why --line: ratio"] == row["why may_alias: ratio"] == 2.0 for row in rows)
    assert [row[0] for row in exponents.rows] == ["selects"]


def test_mlir_does_not_fold_the_families():
    """What is measured grows after MLIR's own clean-up, too."""
    for family in PIPELINE.values():
        small, large = (
            output.unwrap().count("memref.alloc(")
            for output in tools.run_mlir_opt([family(4), family(16)], "-canonicalize", "-cse")
        )
        assert large - small >= 12


def test_quality_compares_what_all_three_make():
    (table,) = quality(Settings(quick=True, timeout=30, rounds=1, families=("ifs_in_a_row",)))
    rows = {str(row[2]): row[3:6] for row in table.rows}
    assert all(number >= 16 for number in rows["deallocations"]) and min(rows["peak heap bytes"]) > 0


def test_what_is_left_for_the_run_is_counted():
    """A buffer or another that the function may not return: MLIR asks at run time which of them to free."""
    group = Group("choices", (Case("selects", selects(2)),), (("@f", (3,)),))
    counts = counted(group)
    assert counts.programs == 1 and counts.own.allocations == 3
    assert counts.mlir.comparisons > 0 == counts.static.comparisons
    assert counts.mlir.bits > counts.static.bits == 0
    assert counts.mlir.clones >= counts.static.clones == 0
    assert counts.static.peak <= counts.mlir.peak and counts.own.allocations == counts.static.allocations


def test_the_command_refuses_what_is_not_there():
    assert "nothing is called 'x'" in CliRunner().invoke(main, ["quality", "--family", "x"]).output


def test_a_planned_model_takes_what_it_needs_at_once():
    text = next(case.text for case in examples() if case.name == "mlp")
    before, expected = measured(text, ())
    after, results = measured(text, ("plan-memory",))
    assert results == expected
    assert (before.allocations, after.allocations) == (13, 2)  # the arena, and what is returned
    assert after.peak_bytes == before.liveness_bytes
