"""`bufferization.dealloc` does what its definition says."""

import itertools

import pytest

from .programs import assert_fault, body, clean, execute


def dealloc(memrefs, conditions, retained):
    """The operation, in generic form, on buffers of type memref<4xf32>."""
    operands = ", ".join([*memrefs, *conditions, *retained])
    types = ", ".join(
        ["memref<4xf32>"] * len(memrefs) + ["i1"] * len(conditions) + ["memref<4xf32>"] * len(retained)
    )
    sizes = f"array<i32: {len(memrefs)}, {len(conditions)}, {len(retained)}>"
    outs = ", ".join(["i1"] * len(retained))
    names = f"%own:{len(retained)} = " if retained else ""
    return (
        f'{names}"bufferization.dealloc"({operands}) <{{operandSegmentSizes = {sizes}}}> : ({types}) -> '
        f"({outs})"
    )


@pytest.mark.parametrize(
    ("first", "second", "choice"), list(itertools.product((False, True), (False, True), (0, 1, 2)))
)
def test_what_is_freed_and_who_owns_the_rest(first, second, choice):
    """Two buffers with conditions, and one of three buffers retained: the first, the second, or another."""
    text = body(
        f"""
        %a = memref.alloc() : memref<4xf32>
        %b = memref.alloc() : memref<4xf32>
        %stack = memref.alloca() : memref<4xf32>
        %ab = arith.select %is_a, %a, %b : memref<4xf32>
        %r = arith.select %is_other, %stack, %ab : memref<4xf32>
        {dealloc(["%a", "%b"], ["%ca", "%cb"], ["%r"])}
        return %own#0 : i1
        """.replace("%own:1 =", "%own:1 ="),
        "%ca: i1, %cb: i1, %is_a: i1, %is_other: i1",
        "i1",
    )
    outcome = execute(text, first, second, choice == 0, choice == 2, check_ownership=False)
    conditions = [first, second]
    freed = [condition and number != choice for number, condition in enumerate(conditions)]
    assert outcome.ok
    assert outcome.statistics.frees == sum(freed)
    assert outcome.results == [int(choice < 2 and conditions[choice])]
    assert outcome.statistics.alias_checks == 3


@pytest.mark.parametrize(("first", "second"), list(itertools.product((False, True), repeat=2)))
def test_aliases_are_freed_once(first, second):
    text = body(
        f"""
        %a = memref.alloc() : memref<4xf32>
        {dealloc(["%a", "%a"], ["%ca", "%cb"], [])}
        return
        """,
        "%ca: i1, %cb: i1",
    )
    outcome = execute(text, first, second)
    assert outcome.kinds == ([] if first or second else ["leak"])


def test_updated_condition_is_the_disjunction():
    text = body(
        f"""
        %a = memref.alloc() : memref<4xf32>
        %v = memref.subview %a[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
        {dealloc(["%a", "%a"], ["%false", "%true"], ["%a", "%other"])}
        memref.dealloc %a : memref<4xf32>
        return %own#0, %own#1 : i1, i1
        """,
        "%other: memref<4xf32>",
        "(i1, i1)",
    )
    assert clean(execute(text, "0")).results == [1, 0]


def test_double_free_by_two_deallocs():
    one = dealloc(["%a"], ["%true"], [])
    text = body(f"%a = memref.alloc() : memref<4xf32>  // note\n{one}  // note\n{one}  // fault\nreturn")
    assert_fault(text, "double-free")


def test_stack_buffers_are_not_to_be_owned():
    text = body(
        f"%a = memref.alloca() : memref<4xf32>  // note\n{dealloc(['%a'], ['%true'], [])}  // fault\nreturn"
    )
    assert_fault(text, "invalid-free")


def test_clone_is_a_buffer_of_its_own():
    text = body(
        """
        %a = "bufferization.clone"(%m) : (memref<4xf32>) -> memref<4xf32>
        memref.store %f1, %a[%c0] : memref<4xf32>
        return %a : memref<4xf32>
        """,
        "%m: memref<4xf32>",
        "memref<4xf32>",
    )
    outcome = clean(execute(text, [5, 6, 7, 8]))
    assert outcome.results[0].values == (1.0, 6.0, 7.0, 8.0)
    assert outcome.arguments[0].values == (5.0, 6.0, 7.0, 8.0)
    assert outcome.statistics.allocations == 1
