"""Contractions of vectors with other maps and other ways to combine: mlir-opt and Dealog refuse the same ones."""

from __future__ import annotations

from itertools import product

from tests.support.nightly import one_in

from .together import differing

SIZES = {"i": 2, "j": 3, "k": 4, "0": 1, "k + 1": 5}
LEFT = ("i, k", "k, i", "k", "i, j, k")
RIGHT = ("k, j", "j", "k", "i, k")
SUMS = ("i, j", "j, i", "", "i", "k", "i, j, k")
WAYS = (
    "add", "mul", "minui", "minsi", "minnumf", "maxui", "maxsi", "maxnumf", "and", "or", "xor", "minimumf", "maximumf",
)  # fmt: skip


def _type(results: str, element: str = "f32") -> str:
    sizes = [str(SIZES[each]) for each in results.split(", ") if each]
    return f"vector<{'x'.join(sizes)}x{element}>" if sizes else element


def _contraction(maps: tuple[str, ...], iterators: str, types: tuple[str, ...], more: str = "") -> str:
    listed = ", ".join(f"affine_map<(i, j, k) -> ({results})>" for results in maps)
    arguments = ", ".join(f"%{i}: {type}" for i, type in enumerate(types))
    return (
        f"func.func @f({arguments}) {{\n  %r = vector.contract {{indexing_maps = [{listed}], "
        f"iterator_types = [{iterators}]{more}}} %0, %1, %2 : {types[0]}, {types[1]} into {types[2]}\n  return\n}}\n"
    )


def test_loops_that_are_kept_and_summed_up() -> None:
    """The types go with the maps."""
    texts = []
    for *maps, kinds in one_in(7, list(product(LEFT, RIGHT, SUMS, product(("parallel", "reduction"), repeat=3)))):
        iterators = ", ".join(f'"{kind}"' for kind in kinds)
        texts.append(_contraction(tuple(maps), iterators, tuple(map(_type, maps))))
    assert differing(texts) == []


def test_maps_of_other_forms() -> None:
    """Types of one operand do not go with its map, which is no projection, or for another rank."""
    maps, iterators = ("i, k", "k, j", "i, j"), '"parallel", "parallel", "reduction"'
    types = tuple(map(_type, maps))
    texts = []
    for place, other in product(range(3), ("i, 0", "k + 1, j", "i, i", "i", "", "j, k", "i, j, k")):
        changed = (*maps[:place], other, *maps[place + 1 :])
        texts += [_contraction(changed, iterators, types), _contraction(changed, iterators, tuple(map(_type, changed)))]
        texts.append(_contraction(maps, iterators, (*types[:place], _type(other), *types[place + 1 :])))
    assert differing([_contraction(maps, iterators, types), *texts]) == []


def test_ways_to_combine() -> None:
    maps, iterators = ("i, k", "k, j", "i, j"), '"parallel", "parallel", "reduction"'
    texts = [
        _contraction(maps, iterators, tuple(_type(each, element) for each in maps), f", kind = #vector.kind<{way}>")
        for way in WAYS
        for element in ("f32", "i32", "index")
    ]
    assert differing(texts) == []


def test_kinds_of_loops_in_either_form() -> None:
    """The custom form may leave nothing out, and has texts or words; the generic one has words only."""
    maps = "indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>]"
    texts = []
    for kinds in ('["reduction"]', "[#vector.iterator_type<reduction>]", '["parallel"]', '["sum"]', "[]", "[1]", "5"):
        given = f"{maps}, iterator_types = {kinds}"
        texts.append(f"vector.contract {{{given}}} %v, %v, %s : vector<8xf32>, vector<8xf32> into f32")
        types = "(vector<8xf32>, vector<8xf32>, f32) -> f32"
        texts.append(f'"vector.contract"(%v, %v, %s) <{{{given}, kind = #vector.kind<add>}}> : {types}')
    texts.append(f"vector.contract {{{maps}}} %v, %v, %s : vector<8xf32>, vector<8xf32> into f32")
    functions = [f"func.func @f(%v: vector<8xf32>, %s: f32) {{\n  %r = {text}\n  return\n}}\n" for text in texts]
    assert differing(functions) == []
