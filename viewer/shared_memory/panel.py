"""The Shared memory panel shows what a work group holds in shared memory, barrier by barrier."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import ImVec2, imgui

from texelscope.pipeline.plan import Pass
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.debugger.stepping_commands import picked
from texelscope.viewer.panel import Panel
from texelscope.viewer.shared_memory import grid
from texelscope.viewer.shared_memory.model.recorded_group import RecordedGroup, has_shared_memory, who_words
from texelscope.viewer.widgets.controls import shortened

if TYPE_CHECKING:
    from texelscope.pipeline.read_trace.shared_contents import SharedVariable
    from texelscope.pipeline.read_trace.shared_memory import RecordedSharedMemory

_LEFT = 340.0


class SharedMemoryPanel(Panel):
    """Shows the shared memory of the group that writes the picked texel: a picture of each variable."""

    title = "Shared memory"
    place = "bottom"
    order = 2
    comes_and_goes = True

    def is_there(self, app: App) -> bool:
        """Returns whether the selected pass is a compute shader with shared memory."""
        return _pass(app) is not None

    def draw(self, app: App) -> None:
        """Draws phase, invocation and accesses at the left, the variables beside them."""
        session, of, group = app.document.session, picked(app), app.debugger.work_group
        if session is None or of is None or not session.has_run(of[0]):
            imgui.text_wrapped("Click a texel to see here the shared memory of the work group that writes it.")
            return
        if not group.is_fresh(session, *of):
            app.send("record_group", name=of[0], element=of[1])
        if group.of != of or group.memory is None:
            imgui.text_wrapped(group.problem if group.of == of else "Recording the work group …")
            return
        width = imgui.get_content_region_avail().x
        imgui.begin_child("phase", ImVec2(min(width * 0.42, _LEFT * app.scale), 0))
        _phase(app, group, group.memory)
        _accesses(app, group)
        imgui.end_child()
        imgui.same_line()
        imgui.begin_child("variables", ImVec2(0, 0), 0, int(imgui.WindowFlags_.horizontal_scrollbar))
        _variables(app, group, group.memory)
        imgui.end_child()


def _pass(app: App) -> Pass | None:
    session = app.document.session
    found = session.plan.find(app.selected or "") if session is not None else None
    if session is None or found is None or found.dispatch is None:
        return None
    return found if has_shared_memory(session.program_source(found.name).fragment) else None


def _phase(app: App, group: RecordedGroup, memory: RecordedSharedMemory) -> None:
    imgui.text_unformatted(f"Work group ({', '.join(map(str, memory.group))})")
    imgui.begin_disabled(group.phase == 0)
    if imgui.arrow_button("##before", imgui.Dir.left):
        app.send("previous_barrier")
    app.mark("previous barrier")
    imgui.end_disabled()
    imgui.set_item_tooltip("The barrier before (Alt+Left)")
    imgui.same_line()
    imgui.begin_disabled(group.phase >= len(memory.phases) - 1)
    if imgui.arrow_button("##after", imgui.Dir.right):
        app.send("next_barrier")
    app.mark("next barrier")
    imgui.end_disabled()
    imgui.set_item_tooltip("The next barrier (Alt+Right)")
    imgui.same_line()
    barrier = group.shown.barrier if group.shown is not None else None
    where = f"at the barrier on line {barrier.line}" if barrier is not None else "at the end"
    text = f"{group.phase + 1} of {len(memory.phases)}, {where}"
    if imgui.selectable(shortened(text, imgui.get_content_region_avail().x), False)[0] and barrier is not None:
        app.send("show_line", file=barrier.file, line=barrier.line)
    app.mark("barrier line")
    imgui.set_item_tooltip(f"{text}: shows the line")
    last = memory.size[0] * memory.size[1] * memory.size[2] - 1
    imgui.align_text_to_frame_padding()
    imgui.text_unformatted("Invocation")
    imgui.same_line()
    if memory.invocation != group.invocation:
        imgui.set_next_item_width(imgui.get_content_region_avail().x - 70 * app.scale)
    else:
        imgui.set_next_item_width(-1)
    changed, wanted = imgui.slider_int("##invocation", group.invocation, 0, last, who_words(memory, group.invocation))
    app.mark("shared invocation")
    imgui.set_item_tooltip("Its reads are framed green, its writes yellow; a click on an element shows who wrote it")
    if changed:
        group.invocation = min(max(wanted, 0), last)
    if memory.invocation != group.invocation:
        imgui.same_line()
        if imgui.button("Writer"):
            group.invocation = memory.invocation
        app.mark("shared writer")
        imgui.set_item_tooltip(f"Back to {who_words(memory, memory.invocation)}, which writes the picked texel")
    for hazard in memory.hazards:
        imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.BAD))
        imgui.text_wrapped(
            f"No barrier stands between the write of {hazard.name} on line {hazard.wrote.line} and another "
            f"invocation's access on line {hazard.touched.line}."
        )
        imgui.pop_style_color()
        app.mark("shared hazard")


def _accesses(app: App, group: RecordedGroup) -> None:
    """Draws what the shown invocation did since the last barrier, in order."""
    own = group.own()
    if not own:
        imgui.text_disabled("It touches no shared array in this phase.")
        return
    imgui.begin_child("accesses")
    clipper = imgui.ListClipper()
    clipper.begin(len(own))
    while clipper.step():
        for number in range(clipper.display_start, clipper.display_end):
            each = own[number]
            imgui.push_id(number)
            text = f":{each.site.line}  {'writes' if each.writes else 'reads'} {each.name}[{each.element}]"
            if imgui.selectable(text, False)[0]:
                app.send("show_line", file=each.site.file, line=each.site.line)
            app.mark(f"shared access {number}")
            imgui.set_item_tooltip(f"{each.site.text}\nelement {each.element}, counted row by row; shows the line")
            imgui.pop_id()
    imgui.end_child()


def _variables(app: App, group: RecordedGroup, memory: RecordedSharedMemory) -> None:
    room = imgui.get_content_region_avail()
    for number, each in enumerate(memory.variables):
        if number:
            imgui.same_line(0, 18 * app.scale)
        imgui.begin_group()
        imgui.text_unformatted(f"{each.type} {each.name}")
        if each.axes == 1 and each.lanes == 1:
            _row_length(app, group, each)
        share = room.x if len(memory.variables) == 1 else room.x * 0.7
        below = room.y - imgui.get_frame_height_with_spacing()
        for lane in range(each.lanes):
            if lane:
                imgui.same_line()
            imgui.begin_group()
            if each.lanes > 1:
                imgui.text_disabled("xyzw"[lane])
            imgui.push_id(lane)
            grid.draw(app, group, each, lane, ImVec2(share / each.lanes, below))
            imgui.pop_id()
            imgui.end_group()
        imgui.end_group()


def _row_length(app: App, group: RecordedGroup, variable: SharedVariable) -> None:
    """Draws a field for the elements in a row of an array of one axis."""
    held = group.shown.contents.get(variable.name) if group.shown is not None else None
    if held is None:
        return
    _, columns = group.extents(variable, len(held))
    imgui.same_line()
    imgui.set_next_item_width(90 * app.scale)
    changed, wanted = imgui.input_int("a row", columns, 1, 8)
    app.mark(f"shared row of {variable.name}")
    imgui.set_item_tooltip("How many elements stand in a row: the text has one axis, its meaning may have two")
    if changed:
        group.row_lengths[variable.name] = min(max(wanted, 1), len(held))


PANEL = SharedMemoryPanel()
