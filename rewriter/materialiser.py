"""Carries out the edits of `rules/edits.dl`: what a pass does to a module, whatever the pass.

Each relation has a stencil here, and they are carried out in the order of `STENCILS`, which is that of the rule
file. What is made or changed holds the tuple that it was made by (`Operation.reasons`). Nothing is decided here:
where something stands, in what order and under what condition are columns.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from dealog.diagnostics import DealogError, Diagnostic
from dealog.frontend import Module, edits
from dealog.frontend.differing_types import differ, expanded
from dealog.frontend.edited_texts import is_attribute, is_type
from dealog.frontend.facts import Facts
from dealog.frontend.ir import Block, Operation, Region, Value

from .build import Builder
from .dealloc_helper import dealloc_helper

Row = tuple[str | int, ...]
Relations = Mapping[str, Sequence[Row]]

_NAMED = re.compile(r"[A-Za-z_]\w*(?= )")
_OPERATION_NAME = re.compile(r"[A-Za-z_][\w$.-]*", re.ASCII)
_CONSTANTS = ("true", "false")

_Places = dict[Operation | Block, list[tuple[int, list[Operation]]]]  # what stands beside what, with its order


def materialise(module: Module, facts: Facts, relations: Relations, terminators: Collection[str] = ()) -> None:
    """Carry out the edits among `relations` on `module`, in place.

    `facts` are those that the relations were derived from; `terminators` are the operations of which rules say that
    they end a block, besides those of which syntax files do. Raises `DealogError` for an edit that names what is not
    there, or that the form of an operation has no place for.
    """
    if any(relations.get(name) for name in STENCILS):
        _Materialiser(module, facts, relations, terminators).run()


class EditError(DealogError):
    """A tuple of `relation` that cannot be carried out."""

    def __init__(self, relation: str, message: str, notes: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(Diagnostic(message, notes=notes))
        self.relation, self.message = relation, message


class _Materialiser:
    def __init__(self, module: Module, facts: Facts, relations: Relations, terminators: Collection[str]) -> None:
        self.module = module
        self.terminators = {*module.origin.grammar.terminators, *terminators}
        self.facts = facts
        self.relations = relations
        self.values: dict[str, Value] = dict(facts.values)
        self.blocks: dict[str, Block] = dict(facts.blocks)
        self.row: Row = ()
        self.relation = ""
        self.pending: dict[str, tuple[str, Row]] = {}  # what is inserted under a name, until it is made
        self.made: dict[tuple[str, Row], list[Operation]] = {}
        self.numbers: dict[Operation, list[int]] = {}  # of the operands, in the facts; -1 for those appended
        self.constants: dict[tuple[Block, str], Operation] = {}  # by the block at whose start they stand
        self.placed: dict[tuple[Block, str], Row] = {}  # where the rules want such a constant
        self.lists: dict[str, dict[str, list[Row]]] = {name: defaultdict(list) for name in _LISTS}
        self.branches: dict[str, Row] = {}  # of an `scf.if` that is inserted, by the name of the block
        self.kept: dict[str, str] = {}  # names in the text, by those of the rules
        self.appended: list[Value] = []
        self.elsewhere: dict[tuple[Operation, int], tuple[Operation, int]] = {}  # operands that were handed on
        self.labels: dict[Region, int] = {}
        self.replaced: dict[Value, Value] = {}
        self.replacing: dict[Value, tuple[str, Row]] = {}
        self.renumbered: set[Value] = set()
        self.gone: dict[Value, tuple[str, Row]] = {}

    def run(self) -> None:
        """Carry out everything."""
        self._check_contradictions()
        self._check_texts()
        self._expect()
        for name, stencil in STENCILS.items():
            rows = self.relations.get(name, ())
            if rows or name == "operation_moved":
                self.relation = name
                stencil(self, rows)
        # `false` stands in front of `true`, whichever was asked for first
        for (entry, text), constant in sorted(self.constants.items(), key=lambda made: made[0][1], reverse=True):
            if (entry, text) not in self.placed:
                entry.prepend(constant)
        self._replace_values()
        self._check_uses()
        self._name()

    def _check_contradictions(self) -> None:
        """Make sure that no two edits set the same thing to something else."""
        for self.relation, columns in _SET_ONCE.items():
            rows = self.relations.get(self.relation, ())
            if len({row[:columns] for row in rows}) < len(rows):
                first: dict[Row, Row] = {}
                for self.row in sorted(rows):
                    other = first.setdefault(self.row[:columns], self.row)
                    if other is not self.row:
                        raise self.error(f"it contradicts {_shown(self.relation, other)}")
        self.relation = "attribute_dropped"
        dropped = set(self.relations.get(self.relation, ()))
        for row in self.relations.get("attribute_set", ()) if dropped else ():
            if row[:2] in dropped:
                self.row = row[:2]
                raise self.error(f"it contradicts {_shown('attribute_set', row)}")

    def _check_texts(self) -> None:
        """Make sure that texts for types and attributes are one type and one attribute each."""
        origin = self.module.origin
        for relation, column in _TYPED.items():
            for row in self.relations.get(relation, ()):
                if not is_type(expanded(str(row[column]), origin.aliases)):
                    self.relation, self.row = relation, row
                    raise self.error(f"'{row[column]}' is not a type")
        for relation, column in _WRITTEN.items():
            for row in self.relations.get(relation, ()):
                if row[column] and not is_attribute(str(row[column]), origin.aliases):
                    self.relation, self.row = relation, row
                    raise self.error(f"'{row[column]}' is not an attribute")

    def _expect(self) -> None:
        """Note what is inserted under which name."""
        for relation, lists in self.lists.items():
            for row in self.relations.get(relation, ()):
                lists[str(row[0])].append(row)
            for rows in lists.values():
                rows.sort(key=lambda row: (row[1], row))
        for row in self.relations.get("if_inserted", ()):
            self.branches[str(row[2])] = self.branches[str(row[4])] = row
        for name, value in self.relations.get("name_kept", ()):
            known = self.facts.values.get(str(value))
            if known is not None and known.name:
                self.kept[str(name)] = known.name
        for name in INSERTED:
            for row in self.relations.get(name, ()):
                if name in _RESULTS:
                    listing, column = _RESULTS[name]
                    for listed in self.lists[listing][str(row[0])]:
                        self._expect_named(str(listed[column]), name, row)
                elif name == "constant_inserted" and row[0] in _CONSTANTS:
                    self.relation, self.row = name, row
                    self.placed[self._entry(self._anchor(row)), str(row[0])] = row
                elif name not in _NAMELESS:
                    self._expect_named(str(row[0]), name, row)

    def _expect_named(self, value: str, relation: str, row: Row) -> None:
        """Note that `value` is made by the edit `row` of `relation`."""
        other, self.relation, self.row = self.pending.get(value), relation, row
        if other is not None and value:
            raise self.error(f"'{value}' is what {_shown(*other)} makes")
        self.pending[value] = (relation, row)

    # ---- what rows refer to

    def error(self, message: str, user: Operation | None = None) -> DealogError:
        """An error of the edit at hand, for the sake of `user`."""
        notes: tuple[Diagnostic, ...] = ()
        if user is not None and user.written is not None and user.origin is not None:
            notes = (Diagnostic("it stands here", "note", user.origin.source, user.offset),)
        edit = _shown(self.relation, self.row)
        return EditError(self.relation, f"the edit {edit} cannot be carried out: {message}", notes)

    def operation(self, name: object) -> Operation:
        """The operation called `name` in the facts."""
        op = self.facts.operations.get(str(name))
        if op is None:
            raise self.error(f"there is no operation '{name}'")
        return op

    def block(self, name: object) -> Block:
        """The block called `name`, in the facts or by an edit."""
        block = self.blocks.get(str(name))
        if block is None:
            raise self.error(f"there is no block '{name}'")
        return block

    def value(self, name: object, user: Operation | Block) -> Value:
        """The value called `name`, in the facts or by an edit; `user` is, or stands where, it is used."""
        text = str(name)
        value = self.values.get(text)
        if value is not None:
            return value
        if text in self.pending:
            self._make_named(text)
            return self.values[text]
        if text in _CONSTANTS:
            return self._constant(text, user)
        raise self.error(f"there is no value '{name}'")

    def _constant(self, text: str, user: Operation | Block) -> Value:
        """The i1 constant of the function around `user`: where the rules place it, or else at the start."""
        entry = self._entry(user)
        made = self.constants.get((entry, text))
        if made is None:
            row = self.placed.get((entry, text))
            kept = self.relation, self.row
            if row is not None:
                self.relation, self.row = "constant_inserted", row
                beside = self._beside(row)
            else:
                beside = entry.operations[0] if entry.operations else entry.parent_op
            made = self.constants[entry, text] = self._builder(beside).constant(text == "true")
            self._hold(made)
            if row is not None:
                self.made["constant_inserted", row] = [made]
            self.relation, self.row = kept
        return made.results[0]

    def _entry(self, user: Operation | Block) -> Block:
        """The first block of the function around `user`."""
        op = user.parent_op if isinstance(user, Block) else user
        grammar = self.module.origin.grammar
        while (parent := op.parent) is not None and parent.name != "builtin.module" and op.name not in grammar.isolated:
            op = parent
        return op.regions[0].blocks[0]

    # ---- making

    def _builder(self, beside: Operation) -> Builder:
        parent = beside.parent
        around = parent is None or parent.name == "builtin.module" or parent.generic
        return Builder(lambda hint: hint, beside.generic and around, self.module, beside)

    def _hold(self, op: Operation, these: Sequence[tuple[str, Row]] = ()) -> None:
        """Let `op` hold the edit at hand, or `these`, with all inside of it."""
        for inner in op.walk():
            known = set(inner.reasons)
            inner.reasons += [edit for edit in these or [(self.relation, self.row)] if edit not in known]

    def _changed(self, op: Operation) -> None:
        op.reasons.append((self.relation, self.row))

    def _changed_by(self, value: Value) -> None:
        self._changed(value.owner if isinstance(value.owner, Operation) else value.owner.parent_op)

    def _anchor(self, row: Row) -> Operation | Block:
        where, anchor = row[-3], row[-2]
        if where in ("before", "after"):
            return self.operation(anchor)
        if where in ("start", "end"):
            return self.block(anchor)
        raise self.error(f"'{where}' is not a place; places are before, after, start and end")

    def _beside(self, row: Row) -> Operation:
        """What an operation inserted by `row` is to look like."""
        if row[-2] in self.branches and row[-2] not in self.blocks:
            return self._beside(self.branches[str(row[-2])])
        anchor = self._anchor(row)
        if isinstance(anchor, Operation):
            return anchor
        return anchor.operations[0 if row[-3] == "start" else -1] if anchor.operations else anchor.parent_op

    def _make_named(self, name: str) -> None:
        """Make what is inserted as `name`, and before it what that refers to; chains may be long."""
        kept = self.relation, self.row
        open_ = {name: True}  # in order
        while open_:
            last = next(reversed(open_))
            relation, row = self.pending[last]
            inner = [operand for operand in self._operands(relation, row) if operand in self.pending]
            if inner:
                if inner[0] in open_ or (relation, row) == self.pending[inner[0]]:
                    self.relation, self.row = relation, row
                    raise self.error("it refers to itself")
                open_[inner[0]] = True
                continue
            del open_[last]
            self.pending.pop(last)
            self._make(relation, row)
        self.relation, self.row = kept

    def _make(self, relation: str, row: Row) -> None:
        """Make the operations of one tuple; they are put in place later."""
        self.relation, self.row = relation, row
        stencil = INSERTED[relation][1]
        if relation in _CALLED:
            self._check_name(str(row[_CALLED[relation]]))
        beside = self._beside(row)
        values = [self.value(name, beside) for name in self._operands(relation, row)]
        if relation == "deallocation_inserted":
            retained = len(self.lists["deallocation_retains"][str(row[0])])
            operations = [self._builder(beside).dealloc_of(values, retained)]
        elif relation == "operation_inserted":
            types = [str(listed[3]) for listed in self.lists["operation_gives"][str(row[0])]]
            says = {str(listed[1]): str(listed[2]) for listed in self.lists["operation_says"][str(row[0])]}
            operations = [self._builder(beside).operation(str(row[1]), values, types, says)]
        elif relation == "any_inserted" and not values:
            raise self.error("nothing is listed")
        else:
            try:
                operations = stencil(self._builder(beside), row, values)
            except ValueError as fault:
                raise self.error(str(fault)) from None
        self.made[relation, row] = operations
        if relation == "if_inserted":
            self._open_branches(operations[-1], row)
        if not operations:  # what is named is there
            self._changed_by(values[0])
        if relation in _LISTED:
            self._complete(operations, values, str(row[0]), _LISTED[relation])
        for op in operations:
            self._hold(op)
        if relation not in _NAMELESS:
            self._call(operations[-1].results[0] if operations else values[0], str(row[0]))

    def _open_branches(self, op: Operation, row: Row) -> None:
        """Let the blocks of an inserted `scf.if` have their names."""
        for region, name in zip(op.regions, (str(row[2]), str(row[4])), strict=True):
            if name in self.blocks:
                raise self.error(f"there is a block '{name}' already")
            self.blocks[name] = region.blocks[0]

    def _complete(
        self, made: Sequence[Operation], values: Sequence[Value], name: str, relations: Sequence[str]
    ) -> None:
        """Let the operations `made` of `values` for `name` hold what fills its lists, and name the results of a
        deallocation."""
        kept = self.relation, self.row
        held: list[tuple[str, Row]] = []
        for relation in relations:
            for number, row in enumerate(self.lists[relation].get(name, ())):
                self.relation, self.row = relation, row
                held.append((relation, row))
                if not made:
                    self._changed_by(values[number])
                for listing, column in _RESULTS.values():
                    if listing == relation:
                        self.pending.pop(str(row[column]), None)
                        self._call(made[-1].results[number], str(row[column]))
        for op in made if held else ():
            self._hold(op, held)
        self.relation, self.row = kept

    def _operands(self, relation: str, row: Row) -> list[str]:
        """The names of the values that the operations of a tuple are made of."""
        if relation != "deallocation_inserted":
            columns = INSERTED[relation][0]
            names = [column if isinstance(column, str) else str(row[column]) for column in columns]
            names = [name for name in names if not name.isdecimal()]  # a size may be a number
            listed = self.lists[_LISTED[relation][0]][str(row[0])] if relation in _LISTED else ()
            return [*names, *(str(each[2]) for each in listed)]
        frees = self.lists["deallocation_frees"][str(row[0])]
        retains = self.lists["deallocation_retains"][str(row[0])]
        return [*(str(r[2]) for r in frees), *(str(r[3]) for r in frees), *(str(r[2]) for r in retains)]

    def _call(self, value: Value, name: str) -> None:
        if name in self.values:
            raise self.error(f"there is a value '{name}' already")
        self.values[name] = value
        if value.name.startswith("%"):
            return  # another's
        kept = self.kept.get(name)
        if kept is not None and "#" not in kept:
            value.name = kept
        elif match := _NAMED.match(name):
            value.name = match[0]

    # ---- lists that grow

    def arguments_appended(self, rows: Sequence[Row]) -> None:
        """`argument_appended(block, order, name, type)`"""
        for name, appended in _grouped(rows, 1).items():
            self.row = appended[0]
            block = self.block(name)
            made = edits.grow_arguments(block, [str(row[3]) for row in appended], hint="")
            self._called(made, appended, block.parent_op)

    def result_attributes_handed(self, rows: Sequence[Row]) -> None:
        """`result_attributes_handed(function, result, argument)`"""
        for self.row in rows:
            function = self._function(self.row[0])
            entries = edits.function_result_attributes(function, int(self.row[1]))
            edits.add_argument_attributes(function, self._argument(self.row[2]), entries)
            self._changed(function)

    def argument_attributes_set(self, rows: Sequence[Row]) -> None:
        """`argument_attribute_set(argument, name, text)`"""
        for self.row in rows:
            argument = self._argument(self.row[0])
            entry = f"{self.row[1]} = {self.row[2]}" if self.row[2] else str(self.row[1])
            assert isinstance(argument.owner, Block)
            edits.add_argument_attributes(argument.owner.parent_op, argument, [entry])
            self._changed_by(argument)

    def _argument(self, name: object) -> Value:
        """The argument called `name`, which an edit appended."""
        value = self.values.get(str(name))
        if value is None or value not in self.appended or isinstance(value.owner, Operation):
            raise self.error(f"no argument called '{name}' was appended")
        return value

    def results_appended(self, rows: Sequence[Row]) -> None:
        """`result_appended(op, order, name, type)`"""
        for name, appended in _grouped(rows, 1).items():
            self.row = appended[0]
            op = self.operation(name)
            self._called(edits.grow_results(op, [str(row[3]) for row in appended], hint=""), appended, op)

    def _called(self, made: Sequence[Value], rows: Sequence[Row], op: Operation) -> None:
        for value, self.row in zip(made, rows, strict=True):
            self._changed(op)
            self.appended.append(value)
            value.name = "own"
            self._call(value, str(self.row[2]))

    def operands_appended(self, rows: Sequence[Row]) -> None:
        """`operand_appended(op, beside, order, value)`"""
        for name, appended in _grouped(rows, 2).items():
            self.row = appended[0]
            op = self.operation(name)
            owners, lists = edits.operand_lists(op), defaultdict[int, list[Row]](list)
            for self.row in appended:
                lists[owners[self._beside_operand(op)] if owners else 0].append(self.row)
            for rows_of_list in lists.values():
                values = []
                for self.row in rows_of_list:
                    self._changed(op)
                    values.append(self.value(self.row[3], op))
                numbers = self._numbers(op)
                self.row = rows_of_list[0]
                at = edits.grow_operands(op, self._beside_operand(op), values)
                numbers[at:at] = [-1] * len(values)

    def _beside_operand(self, op: Operation) -> int:
        """The operand beside which the edit at hand appends one, as it is numbered now; -1 where there is none."""
        return -1 if self.row[1] == -1 and not self._numbers(op) else self._now(op, self.row[1])

    def _numbers(self, op: Operation) -> list[int]:
        return self.numbers.setdefault(op, list(range(len(op.operands))))

    def _now(self, op: Operation, number: object) -> int:
        """The operand that has `number` in the facts: its number now."""
        try:
            return self._numbers(op).index(int(str(number)))
        except ValueError:
            raise self.error(f"'{op.name}' has no operand {number}") from None

    def function_results_appended(self, rows: Sequence[Row]) -> None:
        """`function_result_appended(function, order, type)`"""
        for name, appended in _grouped(rows, 1).items():
            self.row = appended[0]
            function = self._function(name)
            edits.grow_function_results(function, [str(row[2]) for row in appended])
            for self.row in appended:
                self._changed(function)

    def _function(self, name: object) -> Operation:
        function = self.facts.functions.get(str(name))
        if function is None:
            raise self.error(f"there is no function '{name}'")
        return function

    def arguments_listed(self, rows: Sequence[Row]) -> None:
        """`argument_listed(function, order, name, type, source, number)`"""
        for name, listed in _grouped(rows, 1).items():
            self.row = listed[0]
            function = self._function(name)
            known: set[Value] = set()
            if function.regions and function.regions[0].blocks:
                known.update(function.regions[0].blocks[0].arguments)
            items: list[tuple[Value | str, Sequence[str]]] = []
            for self.row in listed:
                value = self.values.get(str(self.row[2]))
                taken = value if value is not None and value in known else str(self.row[3])
                items.append((taken, self._attributes_of(function, self.row[4], self.row[5])))
                self._changed(function)
            self.row = listed[0]
            for value, (item, _), self.row in zip(edits.list_arguments(function, items), items, listed, strict=False):
                if value is not item:
                    self.appended.append(value)
                    value.name = "arg"
                    self._call(value, str(self.row[2]))

    def function_results_listed(self, rows: Sequence[Row]) -> None:
        """`function_result_listed(function, order, type, source, number)`"""
        for name, listed in _grouped(rows, 1).items():
            self.row = listed[0]
            function = self._function(name)
            items = []
            for self.row in listed:
                items.append((str(self.row[2]), self._attributes_of(function, self.row[3], self.row[4])))
                self._changed(function)
            edits.list_function_results(function, items)

    def _attributes_of(self, function: Operation, source: object, number: object) -> Sequence[str]:
        """The attributes that the signature of `function` gives its argument or result number `number`."""
        if source == "argument":
            return edits.function_argument_attributes(function, int(str(number)))
        return edits.function_result_attributes(function, int(str(number))) if source == "result" else ()

    # ---- blocks

    def blocks_inserted(self, rows: Sequence[Row]) -> None:
        """`block_inserted(terminator, successor, block)`"""
        for self.row in sorted(rows):
            terminator, number = self.operation(self.row[0]), int(self.row[1])
            before = terminator.block
            assert before is not None
            if number >= len(terminator.successors):
                raise self.error(f"'{terminator.name}' has no successor {number}")
            target = terminator.successors[number].block
            block = self._new_block(before.region, before, str(self.row[2]))
            handed = range(terminator.successors[number].start, terminator.successors[number].end)
            numbers = self._numbers(terminator)
            branch = self._builder(terminator).branch(target, edits.retarget(terminator, number, block))
            for index, operand in enumerate(numbers[handed.start : handed.stop]):
                self.elsewhere[terminator, operand] = branch, index
            del numbers[handed.start : handed.stop]
            block.append(branch)
            self._hold(branch)
            self._changed(terminator)

    def _new_block(self, region: Region, behind: Block | None, name: str) -> Block:
        if name in self.blocks:
            raise self.error(f"there is a block '{name}' already")
        if region not in self.labels:
            known = [re.fullmatch(r"\^bb(\d{1,9})", block.label) for block in region.blocks]
            self.labels[region] = max((int(match[1]) for match in known if match), default=0)
        block = self.blocks[name] = Block(region)
        block.made = True
        if behind is None:
            region.blocks.append(block)
            return block
        self.labels[region] += 1
        block.label = f"^bb{self.labels[region]}"
        at = behind.index + 1
        while at < len(region.blocks) and region.blocks[at].made:
            at += 1
        region.blocks.insert(at, block)
        return block

    def elses_inserted(self, rows: Sequence[Row]) -> None:
        """`else_inserted(op, block)`"""
        for self.row in rows:
            op = self.operation(self.row[0])
            if len(op.regions) != 2 or op.regions[1].blocks or op.results:
                raise self.error(f"'{op.name}' has an else region, or none can be added")
            block = self._new_block(op.regions[1], None, str(self.row[1]))
            end = self._builder(op).nothing_yielded(op.name.partition(".")[0], op.generic)
            block.append(end)
            self._hold(end)
            if op.written is None and op.custom is not None:
                op.custom += " else {region1}"
            self._changed(op)

    # ---- operations

    def inserted(self, rows: Sequence[Row]) -> None:
        """All relations of `INSERTED`: make what is not made yet."""
        relation = self.relation
        for row in rows:
            if (relation, row) in self.made:
                continue
            if relation in _NAMELESS:
                self._make(relation, row)
            elif relation == "constant_inserted" and row[0] in _CONSTANTS:
                pass  # made where one is wanted
            else:
                self._make_named(str(row[0]))

    def listed(self, rows: Sequence[Row]) -> None:
        """All relations of `_LISTS`, which are carried out with what they say the parts of."""
        inserted = _LISTS[self.relation]
        known = {row[0] for row in self.relations.get(inserted, ())}
        for self.row in rows:
            if self.row[0] not in known:
                raise self.error(f"{inserted} says of nothing that it is called '{self.row[0]}'")

    def names_kept(self, rows: Sequence[Row]) -> None:
        """`name_kept(name, value)`, which was looked at when what is inserted was made"""
        for self.row in rows:
            value = self.values.get(str(self.row[0]))
            if value is None:
                raise self.error(f"there is no value '{self.row[0]}'")
            self._changed_by(value)

    def operands_set(self, rows: Sequence[Row]) -> None:
        """`operand_set(op, operand, value)`"""
        for self.row in rows:
            op = self.operation(self.row[0])
            value = self.value(self.row[2], op)
            op, number = self.elsewhere.get((op, int(self.row[1]))) or (op, self._now(op, self.row[1]))
            self._check_type(op.operands[number], value, op)
            edits.set_operand(op, number, value)
            self._changed(op)

    def values_replaced(self, rows: Sequence[Row]) -> None:
        """`value_replaced(value, other)`: carried out with all else that concerns uses."""
        for self.row in rows:
            value = self.facts.values.get(str(self.row[0]))
            if value is None:
                raise self.error(f"there is no value '{self.row[0]}'")
            self.replaced[value] = self.value(self.row[1], value.owner)
            self.replacing[value] = (self.relation, self.row)

    def moved(self, rows: Sequence[Row]) -> None:
        """`operation_moved(op, where, anchor, order)`, and the places of all that is inserted."""
        before: _Places = defaultdict(list)
        after: _Places = defaultdict(list)
        moving: dict[Operation, Row] = {}
        placed = [(name, row, made) for (name, row), made in self.made.items()]
        for row in rows:
            self.relation, self.row = "operation_moved", row
            op = self.operation(row[0])
            if op in moving:
                raise self.error(f"it is moved elsewhere, too: {moving[op]}")
            moving[op] = row
            self._changed(op)
            placed.append(("operation_moved", row, [op]))
        blocks: dict[Block, None] = {}
        for name, row, made in placed:
            self.relation, self.row = name, row
            where, anchor = row[-3], self._anchor(row)
            block = anchor if isinstance(anchor, Block) else anchor.block
            if block is None:
                raise self.error("nothing can stand beside the module")
            if anchor not in moving:
                blocks[block] = None
            if where == "end":
                assert isinstance(anchor, Block)
                last = anchor.operations[-1] if anchor.operations else None
                if last is not None and self._ends(last):
                    anchor, where = last, "before"
            lists = before if where in ("before", "start") else after
            lists[anchor].append((int(row[-1]), made))
        for op in moving:
            assert op.block is not None
            blocks[op.block] = None
        if not blocks:
            return
        for lists in (before, after):
            for items in lists.values():
                items.sort(key=lambda item: item[0])  # stable: what others are made of was made before them
        self._check_homes(moving)
        homes = {op: op.block.region for op in moving if op.block is not None}
        for block in blocks:
            block.arrange(list(_arranged(block, before, after, moving)), moving.keys())
        self._clashing([op for op, home in homes.items() if op.block is not None and op.block.region is not home])

    def _check_homes(self, moving: dict[Operation, Row]) -> None:
        """Make sure that no operation is moved beside or into itself, nor what is moved along with it."""
        self.relation = "operation_moved"
        settled: set[Operation] = set()
        for op, self.row in moving.items():
            passed: set[Operation] = set()
            at: Operation | None = op
            while at is not None and at not in settled:
                if at in passed:
                    raise self.error("operations are moved around each other, or into themselves")
                passed.add(at)
                anchor = self._anchor(moving[at]) if at in moving else at
                if isinstance(anchor, Block):
                    at = anchor.parent_op
                else:
                    at = anchor if at in moving and anchor in moving else anchor.parent
            settled |= passed

    def _clashing(self, moved: Sequence[Operation]) -> None:
        """Give other names to what is defined by operations that were `moved` out of a region, or inside of them,
        where the function has several values of that name."""
        counts: dict[Operation, Counter[str]] = {}
        for op in moved:
            function = op
            while (parent := function.parent) is not None and parent.name != "builtin.module":
                function = parent
            if function not in counts:
                counts[function] = Counter(value.name.partition("#")[0] for value in _defined(function))
            values: dict[str, list[Value]] = defaultdict(list)
            for value in _defined(op):
                values[value.name.partition("#")[0]].append(value)
            for name, named in values.items():
                size = len([value for value in named if value.owner is named[0].owner])
                if name and counts[function][name] > size:
                    owner = named[0].owner
                    hint = owner.name.rpartition(".")[2] if isinstance(owner, Operation) else "arg"
                    for value in named:
                        counts[function][name] -= 1
                        self.renumbered.add(value)
                    edits.rename_values(named, self.module.fresh_name(op, hint))

    def _ends(self, op: Operation) -> bool:
        """Whether `op`, the last of its block, is its terminator."""
        if op.successors or op.elided:
            return True
        parent = op.parent
        grammar = self.module.origin.grammar
        if op.name in self.terminators or parent is None:
            return parent is not None
        known = parent.name in grammar.op_names and parent.name not in grammar.no_terminator
        return op.name not in grammar.op_names and known

    def renamed(self, rows: Sequence[Row]) -> None:
        """`operation_renamed(op, name)`"""
        for self.row in rows:
            op, name = self.operation(self.row[0]), str(self.row[1])
            self._check_name(name)
            if not op.generic and name not in self.module.origin.grammar.op_names:
                raise self.error(f"'{op.name}' stands in its custom form, and '{name}' has none that is known", op)
            edits.rename(op, name)
            self._changed(op)

    def _check_name(self, name: str) -> None:
        """Make sure that operations can be called `name`."""
        if not _OPERATION_NAME.fullmatch(name):
            raise self.error(f"no operation is called '{name}'")

    def attributes_set(self, rows: Sequence[Row]) -> None:
        """`attribute_set(op, name, text)`"""
        for self.row in sorted(rows):
            op = self.operation(self.row[0])
            edits.set_attribute(op, str(self.row[1]), str(self.row[2]))
            self._changed(op)

    def attributes_dropped(self, rows: Sequence[Row]) -> None:
        """`attribute_dropped(op, name)`"""
        for self.row in sorted(rows):
            op = self.operation(self.row[0])
            edits.set_attribute(op, str(self.row[1]), None)
            self._changed(op)

    # ---- lists that shrink, and what goes

    def operands_dropped(self, rows: Sequence[Row]) -> None:
        """`operand_dropped(op, operand)`"""
        for name, dropped in _grouped(rows, 1).items():
            self.row = dropped[0]
            op = self.operation(name)
            places = []
            for self.row in dropped:
                places.append(self._now(op, self.row[1]))
                self._changed(op)
            edits.drop_operands(op, places)

    def results_dropped(self, rows: Sequence[Row]) -> None:
        """`result_dropped(op, result)`"""
        for name, dropped in _grouped(rows, 1).items():
            self.row = dropped[0]
            op = self.operation(name)
            values = self._numbered(op.results, dropped, op)
            self.gone.update(dict.fromkeys(values, (self.relation, self.row)))
            edits.drop_results(op, values)
            self.renumbered.update(op.results)

    def _numbered(self, values: Sequence[Value], rows: Sequence[Row], op: Operation) -> list[Value]:
        found = []
        for self.row in rows:
            if not 0 <= int(self.row[1]) < len(values):
                raise self.error(f"there is no number {self.row[1]}")
            found.append(values[int(self.row[1])])
            self._changed(op)
        return found

    def arguments_dropped(self, rows: Sequence[Row]) -> None:
        """`argument_dropped(block, argument)`"""
        for name, dropped in _grouped(rows, 1).items():
            self.row = dropped[0]
            block = self.block(name)
            values = self._numbered(block.arguments, dropped, block.parent_op)
            self.gone.update(dict.fromkeys(values, (self.relation, self.row)))
            edits.drop_arguments(block, values)

    def function_results_dropped(self, rows: Sequence[Row]) -> None:
        """`function_result_dropped(function, result)`"""
        for name, dropped in _grouped(rows, 1).items():
            self.row = dropped[0]
            function = self._function(name)
            edits.drop_function_results(function, [int(row[1]) for row in dropped])
            for self.row in dropped:
                self._changed(function)

    def erased(self, rows: Sequence[Row]) -> None:
        """`operation_erased(op)`; the block holds the edit."""
        gone: dict[Block, set[Operation]] = defaultdict(set)
        for self.row in rows:
            op = self.operation(self.row[0])
            if op.block is None:
                raise self.error("the module cannot be erased")
            gone[op.block].add(op)
            self.gone.update(dict.fromkeys(_defined(op), (self.relation, self.row)))
            self._changed(op)
            self._changed(op.block.parent_op)
        for block, operations in gone.items():
            block.arrange([op for op in block.operations if op not in operations])
        self._hand_on({str(row[0]) for row in rows})

    def _hand_on(self, gone: Collection[str]) -> None:
        """What is made beside an operation that goes is made in its place."""
        for (_, row), made in self.made.items():
            if row[-2] in gone and row[-3] in ("before", "after"):
                before = self.operation(row[-2])
                for op in made:
                    for inner in op.walk():
                        inner.ancestor, inner.comment = before, inner.comment or before.comment

    # ---- uses and names

    def _replace_values(self) -> None:
        """Let all uses refer to what takes the place of values, and to groups of results as they are now."""
        if not self.replaced and not self.renumbered:
            return
        ends: dict[Value, Value] = {}
        for value in self.replaced:
            passed: dict[Value, None] = {}
            other = value
            while other in self.replaced and other not in ends:
                passed[other] = None
                other = self.replaced[other]
                if other in passed:
                    self.relation, self.row = self.replacing[value]
                    raise self.error("values take each other's place")
            ends.update(dict.fromkeys(passed, ends.get(other, other)))
        final = {value: value for value in self.renumbered} | ends
        for op in self.module.walk():
            concerned = [value for value in op.operands if value in final]
            if concerned:
                for value in concerned:
                    if value in self.replacing:
                        self.relation, self.row = self.replacing[value]
                        self._check_type(value, final[value], op)
                edits.replace_operands(op, final)
                op.reasons += [self.replacing[v] for v in dict.fromkeys(concerned) if v in self.replacing]

    def _check_type(self, value: Value, other: Value, user: Operation) -> None:
        """Make sure that `other` can stand where `user` has `value`: a custom form may say of which type that is."""
        if user.written is None or user.generic or not value.type or not other.type or value.type == other.type:
            return
        origin = self.module.origin
        if differ(expanded(value.type, origin.aliases), expanded(other.type, origin.aliases), origin.grammar):
            raise self.error(f"'{user.name}' takes '{value.type}' there, and this is '{other.type}'", user)

    def _check_uses(self) -> None:
        """Make sure that nothing uses a value that has gone."""
        if not self.gone:
            return
        for op in self.module.walk():
            for value in op.operands:
                if value in self.gone:
                    self.relation, self.row = self.gone[value]
                    raise self.error(f"'{op.name}' uses {value.name or 'what it defines'}", op)

    def _name(self) -> None:
        """Give names to the values that were made: first those that lists grew by, then all others, those of a block
        ahead of those in nested ones; last what took the place of operations, in the order of the text."""
        walk = list(self.module.walk())
        blocks = (block for op in walk for region in op.regions for block in region.blocks)
        made = [op for block in blocks for op in block.operations if op.written is None and op.ancestor is None]
        made += [op for op in walk if op.written is None and op.ancestor is not None]
        if self.appended:
            order = {op: number for number, op in enumerate(walk)}
            self.appended.sort(key=lambda value: _place(value, order))
        functions: dict[Operation, Operation] = {}  # what each operation is in, directly below a module
        for op in walk:
            around = op.parent
            functions[op] = op if around is None or around.name == "builtin.module" else functions[around]
        for value in (*self.appended, *(value for op in made for value in op.results)):
            if not value.name.startswith("%"):
                owner = value.owner
                where = owner if isinstance(owner, Operation) else owner.parent_op
                value.name = self.module.fresh_name_in(functions[where], value.name)


def _shown(relation: str, row: Row) -> str:
    """An edit as it is written."""
    columns = ", ".join(str(v) if isinstance(v, int) else f'"{v}"' for v in row)
    return f"{relation}({columns})"


def _place(value: Value, order: dict[Operation, int]) -> tuple[int, int, int]:
    """Where a value is defined, the results of an operation ahead of the arguments of its regions."""
    if isinstance(value.owner, Operation):
        return order[value.owner], -1, 0
    return order[value.owner.parent_op], value.owner.region.index, value.owner.index


def _arranged(block: Block, before: _Places, after: _Places, moving: Collection[Operation]) -> Iterable[Operation]:
    """The operations of `block`, with those that are inserted or moved there, and without those that go elsewhere.

    What stands beside an operation that is moved goes along with it.
    """
    plain: list[tuple[Operation, bool]] = []  # what comes next, last first; whether it stands as it is
    plain += [(op, True) for _, made in reversed(after.get(block, ())) for op in reversed(made)]
    plain += [(op, True) for op in reversed(block.operations) if op not in moving]
    plain += [(op, True) for _, made in reversed(before.get(block, ())) for op in reversed(made)]
    while plain:
        op, beside = plain.pop()
        if not beside or (op not in before and op not in after):
            yield op
            continue
        plain += [(other, True) for _, made in reversed(after.get(op, ())) for other in reversed(made)]
        plain.append((op, False))
        plain += [(other, True) for _, made in reversed(before.get(op, ())) for other in reversed(made)]


def _defined(top: Operation) -> Iterator[Value]:
    """The results and arguments of `top` and of all inside of it."""
    for op in top.walk():
        yield from op.results
        for region in op.regions:
            for block in region.blocks:
                yield from block.arguments


def _grouped(rows: Sequence[Row], order: int) -> dict[str | int, list[Row]]:
    """`rows` by their first column, each group by the column `order`."""
    groups: dict[str | int, list[Row]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: (row[order], row)):
        groups[row[0]].append(row)
    return groups


def _size(row: Row, values: Sequence[Value]) -> Value | int:
    """The size in the third column of `row`: an index among the `values` of it, or a number."""
    return values[1] if len(values) > 1 else int(row[2])


_Stencil = Callable[[Builder, Row, Sequence[Value]], list[Operation]]

INSERTED: dict[str, tuple[tuple[int | str, ...], _Stencil]] = {
    "constant_inserted": ((), lambda build, row, _: [build.constant_of(str(row[1]))]),
    "not_inserted": ((1, "true"), lambda build, row, v: [build.negation(*v)]),
    "and_inserted": ((1, 2), lambda build, row, v: [build.conjunction(*v)]),
    "or_inserted": ((1, 2), lambda build, row, v: [build.disjunction(*v)]),
    "xor_inserted": ((1, 2), lambda build, row, v: [build.negation(*v)]),
    "any_inserted": ((), lambda build, row, v: build.any_of(v)),
    "compare_inserted": ((2, 3), lambda build, row, v: [build.compare(str(row[1]), v[0], v[1])]),
    "select_inserted": ((1, 2, 3), lambda build, row, v: [build.choice(*v)]),
    "base_inserted": ((1,), lambda build, row, v: build.base(v[0])),
    "pointer_inserted": ((1,), lambda build, row, v: [build.pointer(v[0])]),
    "cast_inserted": ((1,), lambda build, row, v: [build.cast(v[0], str(row[2]))]),
    "load_inserted": ((1, 2), lambda build, row, v: [build.load(v[0], v[1])]),
    "store_inserted": ((0, 1, 2), lambda build, row, v: [build.store(*v)]),
    "dim_inserted": ((1, 2), lambda build, row, v: [build.dim(*v)]),
    "subview_inserted": ((1, 2), lambda build, row, v: [build.subview(v[0], _size(row, v))]),
    "resized_inserted": ((1, 2), lambda build, row, v: [build.resized(v[0], _size(row, v), str(row[3]))]),
    "strided_inserted": ((1,), lambda build, row, v: [build.strided(v[0], v[1:], str(row[2]))]),
    "view_inserted": ((1, 2), lambda build, row, v: [build.view(v[0], v[1], str(row[3]))]),
    "allocation_inserted": ((), lambda build, row, v: [build.row_major(str(row[1]), v, str(row[2]) or None)]),
    "global_inserted": ((), lambda build, row, v: [build.global_variable(str(row[0]), str(row[1]), str(row[2]))]),
    "get_global_inserted": ((), lambda build, row, v: [build.get_global(str(row[1]), str(row[2]))]),
    "unranked_allocation_inserted": ((1, 3, 4), lambda build, row, v: build.unranked(v[0], v[1], v[2], str(row[2]))),
    "if_inserted": ((1, 3, 5), lambda build, row, v: [build.when_else(v[0], [], v[1], [], v[2])]),
    "alloc_inserted": ((1,), lambda build, row, v: build.alloc_like(v[0], str(row[2]))),
    "clone_inserted": ((1,), lambda build, row, v: [build.clone(v[0])]),
    "clone_unless_inserted": ((1, 2, 3), lambda build, row, v: [build.unless_owned(*v)]),
    "copy_inserted": ((0, 1), lambda build, row, v: [build.copy(*v)]),
    "free_inserted": ((0,), lambda build, row, v: [build.free(v[0], str(row[1]))]),
    "free_if_inserted": ((0, 1), lambda build, row, v: [build.when(v[1], [build.free(v[0], str(row[2]))])]),
    "assert_inserted": ((0,), lambda build, row, v: [build.check(v[0], str(row[1]))]),
    "operation_inserted": ((), lambda build, row, v: []),
    "call_inserted": ((), lambda build, row, v: [build.call(str(row[1]), v)]),
    "dealloc_helper_inserted": ((), lambda build, row, v: [dealloc_helper(str(row[0]), build.generic)]),
    "deallocation_inserted": ((), lambda build, row, v: []),
}
"""The relations that insert: the columns that hold values, or names of values, and what is made of a tuple and these
values; what the tuple names is the first result of the last operation."""

_CALLED = {"free_inserted": 1, "free_if_inserted": 2, "operation_inserted": 1}
"""The column with the name of the operation that is inserted."""

_SET_ONCE = {
    "argument_attribute_set": 2, "operation_says": 2, "operand_set": 2, "value_replaced": 1, "operation_renamed": 1,
    "attribute_set": 2,
}  # fmt: skip
"""The edits that set something, and the columns, at their start, that say what."""

_TYPED = {
    "argument_listed": 3, "function_result_listed": 2, "argument_appended": 3, "result_appended": 3,
    "function_result_appended": 2, "cast_inserted": 2, "resized_inserted": 3, "strided_inserted": 2,
    "view_inserted": 3,
    "allocation_inserted": 1, "global_inserted": 1, "get_global_inserted": 2, "unranked_allocation_inserted": 2,
    "alloc_inserted": 2, "operation_gives": 3,
}  # fmt: skip
"""The edits with a type, and its column."""

_WRITTEN = {"argument_attribute_set": 2, "operation_says": 2, "attribute_set": 2}
"""The edits with the text of an attribute, and its column."""

_NAMELESS = (
    "store_inserted", "copy_inserted", "free_inserted", "free_if_inserted", "assert_inserted", "operation_inserted",
    "call_inserted",
    "dealloc_helper_inserted", "global_inserted", "deallocation_inserted",
)  # fmt: skip

_LISTED: Mapping[str, tuple[str, ...]] = {
    "any_inserted": ("any_of",),
    "allocation_inserted": ("allocation_takes",),
    "strided_inserted": ("strided_takes",),
    "operation_inserted": ("operation_takes", "operation_gives", "operation_says"),
    "call_inserted": ("call_takes",),
    "deallocation_inserted": ("deallocation_frees", "deallocation_retains"),
}
"""What is inserted with lists of operands, and the relations that say what is in them: of which list, its order there,
and the operand."""

_RESULTS = {"deallocation_inserted": ("deallocation_retains", 3), "operation_inserted": ("operation_gives", 2)}
"""What is inserted with any number of results: the list that has one row for each, and the column with its name."""

_LISTS = {name: inserted for inserted, names in _LISTED.items() for name in names}

STENCILS: dict[str, Callable[[_Materialiser, Sequence[Row]], None]] = {
    "argument_listed": _Materialiser.arguments_listed,
    "function_result_listed": _Materialiser.function_results_listed,
    "argument_appended": _Materialiser.arguments_appended,
    "result_attributes_handed": _Materialiser.result_attributes_handed,
    "argument_attribute_set": _Materialiser.argument_attributes_set,
    "result_appended": _Materialiser.results_appended,
    "operand_appended": _Materialiser.operands_appended,
    "function_result_appended": _Materialiser.function_results_appended,
    "block_inserted": _Materialiser.blocks_inserted,
    "else_inserted": _Materialiser.elses_inserted,
    **{
        name: _Materialiser.listed if name in _LISTS else _Materialiser.inserted
        for inserted in INSERTED
        for name in (inserted, *_LISTED.get(inserted, ()))
    },
    "name_kept": _Materialiser.names_kept,
    "operand_set": _Materialiser.operands_set,
    "value_replaced": _Materialiser.values_replaced,
    "operation_moved": _Materialiser.moved,
    "operation_renamed": _Materialiser.renamed,
    "attribute_set": _Materialiser.attributes_set,
    "attribute_dropped": _Materialiser.attributes_dropped,
    "operand_dropped": _Materialiser.operands_dropped,
    "result_dropped": _Materialiser.results_dropped,
    "argument_dropped": _Materialiser.arguments_dropped,
    "function_result_dropped": _Materialiser.function_results_dropped,
    "operation_erased": _Materialiser.erased,
}
"""How the relations of `rules/edits.dl` are carried out, in the order in which they stand there."""
