"""`dealog rules`: read, check and test rules.

What a command needs is imported when it runs, as for the other commands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from dealog.options import with_extensions

if TYPE_CHECKING:
    from dealog.extensions import Extensions

_output = click.option("-o", "output_path", metavar="OUT", default="-", help="Where to write; '-' is stdout.")


@click.group("rules", short_help="Read, check and test rules.")
def rules_() -> None:
    """The rules behind every decision: what relations there are, and whether rules of your own are right."""


@rules_.command("graph", short_help="Show what is derived from what.")
@click.argument("names", metavar="[RELATION]...", nargs=-1)
@click.option("--pass", "pass_name", metavar="PASS", help="Only the rules of one pass, and what its outputs need.")
@click.option("--depth", type=click.IntRange(min=0), metavar="N", help="Go down from RELATION by so many steps.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "dot", "svg"]), default="text", show_default=True,
    help="How the graph is written.",
)  # fmt: skip
@click.option(
    "--by", type=click.Choice(["relation", "file"]),
    help="What a box of a picture is. [default: a relation; a file, if there are more than 40 derived relations]",
)  # fmt: skip
@_output
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
    from dealog import rules_graph
    from dealog.files import OutputFile
    from dealog.rules_catalog import Catalog

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
            raise click.UsageError(f"the relation {foreign} is no part of the pass {pass_name}")
    if goals:
        shown = rules_graph.below(program, goals, depth)
    elif pass_name is not None:
        shown = rules_graph.below(program, [relation.name for relation in program.outputs])
    else:
        shown = rules_graph.whole(program)
    by = by or rules_graph.by_default(shown)
    if form == "text":
        text = rules_graph.as_text(shown)
    elif form == "json":
        text = rules_graph.as_json(shown)
    else:
        text = rules_graph.as_dot(shown, by) if form == "dot" else rules_graph.as_svg(shown, by)
    with OutputFile(output_path) as output:
        output.write(text)
