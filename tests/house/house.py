"""The layout of the house, read from `pyproject.toml`: what the house tests and the type check go by."""

from __future__ import annotations

import ast
import os
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]


def packages() -> dict[str, Path]:
    """Each package of the distribution, and the folder that it is made of."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    return {name: ROOT / settings["package-dir"][name] for name in settings["packages"]}


def modules() -> dict[str, Path]:
    """Each module of the distribution by its full name, packages included, and its file."""
    found = {}
    for package, folder in packages().items():
        for file in folder.glob("*.py"):
            found[package if file.stem == "__init__" else f"{package}.{file.stem}"] = file
    return found


def link_tree(folder: Path) -> None:
    """Lay the package out in `folder` as it is installed, with links in place of the files.

    Tools that know nothing of setuptools' package-dir (mypy) find every module there.
    """
    for package, source in packages().items():
        target = folder / package.replace(".", "/")
        target.mkdir(parents=True, exist_ok=True)
        wanted = {
            file.name: file for file in source.iterdir() if file.suffix == ".py" or file.name == "py.typed"
        }
        for link in target.iterdir():
            if link.is_symlink() and link.name not in wanted:
                link.unlink()
        for name, file in wanted.items():
            if not (target / name).is_symlink():
                (target / name).symlink_to(os.path.relpath(file, target.resolve()))


@dataclass(frozen=True)
class Import:
    """`importer` imports the module `imported`; `typing` where that is for type annotations alone."""

    importer: str
    imported: str
    line: int
    typing: bool


@cache
def imports() -> tuple[Import, ...]:
    """Every import of one module of the distribution by another, at any depth in the code."""
    return tuple(_imports())


def _imports() -> Iterator[Import]:
    known = modules()
    for name, file in known.items():
        tree = ast.parse(file.read_text("utf-8"), filename=str(file))
        package = name if file.stem == "__init__" else name.rpartition(".")[0]
        for node, typing in _import_nodes(tree):
            for imported in _imported(node, package, known):
                if imported != name:
                    yield Import(name, imported, node.lineno, typing)


def _import_nodes(tree: ast.AST) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    work = [(tree, False)]
    while work:
        node, typing = work.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, typing
        if isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            work += [(child, True) for child in node.body]
            work += [(child, typing) for child in node.orelse]
        else:
            work += [(child, typing) for child in ast.iter_child_nodes(node)]


def _imported(node: ast.Import | ast.ImportFrom, package: str, known: dict[str, Path]) -> Iterator[str]:
    """The modules of the distribution that `node` imports; a name from a package may be a module itself."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.name.partition(".")[0] == "dealog":
                yield alias.name
        return
    base = node.module or ""
    if node.level:
        parts = package.split(".")[: len(package.split(".")) - node.level + 1]
        base = ".".join([*parts, *([node.module] if node.module else [])])
    if base.partition(".")[0] != "dealog":
        return
    for alias in node.names:
        inner = f"{base}.{alias.name}"
        yield inner if inner in known else base
