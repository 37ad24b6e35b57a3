"""What the reader of mpv's shaders makes of GLSL is what the driver draws: parameters, scopes, conversions, order.

Each shader of the files in mpv_language matches, or has no readable network and says so with its line: a right
shader is never called wrong. A comment `//# name` begins a shader.
"""

from __future__ import annotations

import re
from pathlib import Path

import moderngl
import pytest

from texelscope import pipeline

FILES = Path(__file__).with_name("mpv_language")
DRAWN = "//!HOOK MAIN\n//!BIND MAIN\n"
HOOK = "vec4 hook() { return own(MAIN_tex(MAIN_pos), MAIN_texOff(vec2(1.0, 0.0))); }\n"
COMPUTED = "//!HOOK MAIN\n//!BIND MAIN\n//!COMPUTE 8 8\n"
# In a shader that is not read: what is said of the line.
SAID = re.compile(r" // < (.*)")


def shaders(name: str, before: str, behind: str = "") -> dict[str, str]:
    """Returns the shaders of a file, by their names."""
    _, *sections = (FILES / name).read_text(encoding="utf-8").split("//# ")
    return {title: f"{before}{text}{behind}" for title, _, text in (each.partition("\n") for each in sections)}


READ = shaders("read.glsl", DRAWN, HOOK) | shaders("shared.glsl", COMPUTED)
UNREAD = shaders("unread.glsl", DRAWN, HOOK) | shaders("unread_shared.glsl", COMPUTED)


def compared(text: str, gl: moderngl.Context, folder: Path) -> tuple[str, str]:
    """Returns the verdict about a shader's only pass, and what is said of it."""
    shader = folder / "own.glsl"
    shader.write_text(text, encoding="utf-8")
    with pipeline.open(shader, context=gl) as session:
        session.run()
        (judged,) = session.compare(findings=False).passes
    return judged.verdict, judged.message


@pytest.mark.parametrize("name", READ)
def test_driver_draws_what_is_read(name: str, gl: moderngl.Context, tmp_path: Path) -> None:
    assert compared(READ[name], gl, tmp_path) == ("match", "")


@pytest.mark.parametrize("name", UNREAD)
def test_what_is_not_followed_has_no_network_and_says_its_line(name: str, gl: moderngl.Context, tmp_path: Path) -> None:
    text = UNREAD[name]
    ((line, what),) = ((line, said[1]) for line, each in enumerate(text.split("\n"), 1) if (said := SAID.search(each)))
    verdict, message = compared(text, gl, tmp_path)
    assert verdict == "not_compared"
    assert message.startswith(f"It contains no readable network: own.glsl:{line} has ")
    assert what in message
