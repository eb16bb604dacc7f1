"""`dealog report`: a page that tells what was decided about a module, and why.

What the command needs is imported when it runs, as for the other commands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dealog.files import OutputFile, read_text
from dealog.options import allow_unregistered, choose_engine, input_path, normalize, with_deallocation, with_extensions

if TYPE_CHECKING:
    from dealog.deallocation import Deallocation
    from dealog.extensions import Extensions
    from dealog.pipeline import EngineName


@click.command("report", short_help="Write a page that shows what was decided, and why.")
@input_path
@click.option("-o", "output_path", metavar="OUT.html", required=True, help="Where to write; '-' is stdout.")
@choose_engine("the page is the same.")
@click.option(
    "--plan-memory",
    is_flag=True,
    help="Let buffers share memory first, as 'dealog opt --plan-memory' does, and show the plan of each function.",
)
@normalize
@allow_unregistered
@with_deallocation
@with_extensions
def report_(
    input_path: str,
    output_path: str,
    engine: EngineName,
    plan_memory: bool,
    normalize: bool,
    allow_unregistered: bool,
    deallocation: Deallocation,
    extensions: Extensions,
) -> None:
    """Deallocate all buffers as 'dealog dealloc' does, and write a page about it.

    \b
        dealog report model.mlir -o report.html

    The page is one file that needs nothing else: the output beside the source, the control flow, live ranges
    and alias classes of each function as pictures, and every decision with its proof. With --plan-memory, it also
    shows where buffers lie in shared memory, and when. What 'dealog dealloc'
    refuses is refused here, with the same message.
    """
    from dealog.job import read_module
    from dealog.messages import is_terminal
    from dealog.pipeline import Engine, make_steps
    from dealog.report import render
    from dealog.report_contents.account import findings_in, report_on
    from dealog.splitting import Chunk
    from dealog.stopwatch import Stopwatch

    text, name = read_text(input_path)
    steps = [*(make_steps("plan-memory") if plan_memory else ()), *deallocation.steps()]
    output = OutputFile(output_path)
    with Stopwatch(show=is_terminal()) as stopwatch:
        for_findings, module = (
            read_module(Chunk(text, 1), name, stopwatch, allow_unregistered, normalize, extensions) for _ in range(2)
        )
        with stopwatch("passes and proofs"):
            shown = report_on(module, steps, Engine(engine), extensions)
        with stopwatch("findings"):
            findings = findings_in(for_findings, steps, Engine(engine), extensions, shown)
        with stopwatch("page"):
            page = render(shown, findings)
    output.write(page)
