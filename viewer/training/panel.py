"""The Training panel sets what is learned, from what and how; and shows steps, loss and kept weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from imgui_bundle import ImVec2, ImVec4, imgui, implot

from texelscope.layouts.outside_text import in_cell
from texelscope.pipeline.training.losses import LOSSES
from texelscope.pipeline.training.request import OPTIMISER_NAMES
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.key_names import with_keys
from texelscope.viewer.panel import Panel
from texelscope.viewer.training.model.training import LossCurve, SavedState, Training, few_ticks
from texelscope.viewer.widgets.controls import as_label, checkbox, shortened


def draw(app: App) -> None:
    """Draws a row for each finding of the training, with its evidence below; nothing without findings."""
    for number, finding in enumerate(app.training.findings):
        imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.WARNING))
        title = f"{as_label(finding.cause)}: {as_label(finding.tensor)}##finding {number}"
        clicked, _ = imgui.selectable(title, p_selected=False)
        imgui.pop_style_color()
        app.mark(f"train finding {number}")
        if clicked and (layer := _layer(app, finding.tensor)) is not None:
            app.send("select", name=layer)
        imgui.indent(12 * app.scale)
        imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.QUIET))
        imgui.text_wrapped(in_cell(f"It {finding.evidence}"))
        imgui.pop_style_color()
        imgui.unindent(12 * app.scale)


def _layer(app: App, tensor: str) -> str | None:
    """Returns the input or pass that has the tensor."""
    session = app.document.session
    if session is None:
        return None
    if tensor in session.plan.inputs:
        return tensor
    return next((each.name for each in session.plan.passes if tensor in each.outputs), None)


# Below this ratio there may be less than two powers of ten on the axis.
_DECADE = 12.0


def loss_plot(curve: LossCurve, kept: Sequence[SavedState], *, logarithmic: bool) -> None:
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


def _marks(kept: Sequence[SavedState]) -> None:
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


# In pixels at scale 1: left part, start of controls in it, right part, and the gap between.
_LEFT, _COLUMN, _RIGHT, _GAP = 430.0, 70.0, 330.0, 14.0


class TrainingPanel(Panel):
    """Shows settings, buttons and progress; the loss; and why it does not fall, if known."""

    title = "Training"
    place = "bottom"
    order = 11
    key = ","
    comes_and_goes = True

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._logarithmic = True

    def is_there(self, app: App) -> bool:
        """Returns whether the user has requested training."""
        return app.training.is_wanted

    def draw(self, app: App) -> None:
        """Draws both halves; without a target only a hint."""
        target = app.document.target
        if target is None:
            imgui.text_disabled("Nothing is open." if not app.document.opening else f"{app.document.opening} …")
            return
        app.training.follow_target(target.path)
        wide = min(_LEFT * app.scale, imgui.get_content_region_avail().x * 0.55)
        imgui.begin_child("wishes", ImVec2(wide, 0))
        self._wishes(app)
        self._buttons(app)
        self._saving(app)
        _state(app)
        imgui.end_child()
        imgui.same_line(0, _GAP * app.scale)
        beside = _RIGHT * app.scale if app.training.findings else 0.0
        imgui.begin_child("curve", ImVec2(-beside, 0))
        self._curve(app)
        imgui.end_child()
        if beside:
            imgui.same_line(0, _GAP * app.scale)
            imgui.begin_child("findings")
            draw(app)
            imgui.end_child()

    def _wishes(self, app: App) -> None:
        """Draws the settings: data, weights and method, which are fixed once training has begun; and the rate."""
        asked, is_open = app.training.asked, app.training.trainer is not None
        imgui.begin_disabled(is_open)
        self._text(app, "Examples", "data", asked.data, "folder; empty: what the input holds now",
                   "Pairs NAME.png and NAME.target.png (or .npy), or a folder for each class")  # fmt: skip
        imgui.begin_disabled(bool(self._texts.get("data", asked.data).strip()))
        self._text(app, "Target", "target", asked.target, "picture, .npy or pattern", "The target for the output")
        imgui.end_disabled()
        self._text(app, "Learned", "weights", asked.weights, "weights; empty: those of the last layer",
                   "Names of weights, or their beginnings, separated by commas")  # fmt: skip
        _label(app, "Loss")
        _choice(app, "loss", asked.loss, tuple(LOSSES), 130)
        imgui.same_line()
        _choice(app, "optimiser", asked.optimiser, OPTIMISER_NAMES, 90)
        imgui.end_disabled()
        imgui.same_line()
        imgui.set_next_item_width(-1)
        changed, rate = imgui.input_float("##rate", asked.rate, 0.0, 0.0, "rate %.2g", _ON_RETURN)
        app.mark("train rate")
        imgui.set_item_tooltip("The size of a step; you can change it during training")
        if changed and rate > 0.0:
            app.send("train_rate", rate=rate)

    def _text(self, app: App, label: str, name: str, value: str, hint: str, tip: str) -> None:
        """Draws a text field, sent when it loses focus."""
        _label(app, label)
        imgui.set_next_item_width(-1)
        typed = self._texts.get(name, value)
        _, typed = imgui.input_text_with_hint(f"##{name}", hint, typed)
        app.mark(f"train {name}")
        imgui.set_item_tooltip(tip)
        is_left = imgui.is_item_deactivated_after_edit()
        if imgui.is_item_active() or is_left:
            self._texts[name] = typed
        else:
            self._texts.pop(name, None)
        if is_left:
            app.send("train_ask", **{name: typed.strip()})

    def _buttons(self, app: App) -> None:
        training = app.training
        _label(app, "")
        if imgui.button("Pause" if training.is_running else "Start"):
            app.send("train_run")
        app.mark("train run")
        imgui.set_item_tooltip(with_keys("Ctrl+Shift+L"))
        imgui.same_line()
        if imgui.button("One step"):
            app.send("train_step")
        app.mark("train step")
        imgui.set_item_tooltip(with_keys("Ctrl+Shift+N"))
        imgui.same_line()
        imgui.begin_disabled(training.trainer is None)
        if imgui.button("Keep"):
            app.send("train_keep")
        app.mark("train keep")
        imgui.set_item_tooltip(with_keys("Keeps the weights as they are now (Ctrl+Shift+K)"))
        imgui.same_line()
        _rewinding(app, training)
        imgui.same_line()
        if imgui.button("Anew"):
            app.send("train_anew")
        app.mark("train anew")
        imgui.set_item_tooltip("Reopens the model from its file, to train it in another way")
        imgui.end_disabled()

    def _saving(self, app: App) -> None:
        _label(app, "Save as")
        imgui.begin_disabled(app.training.trainer is None)
        imgui.set_next_item_width(-64.0 * app.scale)
        _, app.training.save_as = imgui.input_text("##path", app.training.save_as)
        app.mark("train path")
        imgui.same_line()
        if imgui.button("Save"):
            app.send("train_save", path=app.training.save_as)
        app.mark("train save")
        imgui.set_item_tooltip("The model with the weights as they are now, as an .onnx file")
        imgui.end_disabled()

    def _curve(self, app: App) -> None:
        training = app.training
        if not training.curve.steps:
            imgui.text_disabled("The loss of each step is drawn here.")
            return
        _, self._logarithmic = checkbox("logarithmic", self._logarithmic)
        app.mark("train logarithmic")
        loss_plot(training.curve, training.kept, logarithmic=self._logarithmic)
        app.mark("train plot")


_ON_RETURN = int(imgui.InputTextFlags_.enter_returns_true)


def _label(app: App, text: str) -> None:
    imgui.align_text_to_frame_padding()
    imgui.text_disabled(text)
    imgui.same_line(_COLUMN * app.scale)


def _choice(app: App, name: str, chosen: str, known: tuple[str, ...], width: float) -> None:
    imgui.set_next_item_width(width * app.scale)
    if imgui.begin_combo(f"##{name}", chosen):
        for each in known:
            if imgui.selectable(each, each == chosen)[0]:
                app.send("train_ask", **{name: each})
            app.mark(f"train {name} {each}")
        imgui.end_combo()
    else:
        app.mark(f"train {name}")


def _rewinding(app: App, training: Training) -> None:
    """Draws a list to go back to one of the kept states."""
    imgui.set_next_item_width(92 * app.scale)
    if imgui.begin_combo("##rewind", "Rewind", int(imgui.ComboFlags_.height_large)):
        for each in reversed(training.kept):
            if imgui.selectable(f"{_kept_words(each)}##{each.number}", p_selected=False)[0]:
                app.send("train_rewind", number=each.number)
            app.mark(f"train rewind {each.number}")
        imgui.end_combo()
    else:
        app.mark("train rewind")
        imgui.set_item_tooltip(with_keys("Goes back to kept weights; Ctrl+Shift+Z goes back to the last ones"))


def _kept_words(kept: SavedState) -> str:
    return f"step {kept.state.step}, loss {kept.loss:.4g}" if kept.loss is not None else "the start"


def _state(app: App) -> None:
    """Draws the number of steps, the newest loss, and the time per step."""
    training, trainer = app.training, app.training.trainer
    _label(app, "")
    if trainer is None:
        imgui.text_disabled("Not started.")
        return
    loss, took = training.curve.newest, training.milliseconds
    words = [f"step {trainer.steps}"]
    words += [f"loss {loss:.6g}"] if loss is not None else []
    words += [f"{took:.1f} ms a step"] if took is not None else []
    text = "   ".join(words)
    colour = theme.GOOD if training.is_running else theme.TEXT
    imgui.text_colored(colour, shortened(text, imgui.get_content_region_avail().x))
    app.mark("train state")


PANEL = TrainingPanel()
