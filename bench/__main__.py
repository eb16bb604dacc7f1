"""`python -m bench`: measure, and print the tables."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from bench import contenders, table
from bench.settings import Settings
from bench.tables import TABLES

_WRITTEN = Path(__file__).resolve().parents[1] / "docs" / "bench.md"


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("names", metavar="[TABLE]...", nargs=-1, type=click.Choice(list(TABLES)))
@click.option("--quick", is_flag=True, help="Small sizes, one round, short time-outs: a few minutes in all.")
@click.option(
    "--family",
    "families",
    multiple=True,
    metavar="NAME",
    help="Only this family, example or group of programs; may be given several times.",
)
@click.option("--largest", type=click.IntRange(min=1), metavar="N", help="No size of a family above N.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="The most that one command may take: by default 60, with --quick 10.",
)
@click.option("--rounds", type=click.IntRange(min=1), metavar="R", help="How often each is measured.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--write", is_flag=True, help=f"Also write docs/{_WRITTEN.name}; not on a busy machine.")
def main(
    names: tuple[str, ...],
    quick: bool,
    families: tuple[str, ...],
    largest: int | None,
    timeout: float | None,
    rounds: int | None,
    as_json: bool,
    write: bool,
) -> None:
    """Measure Dealog side by side with mlir-opt and xDSL, and print the tables (by default all)."""
    if contenders.load() >= contenders.BUSY:
        said = f"the load of this machine is {contenders.load():.1f}: the times are not worth keeping"
        if write:
            raise click.ClickException(f"{said}; --write wants less than {contenders.BUSY}")
        click.echo(f"warning: {said}", err=True)
    settings = Settings(
        quick,
        timeout or (10.0 if quick else 60.0),
        rounds or (1 if quick else 3),
        families,
        largest,
        lambda what: click.echo(what, err=True),
    )
    once = settings.rounds == 1
    header = [*contenders.header(), "each measured once" if once else f"medians of {settings.rounds} rounds"]
    tables = [made for name in (names or TABLES) for made in TABLES[name](settings)]
    if families and not any(made.rows for made in tables):
        raise click.ClickException(
            f"nothing is called {' or '.join(map(repr, families))} in the tables asked for"
        )
    if as_json:
        click.echo(table.to_json(tables, header))
    elif sys.stdout.isatty():
        table.show(tables, header)
    else:
        click.echo(table.to_markdown(tables, header))
    if write:
        text = f"# Measurements\n\nMade by `make bench`.\n\n{table.to_markdown(tables, header)}"
        _WRITTEN.write_text(text.rstrip() + "\n")


if __name__ == "__main__":
    main()
