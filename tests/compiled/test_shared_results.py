"""Generated programs of functions that return one buffer by two results at times: each is freed once, and what is
written by one name is read by the other, whether callers get an i1 or compare addresses."""

from __future__ import annotations

from functools import cache

from tests.support.dealog import executed, run_dealog
from tests.support.nightly import NIGHTLY
from tests.support.shared_results import Program, program

PASSES = ("static-buffer-deallocation", "convert-bufferization-to-memref")
COUNT = 300 if NIGHTLY else 20
GIVEN = ("true, true", "true, false", "false, true", "false, false")
REFUSED = {
    "what is made from this buffer is needed where the buffer cannot be",
    "this may be written to here, and be two results of a call, or only one of them",
}
"""Where a name ends that the buffer may have, or a clone would be seen."""


@cache
def deallocated() -> dict[int, tuple[Program, str]]:
    """The programs that are taken, and what is made of them."""
    found = {}
    for seed in range(COUNT):
        source = program(seed)
        output = run_dealog(source.text, PASSES)
        if output.text is None:
            assert {diagnostic.message for diagnostic in output.diagnostics} <= REFUSED, seed
        else:
            found[seed] = (source, output.text)
    return found


def linked(text: str, bodies: dict[str, str]) -> str:
    for declaration, body in bodies.items():
        text = text.replace(declaration, body)
    return text


def freed(body: str) -> str:
    """What a function that is only declared turns out to be, compiled by itself: for callers that are not seen."""
    output = run_dealog(body.replace("func.func private", "func.func public"), PASSES).unwrap()
    return output.replace("func.func public", "func.func private")


def test_most_are_taken() -> None:
    assert len(deallocated()) >= COUNT * 0.9


def test_they_run_clean() -> None:
    for seed, (source, output) in deallocated().items():
        bodies = {declaration: freed(body) for declaration, body in source.bodies.items()}
        for given in GIVEN:
            wanted = executed(linked(source.text, source.bodies), given, "--no-ownership")
            assert executed(linked(output, bodies), given) == wanted, (seed, given)


def test_comparing_an_address_with_itself_is_noticed() -> None:
    """Then no result counts as a buffer of its own, and some are never freed."""
    noticed = 0
    for source, output in deallocated().values():
        lines = output.splitlines()
        for number, line in enumerate(lines):
            if "arith.cmpi ne" in line and source.bodies:
                name, rest = line.split("arith.cmpi ne, ")
                address = rest.split(", ")[0]
                lines[number] = f"{name}arith.cmpi ne, {address}, {address} : index"
        changed = "\n".join(lines)
        if changed != output:
            bodies = {declaration: freed(body) for declaration, body in source.bodies.items()}
            noticed += any("leaked" in executed(linked(changed, bodies), given) for given in GIVEN)
    assert noticed


def test_a_second_run_changes_nothing() -> None:
    """Of those that are refused then, all say so; where results are compared once more, they stay the same."""
    again = {seed: run_dealog(output, PASSES).text for seed, (_, output) in deallocated().items()}
    refused = {seed for seed, text in again.items() if text is None}
    assert len(refused) <= COUNT * 0.05
    changed = {seed: text for seed, text in again.items() if text not in (None, deallocated()[seed][1])}
    assert len(changed) <= COUNT * 0.01
    for seed, text in changed.items():
        source, output = deallocated()[seed]
        bodies = {declaration: freed(body) for declaration, body in source.bodies.items()}
        for given in GIVEN:
            assert executed(linked(text or "", bodies), given) == executed(linked(output, bodies), given), (seed, given)
