"""What nobody changed is printed as it was read, to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealog.frontend import Operation, parse, print_module
from tests.frontend.structure import mlir_opt

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.mlir"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples(path: Path) -> None:
    text = path.read_text("utf-8")
    module = parse(text, path.name)
    assert print_module(module) == text
    assert sum(1 for _ in module.walk()) > 100


@pytest.mark.parametrize(
    "flags",
    [
        ("-mlir-print-op-generic",),
        ("-mlir-print-op-generic", "-mlir-print-debuginfo"),
        ("-mlir-print-op-generic", "-mlir-print-local-scope"),
        ("-mlir-print-debuginfo",),
        ("-mlir-print-debuginfo", "-mlir-print-local-scope"),
        ("-mlir-print-local-scope",),
        ("-mlir-print-value-users",),
        ("-mlir-print-unique-ssa-ids",),
        ("-mlir-use-nameloc-as-prefix",),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_what_mlir_opt_prints_for_them(path: Path, flags: tuple[str, ...]) -> None:
    source = path.read_text("utf-8")
    text = mlir_opt(source, *flags)
    assert text is not None
    module = parse(text)
    assert print_module(module) == text
    assert [op.name for op in module.walk() if "linalg" not in op.name] == [
        op.name for op in parse(source).walk() if "linalg" not in op.name
    ] or "-mlir-print-op-generic" in flags


SPACE = st.sampled_from([" ", "", "\n", '  // comment } ( "\n', "\t", "\r\n", "// }\r"])
TYPES = st.sampled_from(
    [
        "i1",
        "index",
        "memref<4x?xf32>",
        "memref<?xf32, strided<[?], offset: ?>, 3>",
        'tensor<4x!a.b<">", [(x -> y)]>>',
        "!t",
        "(i1, index) -> (memref<*xf32>, i8)",
        "vector<[4]xf32>",
        "() -> ()",
    ]
)
ATTRIBUTES = st.dictionaries(
    st.sampled_from(["a", "b.c", '"d e"', "f_1"]),
    st.sampled_from(
        [
            "",
            "1 : i32",
            "-1.5e+10 : f32",
            '"s\\"}"',
            "[1, @a::@b, {x}]",
            "dense<[[1, 2]]> : tensor<1x2xi8>",
            "#m",
            "affine_map<(d0) -> (d0 mod 2)>",
            'loc("f.c":1:2)',
            "(i1) -> i2",
            "unit",
            "#x.y<<{}>>",
        ]
    ),
    max_size=3,
)


@st.composite
def operations(draw: st.DrawFn, depth: int = 0, visible: tuple[tuple[str, str], ...] = ()) -> str:
    """Some operations in generic form, one after the other; `visible` are names and types of values."""
    out = []
    for _ in range(draw(st.integers(0, 3 if depth else 4))):
        known = list(visible)
        operands = draw(st.lists(st.sampled_from(known), max_size=3)) if known else []
        types = draw(st.lists(TYPES, max_size=3))
        text = ""
        name = f"%v{draw(st.integers(0, 10**9))}_{depth}_{len(out)}_{len(visible)}"
        if any(name == used.partition("#")[0] for used, _ in visible):
            continue
        made = [(name, types[0])] if len(types) == 1 else [(f"{name}#{i}", t) for i, t in enumerate(types)]
        if types:
            text += name + (f":{len(types)}" if len(types) > 1 else "") + draw(SPACE) + "=" + draw(SPACE)
        text += f'"{draw(st.sampled_from(["a.b", "test.op", "scf.unknown"]))}"'
        text += "(" + ", ".join(use for use, _ in operands) + ")" + draw(SPACE)
        attributes = draw(ATTRIBUTES)
        body = draw(SPACE) + ", ".join(f"{k} = {v}" if v else k for k, v in attributes.items()) + draw(SPACE)
        if draw(st.booleans()):
            text += f"<{{{body}}}>" + draw(SPACE)
        if depth < 3 and draw(st.booleans()):
            argument = (f"%arg{depth}_{len(out)}_{len(known)}_{draw(st.integers(0, 10**9))}", draw(TYPES))
            regions = []
            for label in draw(st.lists(st.booleans(), min_size=1, max_size=2)):
                inner = tuple(known) + ((argument,) if label else ())
                head = f"^bb0({argument[0]}: {argument[1]}):" if label else ""
                regions.append("{" + draw(SPACE) + head + draw(operations(depth + 1, inner)) + "}")
            text += "(" + f",{draw(SPACE)}".join(regions) + ")" + draw(SPACE)
        if draw(st.booleans()):
            text += f"{{{body}}}" + draw(SPACE)
        results = (
            ", ".join(types) if len(types) == 1 and not types[0].startswith("(") else f"({', '.join(types)})"
        )
        text += f":{draw(SPACE)}({', '.join(t for _, t in operands)}) ->{draw(SPACE)}{results}"
        text += draw(st.sampled_from(["", " loc(unknown)", " loc(#l)"])) + draw(SPACE) + "\n"
        visible += tuple(made)
        out.append(text)
    return "".join(out)


@given(operations())
def test_generated_modules(body: str) -> None:
    text = f'!t = memref<4xf32>\n#m = 1 : i8\n{body}#l = loc("late")\n'
    module = parse(text)
    assert print_module(module) == text
    assert [_summary(op) for op in parse(text).walk()] == [_summary(op) for op in module.walk()]
    for op in module.walk():
        assert set(op.attributes) <= {"a", "b.c", "d e", "f_1"}
        assert all(value.type for value in (*op.operands, *op.results))


def _summary(op: Operation) -> tuple[object, ...]:
    values = [(value.name, value.type) for value in (*op.operands, *op.results)]
    return op.name, op.offset, op.attributes, values
