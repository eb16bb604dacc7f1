"""What comes out does not depend on the order of functions, on names, or on the run."""

from __future__ import annotations

import random
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from dealog.frontend import parse
from tests.support.dealog import run_dealog
from tests.support.generate import program
from tests.support.nightly import NIGHTLY

PASS = ["ownership-based-buffer-deallocation"]
EXAMPLES = 15 if NIGHTLY else 4
SEEDS = st.integers(min_value=0, max_value=10_000)


def _functions(text: str) -> dict[str, str]:
    """The text of each function of a module, by name."""
    module = parse(text)
    found = {}
    operations = module.operation.regions[0].blocks[0].operations
    ends = [op.offset for op in operations[1:]] + [text.rindex("}")]
    for op, end in zip(operations, ends, strict=True):
        found[op.attributes["sym_name"]] = text[op.offset : end].rstrip()
    return found


def _after(text: str) -> str:
    return run_dealog(text, PASS).unwrap()


@settings(max_examples=EXAMPLES, deadline=None)
@given(SEEDS)
def test_the_order_of_functions_does_not_matter(seed: int) -> None:
    functions = list(_functions(program(seed)).items())
    expected = _functions(_after("module {\n  " + "\n  ".join(text for _, text in functions) + "\n}\n"))
    random.Random(seed).shuffle(functions)
    actual = _functions(_after("module {\n  " + "\n  ".join(text for _, text in functions) + "\n}\n"))
    assert actual == expected


@settings(max_examples=EXAMPLES, deadline=None)
@given(SEEDS)
def test_names_of_values_and_blocks_do_not_matter(seed: int) -> None:
    text = program(seed)
    names = sorted(set(re.findall(r"[%^][A-Za-z_][\w]*", text)), key=len, reverse=True)
    shuffled = names[:]
    random.Random(seed).shuffle(shuffled)
    renamed = {name: f"{name[0]}z{shuffled.index(name)}z" for name in names}  # sorts unlike the old names

    def rename(source: str) -> str:
        return re.sub(r"[%^][A-Za-z_][\w]*", lambda match: renamed.get(match[0], match[0]), source)

    inserted = re.compile(r"%(own|not|true|false|base_buffer|offset|sizes|strides|clone|owned)(_\d+)?\b")
    assert inserted.sub("%_", _after(rename(text))) == inserted.sub("%_", rename(_after(text)))


@settings(max_examples=EXAMPLES, deadline=None)
@given(SEEDS)
def test_runs_agree(seed: int) -> None:
    text = program(seed)
    assert _after(text) == _after(text)
