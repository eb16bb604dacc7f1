"""Compiles functions of the IR to `Code`: one Python closure for each operation, one register for each value.

What an operation means is stated in `dialects/`, in two kinds of entries: a *step* is straight-line code, an
operation with regions, a call or a terminator directs *control*. Regions are laid out flat: entering one is a
jump and its terminator jumps on, to where the operation around it says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dealog.execution.affine_expressions import AffineMap, affine_map
from dealog.execution.faults import Stop, unsupported
from dealog.execution.machine import Code, Exit, Machine, Registers, Step
from dealog.execution.numbers import Scalar, scalar, vector
from dealog.execution.types import function_type
from dealog.frontend import Block, MemRefType, Operation, Region, Value, parse_memref

StepMaker = Callable[["FunctionCompiler", Operation], "Step | None"]
ControlMaker = Callable[["FunctionCompiler", Operation, Code], "Code | None"]
Closer = Callable[[Operation, Code], None]

STEPS: dict[str, StepMaker] = {}
"""How operations that are straight-line code are made; None as the result: nothing is to be done at run
time."""
CONTROL: dict[str, ControlMaker] = {}
"""How operations that direct control are made: they end the code given and return where it goes on, if it
does."""
REGION_TERMINATORS: set[str] = set()
"""Terminators whose meaning is that of the operation around them."""

# Operations whose stack allocations end with each run of their body.
ALLOCATION_SCOPES = frozenset(
    (
        "func.func",
        "memref.alloca_scope",
        "scf.for",
        "scf.parallel",
        "scf.forall",
        "affine.for",
        "affine.parallel",
    )
)
DYNAMIC = -(1 << 63)  # in an array attribute: an operand says it
_INTEGERS = re.compile(r"-?[0-9]+")
_MIXED = re.compile(r"-?[0-9]+|%[\w$.\-]+(?:#[0-9]+)?")


def step(*names: str) -> Callable[[StepMaker], StepMaker]:
    """Enter a maker of steps under operation names."""

    def enter(maker: StepMaker) -> StepMaker:
        for name in names:
            STEPS[name] = maker
        return maker

    return enter


def control(*names: str) -> Callable[[ControlMaker], ControlMaker]:
    """Enter a maker of control under operation names."""

    def enter(maker: ControlMaker) -> ControlMaker:
        for name in names:
            CONTROL[name] = maker
        return maker

    return enter


def is_interpreted(name: str) -> bool:
    """Whether an operation of this name has a meaning here."""
    return name in STEPS or name in CONTROL or name in REGION_TERMINATORS


class Function:
    """A function that can be called; its code is made at the first call."""

    def __init__(self, machine: Machine, op: Operation) -> None:
        self.machine = machine
        self.op = op
        self.name = op.attributes.get("sym_name", '""').strip('"')
        self.argument_types, self.result_types = function_type(op)
        self.is_external = not any(region.blocks for region in op.regions)
        arguments = [] if self.is_external else op.regions[0].blocks[0].arguments
        self.argument_registers: Sequence[int] = (
            range(len(arguments)) if arguments else range(len(self.argument_types))
        )
        self.entry: Code | None = None
        self.template: Registers = []  # constants in their registers
        self.scoped = False

    def compile(self) -> Code:
        """Make the code. Raises `DealogError` for what is not interpreted."""
        compiler = FunctionCompiler(self.machine, self)
        entry = compiler.compile()
        self.template = compiler.template
        self.scoped = self.op in compiler.scopes
        self.entry = entry
        return entry

    def call_with(self, sources: Sequence[int], targets: Sequence[int], then: Code) -> Exit:
        """A jump into the function with the arguments in the registers `sources`; the results come back in
        `targets`, and `then` follows."""
        if self.is_external:
            return self._call_external(sources, targets, then)
        stack, heap, depth = self.machine.stack, self.machine.heap, self.machine.limits.depth
        sources, targets = tuple(sources), tuple(targets)
        count = len(sources)

        def call(registers: Registers) -> tuple[Code, Registers]:
            entry = self.entry or self.compile()
            if len(stack) >= depth:
                raise Stop(
                    "depth-limit", f"more than {depth} calls are active", hint="--max-depth sets the limit"
                )
            stack.append((registers, then, targets))
            if self.scoped:
                heap.enter()
            frame = self.template.copy()
            frame[:count] = [registers[i] for i in sources]
            return entry, frame

        return call

    def _call_external(self, sources: Sequence[int], targets: Sequence[int], then: Code) -> Exit:
        external = self.machine.externals.get(self.name)
        notes = [("it is declared here", self.op)]

        def call(registers: Registers) -> tuple[Code, Registers]:
            if external is None:
                raise Stop("external-function", f"the external function @{self.name} is called", notes)
            results = external(*(registers[i] for i in sources))
            for target, value in zip(targets, results, strict=True):
                registers[target] = value
            return then, registers

        return call


class FunctionCompiler:
    """Compiles one function. Registers: arguments first, then values in the order in which they are met."""

    def __init__(self, machine: Machine, function: Function) -> None:
        self.machine = machine
        self.heap = machine.heap
        self.function = function
        self.template: Registers = []
        self.scopes = _scopes(function.op)
        self._registers: dict[Value, int] = {}
        self._codes: dict[Block, Code] = {}
        self._closers: dict[Region, Closer] = {}
        self._pending: list[Block] = []

    def compile(self) -> Code:
        """The code of the function's entry block, and with it of all that can be reached."""
        entry = self.function.op.regions[0].blocks[0]
        for argument in entry.arguments:
            self.register(argument)
        code = self.code(entry)
        while self._pending:
            block = self._pending.pop()
            self._block(block, self._codes[block])
        return code

    def _block(self, block: Block, code: Code) -> None:
        current: Code | None = code
        for op in block.operations:
            if current is None:
                return
            name = op.name
            if (maker := STEPS.get(name)) is not None:
                step = maker(self, op)
                if step is not None:
                    current.add(step, op)
            elif (director := CONTROL.get(name)) is not None:
                current = director(self, op, current)
            elif name in REGION_TERMINATORS:
                self._close(op, current)
                return
            else:
                raise unsupported(op, f"'{name}' is not interpreted")
        if current is not None:
            raise (block.terminator or block.parent_op).error("the block has no terminator")

    def _close(self, op: Operation, code: Code) -> None:
        assert op.block is not None
        closer = self._closers.get(op.block.region)
        if closer is None:
            raise op.error(f"'{op.name}' does not belong here")
        closer(op, code)

    # ----------------------------------------------------------------------------------- for the dialects

    def register(self, value: Value) -> int:
        """The register of `value`."""
        found = self._registers.get(value)
        if found is None:
            found = self._registers[value] = self.hidden()
        return found

    def registers(self, values: Iterable[Value]) -> tuple[int, ...]:
        """The registers of `values`."""
        return tuple(self.register(value) for value in values)

    def hidden(self) -> int:
        """A register that belongs to no value."""
        self.template.append(None)
        return len(self.template) - 1

    def constant(self, value: Value, content: Any) -> None:
        """Have `value` in its register before the function starts."""
        self.template[self.register(value)] = content

    def code(self, block: Block) -> Code:
        """The code of `block`."""
        found = self._codes.get(block)
        if found is None:
            found = self._codes[block] = Code()
            self._pending.append(block)
        return found

    def region(self, region: Region, closer: Closer) -> Code:
        """The code of the region's entry; `closer` gives the code of its terminators their exits."""
        self._closers[region] = closer
        return self.code(region.blocks[0])

    def is_scope(self, op: Operation) -> bool:
        """Whether stack allocations end with each run of the body of `op`."""
        return op in self.scopes

    def jump(self, to: Code, sources: Sequence[int] = (), targets: Sequence[int] = ()) -> Exit:
        """Move `sources` to `targets`, all at once, and go to `to`."""
        if not targets:
            return lambda registers: (to, registers)
        move = mover(sources, targets)

        def jump(registers: Registers) -> tuple[Code, Registers]:
            move(registers)
            return to, registers

        return jump

    def scalar(self, op: Operation, type: str) -> Scalar:
        """The scalar type `type`, or that of the elements of the vector type. Raises `DealogError`."""
        shape = vector(type)
        found = scalar(type if shape is None else shape[1])
        if found is None:
            raise unsupported(op, f"'{op.name}' on '{type}' is not interpreted")
        return found

    def memref_type(self, op: Operation, value: Value) -> MemRefType:
        """The type of the memref `value`."""
        try:
            return parse_memref(value.type)
        except ValueError:
            raise unsupported(op, f"'{op.name}' on '{value.type}' is not interpreted") from None

    def attribute(self, op: Operation, *names: str) -> str:
        """The text of the first attribute that is there, aliases resolved. Raises `DealogError` for none."""
        for name in names:
            if (text := op.attributes.get(name)) is not None:
                return self.resolve(op, text)
        raise unsupported(
            op, f"the attribute '{names[0]}' of '{op.name}' is not there or not read in this form"
        )

    def resolve(self, op: Operation, text: str) -> str:
        """`text`, or what it is an alias for."""
        seen = 0
        while op.origin is not None and text.startswith("#") and text in op.origin.aliases and seen < 16:
            text = op.origin.aliases[text]
            seen += 1
        return text

    def integers(self, op: Operation, name: str) -> list[int]:
        """The integers of an array attribute; none where it is not there. `array<i64: 1, 2>`, `dense<[1,
        2]>`, `[1, 2]` and a plain list are read."""
        text = self.resolve(op, op.attributes.get(name, ""))
        text = re.sub(r"^array<\s*i[0-9]+\s*:?", "", text.strip())
        text = re.sub(r":[^:]*$", "", text) if text.startswith("dense") else text
        return [int(found) for found in _INTEGERS.findall(text)]

    def mixed(self, op: Operation, name: str) -> list[int | None]:
        """The integers of an array attribute in which some, here None, stand for operands. Raises
        `DealogError` where it is not there."""
        text = re.sub(r"^array<\s*i[0-9]+\s*:?", "", self.attribute(op, name).strip())
        return [
            None if found.startswith("%") or int(found) == DYNAMIC else int(found)
            for found in _MIXED.findall(text)
        ]

    def affine_map(self, op: Operation, *names: str) -> AffineMap:
        """The affine map in an attribute."""
        return self.read_map(op, self.attribute(op, *names))

    def read_map(self, op: Operation, text: str) -> AffineMap:
        """The affine map `text`, which may stand without `affine_map<>` around it."""
        try:
            return affine_map(text if text.startswith("affine_map") else f"affine_map<{text}>")
        except ValueError as error:
            raise unsupported(op, f"{error}, which is not read") from None


def mover(sources: Sequence[int], targets: Sequence[int]) -> Step:
    """Move registers, all at once."""
    if len(sources) != len(targets):
        raise ValueError("as many values have to be moved as there are places for them")
    pairs = [(s, t) for s, t in zip(sources, targets, strict=True) if s != t]
    if not pairs:
        return lambda registers: None
    if len(pairs) == 1:
        ((source, target),) = pairs

        def move_one(registers: Registers) -> None:
            registers[target] = registers[source]

        return move_one
    moved_from, moved_to = zip(*pairs, strict=True)

    def move(registers: Registers) -> None:
        values = [registers[i] for i in moved_from]
        for i, value in zip(moved_to, values, strict=True):
            registers[i] = value

    return move


def _scopes(function: Operation) -> set[Operation]:
    """The operations in `function` (or itself) that are the scope of some stack allocation."""
    scopes = set()
    for op in function.walk():
        if op.name == "memref.alloca":
            around = op.parent
            while around is not None and around.name not in ALLOCATION_SCOPES:
                around = around.parent
            scopes.add(around or function)
    return scopes
