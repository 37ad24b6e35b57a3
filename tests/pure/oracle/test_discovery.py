"""The folder of fast versions: what is found, and what a bad module is told."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from pipeline.errors import TexelscopeError
from pipeline.oracle import fast
from pipeline.oracle.discovery import discover

GOOD = "OPERATOR = 'Relu'\ndef evaluate(invocation):\n    return None\n"


def discover_in(folder: Path, monkeypatch: pytest.MonkeyPatch, **modules: str) -> set[str]:
    """Operators found in a package of the given modules."""
    package = f"plugins_{folder.name}"
    (folder / package).mkdir()
    for name, text in {"__init__": "", **modules}.items():
        (folder / package / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(folder)
    try:
        return set(discover(importlib.import_module(package)))
    finally:
        for name in [name for name in sys.modules if name.split(".")[0] == package]:
            del sys.modules[name]


def test_every_module_of_the_folder_is_an_operator() -> None:
    modules = [path for path in Path(fast.__path__[0]).glob("*.py") if path.stem != "__init__"]
    found = discover(fast)
    assert len(found) == len(modules)
    assert {"Conv", "ConvTranspose", "Resize"} <= set(found)


def test_a_module_more_is_an_operator_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert discover_in(tmp_path, monkeypatch, relu=GOOD, abs=GOOD.replace("Relu", "Abs")) == {"Relu", "Abs"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def evaluate(invocation): ...\n", r"relu\.py: expected OPERATOR to name an ONNX operator, got None\."),
        ("OPERATOR = 'Relu'\n", r"relu\.py: expected a function evaluate\(invocation\), got None\."),
        ("import no_such_module\n", r"relu: expected a module that imports, got No module named 'no_such_module'\."),
    ],
)
def test_a_bad_module_is_refused_by_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    with pytest.raises(TexelscopeError, match=message):
        discover_in(tmp_path, monkeypatch, relu=text)


def test_two_modules_for_one_operator_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TexelscopeError, match=r"second\.py: expected an operator of its own, got a second 'Relu'\."):
        discover_in(tmp_path, monkeypatch, first=GOOD, second=GOOD)
