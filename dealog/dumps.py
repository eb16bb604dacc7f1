"""`--mlir-print-ir-before`, `-after` and their like: the IR around passes, on stderr, in mlir-opt's format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dealog.diagnostics import DealogError
from dealog.mlir_opt import class_name

if TYPE_CHECKING:
    from dealog.frontend import Module
    from dealog.frontend.ir import Operation
    from dealog.pipeline import Step


@dataclass(frozen=True)
class Dumps:
    """Around which passes to show the IR.

    `before` and `after` name passes. `after_change` leaves out what a pass did not change, and by itself stands
    for `after_all`. `after_failure` shows the IR where a pass failed, and nothing else after passes.
    """

    before_all: bool = False
    after_all: bool = False
    before: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()
    after_change: bool = False
    after_failure: bool = False
    module_scope: bool = False

    def __bool__(self) -> bool:
        asked = (self.before_all, self.after_all, self.before, self.after, self.after_change, self.after_failure)
        return any(asked)

    def around(
        self,
        module: Module,
        steps: Sequence[Step],
        runs: Iterator[Step],
        show: Callable[[str], None],
        printed: Callable[[str], str] = str,
    ) -> Iterator[Step]:
        """Run `runs`, which runs `steps` on `module` one by one, and hand what is asked for to `show`; `printed`
        makes of the module's text what is shown of it."""
        for step in steps:
            name = step.pass_.name
            before = self._texts(module, step)
            if self.before_all or name in self.before:
                self._show(before, "Before", step, show, printed)
            try:
                done = next(runs)
            except DealogError:
                if self.after_failure:
                    self._show(self._texts(module, step), "After Failed", step, show, printed)
                raise
            if self._wants_after(name):
                after = self._texts(module, step)
                if self.after_change:
                    was = dict(before)
                    after = [(label, text) for label, text in after if was.get(label) != text]
                self._show(after, "After", step, show, printed)
            yield done

    def _wants_after(self, name: str) -> bool:
        if self.after_failure:
            return False
        alone = self.after_change and not self.after
        return self.after_all or alone or name in self.after

    def _texts(self, module: Module, step: Step) -> list[tuple[str, str]]:
        """The operations that `step` runs on: a label that tells them apart, and the text."""
        from dealog.frontend.printer import print_module, print_part
        from dealog.pipeline import roots

        if not step.nest:
            return [("", print_module(module))]
        found = []
        for number, op in enumerate(roots(module, step.nest)):
            text = print_module(module) if self.module_scope else print_part(module, op)
            found.append((_label(op, number), text))
        return found

    def _show(
        self,
        texts: Sequence[tuple[str, str]],
        when: str,
        step: Step,
        show: Callable[[str], None],
        printed: Callable[[str], str],
    ) -> None:
        name = step.pass_.name
        when, _, failed = when.partition(" ")
        for label, text in texts:
            of = f" ({label.partition(' ')[2]})" if label and self.module_scope else ""
            tail = f" {failed}" if failed else ""
            title = f"// -----// IR Dump {when} {class_name(name)}{tail} ({name}){of} //----- //"
            whole = not step.nest or self.module_scope
            show(f"{title}\n{printed(text).rstrip()}\n\n" + ("\n" if whole else ""))


def _label(op: Operation, number: int) -> str:
    """`0 'func.func' operation: @f`: its number, and what mlir-opt calls it."""
    name = op.attributes.get("sym_name", "").strip('"')
    return f"{number} '{op.name}' operation" + (f": @{name}" if name else "")
