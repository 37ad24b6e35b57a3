"""Makes plug-ins for tests of discovery: in new packages, in an existing one, or installed.

`look_again` clears the caches of registries.
"""

from __future__ import annotations

import importlib
import itertools
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest

from texelscope.layouts import installed
from texelscope.layouts import registry as layouts
from texelscope.pipeline.diagnose.hypotheses import registry as hypotheses
from texelscope.pipeline.gradients.derivatives import registry as derivatives
from texelscope.pipeline.importers import registry as importers
from texelscope.pipeline.operators.families import registry as operators
from texelscope.pipeline.oracle import versions

MakePackage = Callable[[Mapping[str, str]], ModuleType]

_names = (f"plugged_in_{number}" for number in itertools.count())


def package_maker(folder: Path, patch: pytest.MonkeyPatch) -> MakePackage:
    """Makes an importable package in `folder` from texts of modules by name."""
    patch.syspath_prepend(folder)

    def make(modules: Mapping[str, str]) -> ModuleType:
        name = next(_names)
        (folder / name).mkdir()
        for stem, text in {"__init__": "", **modules}.items():
            (folder / name / f"{stem}.py").write_text(text, encoding="utf-8")
        return importlib.import_module(name)

    return make


@contextmanager
def added_to(package: ModuleType, folder: Path, modules: Mapping[str, str]) -> Iterator[None]:
    """Adds modules (texts by name) to `package`: writes them to `folder`, and removes them afterwards."""
    folder.mkdir(parents=True, exist_ok=True)
    for stem, text in modules.items():
        (folder / f"{stem}.py").write_text(text, encoding="utf-8")
    before = list(package.__path__)
    package.__path__ = [*before, str(folder)]
    look_again()
    try:
        yield
    finally:
        package.__path__ = before
        look_again()
        for stem in modules:
            sys.modules.pop(f"{package.__name__}.{stem}", None)
            vars(package).pop(stem, None)


@contextmanager
def distribution(folder: Path, entry_points: Mapping[str, Sequence[str]], files: Mapping[str, str]) -> Iterator[None]:
    """Adds a distribution `texelscope-scratch 1.0` in `folder`, as pip would leave it; removes it afterwards.

    `entry_points` are lines such as `name = module` by group, `files` are texts by path.
    """
    files = {**files, "texelscope_scratch-1.0.dist-info/METADATA": _METADATA}
    groups = "\n".join("\n".join([f"[{group}]", *lines, ""]) for group, lines in entry_points.items())
    for name, text in {**files, "texelscope_scratch-1.0.dist-info/entry_points.txt": groups}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    sys.path.insert(0, str(folder))
    before = set(sys.modules)
    look_again()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
                del sys.modules[name]
        look_again()


_METADATA = "Metadata-Version: 2.1\nName: texelscope-scratch\nVersion: 1.0\n"


def look_again() -> None:
    """Clears what was discovered, as in a program that has just started."""
    importlib.invalidate_caches()
    installed.look_again()
    importers.look_again()
    for found in (
        layouts.everywhere,  # cached for good, except in tests
        operators.all_listed,
        operators.all_operators,
        derivatives.all_derivatives,
        derivatives.flat,
        versions.discover,
        hypotheses.by_cause,
        hypotheses.in_turn,
    ):
        found.cache_clear()
    if panels := sys.modules.get("texelscope.viewer.panel"):
        panels.all_panels.cache_clear()
