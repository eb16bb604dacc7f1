"""Lays out the documentation for mkdocs in `build/docs`: the pages of docs/, the readme, and the reference, which is
generated from the commands, the passes and the rules. `make docs` runs it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "build" / "docs"


def main() -> None:
    """Write all pages anew."""
    shutil.rmtree(OUT, ignore_errors=True)
    (OUT / "reference").mkdir(parents=True)
    for page in sorted((ROOT / "docs").glob("*.md")):
        (OUT / page.name).write_text(page.read_text("utf-8"), "utf-8")
    readme = (ROOT / "README.md").read_text("utf-8")
    readme = readme.replace("](docs/", "](").replace("](LICENSE)", "](https://www.apache.org/licenses/LICENSE-2.0)")
    (OUT / "index.md").write_text(readme, "utf-8")
    (OUT / "changes.md").write_text((ROOT / "CHANGELOG.md").read_text("utf-8"), "utf-8")
    (OUT / "reference" / "commands.md").write_text(commands(), "utf-8")
    (OUT / "reference" / "passes.md").write_text(passes(), "utf-8")
    (OUT / "reference" / "relations.md").write_text(relations(), "utf-8")


def commands() -> str:
    """The help of each command."""
    from dealog.cli import dealog

    out = ["# Commands", "", "What `dealog COMMAND --help` shows.", ""]
    for name, command in _commands(dealog, ""):
        context = click.Context(command, info_name=f"dealog {name}", max_content_width=96)
        out += [f"## dealog {name}", "", "```text", command.get_help(context).replace("\b\n", ""), "```", ""]
    return "\n".join(out)


def _commands(group: click.Group, prefix: str) -> list[tuple[str, click.Command]]:
    found: list[tuple[str, click.Command]] = []
    for name, command in group.commands.items():
        full = f"{prefix}{name}"
        found.append((full, command))
        if isinstance(command, click.Group):
            found += _commands(command, f"{full} ")
    return found


def passes() -> str:
    """The passes and pipelines with their options."""
    from dealog.mlir_opt import class_name
    from dealog.passes import INSIDE_PIPELINES, PASSES, PIPELINES

    out = ["# Passes", "", "They have the names, the options and the defaults of mlir-opt's.", ""]
    for pass_ in PASSES.values():
        out += [f"## --{pass_.name}", "", f"{pass_.summary}.", ""]
        if pass_.options:
            out += ["| option | default | |", "|---|---|---|"]
            out += [f"| `{o.name}` | {o.default} | {o.summary} |" for o in pass_.options]
            out.append("")
        out += [f"In reports it is `{class_name(pass_.name)}`; its rules begin in `{pass_.program}.dl`.", ""]
    for pipeline in PIPELINES.values():
        named = ", ".join(f"`{p.name}{'=' + fixed if fixed else ''}`" for p, fixed in pipeline.passes)
        out += [f"## --{pipeline.name}", "", f"{pipeline.summary}: {named}.", ""]
    out += ["## Only inside of pipelines", ""]
    out += [f"- `{pass_.name}`: {pass_.summary}." for pass_ in INSIDE_PIPELINES]
    return "\n".join(out) + "\n"


def relations() -> str:
    """Every relation, by the file that declares it."""
    from dealog.extensions import NO_EXTENSIONS
    from dealog.rulebook.catalog import Catalog
    from dealog.rulebook.listing import as_markdown

    catalog = Catalog(NO_EXTENSIONS)
    text = as_markdown(catalog, catalog.matching(None))
    return "# Relations\n\n" + re.sub(r"\n{3,}", "\n\n", text)


if __name__ == "__main__":
    main()
