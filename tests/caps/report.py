"""Puts sizes and reasons together: what exceeds and has no reason, what has one, and which reasons nothing needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path

from tests.caps.sizes import MOST, UNITS, Size, of_functions, of_module, of_packages
from tests.pure.source_tree import CODE, LIBRARY, files, syntax_of, text_of


def measured() -> Iterator[Size]:
    """Every module and function of the checkout, and every package of the product."""
    paths = files((".py",), below=CODE)
    modules = (of_module(path.as_posix(), text_of(path)) for path in paths)
    functions = (size for path in paths for size in of_functions(path.as_posix(), syntax_of(path)))
    packages = of_packages(path for path in paths if _is_in_a_package(path))
    return chain(modules, functions, packages)


def _is_in_a_package(path: Path) -> bool:
    return path.parts[0] in LIBRARY


def lines(sizes: Iterable[Size], reasons: Mapping[str, str]) -> list[str]:
    """A line for each that exceeds, the largest of its kind first; those with a reason come last."""
    found = sorted(
        (size for size in sizes if size.exceeds), key=lambda size: (size.name in reasons, size.kind, -size.count)
    )
    return [
        f"{size.kind} {size.name}: {size.count} {UNITS[size.kind]}, more than {MOST[size.kind]}. "
        f"{reasons.get(size.name, 'Is it two things?')}"
        for size in found
    ]


def unneeded(sizes: Iterable[Size], reasons: Mapping[str, str]) -> list[str]:
    """Names with a reason that exceed nothing, or are gone."""
    return sorted(reasons.keys() - {size.name for size in sizes if size.exceeds})
