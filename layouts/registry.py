"""Finds the layouts: one per module in this package's folders or in an installed distribution, checked on first use."""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
from collections.abc import Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from types import ModuleType
from typing import Any

from texelscope.layouts.base import Layout
from texelscope.layouts.errors import LayoutError, TexelscopeError, nearest
from texelscope.layouts.installed import EntryPoint, entry_points, leave_out
from texelscope.layouts.outside_text import said_by

# These modules of the folder hold no layout; any other must define exactly one.
NOT_LAYOUTS = frozenset(
    {
        "__init__", "axis_order", "base", "errors", "flat", "grid", "installed", "ncnn_mat", "ordered_flat",
        "outside_text", "rectangles", "registry", "search", "shapes", "storage_order",
    }
)  # fmt: skip


def all_layouts() -> dict[str, type[Layout]]:
    """Returns every layout class by name, in alphabetical order.

    Folders that are added to the package's `__path__` count too, and so do layouts of installed distributions.
    """
    return dict(everywhere(tuple(sys.modules[__package__].__path__), entry_points("layouts")))


def layout(name: str, **parameters: Any) -> Layout:
    """Returns the layout of that name; parameters left out take their defaults.

    Raises `LayoutError` for an unknown name or parameter, with the nearest valid one, and for a bad value.
    """
    classes = all_layouts()
    if name not in classes:
        raise LayoutError("layout", "the name of a layout", f"'{name}'", nearest(name, classes))
    valid = [field.name for field in fields(classes[name])]
    for parameter in parameters:
        if parameter not in valid:
            advice = nearest(parameter, valid) if valid else "It takes none."
            raise LayoutError(f"layout '{name}'", "one of its parameters", f"'{parameter}'", advice)
    return classes[name](**parameters)


def fitting(shape: Sequence[int], max_texture_texels: int) -> list[str]:
    """Returns the names of layouts, with default parameters, whose texture of `shape` has no side above the limit."""
    return [name for name, kind in all_layouts().items() if max(kind().texture_shape(shape)) <= max_texture_texels]


def discover(folder: Path, package: str) -> dict[str, type[Layout]]:
    """Imports and checks each layout module of `folder`, which is importable as `package`.

    Raises `LayoutError` naming the file for a module that fails to import or holds no valid layout.
    """
    found: dict[str, type[Layout]] = {}
    for path in sorted(folder.glob("*.py")):
        if path.stem in NOT_LAYOUTS:
            continue
        kind = _layout_class(path, f"{package}.{path.stem}")
        _check(str(path), kind, path.stem, "the file")
        found[kind.name] = kind
    return found


@functools.cache
def everywhere(folders: tuple[str, ...], plugins: tuple[EntryPoint, ...]) -> dict[str, type[Layout]]:
    """Finds the layouts of these folders and of installed distributions, by name; the result is kept."""
    found: dict[str, type[Layout]] = {}
    for folder in folders:
        found |= discover(Path(folder), __package__)
    for each in plugins:
        try:
            found[each.name] = _installed_layout(each, found)
        except TexelscopeError as error:
            leave_out(error)
    return {name: found[name] for name in sorted(found)}


def _installed_layout(plugin: EntryPoint, taken: dict[str, type[Layout]]) -> type[Layout]:
    kind = _only_layout(str(plugin), plugin.load())
    _check(str(plugin), kind, plugin.name, "its entry point")
    if plugin.name in taken:
        got = f"'{plugin.name}', also in {taken[plugin.name].__module__}"
        raise LayoutError(str(plugin), "a layout not defined elsewhere", got, "Remove one of the two.")
    return kind


def _layout_class(path: Path, module_name: str) -> type[Layout]:
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        raise LayoutError(
            str(path),
            "a layout module that imports",
            said_by(error, with_type=True),
            "Fix or remove the file.",
        ) from error
    return _only_layout(str(path), module)


def _only_layout(where: str, module: ModuleType) -> type[Layout]:
    kinds = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Layout) and value.__module__ == module.__name__
    ]
    if len(kinds) != 1:
        names = ", ".join(kind.__name__ for kind in kinds) or "none"
        raise LayoutError(where, "exactly one subclass of Layout", names, "One layout, one module.")
    return kinds[0]


def _check(where: str, kind: type[Layout], expected_name: str, called_after: str) -> None:
    def refuse(expected: str, got: str, do_next: str) -> LayoutError:
        return LayoutError(where, expected, got, do_next)

    if inspect.isabstract(kind):
        missing = ", ".join(sorted(kind.__abstractmethods__))
        raise refuse("every abstract method of Layout defined", f"{missing} missing", f"Add to {kind.__name__}.")
    if "__dataclass_params__" not in vars(kind):
        raise refuse("a frozen dataclass", f"plain class {kind.__name__}", "Put @dataclass(frozen=True) above it.")
    name = getattr(kind, "name", None)
    if name != expected_name:
        raise refuse(f"name = '{expected_name}', like {called_after}", repr(name), "Rename one of the two.")
    lanes = getattr(kind, "lanes", None)
    if lanes not in (1, 4):
        raise refuse("lanes of 1 or 4", repr(lanes), f"Set lanes in {kind.__name__}.")
    for parameter in fields(kind):
        if parameter.default is MISSING and parameter.default_factory is MISSING:
            raise refuse("a default for every parameter", f"none for '{parameter.name}'", "Give it one.")
