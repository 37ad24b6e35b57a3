"""Lists the versions of program, Python, packages and GL driver, to paste into a report."""

from __future__ import annotations

from collections.abc import Mapping

from texelscope.pipeline.crash_report.fault_log import package_lines, program_lines


def version_lines(info: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """Returns name and version of each, or that it is not installed; `info` comes from the GL context."""
    return (
        *program_lines(),
        ("GL driver", str(info["GL_RENDERER"])),
        ("GL version", str(info["GL_VERSION"])),
        ("GL vendor", str(info["GL_VENDOR"])),
        *package_lines(),
    )


def as_text(lines: tuple[tuple[str, str], ...]) -> str:
    """Returns a line for each."""
    return "".join(f"{name}: {version}\n" for name, version in lines)
