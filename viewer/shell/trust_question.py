"""Asks, once for each content, whether the Python in a pipeline's oracle file may run."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from texelscope.pipeline.plan import OracleFile
from texelscope.viewer.app import App

_TITLE = "Run this pipeline's oracle?"


def draw(app: App) -> None:
    """Draws the question, while it is open."""
    oracle = _untrusted(app)
    if oracle is None or oracle.digest in app.state.declined:
        return
    viewport = imgui.get_main_viewport()
    imgui.set_next_window_pos(ImVec2(viewport.size.x / 2, viewport.size.y * 0.3), 0, ImVec2(0.5, 0.0))
    imgui.set_next_window_size(ImVec2(560 * app.scale, 0))
    flags = imgui.WindowFlags_
    fixed = flags.no_collapse | flags.no_docking | flags.no_resize | flags.no_saved_settings
    imgui.push_style_var(int(imgui.StyleVar_.window_border_size), 1.0)
    imgui.begin(_TITLE, None, int(fixed))
    imgui.pop_style_var()
    imgui.push_text_wrap_pos(0.0)
    imgui.text_unformatted(
        f"{oracle.path} defines what each pass should give. It is Python code and can do whatever you can do on this "
        "computer. Without it the passes run too, but nothing is compared."
    )
    imgui.text_disabled("You will be asked again if the file changes.")
    imgui.pop_text_wrap_pos()
    imgui.spacing()
    if imgui.button("Run it"):
        app.send("trust_oracle", digest=oracle.digest)
    app.mark("trust oracle")
    imgui.same_line()
    if imgui.button("Not now"):
        app.state.declined.add(oracle.digest)
    app.mark("decline oracle")
    if imgui.tree_node("Show its contents"):
        imgui.push_font(app.display.fonts.mono, 0.0)
        imgui.begin_child("text", ImVec2(0, 260 * app.scale))
        imgui.text_unformatted(oracle.text)
        imgui.end_child()
        imgui.pop_font()
        imgui.tree_pop()
    imgui.end()


def trust_oracle(app: App, digest: str) -> None:
    """Allows the oracle file with that content to run, now and later, and compares with it."""
    app.remembering.settings.trust(digest)
    app.remembering.save()
    app.document.reopen()


def _untrusted(app: App) -> OracleFile | None:
    session = app.document.session
    oracle = session.plan.oracle_file if session is not None else None
    return oracle if oracle is not None and not oracle.trusted else None
