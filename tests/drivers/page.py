"""Writes docs/drivers.md from what drivers showed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.drivers.catalogue import Driver
from tests.drivers.trials import Result

_HEAD = """# Drivers

`make drivers` writes this page; changes by hand are lost.

Texelscope needs OpenGL 3.3, or OpenGL ES 3.1 for commands without a window. These drivers compute on the processor,
so that anybody can try them. Each runs the same four things, in a process of its own: the demo, and `diff`, `step` and
`--fix` on [a network with a bug in each pass](../examples/webgl_cnn/README.md). A time is that of the whole command.
NVIDIA's driver runs the whole test suite as well.

| driver | what it calls itself | {headings} |
|---|---|{bars}|
"""
_ENVIRONMENT = """
## How to choose one

| driver | environment | Debian's packages |
|---|---|---|
"""
_TAIL = """
`texelscope doctor` says for each feature what your driver allows, and what to do about what it does not.
"""


@dataclass(frozen=True)
class Row:
    """A driver, what it calls itself, and its results by heading; `missing` says why there are none."""

    driver: Driver
    renderer: str
    results: Mapping[str, Result]
    missing: str = ""

    @property
    def passed(self) -> bool:
        """Whether everything runs as it should, or the reason that it does not is said."""
        return bool(self.results) and all(each.passed for each in self.results.values())


def page(rows: Sequence[Row]) -> str:
    """Returns the page."""
    headings = next((tuple(row.results) for row in rows if row.results), ())
    head = _HEAD.format(headings=" | ".join(headings), bars="---|" * (len(headings) - 1) + "---")
    table = "\n".join(_line(row, headings) for row in rows)
    choices = "\n".join(_choice(row.driver) for row in rows)
    return f"{head}{table}\n{_ENVIRONMENT}{choices}\n{_TAIL}"


def _line(row: Row, headings: Sequence[str]) -> str:
    cells = [_cell(row.results[each]) if each in row.results else "" for each in headings]
    if not row.results and cells:
        cells[0] = row.missing.replace("|", "\\|")
    return f"| {row.driver.name}: {row.driver.says} | {row.renderer.replace('|', '/')} | {' | '.join(cells)} |"


def _cell(result: Result) -> str:
    sign = "" if result.passed else "**no**: "
    return f"{sign}{result.words.replace('|', '/')} ({result.seconds:.1f} s)"


def _choice(driver: Driver) -> str:
    shown = [f"`{name}={value}`" for name, value in driver.environment.items() if name.isupper() and len(value) < 40]
    if driver.in_image:
        shown = ["the image of [Containerfile](install.md#in-a-container)"]
    if driver.fetched:
        shown.append("`LD_LIBRARY_PATH` with the folder of its `libEGL.so.1` and `libGLESv2.so.2`")
    packages = " ".join(("libegl1", "libgl1-mesa-dri", *driver.needs)) if not driver.fetched else "none has them"
    return f"| {driver.name} | {', '.join(shown) or 'none'} | {packages} |"
