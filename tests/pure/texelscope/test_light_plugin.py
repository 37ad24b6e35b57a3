"""Tests that the plug-in for pytest costs a suite next to nothing until a test uses it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.checkout import ROOT
from texelscope.pytest_plugin import page_name

HEAVY = {"numpy", "onnx", "moderngl", "glcontext", "OpenGL", "PIL", "tree_sitter", "psutil"}
OWN = {"texelscope", "texelscope.pytest_plugin"}


def loaded(what: str) -> set[str]:
    """Returns the modules that a process has after some Python, and had not before."""
    ask = f"import sys\nimport pytest\nbefore = set(sys.modules)\n{what}\nprint(*(set(sys.modules) - before))"
    answer = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(answer.stdout.split())


def test_loading_the_plugin_imports_itself_and_nothing_else() -> None:
    assert loaded("import texelscope.pytest_plugin") == OWN


def test_a_run_without_its_fixtures_imports_nothing_more() -> None:
    run = "pytest.main(['-q', '-p', 'texelscope.pytest_plugin', '-p', 'no:cacheprovider', '--fixtures', 'tests/caps'])"
    found = loaded(
        run.replace("pytest.main", "import io, contextlib\nwith contextlib.redirect_stdout(io.StringIO()): pytest.main")
    )
    assert found >= OWN
    assert {name for name in found if name.split(".")[0] in HEAVY | {"texelscope"}} == OWN


def test_this_suite_leaves_an_installed_plugin_out(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.pluginmanager.is_blocked("texelscope")
    assert not pytestconfig.pluginmanager.has_plugin("texelscope.pytest_plugin")


def test_the_names_of_the_package_are_there_and_import_nothing() -> None:
    assert loaded("import texelscope; assert {'check', 'open', 'WrongPassError'} <= set(dir(texelscope))") == {
        "texelscope"
    }


def test_names_of_pages_are_safe_and_unlike() -> None:
    ids = ["tests/test_a.py::test_b[x/y]", "tests/test_a.py::test_b[x y]", "tests/test_a.py::TestC::test_b", "é" * 300]
    names = [page_name(each) for each in ids]
    assert len(set(names)) == len(ids)
    assert all(
        name.replace("-", "").replace("_", "").isalnum() and name.isascii() and len(name) < 100 for name in names
    )
    assert names[2].startswith("tests-test_a-TestC-test_b-")
