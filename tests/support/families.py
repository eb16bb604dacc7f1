"""Families of programs that grow with a number: what the growth of a deallocation pass is measured on.

Every function gives the text of a module with one function ``@f``, valid and executable, in which the number
says how many of something there are. ``FAMILIES`` names them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

BUFFER = "memref<4xf32>"


def _module(parameters: str, body: str, result: str = "f32") -> str:
    return (
        "module {\n"
        f"  func.func @f({parameters}) -> {result} {{\n"
        "    %c0 = arith.constant 0 : index\n"
        "    %c1 = arith.constant 1 : index\n"
        "    %v = arith.constant 1.5 : f32\n"
        f"{body}"
        "  }\n"
        "}\n"
    )


def _allocation(name: str, indent: str = "    ") -> str:
    return f"{indent}{name} = memref.alloc() : {BUFFER}\n{indent}memref.store %v, {name}[%c0] : {BUFFER}\n"


def _end(name: str, indent: str = "    ") -> str:
    return f"{indent}%x = memref.load {name}[%c0] : {BUFFER}\n{indent}return %x : f32\n"


def _added(i: int, name: str) -> str:
    """The sum ``%s(i+1)`` of ``%s(i)`` and the buffer's first element."""
    load = f"    %x{i} = memref.load {name}[%c0] : {BUFFER}\n"
    return f"{load}    %s{i + 1} = arith.addf %s{i}, %x{i} : f32\n"


def _loop(result: str, i: int, carried: str) -> str:
    """The head of a loop of one iteration."""
    return f"    {result} = scf.for %i{i} = %c0 to %c1 step %c1 iter_args({carried}) -> ({BUFFER}) {{\n"


def diamonds(n: int) -> str:
    """A chain of ``n`` diamonds; on each left side a new buffer takes the place of the passed one."""

    def lines() -> Iterator[str]:
        yield _allocation("%a")
        yield f"    cf.br ^j0(%a : {BUFFER})\n"
        for i in range(n):
            yield f"  ^j{i}(%p{i}: {BUFFER}):\n    cf.cond_br %c, ^l{i}, ^r{i}\n"
            yield f"  ^l{i}:\n{_allocation(f'%b{i}')}    cf.br ^j{i + 1}(%b{i} : {BUFFER})\n"
            yield f"  ^r{i}:\n    cf.br ^j{i + 1}(%p{i} : {BUFFER})\n"
        yield f"  ^j{n}(%p{n}: {BUFFER}):\n{_end(f'%p{n}')}"

    return _module("%c: i1", "".join(lines()))


def ladder(n: int) -> str:
    """``n`` blocks, each branching to the next and the next but one: paths grow like Fibonacci's numbers."""

    def lines() -> Iterator[str]:
        yield _allocation("%a")
        yield f"    cf.br ^b0(%a : {BUFFER})\n"
        for i in range(n):
            yield f"  ^b{i}(%p{i}: {BUFFER}):\n"
            if i % 4 == 3:
                yield _allocation(f"%a{i}")
                passed = f"%a{i}"
            else:
                passed = f"%p{i}"
            after = min(i + 2, n)
            yield f"    cf.cond_br %c, ^b{i + 1}({passed} : {BUFFER}), ^b{after}(%p{i} : {BUFFER})\n"
        yield f"  ^b{n}(%p{n}: {BUFFER}):\n{_end(f'%p{n}')}"

    return _module("%c: i1", "".join(lines()))


def live_through(n: int) -> str:
    """``n`` buffers that are live through a chain of ``n`` blocks and used in the last."""

    def lines() -> Iterator[str]:
        for i in range(n):
            yield _allocation(f"%a{i}")
        yield "    cf.br ^b0\n"
        for i in range(n):
            yield f"  ^b{i}:\n    cf.br ^b{i + 1}\n"
        yield f"  ^b{n}:\n    %s0 = arith.constant 0.0 : f32\n"
        for i in range(n):
            yield _added(i, f"%a{i}")
        yield f"    return %s{n} : f32\n"

    return _module("", "".join(lines()))


def block_chain(n: int) -> str:
    """A chain of ``n`` blocks that pass one buffer on."""

    def lines() -> Iterator[str]:
        yield _allocation("%a")
        yield f"    cf.br ^b0(%a : {BUFFER})\n"
        for i in range(n):
            yield f"  ^b{i}(%p{i}: {BUFFER}):\n    cf.br ^b{i + 1}(%p{i} : {BUFFER})\n"
        yield f"  ^b{n}(%p{n}: {BUFFER}):\n{_end(f'%p{n}')}"

    return _module("", "".join(lines()))


def nested_ifs(n: int) -> str:
    """``n`` scf.if, one in the other, the buffer of the innermost yielded out of all."""

    def lines() -> Iterator[str]:
        for i in range(n):
            yield f"    %r{i} = scf.if %c -> ({BUFFER}) {{\n"
        yield f"{_allocation('%a')}    scf.yield %a : {BUFFER}\n"
        for i in reversed(range(n)):
            yield f"    }} else {{\n{_allocation(f'%b{i}')}    scf.yield %b{i} : {BUFFER}\n    }}\n"
            yield f"    scf.yield %r{i} : {BUFFER}\n" if i else ""
        yield _end("%r0" if n else "%a")

    return _module("%c: i1", "".join(lines()))


def nested_fors(n: int) -> str:
    """``n`` scf.for of one iteration, one in the other, carrying the buffer that the innermost replaces."""

    def lines() -> Iterator[str]:
        yield _allocation("%p0")
        for i in range(n):
            yield _loop(f"%r{i}", i, f"%p{i + 1} = %p{i}")
        yield f"{_allocation('%a')}"
        for i in reversed(range(n)):
            inner = f"%r{i + 1}" if i + 1 < n else "%a"
            yield f"    scf.yield {inner} : {BUFFER}\n    }}\n"
        yield _end("%r0" if n else "%a")

    return _module("", "".join(lines()))


def straight_line(n: int) -> str:
    """``n`` allocations in a row, each used once."""

    def lines() -> Iterator[str]:
        yield "    %s0 = arith.constant 0.0 : f32\n"
        for i in range(n):
            yield _allocation(f"%a{i}")
            yield _added(i, f"%a{i}")
        yield f"    return %s{n} : f32\n"

    return _module("", "".join(lines()))


def block_arguments(n: int) -> str:
    """A branch that passes ``n`` buffers at once."""

    def lines() -> Iterator[str]:
        for i in range(n):
            yield _allocation(f"%a{i}")
        names = ", ".join(f"%a{i}" for i in range(n))
        types = ", ".join([BUFFER] * n)
        parameters = ", ".join(f"%p{i}: {BUFFER}" for i in range(n))
        yield f"    cf.br ^next({names} : {types})\n  ^next({parameters}):\n" if n else ""
        yield "    %s0 = arith.constant 0.0 : f32\n"
        for i in range(n):
            yield _added(i, f"%p{i}")
        yield f"    return %s{n} : f32\n"

    return _module("", "".join(lines()))


def ifs_in_a_row(n: int) -> str:
    """``n`` scf.if in a row, each yielding the buffer of the one before or a new one."""

    def lines() -> Iterator[str]:
        yield _allocation("%r0")
        for i in range(n):
            yield f"    %r{i + 1} = scf.if %c -> ({BUFFER}) {{\n{_allocation(f'%b{i}', '      ')}"
            yield f"      scf.yield %b{i} : {BUFFER}\n    }} else {{\n"
            yield f"      scf.yield %r{i} : {BUFFER}\n    }}\n"
        yield _end(f"%r{n}")

    return _module("%c: i1", "".join(lines()))


def fors_in_a_row(n: int) -> str:
    """``n`` scf.for in a row, each replacing the buffer that it is given."""

    def lines() -> Iterator[str]:
        yield _allocation("%r0")
        for i in range(n):
            yield _loop(f"%r{i + 1}", i, f"%p{i} = %r{i}")
            yield f"{_allocation(f'%b{i}', '      ')}      scf.yield %b{i} : {BUFFER}\n    }}\n"
        yield _end(f"%r{n}")

    return _module("", "".join(lines()))


def rotation(n: int) -> str:
    """One loop that rotates ``n`` buffers."""
    names = [f"%p{i}" for i in range(n)]
    types = ", ".join([BUFFER] * n)

    def lines() -> Iterator[str]:
        for i in range(n):
            yield _allocation(f"%a{i}")
        starts = ", ".join(f"{name} = %a{i}" for i, name in enumerate(names))
        results = f"%r:{n}" if n > 1 else "%r"
        yield f"    %c3 = arith.constant 3 : index\n    {results} = scf.for %i = %c0 to %c3 step %c1\n"
        yield f"        iter_args({starts}) -> ({types}) {{\n"
        yield f"      scf.yield {', '.join([*names[1:], names[0]])} : {types}\n    }}\n"
        yield _end("%r#0" if n > 1 else "%r")

    return _module("", "".join(lines()))


def selects(n: int) -> str:
    """A chain of ``n`` selects between the one before and a new buffer."""

    def lines() -> Iterator[str]:
        yield _allocation("%s0")
        for i in range(n):
            yield _allocation(f"%a{i}")
            yield f"    %s{i + 1} = arith.select %c, %s{i}, %a{i} : {BUFFER}\n"
        yield _end(f"%s{n}")

    return _module("%c: i1", "".join(lines()))


FAMILIES: dict[str, Callable[[int], str]] = {
    "diamonds": diamonds,
    "ladder": ladder,
    "live_through": live_through,
    "block_chain": block_chain,
    "nested_ifs": nested_ifs,
    "nested_fors": nested_fors,
    "straight_line": straight_line,
    "block_arguments": block_arguments,
    "ifs_in_a_row": ifs_in_a_row,
    "fors_in_a_row": fors_in_a_row,
    "rotation": rotation,
    "selects": selects,
}
