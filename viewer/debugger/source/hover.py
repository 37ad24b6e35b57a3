"""Shows the value of the name under the mouse, in the text of a shader that is stepped through."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.pipeline.trace.trace import SamplerState, Trace
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.debugger.model.index import TraceIndex
from texelscope.viewer.debugger.model.words import value_words
from texelscope.viewer.debugger.source.text_marks import EditorPage

# The most elements of an array that are shown.
_MOST = 12


def draw(app: App, page: EditorPage) -> None:
    """Draws a tooltip beside the mouse. Call inside the editor's child window, after its text was drawn."""
    stepping, index = app.debugger.stepping, app.debugger.stepping.index
    is_traced = stepping.of is not None and stepping.of[0] == page.name and page.is_as_run and not stepping.is_stale
    if index is None or not is_traced or not imgui.is_window_hovered():
        return
    mouse = imgui.get_mouse_pos()
    if not page.widget.is_mouse_pos_over_glyph(mouse):
        return
    lines = hovered(index, stepping.at, page.widget.get_word_at_mouse_pos(mouse))
    if not lines:
        return
    imgui.begin_tooltip()
    imgui.push_font(app.display.fonts.mono, theme.FONT_PIXELS)
    for text in lines:
        imgui.text_unformatted(text)
    imgui.pop_font()
    imgui.end_tooltip()
    app.display.places["hovered value"] = (mouse.x, mouse.y, 1.0, 1.0)


def hovered(index: TraceIndex, at: int, name: str) -> tuple[str, ...]:
    """Returns lines about a name before step `at`: its value, or an array's elements; empty for no variable."""
    found = [
        each for each in index.variables(at) if each.name == name or each.name.startswith((f"{name}[", f"{name}."))
    ]
    if found:
        lines = [f"{each.type} {each.name} = {value_words(each.value)}" for each in found[:_MOST]]
        return (*lines, "…") if len(found) > _MOST else tuple(lines)
    return _given(index.trace, name)


def _given(trace: Trace, name: str) -> tuple[str, ...]:
    if name == "gl_FragCoord":
        return (f"vec4 gl_FragCoord = {value_words(trace.frag_coord)}",)
    for values, kind in ((trace.uniforms, "uniform"), (trace.constants, "const")):
        if name in values:
            return (f"{kind} {name} = {value_words(values[name])}",)
    sampler = next((each for each in trace.samplers if each.uniform == name), None)
    return _sampler(sampler) if sampler is not None else ()


def _sampler(sampler: SamplerState) -> tuple[str, ...]:
    width, height = sampler.size
    return (f"sampler {sampler.uniform}: {sampler.key}, {width} x {height}, {sampler.filter}, {sampler.wrap}",)
