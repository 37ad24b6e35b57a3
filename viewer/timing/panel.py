"""The Timing panel shows the GPU time of every pass or fused form, of the last runs, and a roofline."""

from __future__ import annotations

import numpy as np
from imgui_bundle import ImVec2, ImVec4, imgui, implot

from texelscope.layouts.outside_text import one_line
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.key_names import with_keys
from texelscope.viewer.layers import menu as layer_menu
from texelscope.viewer.panel import Panel
from texelscope.viewer.timing.model import HISTORY_RUNS, Timings, row_name, whole_ms
from texelscope.viewer.timing.roofline_plot import roofline_plot
from texelscope.viewer.widgets import controls
from texelscope.viewer.widgets.controls import as_label, shortened_name

# This many runs fill the chart.
FEWEST_RUNS = 16
_NAME_WIDTH = 130.0


class TimingPanel(Panel):
    """Shows GPU time per pass as bars, over the last runs, or as a roofline."""

    title = "Timing"
    place = "bottom"
    order = 3
    key = "8"

    def __init__(self) -> None:
        self._timings = Timings()  # of runs that time each pass
        self._fused = Timings()

    def draw(self, app: App) -> None:
        """Draws passes at the left and runs at the right, or the roofline."""
        session = app.document.session
        if session is None:
            imgui.text_disabled("Nothing is open.")
            return
        run = app.document.run
        is_fused = run.groups is not None
        if is_fused:
            self._fused.update(session, run.items)
        else:
            run.wants_times = True  # while the panel is visible, passes run alone
            self._timings.update(session, untimed=run.untimed)
        if implot.get_current_context() is None:
            implot.create_context()
        total = self._shown(app).total_ms()
        if not total:
            imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.QUIET))
            imgui.text_wrapped(_without_times(app))
            imgui.pop_style_color()
            return
        if not is_fused and run.untimed:
            imgui.text_disabled("Times of an earlier run: the last one was not timed by pass. F5 times every pass.")
            app.mark("earlier times")
        if imgui.begin_tab_bar("ways"):
            for title, draw in (("Times", self._times), ("Roofline", self._roofline)):
                is_shown, _ = imgui.begin_tab_item(title)
                app.mark(f"timing {title}")
                if is_shown:
                    draw(app, total)
                    imgui.end_tab_item()
            imgui.end_tab_bar()

    def _shown(self, app: App) -> Timings:
        """Returns the times of runs of the same mode as the last one."""
        return self._timings if app.document.run.groups is None else self._fused

    def _times(self, app: App, total: float) -> None:
        width = imgui.get_content_region_avail().x
        imgui.begin_child("passes", ImVec2(width * 0.5, 0))
        self._passes(app, total)
        imgui.end_child()
        imgui.same_line()
        self._runs(app, total)

    def _roofline(self, app: App, _total: float) -> None:
        """Draws the roofline; measuring the device takes a second or two, on request, while passes wait."""
        session = app.document.session
        assert session is not None
        if not self._timings.total_ms():
            imgui.text_disabled(
                with_keys("The roofline needs passes that run separately: press Alt+F5 to observe everything.")
            )
            return
        if app.analyses.roofline.peaks is None:
            if app.analyses.roofline.is_under_way:
                imgui.text_disabled("Measuring what this device can do …")
                return
            if imgui.button("Measure this device"):
                app.send("measure_device")
            app.mark("measure device")
            imgui.text_disabled("Measures how fast it can compute, read and write, which limits every pass.")
            return
        times = {each.name: self._timings.median_ms(each.name) or 0.0 for each in app.document.passes}
        chart = app.analyses.roofline.chart(session, times)
        if chart is None:
            imgui.text_disabled("Counting the work of the passes …")
            return
        clicked = roofline_plot(chart, app.selected, app.scale)
        app.mark("roofline")
        if clicked is not None:
            app.send("select", name=clicked)

    def _passes(self, app: App, total: float) -> None:
        timings, rows = self._shown(app), _rows(app)
        times = {name: timings.median_ms(name) or 0.0 for name in rows}
        longest = max(times.values()) or 1.0
        chosen = app.selected
        flags = imgui.TableFlags_.sizing_fixed_fit | imgui.TableFlags_.scroll_y | imgui.TableFlags_.row_bg
        if not imgui.begin_table("times", 3, int(flags)):
            return
        imgui.table_setup_column("pass", int(imgui.TableColumnFlags_.width_fixed), _NAME_WIDTH * app.scale)
        imgui.table_setup_column("bar", int(imgui.TableColumnFlags_.width_stretch))
        imgui.table_setup_column("time", int(imgui.TableColumnFlags_.width_fixed), 130 * app.scale)
        for name, elapsed in times.items():
            imgui.table_next_row()
            imgui.table_next_column()
            shown = as_label(shortened_name(name, _NAME_WIDTH * app.scale))
            is_chosen = chosen in (rows[name], name)
            if imgui.selectable(f"{shown}##{name}", is_chosen, int(imgui.SelectableFlags_.span_all_columns))[0]:
                app.send("select", name=rows[name])
            app.mark(f"timing of {name}")
            if imgui.begin_popup_context_item(f"menu of {name}"):
                lines = [f"{each}\t{took:.3f} ms" for each, took in times.items()]
                controls.copy_entries(app, {"Copy all times": "\n".join(lines)})
                imgui.separator()
                layer_menu.offers(app, rows[name])
                imgui.end_popup()
            imgui.set_item_tooltip(one_line(name))
            imgui.table_next_column()
            corner, room = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
            height = imgui.get_text_line_height()
            colour = theme.packed(theme.ACCENT if is_chosen else theme.QUIET, 0.8)
            end = ImVec2(corner.x + max(room * elapsed / longest, 1.0), corner.y + height - 2)
            imgui.get_window_draw_list().add_rect_filled(ImVec2(corner.x, corner.y + 2), end, colour, 2.0)
            imgui.table_next_column()
            _at_right(f"{elapsed:.2f} ms", 74 * app.scale)
            imgui.same_line(0, 0)
            _at_right(f"{elapsed / total:.1%}", 54 * app.scale)
        imgui.end_table()

    def _runs(self, app: App, total: float) -> None:
        """Draws bars, the newest at the right; few runs are as wide as many would be narrow."""
        imgui.begin_group()
        timings = self._shown(app)
        imgui.text_unformatted(f"{total:.1f} ms on the GPU")
        imgui.same_line()
        imgui.text_disabled("medians of the last runs" if len(timings.totals_ms()) > 1 else "one run; F8 repeats")
        if other := _other_mode(app):
            imgui.text_disabled(other)
            app.mark("other mode")
        flags = implot.Flags_.no_menus | implot.Flags_.no_box_select | implot.Flags_.no_mouse_text
        implot.push_style_color(int(implot.Col_.plot_bg), ImVec4(*theme.BACKGROUND))
        implot.push_style_var(int(implot.StyleVar_.plot_min_size), ImVec2(80, 60))
        if implot.begin_plot("##runs", ImVec2(-1, -1), int(flags)):
            bare = implot.AxisFlags_.no_grid_lines | implot.AxisFlags_.no_tick_marks | implot.AxisFlags_.no_tick_labels
            implot.setup_axes("", "ms", int(bare), int(implot.AxisFlags_.no_highlight))
            totals = np.array(timings.totals_ms())
            top = max(float(totals.max(initial=0.0)), total) * 1.4  # room for the legend above the bars
            shown = min(max(len(totals), FEWEST_RUNS), HISTORY_RUNS)
            implot.setup_axes_limits(len(totals) - shown - 0.5, len(totals) - 0.5, 0.0, top, int(imgui.Cond_.always))
            legend = implot.LegendFlags_.horizontal | implot.LegendFlags_.no_buttons
            implot.setup_legend(int(implot.Location_.north_west), int(legend))
            implot.plot_bars("everything", totals, 0.8)
            chosen = next((name for name, stored in _rows(app).items() if app.selected in (name, stored)), "")
            own = np.array(timings.history_ms(chosen)[-len(totals) :])
            if own.size:
                implot.plot_bars(chosen, own, 0.8)
            implot.end_plot()
        implot.pop_style_var()
        implot.pop_style_color()
        imgui.end_group()


def _rows(app: App) -> dict[str, str]:
    """Maps each timed unit's name to the pass whose tensor represents it."""
    run, session = app.document.run, app.document.session
    assert session is not None
    if run.groups is None:
        return {each.name: each.name for each in run.passes}
    plan = session.plan
    return {
        row_name(item): plan.pass_called((*item.writes, *item.parts)[0]).name if isinstance(item, Lowering) else item
        for item in run.items
    }


def _without_times(app: App) -> str:
    """Returns why there are no times: nothing has run, or the driver's timer cannot time it."""
    run = app.document.run
    if not run.position or run.is_under_way or run.milliseconds is None:
        return "Nothing has run yet: F5 runs everything, F8 again and again."
    return f"This driver cannot time single dispatches. The last run took {run.milliseconds:.1f} ms in all."


def _other_mode(app: App) -> str:
    """Returns the last run's time in the other run mode; empty if there was none."""
    run, session = app.document.run, app.document.session
    if session is None:
        return ""
    is_fused = run.groups is not None
    names = [each.name for each in run.passes] if is_fused else [row_name(item) for item in run.items]
    took = whole_ms(session, names)
    if took is None:
        return ""
    return f"{took:.1f} ms observing everything" if is_fused else f"{took:.1f} ms fused"


def _at_right(text: str, width: float) -> None:
    """Draws a right-aligned text in `width` pixels, so that numbers line up."""
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(width - imgui.calc_text_size(text).x, 0.0))
    imgui.text_unformatted(text)


PANEL = TimingPanel()
