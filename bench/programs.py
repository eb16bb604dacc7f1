"""The programs of the table about the pipeline: families that MLIR's pipeline does not fold before it starts.

The pipeline canonicalizes first. That merges operations on equal conditions, blocks with one predecessor and
loops with known bounds, until little is left of the families in `tests/support/families.py`. Here every
condition is another function of the argument, and every bound is the argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

BUFFER = "memref<4xf32>"
Replacing = Callable[[int, str, str], Iterator[str]]  # the i-th operation that makes a result of another buffer


def _function(body: Iterator[str], result: str = "f32") -> str:
    head = [
        "module {",
        f"  func.func @f(%n: index) -> {result} {{",
        "    %c0 = arith.constant 0 : index",
        "    %c1 = arith.constant 1 : index",
        "    %v = arith.constant 1.5 : f32",
    ]
    return "\n".join([*head, *body, "  }", "}", ""])


def _allocation(name: str) -> Iterator[str]:
    yield f"    {name} = memref.alloc() : {BUFFER}"
    yield f"    memref.store %v, {name}[%c0] : {BUFFER}"


def _condition(i: int) -> Iterator[str]:
    """The condition `%d<i>`, which no other is known to equal."""
    yield f"    %k{i} = arith.constant {i + 2} : index"
    yield f"    %d{i} = arith.cmpi ult, %n, %k{i} : index"


def _sum(names: list[str]) -> Iterator[str]:
    """Returns the sum of the first elements."""
    yield "    %s0 = arith.constant 0.0 : f32"
    for i, name in enumerate(names):
        yield f"    %x{i} = memref.load {name}[%c0] : {BUFFER}"
        yield f"    %s{i + 1} = arith.addf %s{i}, %x{i} : f32"
    yield f"    return %s{len(names)} : f32"


def live_to_the_end(n: int) -> str:
    """`n` buffers, all allocated before the first is read."""

    def lines() -> Iterator[str]:
        for i in range(n):
            yield from _allocation(f"%a{i}")
        yield from _sum([f"%a{i}" for i in range(n)])

    return _function(lines())


def block_arguments(n: int) -> str:
    """Two branches that pass `n` buffers, in two orders, to one block."""

    def lines() -> Iterator[str]:
        names = [f"%a{i}" for i in range(n)]
        types = ", ".join([BUFFER] * n)
        for name in names:
            yield from _allocation(name)
        yield from _condition(0)
        yield "    cf.cond_br %d0, ^left, ^right"
        for label, order in (("left", names), ("right", [*names[1:], names[0]])):
            yield f"  ^{label}:"
            yield f"    memref.store %v, %a0[%c1] : {BUFFER}"
            yield f"    cf.br ^next({', '.join(order)} : {types})"
        yield f"  ^next({', '.join(f'%p{i}: {BUFFER}' for i in range(n))}):"
        yield from _sum([f"%p{i}" for i in range(n)])

    return _function(lines())


def ifs_in_a_row(n: int) -> str:
    """`n` scf.if in a row, each yielding one of two new buffers; all results are live to the end."""

    def lines() -> Iterator[str]:
        for i in range(n):
            yield from _condition(i)
            yield f"    %r{i} = scf.if %d{i} -> ({BUFFER}) {{"
            yield from _allocation(f"%a{i}")
            yield f"    scf.yield %a{i} : {BUFFER}\n    }} else {{"
            yield from _allocation(f"%b{i}")
            yield f"    scf.yield %b{i} : {BUFFER}\n    }}"
        yield from _sum([f"%r{i}" for i in range(n)])

    return _function(lines())


def ifs_that_replace(n: int) -> str:
    """`n` scf.if in a row, each yielding a buffer of its own or a new one; all results are live to the end."""
    return _in_a_row(n, _replacing_if)


def fors_in_a_row(n: int) -> str:
    """`n` scf.for in a row, each replacing a buffer of its own; all results are live to the end."""
    return _in_a_row(n, _replacing_loop)


def chained_ifs(n: int) -> str:
    """`n` scf.if in a row, each yielding the buffer of the one before or a new one."""
    return _chained(n, _replacing_if)


def chained_fors(n: int) -> str:
    """`n` scf.for in a row, each replacing the buffer of the one before."""
    return _chained(n, _replacing_loop)


def _in_a_row(n: int, replacing: Replacing) -> str:
    def lines() -> Iterator[str]:
        for i in range(n):
            yield from _allocation(f"%a{i}")
            yield from replacing(i, f"%r{i}", f"%a{i}")
        yield from _sum([f"%r{i}" for i in range(n)])

    return _function(lines())


def _chained(n: int, replacing: Replacing) -> str:
    def lines() -> Iterator[str]:
        yield from _allocation("%r0")
        for i in range(n):
            yield from replacing(i, f"%r{i + 1}", f"%r{i}")
        yield from _sum([f"%r{n}"])

    return _function(lines())


def _replacing_if(i: int, result: str, other: str) -> Iterator[str]:
    """A new buffer, or the other."""
    yield from _condition(i)
    yield f"    {result} = scf.if %d{i} -> ({BUFFER}) {{"
    yield from _allocation(f"%b{i}")
    yield f"    scf.yield %b{i} : {BUFFER}\n    }} else {{\n    scf.yield {other} : {BUFFER}\n    }}"


def _replacing_loop(i: int, result: str, carried: str) -> Iterator[str]:
    """A loop that carries a buffer and allocates a new one in every iteration."""
    bounds = f"%i{i} = %c0 to %n step %c1"
    yield f"    {result} = scf.for {bounds} iter_args(%p{i} = {carried}) -> ({BUFFER}) {{"
    yield from _allocation(f"%n{i}")
    yield f"    scf.yield %n{i} : {BUFFER}\n    }}"


def rotation(n: int) -> str:
    """One loop that rotates `n` buffers, two at least."""

    def lines() -> Iterator[str]:
        names = [f"%p{i}" for i in range(n)]
        types = ", ".join([BUFFER] * n)
        for i in range(n):
            yield from _allocation(f"%a{i}")
        starts = ", ".join(f"{name} = %a{i}" for i, name in enumerate(names))
        yield f"    %r:{n} = scf.for %i = %c0 to %n step %c1 iter_args({starts}) -> ({types}) {{"
        yield f"    scf.yield {', '.join([*names[1:], names[0]])} : {types}\n    }}"
        yield from _sum(["%r#0"])

    return _function(lines())


def at_once(n: int) -> str:
    """A loop that replaces `n` buffers each time; these, and what comes out of the loop, are read after it."""

    def lines() -> Iterator[str]:
        old, carried, new = ([f"%{letter}{i}" for i in range(n)] for letter in "apb")
        types = ", ".join([BUFFER] * n)
        for name in old:
            yield from _allocation(name)
        starts = ", ".join(f"{name} = {start}" for name, start in zip(carried, old, strict=True))
        yield f"    %r:{n} = scf.for %i = %c0 to %n step %c1 iter_args({starts}) -> ({types}) {{"
        for name in new:
            yield from _allocation(name)
        yield f"    scf.yield {', '.join(new)} : {types}\n    }}"
        yield from _sum([*old, *(f"%r#{i}" for i in range(n))])

    return _function(lines())


def left_at_once(n: int) -> str:
    """A conditional that yields `n` buffers, each chosen from two, of which one is read by its own name, too."""

    def lines() -> Iterator[str]:
        new, chosen = ([f"%{letter}{i}" for i in range(n)] for letter in "bt")
        types = ", ".join([BUFFER] * n)
        yield from _allocation("%a")
        yield from _condition(0)
        yield from _condition(1)
        yield f"    %r:{n} = scf.if %d0 -> ({types}) {{"
        for name, choice in zip(new, chosen, strict=True):
            yield from _allocation(name)
            yield f"    {choice} = arith.select %d1, {name}, %a : {BUFFER}"
        for name in new:
            yield f"    memref.copy {name}, %a : {BUFFER} to {BUFFER}"
        yield f"    scf.yield {', '.join(chosen)} : {types}\n    }} else {{"
        yield f"    scf.yield {', '.join(['%a'] * n)} : {types}\n    }}"
        yield from _sum(["%a", *(f"%r#{i}" for i in range(n))])

    return _function(lines())


def selects(n: int) -> str:
    """A chain of `n` selects between the one before and a new buffer; the last is returned."""

    def lines() -> Iterator[str]:
        yield from _allocation("%t0")
        for i in range(n):
            yield from _condition(i)
            yield from _allocation(f"%a{i}")
            yield f"    %t{i + 1} = arith.select %d{i}, %t{i}, %a{i} : {BUFFER}"
        yield f"    return %t{n} : {BUFFER}"

    return _function(lines(), BUFFER)


def kept_ifs(n: int) -> str:
    """`n` scf.if in a row, each yielding the buffer of the one before or a new one; all results are live to the end."""
    return _kept(n, _replacing_if)


def kept_fors(n: int) -> str:
    """`n` scf.for in a row, each starting with the buffer of the one before; all results are live to the end."""
    return _kept(n, _replacing_loop)


def _kept(n: int, replacing: Replacing) -> str:
    def lines() -> Iterator[str]:
        yield from _allocation("%r0")
        for i in range(n):
            yield from replacing(i, f"%r{i + 1}", f"%r{i}")
        yield from _sum([f"%r{i}" for i in range(n + 1)])

    return _function(lines())


def _lent(n: int, link: Callable[[int], Iterator[str]]) -> str:
    """`n` links of a chain: each takes the buffer `%r<i>` of the one before, or a new one, which is read by its own
    name after that, too; only the last result is read."""

    def lines() -> Iterator[str]:
        yield from _allocation("%r0")
        yield "    %s0 = arith.constant 0.0 : f32"
        for i in range(n):
            yield from _condition(i)
            yield from _allocation(f"%b{i}")
            yield from link(i)
            yield f"    %x{i} = memref.load %b{i}[%c0] : {BUFFER}"
            yield f"    %s{i + 1} = arith.addf %s{i}, %x{i} : f32"
        yield f"    %x{n} = memref.load %r{n}[%c0] : {BUFFER}"
        yield f"    %s{n + 1} = arith.addf %s{n}, %x{n} : f32"
        yield f"    return %s{n + 1} : f32"

    return _function(lines())


def lent_to_selects(n: int) -> str:
    """Each of `n` arith.select takes the buffer of the one before, or a new one, which is read after that, too."""

    def link(i: int) -> Iterator[str]:
        yield f"    %r{i + 1} = arith.select %d{i}, %r{i}, %b{i} : {BUFFER}"

    return _lent(n, link)


def lent_to_ifs(n: int) -> str:
    """The same with scf.if."""

    def link(i: int) -> Iterator[str]:
        yield f"    %r{i + 1} = scf.if %d{i} -> ({BUFFER}) {{\n    scf.yield %r{i} : {BUFFER}"
        yield f"    }} else {{\n    scf.yield %b{i} : {BUFFER}\n    }}"

    return _lent(n, link)


def lent_to_fors(n: int) -> str:
    """The same with scf.for, in each iteration of which the new buffer takes the place of the other."""

    def link(i: int) -> Iterator[str]:
        bounds = f"%i{i} = %c0 to %n step %c1"
        yield f"    %r{i + 1} = scf.for {bounds} iter_args(%p{i} = %r{i}) -> ({BUFFER}) {{"
        yield f"    memref.store %v, %p{i}[%c0] : {BUFFER}\n    scf.yield %b{i} : {BUFFER}\n    }}"

    return _lent(n, link)


def lent_to_arguments(n: int) -> str:
    """The same with arguments of blocks, each of which has one block before it."""

    def link(i: int) -> Iterator[str]:
        yield f"    cf.cond_br %d{i}, ^m{i}(%r{i} : {BUFFER}), ^m{i}(%b{i} : {BUFFER})\n  ^m{i}(%r{i + 1}: {BUFFER}):"

    return _lent(n, link)


def lent_to_diamonds(n: int) -> str:
    """The same with arguments of blocks in which the sides of a branch come together."""

    def link(i: int) -> Iterator[str]:
        yield f"    cf.cond_br %d{i}, ^y{i}, ^z{i}\n  ^y{i}:\n    cf.br ^m{i}(%r{i} : {BUFFER})"
        yield f"  ^z{i}:\n    cf.br ^m{i}(%b{i} : {BUFFER})\n  ^m{i}(%r{i + 1}: {BUFFER}):"

    return _lent(n, link)


def overlapping_ifs(n: int) -> str:
    """`n` scf.if in a row, each yielding a new buffer or the one before, which is read again right after."""

    def lines() -> Iterator[str]:
        yield from _allocation("%r0")
        yield "    %s0 = arith.constant 0.0 : f32"
        for i in range(n):
            yield from _replacing_if(i, f"%r{i + 1}", f"%r{i}")
            yield f"    %x{i} = memref.load %r{i}[%c0] : {BUFFER}"
            yield f"    %s{i + 1} = arith.addf %s{i}, %x{i} : f32"
        yield f"    return %s{n} : f32"

    return _function(lines())


def through_blocks(n: int) -> str:
    """A buffer that is handed through `n` blocks, each of which may leave with it."""
    return _blocks(n, "(%p{0}: memref<4xf32>)", "(%p{0} : memref<4xf32>)", replaced=False)


def replaced_in_blocks(n: int) -> str:
    """A buffer that is handed through `n` blocks, each of which may leave with it, and hands on another."""
    return _blocks(n, "(%p{0}: memref<4xf32>)", "(%b{0} : memref<4xf32>)", replaced=True)


def exits(n: int) -> str:
    """`n` blocks, each with a buffer of its own that is live to the end, and each with a way out."""

    def lines() -> Iterator[str]:
        yield "    cf.br ^b0"
        for i in range(n):
            yield f"  ^b{i}:"
            yield from _allocation(f"%a{i}")
            yield from _condition(i)
            yield f"    cf.cond_br %d{i}, ^out, ^b{i + 1}"
        yield f"  ^b{n}:"
        yield from _sum([f"%a{i}" for i in range(n)])
        yield "  ^out:"
        yield "    return %v : f32"

    return _function(lines())


def used_in_turn(n: int) -> str:
    """`n` buffers that live through up to `n` conditional branches in a row, ahead of which they are used in turn."""

    def lines() -> Iterator[str]:
        for i in range(n):
            yield from _allocation(f"%a{i}")
        for i in range(n):
            yield from _condition(i)
            yield f"    memref.store %v, %a{i}[%c1] : {BUFFER}"
            yield f"    cf.cond_br %d{i}, ^x{i}, ^y{i}\n  ^x{i}:\n    cf.br ^z{i}\n  ^y{i}:\n    cf.br ^z{i}\n  ^z{i}:"
        yield "    return %v : f32"

    return _function(lines())


def nested_branches(n: int) -> str:
    """`n` conditional branches inside of each other: where the sides of each come together, they bring one."""

    def lines() -> Iterator[str]:
        yield from _allocation("%a")
        for i in range(n):
            yield from _condition(i)
            yield f"    cf.cond_br %d{i}, ^b{i}, ^e{i}(%a : {BUFFER})"
            yield f"  ^b{i}:"
        for i in reversed(range(n)):
            yield from _allocation(f"%b{i}")
            yield f"    cf.br ^e{i}(%b{i} : {BUFFER})"
            yield f"  ^e{i}(%p{i}: {BUFFER}):"
            yield f"    memref.store %v, %p{i}[%c0] : {BUFFER}"
        yield from _sum(["%a"])

    return _function(lines())


def _blocks(n: int, parameters: str, handed: str, *, replaced: bool) -> str:
    def lines() -> Iterator[str]:
        yield from _allocation("%a")
        yield f"    cf.br ^b0(%a : {BUFFER})"
        for i in range(n):
            yield f"  ^b{i}{parameters.format(i)}:"
            if replaced:
                yield from _allocation(f"%b{i}")
                yield f"    memref.copy %p{i}, %b{i} : {BUFFER} to {BUFFER}"
            yield from _condition(i)
            yield f"    cf.cond_br %d{i}, ^b{i + 1}{handed.format(i)}, ^out(%p{i} : {BUFFER})"
        yield f"  ^b{n}(%p{n}: {BUFFER}):"
        yield f"    cf.br ^out(%p{n} : {BUFFER})"
        yield f"  ^out(%r: {BUFFER}):"
        yield from _sum(["%r"])

    return _function(lines())


def by_two_names(n: int) -> str:
    """One of two buffers that is handed through `n` blocks by two names at once; each block may leave without it."""

    def one_of_two() -> Iterator[str]:
        yield from (*_allocation("%e"), *_allocation("%g"), *_condition(n))
        yield f"    %a = arith.select %d{n}, %e, %g : {BUFFER}"

    return _by_two_names(n, one_of_two())


def allocation_by_two_names(n: int) -> str:
    """The same with an allocation: both names are always that."""
    return _by_two_names(n, _allocation("%a"))


def _by_two_names(n: int, buffer: Iterator[str]) -> str:
    both = f"{BUFFER}, {BUFFER}"

    def lines() -> Iterator[str]:
        yield from buffer
        yield f"    cf.br ^b0(%a, %a : {both})"
        for i in range(n):
            yield f"  ^b{i}(%p{i}: {BUFFER}, %q{i}: {BUFFER}):"
            yield from _condition(i)
            yield f"    cf.cond_br %d{i}, ^b{i + 1}(%p{i}, %p{i} : {both}), ^out"
        yield f"  ^b{n}(%p{n}: {BUFFER}, %q{n}: {BUFFER}):"
        yield from _sum([f"%p{n}", f"%q{n}"])
        yield "  ^out:"
        yield "    return %v : f32"

    return _function(lines())


def stored(n: int) -> str:
    """`n` buffers, one after the other written to one place of a memory and read from it again."""
    memory = f"memref<1x{BUFFER}>"

    def lines() -> Iterator[str]:
        yield f"    %m = memref.alloc() : {memory}"
        yield "    %s0 = arith.constant 0.0 : f32"
        for i in range(n):
            yield from _allocation(f"%a{i}")
            yield f"    memref.store %a{i}, %m[%c0] : {memory}"
            yield f"    %l{i} = memref.load %m[%c0] : {memory}"
            yield f"    %x{i} = memref.load %l{i}[%c0] : {BUFFER}"
            yield f"    %s{i + 1} = arith.addf %s{i}, %x{i} : f32"
        yield f"    return %s{n} : f32"

    return _function(lines())


def stored_by_index(n: int) -> str:
    """`n` buffers, each written to an element of one memory, and then all of them read from it again."""
    memory = f"memref<{n}x{BUFFER}>"

    def lines() -> Iterator[str]:
        yield f"    %m = memref.alloc() : {memory}"
        for i in range(n):
            yield f"    %k{i} = arith.constant {i} : index"
            yield from _allocation(f"%a{i}")
            yield f"    memref.store %a{i}, %m[%k{i}] : {memory}"
        for i in range(n):
            yield f"    %l{i} = memref.load %m[%k{i}] : {memory}"
        yield from _sum([f"%l{i}" for i in range(n)])

    return _function(lines())


def deep_uses(n: int) -> str:
    """`n` scf.if, one in the other, each after a buffer of its own; the innermost uses all of them."""

    def lines() -> Iterator[str]:
        for i in range(n):
            yield from _allocation(f"%a{i}")
            yield from _condition(i)
            yield f"    scf.if %d{i} {{"
        for i in range(n):
            yield f"    memref.store %v, %a{i}[%c1] : {BUFFER}"
        yield "    }" * n
        yield "    return %v : f32"

    return _function(lines())


def small_functions(n: int) -> str:
    """`n` functions, each with one buffer."""
    functions = [
        f"  func.func @f{i}(%x: f32) -> f32 {{\n    %c = arith.constant 0 : index\n    %a = memref.alloc() : {BUFFER}\n"
        f"    memref.store %x, %a[%c] : {BUFFER}\n    %y = memref.load %a[%c] : {BUFFER}\n    return %y : f32\n  }}"
        for i in range(n)
    ]
    return "\n".join(["module {", *functions, "}", ""])


def selected_and_kept(n: int) -> str:
    """A chain of `n` selects between the one before and a new buffer; all are live to the end."""

    def lines() -> Iterator[str]:
        yield from _allocation("%t0")
        for i in range(n):
            yield from _condition(i)
            yield from _allocation(f"%a{i}")
            yield f"    %t{i + 1} = arith.select %d{i}, %t{i}, %a{i} : {BUFFER}"
        yield from _sum([f"%t{i}" for i in range(n + 1)])

    return _function(lines())


def _calling_g(lines: Iterator[str]) -> str:
    """A function of these lines, and the function `g`, which returns its argument or a new buffer."""
    return _function(lines).removesuffix("}\n") + "\n".join(_given_or_new("g", None)) + "\n}\n"


def given_to_calls(n: int) -> str:
    """One buffer that is given to `n` calls of a private function, each of which returns it or a new one."""

    def lines() -> Iterator[str]:
        yield from _condition(0)
        yield from _allocation("%a")
        for i in range(n):
            yield f"    %r{i} = func.call @g(%a, %d0) : ({BUFFER}, i1) -> {BUFFER}"
        yield from _sum([f"%r{i}" for i in range(n)])

    return _calling_g(lines())


def given_in_blocks(n: int) -> str:
    """One buffer that `n` blocks in a row give to a private function, which returns it or a new one each time."""

    def lines() -> Iterator[str]:
        yield from _condition(0)
        yield from _allocation("%a")
        for i in range(n):
            yield f"    %r{i} = func.call @g(%a, %d0) : ({BUFFER}, i1) -> {BUFFER}"
            yield f"    memref.store %v, %r{i}[%c0] : {BUFFER}\n    cf.br ^b{i}\n  ^b{i}:"
        yield from _sum(["%a"])

    return _calling_g(lines())


def passed_on_by_calls(n: int) -> str:
    """`n` calls of a private function that returns its argument or a new buffer, each of what the one before returned;
    all are used after the last."""

    def lines() -> Iterator[str]:
        yield from _condition(0)
        yield from _allocation("%r0")
        for i in range(n):
            yield f"    %r{i + 1} = func.call @g(%r{i}, %d0) : ({BUFFER}, i1) -> {BUFFER}"
        yield from _sum([f"%r{i}" for i in range(n + 1)])

    return _calling_g(lines())


def _unseen_calls(n: int, given: Callable[[int], str]) -> str:
    """`n` calls of a function that is only declared: number `i` gets the buffer `given(i)`, and returns `%r{i + 1}`."""

    def lines() -> Iterator[str]:
        yield from _allocation("%r0")
        for i in range(n):
            yield f"    %r{i + 1} = func.call @unseen({given(i)}) : ({BUFFER}) -> {BUFFER}"
        yield from _sum([f"%r{n}"])

    return _function(lines()).removesuffix("}\n") + f"  func.func private @unseen({BUFFER}) -> {BUFFER}\n}}\n"


def given_to_unseen_calls(n: int) -> str:
    """One buffer that is given to `n` calls of a function that is only declared, each of which may return it."""
    return _unseen_calls(n, lambda _: "%r0")


def passed_on_by_unseen_calls(n: int) -> str:
    """`n` calls of a function that is only declared, each of which is given what the one before returned."""
    return _unseen_calls(n, lambda i: f"%r{i}")


def chained_functions(n: int) -> str:
    """`n` private functions, each of which returns a new buffer or what the next returns for its argument; the last
    returns the argument."""
    return _calling(n, None)


def functions_in_a_cycle(n: int) -> str:
    """`n` private functions, each of which returns a new buffer or what the next returns for its argument; after the
    last comes the first."""
    return _calling(n, "f0")


def _calling(n: int, after_the_last: str | None) -> str:
    def lines() -> Iterator[str]:
        yield from _condition(0)
        yield from _allocation("%a")
        yield f"    %r = func.call @f0(%a, %d0) : ({BUFFER}, i1) -> {BUFFER}"
        yield from _sum(["%r"])

    called = [*(f"f{i}" for i in range(1, n)), after_the_last]
    functions = [line for i, other in enumerate(called) for line in _given_or_new(f"f{i}", other)]
    return _function(lines()).removesuffix("}\n") + "\n".join([*functions, "}", ""])


def _given_or_new(name: str, other: str | None) -> Iterator[str]:
    """A private function that returns a new buffer, or its argument, or what the function `other` returns for that."""
    yield f"  func.func private @{name}(%m: {BUFFER}, %c: i1) -> {BUFFER} {{"
    yield "    cf.cond_br %c, ^given, ^new\n  ^given:"
    if other is not None:
        yield f"    %r = func.call @{other}(%m, %c) : ({BUFFER}, i1) -> {BUFFER}"
    yield f"    return {'%m' if other is None else '%r'} : {BUFFER}\n  ^new:"
    yield f"    %n = memref.alloc() : {BUFFER}"
    yield f"    memref.copy %m, %n : {BUFFER} to {BUFFER}"
    yield f"    return %n : {BUFFER}\n  }}"


def _diamonds(n: int, *, copied: bool = False, around: bool = False) -> str:
    """`n` conditional branches in a row: the sides of each bring the buffer before it, or a new one."""

    def lines() -> Iterator[str]:
        yield from _allocation("%p0")
        if around:
            yield f"    cf.br ^m0(%p0 : {BUFFER})\n  ^m0(%q: {BUFFER}):"
        for i in range(n):
            given = "%q" if around and i == 0 else f"%p{i}"
            yield from _condition(i)
            yield f"    cf.cond_br %d{i}, ^m{i + 1}({given} : {BUFFER}), ^n{i}\n  ^n{i}:"
            yield from _allocation(f"%a{i}")
            if copied:
                yield f"    memref.copy {given}, %a{i} : {BUFFER} to {BUFFER}"
            yield f"    cf.br ^m{i + 1}(%a{i} : {BUFFER})\n  ^m{i + 1}(%p{i + 1}: {BUFFER}):"
        if around:
            yield from _condition(n)
            yield f"    cf.cond_br %d{n}, ^m0(%p{n} : {BUFFER}), ^end\n  ^end:"
        yield from _sum([f"%p{n}"])

    return _function(lines())


def diamonds_that_replace(n: int) -> str:
    """`n` conditional branches in a row: the sides of each bring the buffer before it, or a new one."""
    return _diamonds(n)


def diamonds_that_copy(n: int) -> str:
    """The same; each new buffer is a copy of the one before."""
    return _diamonds(n, copied=True)


def diamonds_in_a_loop(n: int) -> str:
    """The same in a loop of blocks, which starts again with the last buffer."""
    return _diamonds(n, around=True)


def diamonds_of_two(n: int) -> str:
    """`n` conditional branches in a row: each brings the two buffers before it, or the second and a new one."""
    both = f"{BUFFER}, {BUFFER}"

    def lines() -> Iterator[str]:
        yield from _allocation("%p0")
        yield from _allocation("%q0")
        for i in range(n):
            yield from _condition(i)
            yield f"    cf.cond_br %d{i}, ^m{i + 1}(%p{i}, %q{i} : {both}), ^n{i}\n  ^n{i}:"
            yield from _allocation(f"%a{i}")
            yield f"    cf.br ^m{i + 1}(%q{i}, %a{i} : {both})\n  ^m{i + 1}(%p{i + 1}: {BUFFER}, %q{i + 1}: {BUFFER}):"
        yield from _sum([f"%p{n}", f"%q{n}"])

    return _function(lines())


def into_one_argument(n: int) -> str:
    """`n` sides of a switch, each of which brings a new buffer to where they come together."""

    def lines() -> Iterator[str]:
        yield "    %i = arith.index_cast %n : index to i32"
        yield from _allocation("%a")
        cases = ",\n".join(f"      {i}: ^b{i}" for i in range(n))
        yield f"    cf.switch %i : i32, [\n      default: ^end(%a : {BUFFER}),\n{cases}\n    ]"
        for i in range(n):
            yield f"  ^b{i}:"
            yield from _allocation(f"%a{i}")
            yield f"    cf.br ^end(%a{i} : {BUFFER})"
        yield f"  ^end(%p: {BUFFER}):"
        yield from _sum(["%p"])

    return _function(lines())


def chained_whiles(n: int) -> str:
    """`n` scf.while in a row, each of which starts with the buffer of the one before, and replaces it in each round."""
    return _chained(n, _replacing_while)


def _replacing_while(i: int, result: str, carried: str) -> Iterator[str]:
    """A loop without bounds that carries a buffer and allocates a new one in every round."""
    yield f"    {result} = scf.while (%w{i} = {carried}) : ({BUFFER}) -> {BUFFER} {{"
    yield from _condition(i)
    yield f"    scf.condition(%d{i}) %w{i} : {BUFFER}\n    }} do {{\n    ^bb0(%u{i}: {BUFFER}):"
    yield from _allocation(f"%n{i}")
    yield f"    scf.yield %n{i} : {BUFFER}\n    }}"


def chained_switches(n: int) -> str:
    """`n` scf.index_switch in a row, each of which yields one of two new buffers or that of the one before."""
    return _chained(n, _replacing_switch)


def _replacing_switch(i: int, result: str, other: str) -> Iterator[str]:
    """One of two new buffers, or the other."""
    yield f"    {result} = scf.index_switch %n -> {BUFFER}"
    for case in (1, 2):
        yield f"    case {case} {{"
        yield from _allocation(f"%b{i}_{case}")
        yield f"    scf.yield %b{i}_{case} : {BUFFER}\n    }}"
    yield f"    default {{\n    scf.yield {other} : {BUFFER}\n    }}"


def chained_copies(n: int) -> str:
    """`n` buffers, each of which is a copy of the one before, and is written to."""

    def lines() -> Iterator[str]:
        yield from _allocation("%a0")
        for i in range(n):
            yield f"    %a{i + 1} = memref.alloc() : {BUFFER}"
            yield f"    memref.copy %a{i}, %a{i + 1} : {BUFFER} to {BUFFER}"
            yield f"    memref.store %v, %a{i + 1}[%c0] : {BUFFER}"
        yield from _sum([f"%a{n}"])

    return _function(lines())


def nested_results(n: int) -> str:
    """`n` scf.if, one in the other, each of which yields what the inner one yields, or a new buffer."""

    def lines() -> Iterator[str]:
        for i in range(n):
            yield from _condition(i)
            yield f"    %r{i} = scf.if %d{i} -> ({BUFFER}) {{"
        yield from _allocation(f"%r{n}")
        for i in reversed(range(n)):
            yield f"    scf.yield %r{i + 1} : {BUFFER}\n    }} else {{"
            yield from _allocation(f"%b{i}")
            yield f"    scf.yield %b{i} : {BUFFER}\n    }}"
        yield from _sum(["%r0"])

    return _function(lines())


PIPELINE: dict[str, Callable[[int], str]] = {
    "live_to_the_end": live_to_the_end,
    "block_arguments": block_arguments,
    "ifs_in_a_row": ifs_in_a_row,
    "ifs_that_replace": ifs_that_replace,
    "fors_in_a_row": fors_in_a_row,
    "chained_ifs": chained_ifs,
    "chained_fors": chained_fors,
    "rotation": rotation,
    "selects": selects,
}

STATIC: dict[str, Callable[[int], str]] = {
    **PIPELINE,
    "kept_ifs": kept_ifs,
    "kept_fors": kept_fors,
    "overlapping_ifs": overlapping_ifs,
    "selected_and_kept": selected_and_kept,
    "at_once": at_once,
    "left_at_once": left_at_once,
    "lent_to_selects": lent_to_selects,
    "lent_to_ifs": lent_to_ifs,
    "lent_to_fors": lent_to_fors,
    "lent_to_arguments": lent_to_arguments,
    "lent_to_diamonds": lent_to_diamonds,
    "through_blocks": through_blocks,
    "replaced_in_blocks": replaced_in_blocks,
    "by_two_names": by_two_names,
    "allocation_by_two_names": allocation_by_two_names,
    "stored": stored,
    "stored_by_index": stored_by_index,
    "exits": exits,
    "used_in_turn": used_in_turn,
    "nested_branches": nested_branches,
    "small_functions": small_functions,
    "deep_uses": deep_uses,
    "given_to_calls": given_to_calls,
    "given_in_blocks": given_in_blocks,
    "passed_on_by_calls": passed_on_by_calls,
    "given_to_unseen_calls": given_to_unseen_calls,
    "passed_on_by_unseen_calls": passed_on_by_unseen_calls,
    "chained_functions": chained_functions,
    "functions_in_a_cycle": functions_in_a_cycle,
}

CHAINS: dict[str, Callable[[int], str]] = {
    "chained_ifs": chained_ifs,
    "chained_fors": chained_fors,
    "chained_whiles": chained_whiles,
    "chained_switches": chained_switches,
    "selects": selects,
    "rotation": rotation,
    "diamonds_that_replace": diamonds_that_replace,
    "diamonds_that_copy": diamonds_that_copy,
    "diamonds_in_a_loop": diamonds_in_a_loop,
    "diamonds_of_two": diamonds_of_two,
    "into_one_argument": into_one_argument,
    "chained_copies": chained_copies,
    "nested_results": nested_results,
}
