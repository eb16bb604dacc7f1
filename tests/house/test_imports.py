"""Imports run one way, as `BELOW` has it, and in no circle."""

import networkx

from .house import imports, modules, packages

BELOW = {
    "cache": set(),
    "diagnostics": set(),
    "frontend": {"cache", "diagnostics"},
    "rules": set(),
    "engine": {"cache", "diagnostics"},
    "rewriter": {"frontend", "diagnostics"},
    "execution": {"frontend", "diagnostics"},
    "explain": {"engine", "frontend", "diagnostics"},
    "report": {"explain"},
    "cli": {"report", "execution", "explain", "rewriter", "engine", "rules", "frontend", "diagnostics", "cache"},
}

INSIDE_THE_CLI = {
    "asking": set(),
    "checking": {"asking"},
    "report_contents": {"asking", "checking"},
    "scale": {"checking"},
    "lsp": {"asking", "checking", "report_contents"},
    "rulebook": {"asking", "checking"},
    "commands": {"asking", "checking", "report_contents", "rulebook", "lsp", "scale"},
}


def package_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in BELOW else "cli"


def part_of(module: str) -> str | None:
    """The part of the CLI that a module is in, if it is in one."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in INSIDE_THE_CLI else None


def test_every_room_has_its_place_in_the_order():
    assert {name.split(".")[1] for name in packages() if "." in name} == {*BELOW, *INSIDE_THE_CLI} - {"cli"}


def test_imports_run_downwards():
    wrong = [
        f"{each.importer}, line {each.line}, imports {each.imported}"
        for each in imports()
        if package_of(each.imported) not in {package_of(each.importer), *BELOW[package_of(each.importer)]}
    ]
    assert wrong == []


def test_imports_run_downwards_inside_the_cli():
    wrong = [
        f"{each.importer}, line {each.line}, imports {each.imported}"
        for each in imports()
        if (upper := part_of(each.importer)) and (lower := part_of(each.imported))
        if lower != upper and lower not in INSIDE_THE_CLI[upper]
    ]
    assert wrong == []


def test_the_scan_sees_the_imports_that_must_be_there():
    seen = {(package_of(each.importer), package_of(each.imported)) for each in imports()}
    assert {
        ("cli", "engine"),
        ("cli", "rewriter"),
        ("rewriter", "frontend"),
        ("engine", "diagnostics"),
    } <= seen


def test_no_import_circles():
    graph = networkx.DiGraph((each.importer, each.imported) for each in imports() if not each.typing)
    graph.remove_nodes_from(packages())  # what a package re-exports from its modules is no circle
    circles = [sorted(part) for part in networkx.strongly_connected_components(graph) if len(part) > 1]
    assert circles == []


def test_packages_do_not_form_circles():
    graph = networkx.DiGraph()
    for each in imports():
        if not each.typing and package_of(each.importer) != package_of(each.imported):
            graph.add_edge(package_of(each.importer), package_of(each.imported))
    assert networkx.is_directed_acyclic_graph(graph)


def test_rules_have_no_python_beyond_finding_files():
    assert {name for name in modules() if package_of(name) == "rules"} == {
        "dealog.rules",
    }
