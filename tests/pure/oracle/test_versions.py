"""Tests the folder of fast versions."""

from __future__ import annotations

from pathlib import Path

from texelscope.pipeline.oracle import fast
from texelscope.pipeline.oracle.versions import discover


def test_every_module_of_the_folder_lists_operators() -> None:
    modules = {path.stem for path in Path(fast.__path__[0]).glob("*.py") if path.stem != "__init__"}
    found = discover(fast)
    assert {evaluate.__module__.rpartition(".")[2] for evaluate in found.values()} == modules
    assert {"Conv", "ConvTranspose", "Resize"} <= set(found)
