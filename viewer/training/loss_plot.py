"""Plots the loss of every step, with marks at kept states; abandoned branches are faint."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from imgui_bundle import ImVec2, ImVec4, imgui, implot

from texelscope.viewer import theme
from texelscope.viewer.training.model.curve import LossCurve, few_ticks
from texelscope.viewer.training.model.training import Kept

# Below this ratio there may be less than two powers of ten on the axis.
_DECADE = 12.0


def loss_plot(curve: LossCurve, kept: Sequence[Kept], *, logarithmic: bool) -> None:
    """Draws the plot into the available room; axes follow the data."""
    if implot.get_current_context() is None:
        implot.create_context()
    flags = implot.Flags_.no_menus | implot.Flags_.no_box_select | implot.Flags_.no_legend
    implot.push_style_color(int(implot.Col_.plot_bg), ImVec4(*theme.BACKGROUND))
    implot.push_style_var(int(implot.StyleVar_.plot_min_size), ImVec2(80, 60))
    implot.push_style_var(int(implot.StyleVar_.fit_padding), ImVec2(0.02, 0.08))
    if implot.begin_plot("##loss", ImVec2(-1, -1), int(flags)):
        still = implot.AxisFlags_.no_highlight
        implot.setup_axes("step", "loss", int(still | implot.AxisFlags_.auto_fit), int(still))
        _height(curve, logarithmic=logarithmic)
        for number, branch in enumerate(curve.branches):
            _line(f"loss##{number}", *branch.drawn(), is_last=branch is curve.branches[-1])
        _marks(kept)
        implot.end_plot()
    implot.pop_style_var(2)
    implot.pop_style_color()


def _height(curve: LossCurve, *, logarithmic: bool) -> None:
    """Sets the axis of losses, with its own ticks for less than a decade: implot's are powers of ten."""
    low, high = curve.limits(logarithmic=logarithmic)
    axis = int(implot.ImAxis_.y1)
    implot.setup_axis_limits(axis, low, high, int(imgui.Cond_.always))
    if logarithmic:
        implot.setup_axis_scale(axis, int(implot.Scale_.log10))
        if high < _DECADE * low:
            ticks, texts = few_ticks(low, high)
            implot.setup_axis_ticks(axis, ticks, texts)


def _line(name: str, steps: np.ndarray, losses: np.ndarray, *, is_last: bool) -> None:
    if not len(steps):
        return
    spec = implot.Spec()
    spec.line_color = ImVec4(*(theme.ACCENT if is_last else theme.FAINT))
    spec.line_weight = 1.8 if is_last else 1.2
    if len(steps) == 1:  # no line yet
        spec.marker, spec.marker_size = int(implot.Marker_.circle), 3.0
        implot.plot_scatter(name, steps, losses, spec)
        return
    implot.plot_line(name, steps, losses, spec)


def _marks(kept: Sequence[Kept]) -> None:
    """Draws a dot at each kept state except the start, which has no loss yet."""
    places = [(each.state.step, each.loss) for each in kept if each.loss is not None]
    if not places:
        return
    spec = implot.Spec()
    spec.marker = int(implot.Marker_.diamond)
    spec.marker_size = 5.0
    spec.marker_fill_color = ImVec4(*theme.WARNING)
    spec.marker_line_color = ImVec4(*theme.WARNING)
    steps, losses = np.array(places, dtype=np.float64).T
    implot.plot_scatter("kept", np.ascontiguousarray(steps), np.ascontiguousarray(losses), spec)
