"""What the dialect files say about operations: on facts, and against the answers of mlir-opt."""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

import dealog.rules
from dealog.engine import load, solve
from tests.support.tools import mlir_opt

DIALECTS = Path(dealog.rules.__file__).parent / "dialects"
FILES = sorted(path for path in DIALECTS.glob("*.dl") if path.name != "all.dl")

NAMES = (
    "known_effects", "recursive_effects", "allocates", "allocates_automatically", "frees", "deallocation",
    "views", "selects", "terminator", "branch", "conditional_branch", "region_branch", "region_terminator",
    "region_exit", "lacks_terminator", "call", "computes", "dialect",
)  # fmt: skip
FLOWS = ("entry_operand", "entry_result", "next_region_operand", "exit_operand")


class Facts:
    """Facts about operations, written down without any text; values named `%m…` are buffers."""

    def __init__(self) -> None:
        self.relations: dict[str, list[tuple[str | int, ...]]] = defaultdict(list)
        self.block("top", "region of nothing", 0)

    def block(self, block: str, region: str, index: int) -> str:
        self.relations["block"].append((block, region, index))
        return block

    def region(self, op: str, index: int) -> str:
        """Gives `op` a region of one block, which is returned."""
        region = f"{op}/{index}"
        self.relations["region"].append((region, op, index))
        return self.block(f"{region}/entry", region, 0)

    def operation(
        self, op: str, name: str, operands: list[str], results: list[str], block: str = "top"
    ) -> str:
        self.relations["operation"].append((op, name, block, 0))
        for relation, values in (("operand", operands), ("result", results)):
            self.relations[relation] += [(op, index, value) for index, value in enumerate(values)]
            self.relations[f"{relation}_count"].append((op, len(values)))
            self.relations["buffer"] += [(value,) for value in values if value.startswith("%m")]
        return op


def derive(facts: Facts, *relations: str) -> dict[str, set[tuple[str | int, ...]]]:
    derived = solve(load([DIALECTS / "all.dl"]), facts.relations, engine="embedded", outputs=relations)
    return {name: set(derived[name]) for name in relations}


# ---- files -------------------------------------------------------------------------------------------------


def test_all_includes_every_file():
    included = re.findall(r'^#include "(.*)"$', (DIALECTS / "all.dl").read_text(), re.MULTILINE)
    assert included == [path.name for path in FILES]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_stands_alone_and_speaks_of_its_dialect(path):
    derived = solve(load([path]), {}, engine="embedded", outputs=NAMES)
    said = {row[0] for rows in derived.values() for row in rows}
    assert said
    assert {str(name).split(".")[0] for name in said} == {path.stem}


def test_no_fact_is_stated_twice():
    for path in FILES:
        facts = re.findall(r'\b[a-z_]+\("[^)]*\)\.', path.read_text())
        assert len(facts) == len(set(facts)), path.name


# ---- facts that hold of every program ----------------------------------------------------------------------


@cache
def said() -> dict[str, set[str]]:
    """For each relation over names, the names that it holds of, whatever the program."""
    return {name: {str(row[0]) for row in rows} for name, rows in derive(Facts(), *NAMES).items()}


@pytest.mark.parametrize(
    ("kind", "broader"),
    [
        ("branch", "terminator"),
        ("conditional_branch", "branch"),
        ("region_terminator", "terminator"),
        ("region_exit", "terminator"),
        ("allocates", "known_effects"),
        ("allocates_automatically", "known_effects"),
        ("frees", "known_effects"),
        ("views", "known_effects"),
        ("selects", "known_effects"),
        ("computes", "known_effects"),
    ],
)
def test_one_kind_of_operation_belongs_to_a_broader_one(kind, broader):
    assert said()[kind] <= said()[broader]


def test_the_effects_of_operations_with_regions_are_known():
    assert said()["region_branch"] <= said()["known_effects"] | said()["recursive_effects"]


@pytest.mark.parametrize(
    ("kind", "other"),
    [
        ("branch", "region_terminator"),
        ("branch", "region_exit"),
        ("region_terminator", "region_exit"),
        ("allocates", "allocates_automatically"),
        ("allocates", "views"),
        ("allocates", "computes"),
        ("deallocation", "known_effects"),
        ("call", "known_effects"),
    ],
)
def test_kinds_that_exclude_each_other(kind, other):
    assert not said()[kind] & said()[other]


# ---- facts that depend on the program ----------------------------------------------------------------------


def test_operand_positions_that_vary():
    facts = Facts()
    facts.operation("op 0", "gpu.dealloc", ["%token", "%other_token", "%m"], ["%done"])
    facts.operation("op 1", "memref.distinct_objects", ["%m", "%m1", "%m2"], ["%m3", "%m4", "%m5"])
    derived = derive(facts, "frees", "views")
    assert {row[1:] for row in derived["frees"] if row[0] == "gpu.dealloc"} == {(2,)}
    views = {row[1:] for row in derived["views"] if row[0] == "memref.distinct_objects"}
    assert views == {(0, 0), (1, 1), (2, 2)}
    assert derive(facts, "distinct")["distinct"] == {("%m3", "%m4"), ("%m3", "%m5"), ("%m4", "%m5")}


def test_an_operation_may_refer_to_a_global_variable():
    facts = Facts()
    facts.operation("op 0", "memref.get_global", [], ["%m"])
    facts.operation("op 1", "memref.alloc", [], ["%m1"])
    facts.relations["attribute"] += [("op 0", "name", "@weights"), ("op 1", "name", "@other")]
    assert derive(facts, "refers_to_global")["refers_to_global"] == {("op 0", "@weights")}


# Each operation with its number of operands and of results, the terminators of its regions with their number
# of operands, and all ways that a value takes: `in` when control enters a region, `over` when it enters none,
# `next` from a region to a region, `out` of the operation. `in 3 0.1` is operand 3 to argument 1 of region 0,
# `out 1:0 0` is operand 0 of the terminator of region 1 to result 0.
CONTROL_FLOW = [
    ("scf.if", 1, 2, [("scf.yield", 2), ("scf.yield", 2)], "out 0:0 0, out 0:1 1, out 1:0 0, out 1:1 1"),
    ("scf.if", 1, 0, [("scf.yield", 0)], ""),
    (
        "scf.for", 5, 2, [("scf.yield", 2)],
        "in 3 0.1, in 4 0.2, over 3 0, over 4 1, next 0:0 0.1, next 0:1 0.2, out 0:0 0, out 0:1 1",
    ),
    ("scf.for", 3, 0, [("scf.yield", 0)], ""),
    (
        "scf.while", 2, 1, [("scf.condition", 2), ("scf.yield", 2)],
        "in 0 0.0, in 1 0.1, next 0:1 1.0, out 0:1 0, next 1:0 0.0, next 1:1 0.1",
    ),
    ("scf.execute_region", 0, 1, [("scf.yield", 1)], "out 0:0 0"),
    (
        "scf.index_switch", 1, 1, [("scf.yield", 1), ("scf.yield", 1), ("scf.yield", 1)],
        "out 0:0 0, out 1:0 0, out 2:0 0",
    ),
    ("scf.forall", 3, 0, [("scf.forall.in_parallel", 0)], ""),
    ("scf.parallel", 4, 1, [("scf.reduce", 1)], ""),
    ("affine.if", 2, 1, [("affine.yield", 1), ("affine.yield", 1)], "out 0:0 0, out 1:0 0"),
    (
        "affine.for", 5, 2, [("affine.yield", 2)],
        "in 3 0.1, in 4 0.2, over 3 0, over 4 1, next 0:0 0.1, next 0:1 0.2, out 0:0 0, out 0:1 1",
    ),
    ("affine.for", 1, 1, [("affine.yield", 1)], "in 0 0.1, over 0 0, next 0:0 0.1, out 0:0 0"),
    ("affine.for", 2, 0, [("affine.yield", 0)], ""),
    ("affine.parallel", 2, 1, [("affine.yield", 1)], ""),
    ("memref.alloca_scope", 0, 1, [("memref.alloca_scope.return", 1)], "out 0:0 0"),
    ("shape.assuming", 1, 1, [("shape.assuming_yield", 1)], "out 0:0 0"),
    ("gpu.warp_execute_on_lane_0", 2, 1, [("gpu.yield", 1)], "in 1 0.0, out 0:0 0"),
    ("gpu.launch", 6, 0, [("gpu.terminator", 0)], ""),
    ("async.execute", 0, 2, [("async.yield", 1)], ""),
    ("linalg.generic", 2, 0, [("linalg.yield", 1)], ""),
    ("memref.generic_atomic_rmw", 2, 1, [("memref.atomic_yield", 1)], ""),
]  # fmt: skip


@cache
def flows() -> list[set[str]]:
    """The flows of each operation of `CONTROL_FLOW`; one program holds all, and none may disturb another."""
    facts = Facts()
    for number, (name, operands, results, terminators, _) in enumerate(CONTROL_FLOW):
        op = facts.operation(f"op {number}", name, *(_values(n, number) for n in (operands, results)))
        for region, (terminator, passed) in enumerate(terminators):
            facts.operation(
                f"op {number}.{region}", terminator, _values(passed, number), [], facts.region(op, region)
            )
    derived = derive(facts, *FLOWS)
    found: list[set[str]] = [set() for _ in CONTROL_FLOW]
    for relation, word in zip(FLOWS, ("in", "over", "next", "out"), strict=True):
        for op, operand, *target in derived[relation]:
            number, _, region = str(op).removeprefix("op ").partition(".")
            source = f"{region}:{operand}" if region else str(operand)
            found[int(number)].add(f"{word} {source} {'.'.join(map(str, target))}")
    return found


def _values(count: int, of: int) -> list[str]:
    return [f"%m{of}_{index}" for index in range(count)]


@pytest.mark.parametrize("number", range(len(CONTROL_FLOW)), ids=lambda number: CONTROL_FLOW[number][0])
def test_control_flow_of_regions(number):
    name, _, _, terminators, expected = CONTROL_FLOW[number]
    assert flows()[number] == set(filter(None, expected.split(", ")))
    assert bool(expected) <= (name in said()["region_branch"])
    leaving = said()["region_terminator"] | said()["region_exit"]
    assert {terminator for terminator, _ in terminators} <= leaving


# ---- against mlir-opt --------------------------------------------------------------------------------------

# What the operations of the survey take their operands from.
ARGUMENTS = """%i: index, %n: i32, %b: i1, %f: f32, %z: complex<f32>,
  %m: memref<4xf32>, %m2: memref<2x2xf32>, %ints: memref<4xi32>, %bytes: memref<16xi8>,
  %shape: memref<1xindex>, %tag: memref<1xi32>, %any: memref<*xf32>,
  %shared: memref<4xf32, #gpu.address_space<workgroup>>,
  %v: vector<4xf32>, %v8: vector<8xi8>, %v8f: vector<8xf32>, %mask: vector<4xi1>,
  %sv: vector<[4]xi32>, %smask: vector<[4]xi1>,
  %t: tensor<4xf32>, %filter: tensor<2x3x3x5xf32>, %transformed: tensor<4x4x5x2xf32>,
  %sparse: tensor<4xf32, #sparse_tensor.encoding<{ map = (x) -> (x : compressed) }>>,
  %s: !shape.shape, %w: !shape.witness, %a: !async.token, %p: !llvm.ptr, %q: !llvm.ptr<1>"""
DECLARATIONS = """func.func private @external(memref<4xf32>)
llvm.func @external_llvm(!llvm.ptr)
memref.global @global : memref<4xf32>
shard.grid @grid(shape = 2)"""

SURVEY = re.findall(r'^".*', Path(__file__).with_name("survey.txt").read_text(), re.MULTILINE)
SURVEYED = [line.split('"')[1] for line in SURVEY]


@cache
def survey() -> dict[str, tuple[str | None, str]]:
    """What MLIR's pass says of each operation: the error, if any, and the function that comes out."""
    lines: list[str] = []
    places = {}
    for number, operation in enumerate(SURVEY):
        lines += [*DECLARATIONS.splitlines(), f"func.func @f{number}(", *ARGUMENTS.splitlines(), ") {"]
        lines += [operation, "return", "}", "// -----"]
        places[len(lines) - 3] = SURVEYED[number]
    command = [mlir_opt(), "-split-input-file", "-allow-unregistered-dialect"]
    command += ["-ownership-based-buffer-deallocation"]
    run = subprocess.run(command, input="\n".join(lines), text=True, capture_output=True, timeout=120)
    errors = {places[int(line)]: text for line, text in re.findall(r":(\d+):\d+: error: (.*)", run.stderr)}
    _, *parts = re.split(r"func\.func @f(\d+)\(", run.stdout)
    functions = {SURVEYED[int(n)]: text for n, text in zip(parts[0::2], parts[1::2], strict=True)}
    assert errors.keys() | functions.keys() == set(SURVEYED)
    return {name: (errors.get(name), functions.get(name, "")) for name in SURVEYED}


@cache
def derived_from_survey() -> dict[str, set[tuple[str | int, ...]]]:
    """What the dialects say of the operations of the survey, whose buffers stand where the text has them."""
    facts = Facts()
    for number, line in enumerate(SURVEY):
        operands = re.findall(r"%\w+", line.partition(")")[0])
        facts.operation(f"op {number}", SURVEYED[number], operands, [])
    return derive(facts, *NAMES)


def names(relation: str) -> set[str | int]:
    return {row[0] for row in derived_from_survey()[relation]}


def test_the_survey_takes_operations_of_every_file_once():
    assert len(SURVEYED) == len(set(SURVEYED))
    assert {name.split(".")[0] for name in SURVEYED} == {path.stem for path in FILES} - {"mesh", "dlti"} | {"unknown"}


@pytest.mark.parametrize("name", SURVEYED)
def test_effects_are_known_just_where_mlir_knows_them(name):
    error, _ = survey()[name]
    kinds = ("known_effects", "recursive_effects", "call", "deallocation")
    assert any(name in names(kind) for kind in kinds) == (
        error != "ops with unknown memory side effects are not supported"
    )


@pytest.mark.parametrize("name", SURVEYED)
def test_what_frees_is_refused_by_mlir(name):
    error, _ = survey()[name]
    assert (name in names("frees")) == (error == "memory free side-effect on MemRef value not supported!")


@pytest.mark.parametrize("name", SURVEYED)
def test_deallocations_are_refused_by_mlir(name):
    error, _ = survey()[name]
    refused = error == "No deallocation operations must be present when running this pass!"
    assert (name in names("deallocation")) == refused


@pytest.mark.parametrize("name", SURVEYED)
def test_what_allocates_is_owned_in_mlir(name):
    error, function = survey()[name]
    if error is None:
        conditions = re.findall(r"bufferization\.dealloc \(.*?\) if \((.*?)\)", function)
        assert (name in names("allocates")) == any("%true" in condition for condition in conditions)
