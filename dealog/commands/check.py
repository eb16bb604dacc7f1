"""`dealog check`: tell what the rules find in a module.

What the command needs is imported when it runs, as for the other commands.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from dealog.options import allow_unregistered, dynamic_ownership, given_extensions, normalize, with_extensions

if TYPE_CHECKING:
    from dealog.checking.findings import FindingKind
    from dealog.checking.formats import Checked
    from dealog.extensions import Extensions
    from dealog.pipeline import EngineName


@click.command(short_help="Tell what the rules find in a module: wasted buffers, clones, run-time checks.")
@click.argument("input_path", metavar="[IN]", default="-")
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "sarif"]), default="text", show_default=True,
    help="How the findings are written; sarif is SARIF 2.1.0.",
)  # fmt: skip
@click.option("-o", "output_path", metavar="OUT", default="-", help="Where to write; '-' is stdout.")
@click.option("--only", multiple=True, metavar="NAME", help="Look for this finding alone. May be given more than once.")
@click.option("--ignore", multiple=True, metavar="NAME", help="Leave this finding out. May be given more than once.")
@click.option(
    "--fail-on", type=click.Choice(["error", "warning", "note", "never"]), default="warning", show_default=True,
    help="From which severity on a finding makes the exit status 1.",
)  # fmt: skip
@click.option("--list", "listing", is_flag=True, help="Show what findings there are, and read no module.")
@click.option(
    "--engine", type=click.Choice(["auto", "souffle", "embedded"]), default="embedded", show_default=True,
    help="What evaluates the rules; the findings are the same.",
)  # fmt: skip
@normalize
@allow_unregistered
@dynamic_ownership
@with_extensions
def check(
    input_path: str,
    form: str,
    output_path: str,
    only: Sequence[str],
    ignore: Sequence[str],
    fail_on: str,
    listing: bool,
    engine: EngineName,
    normalize: bool,
    allow_unregistered: bool,
    private_function_dynamic_ownership: bool,
    extensions: Extensions,
) -> int:
    """Look for what is worth telling about bufferized MLIR: the findings that come with Dealog, and those that rule
    files given by --rules or --dialect declare.

    \b
        dealog check model.mlir
        dealog check model.mlir --rules ours.dl --format sarif -o model.sarif

    Each finding is a fact that the rules derive, and says how to ask for its proof.

    Exit status: 1 with a finding of the severity of --fail-on or worse, 1 with errors on stderr, else 0. Findings
    that are about a later stage of 'dealog dealloc' need a module that it takes; of one that it refuses the others
    are told, with the reason on stderr.
    """
    from dealog.checking.findings import LEVELS, declared
    from dealog.checking.formats import Checked
    from dealog.checking.run import find
    from dealog.files import OutputFile, read_text
    from dealog.job import read_module
    from dealog.passes import DEALLOCATION
    from dealog.pipeline import Engine, expand
    from dealog.splitting import Chunk
    from dealog.stages import Stages
    from dealog.terminal import is_terminal, report_all

    kinds = _chosen(declared(extensions.everything()), only, ignore)
    if listing:
        with OutputFile(output_path) as output:
            output.write(_listed(kinds, form))
        return 0
    flags = {
        "--normalize": normalize,
        "--allow-unregistered-dialect": allow_unregistered,
        "--private-function-dynamic-ownership": private_function_dynamic_ownership,
    }
    asked = [input_path, *(flag for flag, is_set in flags.items() if is_set)]
    asked += given_extensions()
    text, name = read_text(input_path)
    with OutputFile(output_path) as output:
        with Stages(show=is_terminal()) as stages:
            module = read_module(Chunk(text, 1), name, stages, allow_unregistered, normalize, extensions)
            options = "private-function-dynamic-ownership" if private_function_dynamic_ownership else ""
            with stages("check"):
                findings, refused = find(module, kinds, expand(DEALLOCATION, options), Engine(engine), extensions)
        checked = Checked(module.source, kinds, findings, refused, asked)
        output.write(_written(checked, form, output_path))
    report_all(refused)
    if form == "text":
        click.echo(checked.count, err=True)
    failing = LEVELS[: LEVELS.index(fail_on) + 1] if fail_on in LEVELS else ()
    return 1 if refused or any(finding.kind.level in failing for finding in findings) else 0


def _chosen(kinds: Sequence[FindingKind], only: Sequence[str], ignore: Sequence[str]) -> list[FindingKind]:
    """The findings that --only and --ignore leave."""
    from dealog.diagnostics import DealogError, Diagnostic, did_you_mean

    names = [kind.name for kind in kinds]
    for name in (*only, *ignore):
        if name not in names:
            hint = did_you_mean(name, names) or "'dealog check --list' shows what findings there are"
            raise DealogError(Diagnostic(f"there is no finding '{name}'", hint=hint))
    return [kind for kind in kinds if (not only or kind.name in only) and kind.name not in ignore]


def _listed(kinds: Sequence[FindingKind], form: str) -> str:
    """What findings there are."""
    from dealog.checking.formats import kinds_as_json

    if form == "json":
        return kinds_as_json(kinds)
    if form == "sarif":
        raise click.UsageError("--list is written as text or as json")
    width = max((len(kind.name) for kind in kinds), default=0)
    return "".join(f"{kind.name:{width}}  {kind.level:7}  {kind.summary}\n" for kind in kinds)


def _written(checked: Checked, form: str, output_path: str) -> str:
    from dealog.checking.formats import as_json, as_sarif, as_text
    from dealog.terminal import coloured

    if form == "json":
        return as_json(checked)
    if form == "sarif":
        return as_sarif(checked)
    text = as_text(checked)
    return coloured(text) if output_path == "-" and sys.stdout.isatty() else text
