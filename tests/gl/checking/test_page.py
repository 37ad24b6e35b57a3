"""The examples of docs/pytest.md are test files that pass."""

from __future__ import annotations

import re
import shutil

import pytest

from tests.checkout import ROOT
from tests.gl.checking.suite import Suite, suite

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.timeout(600)
__all__ = ["suite"]

PAGE = (ROOT / "docs" / "pytest.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
TESTS = [block for block in BLOCKS if "def test_" in block]


def test_every_example_passes_as_it_is(suite: Suite) -> None:
    for name in ("convolution_twice", "facades"):
        shutil.copytree(ROOT / "examples" / name, suite.folder / "examples" / name)
    assert len(TESTS) == 4
    for number, text in enumerate(TESTS):
        suite.write(f"tests/test_{number}.py", text)
    done = suite.run("-W", "error", "--texelscope-update-goldens")
    done.assert_outcomes(passed=12)
    assert "texelscope: golden written: tests/goldens/convolution.npz" in done.outlines


def test_the_page_names_what_there_is(suite: Suite) -> None:
    suite.target()
    shown = suite.run("--help").stdout.str()
    named = set(re.findall(r"--texelscope-[a-z-]+", PAGE))
    assert named == {"--texelscope-update-goldens", "--texelscope-html"}
    assert all(option in shown for option in named)
    fixtures = suite.run("--fixtures", "-q").stdout.str()
    named = set(re.findall(r"\b(?:\w+_)?texelscope_(?:check|session)\b", PAGE))
    assert len(named) == 4
    assert all(re.search(rf"^{name}\b", fixtures, re.MULTILINE) for name in named)
