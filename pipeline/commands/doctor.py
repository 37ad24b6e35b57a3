"""Implements doctor: checks the GL driver and this machine, with advice for what does not work."""

from __future__ import annotations

import importlib.metadata
import platform
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from texelscope.layouts.outside_text import MOST_LETTERS, in_cell
from texelscope.pipeline.display import display
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.context import DriverProbe, device_of, float_target, headless_context, limits_of, timer

if TYPE_CHECKING:
    import moderngl

_PACKAGES = (
    "numpy",
    "onnx",
    "moderngl",
    "pyglet",
    "imgui-bundle",
    "PyOpenGL",
    "Pillow",
    "tree-sitter",
    "watchfiles",
)


@dataclass(frozen=True)
class Check:
    """One check: its name, whether it passed, what was seen, and what to do if it failed."""

    name: str
    well: bool
    seen: str
    do_next: str = ""


def examine() -> tuple[Check, ...]:
    """Runs all checks. Never raises for what is missing: the check reports it."""
    checks = [
        Check(
            "Python",
            sys.version_info >= (3, 11),
            platform.python_version(),
            "Python 3.11 or newer is needed.",
        ),
        *_package_checks(),
    ]
    try:
        context = headless_context()
    except TexelscopeError as error:
        return (*checks, Check("OpenGL without a window", False, error.got, error.do_next))
    try:
        checks.extend(_driver_checks(context))
    finally:
        context.release()
    found = display()
    seen = found.name or f"none: {found.missing}"
    checks.append(Check("display for the window", bool(found.name), seen, f"Other commands work. {found.do_next}"))
    return tuple(checks)


def render(checks: tuple[Check, ...]) -> str:
    """Formats the checks for a terminal."""
    width = max(len(check.name) for check in checks)
    lines = []
    for check in checks:
        lines.append(
            f"{'●' if check.well else '✗'} {check.name.ljust(width)}  {in_cell(check.seen, MOST_LETTERS // 2)}"
        )
        if not check.well and check.do_next:
            lines.append(f"  {' ' * width}  → {check.do_next}")
    return "\n".join(lines)


def _package_checks() -> list[Check]:
    checks = []
    for name in _PACKAGES:
        try:
            checks.append(Check(name, True, importlib.metadata.version(name)))
        except importlib.metadata.PackageNotFoundError:
            checks.append(Check(name, False, "not installed", "Run 'make setup'."))
    return checks


def _driver_checks(context: moderngl.Context) -> list[Check]:
    device, limits = device_of(context), limits_of(context)
    version = context.version_code
    return [
        Check("OpenGL without a window", True, f"{device.renderer}, {device.version}"),
        Check(
            "OpenGL version",
            version >= 330,
            f"{version // 100}.{version // 10 % 10}",
            "OpenGL 3.3 core or newer is needed.",
        ),
        Check(
            "texture size",
            limits.max_texture_texels >= 8192,
            f"{limits.max_texture_texels} texels a side",
            "The largest layers will not fit, whatever their layout; use a smaller --shape.",
        ),
        Check(
            "samplers in a fragment shader",
            limits.max_samplers >= 16,
            str(context.info["GL_MAX_TEXTURE_IMAGE_UNITS"]),
            "Wide nodes are split into more passes.",
        ),
        _probed("float32 render targets", float_target(context), "Update the driver."),
        _probed("GPU timers", timer(context), "Times per pass are not shown."),
        Check(
            "storage buffers (recorded texture reads)",
            version >= 430,
            "yes" if version >= 430 else "no",
            "Reads are recorded by scanning instead; slower, same result.",
        ),
        Check(
            "debug labels (RenderDoc)",
            bool(context.supports_labels),
            "yes" if context.supports_labels else "no",
            "Captures show numbers instead of names.",
        ),
    ]


def _probed(name: str, probe: DriverProbe, do_next: str) -> Check:
    return Check(name, probe.passed, probe.seen, do_next)
