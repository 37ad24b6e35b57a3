"""The bug in the demo of a first start: something to find, with a button that takes it out again."""

from __future__ import annotations

from texelscope.viewer.app import App
from texelscope.viewer.commands.shader_edits import run_text

PASS = "down2"
# What computes it, in one layout or another; the line is the same in each.
FILES = ("shaders/operators/conv.channel_tiles_rgba.glsl", "shaders/operators/conv.glsl")
# The padding at the left is forgotten: the whole layer reads one column too far to the right.
RIGHT, WRONG = "- ivec2(PAD_TOP, PAD_LEFT)", "- ivec2(PAD_TOP, 0)"


def plant(app: App) -> None:
    """Has one pass of the open demo run with a wrong text of its shader; nothing is saved."""
    session = app.document.session
    found = session.plan.find(PASS) if session is not None else None
    file = next((each for each in found.program.files if each.path in FILES), None) if found is not None else None
    if file is None or RIGHT not in file.text:
        return
    run_text(app, PASS, file, file.text.replace(RIGHT, WRONG))
    app.log.add(f"'{PASS}' has a bug, planted for the tour: 'Back to the original' in its shader takes it out.")


def is_planted(app: App) -> bool:
    """Whether the bug is (still) there."""
    session = app.document.session
    if session is None or session.plan.find(PASS) is None:
        return False
    return any(each.path in FILES and WRONG in each.text for each in session.program_source(PASS).files)
