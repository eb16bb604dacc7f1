"""`dealog rules`: read, check and test rules.

What a command needs is imported when it runs, as for the other commands.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dealog.data import json_text
from dealog.files import OutputFile
from dealog.options import choose_engine, output_path, with_deallocation, with_extensions

if TYPE_CHECKING:
    from dealog.deallocation import Deallocation
    from dealog.extensions import Extensions
    from dealog.pipeline import EngineName


@click.group("rules", short_help="Read, check and test rules.")
def rules_() -> None:
    """The rules behind every decision: what relations there are, and whether rules of your own are right."""


@rules_.command("list", short_help="List the relations, with what they mean.")
@click.argument("pattern", metavar="[PATTERN]", required=False)
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True,
    help="How the list is written; markdown: as a reference.",
)  # fmt: skip
@output_path
@with_extensions
def list_(pattern: str | None, form: str, output_path: str, extensions: Extensions) -> None:
    """List every relation by file: its columns, its kind, and what a tuple means.

    PATTERN chooses relations by name, as in a shell ('*alias*'), or by a part of the name of relation or file.

    Kinds: 'input' is a fact about the module, 'stated' is stated in rule files (what operations mean), 'derived' is
    derived, and an output is carried out by the pass that is named.
    """
    from dealog.rulebook import listing
    from dealog.rulebook.catalog import Catalog

    catalog = Catalog(extensions)
    entries = catalog.matching(pattern)
    if form == "json":
        text = json_text([listing.summary(entry) for entry in entries])
    elif form == "markdown":
        text = listing.as_markdown(catalog, entries)
    else:
        text = listing.as_list(catalog, entries, _width())
    OutputFile(output_path).write(text)


@rules_.command("packs", short_help="List the packs: rules about dialects of other projects.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True,
    help="How the list is written.",
)  # fmt: skip
@output_path
def packs(form: str, output_path: str) -> None:
    """List the rule files about dialects of other projects that come with Dealog, and how many operations they know.

    They take part where they are asked for: --pack NAME, or packs = ["NAME"] in dealog.toml.
    """
    from dealog.rulebook.packs import described

    known = described()
    if form == "json":
        text = json_text([pack.as_data() for pack in known])
    else:
        width = max(len(pack.name) for pack in known)
        text = "".join(f"{pack.name:{width}}  {pack.operations:3} operations  {pack.about}\n" for pack in known)
    OutputFile(output_path).write(text)


@rules_.command("show", short_help="Show everything about a relation.")
@click.argument("name", metavar="RELATION")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True,
    help="How it is written.",
)  # fmt: skip
@output_path
@with_extensions
def show(name: str, form: str, output_path: str, extensions: Extensions) -> None:
    """Show what a relation means, which rules derive it, what uses it, and in which passes it takes part."""
    from dealog.rulebook import listing
    from dealog.rulebook.catalog import Catalog

    catalog = Catalog(extensions)
    entry, strata = catalog.entry(name), len(catalog.program.strata)
    text = json_text(listing.everything(entry, strata)) if form == "json" else listing.as_page(entry, strata, _width())
    OutputFile(output_path).write(text)


@rules_.command("graph", short_help="Show what is derived from what.")
@click.argument("names", metavar="[RELATION]...", nargs=-1)
@click.option("--pass", "pass_name", metavar="PASS", help="Only the rules of one pass, and what its outputs need.")
@click.option("--depth", type=click.IntRange(min=0), metavar="N", help="Go down from RELATION by N steps.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "dot", "svg"]), default="text", show_default=True,
    help="How the graph is written.",
)  # fmt: skip
@click.option(
    "--by", type=click.Choice(["relation", "file"]),
    help="What a box of a picture is. [default: a relation; a file, if there are more than 40 derived relations]",
)  # fmt: skip
@output_path
@with_extensions
def graph(
    names: tuple[str, ...],
    pass_name: str | None,
    depth: int | None,
    form: str,
    by: Any,
    output_path: str,
    extensions: Extensions,
) -> None:
    """Show the relations in the order of their strata, and what each is derived from.

    A stratum is a set of relations that are recursive with each other. With RELATION, only that and what it is
    derived from. A '!' marks what is used through a negation or an aggregate; in pictures it is a dashed line.
    """
    from dealog.rulebook import graph
    from dealog.rulebook.catalog import Catalog

    if depth is not None and not names:
        raise click.UsageError("--depth is counted from a RELATION; name one")
    if by is not None and form not in ("dot", "svg"):
        raise click.UsageError("--by is for pictures: use it with --format svg or dot")
    catalog = Catalog(extensions)
    program = catalog.program
    goals = [catalog.known(name) for name in names]
    if pass_name is not None:
        program = catalog.pass_program(pass_name)
        foreign = next((name for name in goals if name not in program.relations), None)
        if foreign is not None:
            raise click.UsageError(f"the relation {foreign} is not part of the pass {pass_name}")
    if goals:
        shown = graph.below(program, goals, depth)
    elif pass_name is not None:
        shown = graph.below(program, [relation.name for relation in program.outputs])
    else:
        shown = graph.whole(program)
    by = by or graph.by_default(shown)
    if form == "text":
        text = graph.as_text(shown)
    elif form == "json":
        text = graph.as_json(shown)
    else:
        text = graph.as_dot(shown, by) if form == "dot" else graph.as_svg(shown, by)
    OutputFile(output_path).write(text)


@rules_.command("check", short_help="Check rule files: all that is wrong with them.")
@click.argument("files", metavar="[FILE.dl...]", nargs=-1, type=click.Path(path_type=Path))
@with_extensions
def check(files: tuple[Path, ...], extensions: Extensions) -> int:
    """Check rule files against the relations that come with Dealog, and those of --rules.

    Without FILE, the files of the project's settings, of --rules and of --dialect are checked.

    All errors are reported: names, arities, types, variables without a value, negation in a circle, what is not in the
    portable part of Datalog, and so on; when there are none, warnings about what is probably not meant. Several
    files are checked together.

    Exit status: 0, or 1 with errors.
    """
    from dealog.messages import report
    from dealog.rulebook.check import check

    files = files or extensions.rule_files
    if not files:
        raise click.UsageError("no rule file is given, and no settings name one")
    found = check(files, extensions)
    for diagnostic in found.diagnostics:
        report(diagnostic)
    click.echo(found.summary)
    return 1 if found.wrong else 0


@rules_.command("test", short_help="Run tests of rules: small modules that say what has to hold.")
@click.argument("paths", metavar="DIR...", nargs=-1, required=True, type=click.Path(path_type=Path))
@choose_engine("the answers are the same.")
@with_deallocation
@with_extensions
def test(
    paths: tuple[Path, ...], engine: EngineName, deallocation: Deallocation, extensions: Extensions
) -> int:
    """Run the tests in the *.mlir files of a folder, or single files.

    \b
        // pass: ownership-based-buffer-deallocation
        // expect: may_alias(%a, %b)
        // expect-not: retained(_, _, %c)
        // expect-all: may_refer_to(%a, X) { %a, "outside @f" }
        // expected-error @below {{ops with unknown memory side effects}}

    Each module of a file (they are divided by '// -----') is a test, and its comments say what has to hold: queries
    as for 'dealog query', and diagnostics as for --verify-diagnostics. With 'pass:', a test is about the module as
    that pass of 'dealog dealloc' sees it.

    Exit status: 0, or 1 if a test fails.
    """
    from dealog.messages import report
    from dealog.pipeline import Engine
    from dealog.rulebook import testing

    files = testing.find(paths)
    results = []
    for file in files:
        for result in testing.run(file, Engine(engine), extensions, deallocation):
            results.append(result)
            click.echo(testing.line(result))
            for diagnostic in result.diagnostics:
                report(diagnostic)
    click.echo(testing.summary(results))
    return 0 if all(result.passed for result in results) else 1


def _width() -> int:
    """How wide text is: as the terminal, up to what is easy to read; fixed in a pipe."""
    import shutil
    import sys

    from dealog.rulebook.listing import WIDTH

    return min(WIDTH, shutil.get_terminal_size().columns) if sys.stdout.isatty() else WIDTH
