"""Plants a bug in the demo of the first start, with a button that removes it."""

from __future__ import annotations

from texelscope.viewer.app import App
from texelscope.viewer.shader_editor.edits import run_text

PASS = "down2"
# The pass that gets the bug, in any layout; the changed line is the same in each.
FILES = ("shaders/operators/conv.channel_tiles_rgba.glsl", "shaders/operators/conv.glsl")
# The bug forgets the padding at the left: the whole layer reads one column too far to the right.
RIGHT, WRONG = "- ivec2(PAD_TOP, PAD_LEFT)", "- ivec2(PAD_TOP, 0)"


def plant(app: App) -> None:
    """Makes one pass of the open demo run with a wrong shader text; nothing is saved."""
    session = app.document.session
    found = session.plan.find(PASS) if session is not None else None
    file = next((each for each in found.program.files if each.path in FILES), None) if found is not None else None
    if file is None or RIGHT not in file.text:
        return
    run_text(app, PASS, file, file.text.replace(RIGHT, WRONG))
    app.log.add(f"'{PASS}' has a bug, planted for the tour: 'Back to the original' in the shader panel removes it.")


def is_planted(app: App) -> bool:
    """Returns whether the planted bug is still there."""
    session = app.document.session
    if session is None or session.plan.find(PASS) is None:
        return False
    return any(each.path in FILES and WRONG in each.text for each in session.program_source(PASS).files)
