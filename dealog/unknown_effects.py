"""`--unknown-effects`: what to do with operations of which no rule says what they do to memory.

Whatever is found out becomes a rule file, so that proofs can quote it and every command knows it.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from dealog.diagnostics import DealogError, Diagnostic
from dealog.extensions import Extensions

if TYPE_CHECKING:
    from dealog.frontend import Module
    from dealog.frontend.ir import Operation

UnknownEffects = Literal["refuse", "none", "ask-mlir"]
_SAID = ("known_effects", "recursive_effects", "call", "deallocation")  # where a name is, its effects are known
_TIMEOUT = 60
_RESULT = re.compile(r"bufferization\.dealloc \(([^)]*)\)")


def with_effects(module: Module, extensions: Extensions, way: UnknownEffects) -> Extensions:
    """`extensions`, and what `way` says of the operations of `module` that no rule knows.

    `none`: they neither allocate nor free. `ask-mlir`: what the `mlir-opt` on PATH knows of them; what that does not
    know, or what frees, is left to be refused.

    Raises `DealogError` where mlir-opt is asked for and there is none.
    """
    if way == "refuse":
        return extensions
    unknown = _unknown(module, extensions)
    if not unknown:
        return extensions
    if way == "none":
        lines = [f'known_effects("{name}").' for name in unknown]
    else:
        lines = [line for name, op in unknown.items() for line in _asked(name, op, module)]
    if not lines:
        return extensions
    return replace(extensions, rules=(*extensions.rules, _file(lines, way)))


def _unknown(module: Module, extensions: Extensions) -> dict[str, Operation]:
    """The names of operations whose effects no rule states, each with the first of that name."""
    program = extensions.program("ownership_based_buffer_deallocation", ask=True)
    known = {str(fact.values[0]) for fact in program.facts if fact.relation in _SAID}
    for rule in program.rules:  # linalg_structured and its like: stated under another name
        if any(head.relation in _SAID for head in rule.heads):
            read = {name for body in rule.alternatives for name in _read(body)}
            known |= {str(fact.values[0]) for fact in program.facts if fact.relation in read}
    found: dict[str, Operation] = {}
    for op in module.walk():
        if op.name not in known and op is not module.operation and op.name not in found and not _declares(op):
            found[op.name] = op
    return found


def _declares(op: Operation) -> bool:
    """Whether `op` is not part of what a function does, but stands in a module."""
    around = op.parent
    return around is None or around.name == "builtin.module"


def _read(body: Iterable[object]) -> Iterable[str]:
    from dealog.engine import Atom

    return (literal.relation for literal in body if isinstance(literal, Atom))


def _file(lines: list[str], way: str) -> Path:
    """A rule file of these lines."""
    from dealog.engine.making import rule_file

    about = f"// What --unknown-effects={way} says of operations that no other rule knows."
    try:
        return rule_file("unknown-effects", "\n".join((about, "", *lines, "")))
    except OSError as error:
        raise DealogError(f"cannot write rules for --unknown-effects: {error.strerror}") from error


def _asked(name: str, op: Operation, module: Module) -> list[str]:
    """What mlir-opt says of operations called `name`: rules, or nothing where it does not know them."""
    from dealog.normalize import find_mlir_opt

    tool = find_mlir_opt()
    if tool is None:
        hint = "put it on PATH, or choose --unknown-effects=none or refuse"
        raise DealogError(Diagnostic("--unknown-effects=ask-mlir needs mlir-opt, and none is on PATH", hint=hint))
    program = _program(op, module)
    if program is None:
        return []
    try:
        done = subprocess.run(
            [tool, "--ownership-based-buffer-deallocation", "-"],
            input=program, capture_output=True, text=True, timeout=_TIMEOUT, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return []
    if done.returncode != 0:
        return []
    freed = {operand.strip() for found in _RESULT.findall(done.stdout) for operand in found.split(":")[0].split(",")}
    lines = [f'known_effects("{name}").']
    named = _names_of_results(done.stdout, name, len(op.results))
    lines += [f'allocates("{name}", {i}).' for i, result in enumerate(named) if result in freed]
    return lines


def _names_of_results(text: str, name: str, count: int) -> list[str]:
    """What mlir-opt calls the results of the operation called `name` in its output."""
    found = re.search(rf'(%[\w$.-]+)(?::\d+)? = (?:"{re.escape(name)}"|{re.escape(name)}\b)', text)
    if found is None:
        return []
    return [found[1]] if count == 1 else [f"{found[1]}#{i}" for i in range(count)]


def _program(op: Operation, module: Module) -> str | None:
    """A function that does nothing but `op`, in the generic form; None for what has regions or successors, or a type
    that the text does not state."""
    if op.regions or op.successors or any(not v.type for v in (*op.operands, *op.results)):
        return None
    operands = [module.expanded(value.type) for value in op.operands]
    results = [module.expanded(value.type) for value in op.results]
    attributes = ", ".join(f"{key} = {module.expanded(text)}" if text else key for key, text in op.attributes.items())
    arguments = ", ".join(f"%a{i}: {type}" for i, type in enumerate(operands))
    head = "" if not results else "%r = " if len(results) == 1 else f"%r:{len(results)} = "
    uses = ", ".join(f"%a{i}" for i in range(len(operands)))
    return (
        f"func.func @asked({arguments}) {{\n"
        f'  {head}"{op.name}"({uses}) {{{attributes}}} : ({", ".join(operands)}) -> ({", ".join(results)})\n'
        "  return\n}\n"
    )
