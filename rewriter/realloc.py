"""Carry out `--expand-realloc`: write in what `rules/passes/expand_realloc.dl` derived."""

from __future__ import annotations

from dealog.frontend import Module
from dealog.frontend.facts import Facts
from dealog.frontend.ir import Operation, Value
from dealog.frontend.types import parse_memref

from .build import Builder
from .replacing import Relations, Replacing, Sequel


def expand_reallocs(module: Module, facts: Facts, relations: Relations) -> None:
    """Rewrite every `memref.realloc` of `module`, in place.

    `facts` are those that `relations` were derived from; `relations` holds the output relations of the pass.
    """
    how = {facts.operations[str(op)]: str(how) for op, how in relations["expansion"]}
    frees = {facts.operations[str(op)] for (op,) in relations["frees_source"]}
    same_type = {facts.operations[str(op)] for (op,) in relations["same_type"]}
    replacing = Replacing(module)
    for op in module.walk():
        if op not in how:
            continue
        sequel = replacing.replace(op)
        if how[op] == "compare":
            result = _compare(module, sequel, op in frees)
        elif how[op] == "allocate":
            old_size = _size(module, op.operands[0])
            operations, result = _allocate(module, sequel, old_size, op in frees, sequel.naming())
            sequel.operations += operations
        elif op in same_type:
            result = op.operands[0]
        else:
            result = sequel.add(_keep(module, sequel, sequel.naming()))
        sequel.replaces(result)
    replacing.finish()


def _compare(module: Module, sequel: Sequel, frees: bool) -> Value:
    """Compare the sizes at run time: the old one, and the one asked for."""
    op, build = sequel.op, sequel.build
    source = op.operands[0]
    old = _size(module, source)
    old_value = sequel.add(build.dim(source, sequel.constant(0))) if old is None else sequel.constant(old)
    new = _new_size(module, op)
    new_value = sequel.constant(new) if isinstance(new, int) else new
    smaller = sequel.add(build.compare("ult", old_value, new_value, "smaller"))
    operations, allocated = _allocate(module, sequel, old_value if old is None else old, frees, build)
    kept = _keep(module, sequel, build)
    choice = sequel.naming().when_else(smaller, operations, allocated, [kept], kept.results[0])
    return sequel.add(choice)


def _allocate(
    module: Module, sequel: Sequel, old_size: Value | int | None, frees: bool, naming: Builder
) -> tuple[list[Operation], Value]:
    """A new buffer with the old elements; the old one is freed."""
    op, build = sequel.op, sequel.build
    source = op.operands[0]
    assert old_size is not None
    alloc = naming.alloc(module.expanded(op.results[0].type), op.operands[1:], op.attributes.get("alignment"))
    start = build.subview(alloc.results[0], old_size)
    operations = [alloc, start, build.copy(source, start.results[0])]
    if frees:
        operations.append(build.free(source))
    return operations, alloc.results[0]


def _keep(module: Module, sequel: Sequel, naming: Builder) -> Operation:
    """The old buffer, as one of the size asked for."""
    op = sequel.op
    return naming.resized(op.operands[0], _new_size(module, op), op.results[0].type)


def _new_size(module: Module, op: Operation) -> Value | int:
    size = _size(module, op.results[0])
    return op.operands[1] if size is None else size


def _size(module: Module, buffer: Value) -> int | None:
    """The size that the type of `buffer`, which has one dimension, states."""
    (size,) = parse_memref(module.expanded(buffer.type)).shape or (None,)
    return size
