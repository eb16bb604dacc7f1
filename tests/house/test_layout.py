"""Every folder that holds code of the distribution is a package of it, and the type check sees every module."""

import subprocess

from .house import ROOT, link_tree, modules, packages

NO_PACKAGES = {"tests", "bench", "docs", "examples", "build", "dist"}


def test_every_folder_with_code_is_a_package():
    known = set(packages().values())
    folders = {
        path.parent
        for top in ROOT.iterdir()
        if top.is_dir() and top.name not in NO_PACKAGES and not top.name.startswith(".")
        for path in top.rglob("*")
        if path.suffix in (".py", ".lark")
    }
    assert folders == known


def test_every_package_is_there():
    assert {name for name, folder in packages().items() if not (folder / "__init__.py").is_file()} == set()


def test_link_tree_holds_every_module(tmp_path):
    link_tree(tmp_path)
    linked = {path.resolve() for path in tmp_path.rglob("*.py")}
    assert linked == set(modules().values())


def test_link_tree_follows_removals(tmp_path):
    link_tree(tmp_path)
    gone = tmp_path / "dealog" / "gone.py"
    gone.symlink_to(tmp_path / "nowhere.py")
    link_tree(tmp_path)
    assert not gone.is_symlink()


def test_mypy_reports_a_type_error_in_a_linked_package(tmp_path):
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "wrong.py").write_text("number: int = 'text'\n")
    tree = tmp_path / "tree" / "dealog"
    tree.mkdir(parents=True)
    for name in ("__init__.py", "wrong.py"):
        (tree / name).symlink_to(package / name)
    import sys

    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml")]
    command += ["--cache-dir", str(tmp_path / "cache"), "--no-color-output"]
    done = subprocess.run(command, cwd=tree.parent, capture_output=True, text=True, check=False)
    assert "wrong.py:1: error: Incompatible types" in done.stdout
