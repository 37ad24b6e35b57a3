"""The Training panel sets what is learned, from what and how; and shows steps, loss and kept weights."""

from __future__ import annotations

from pathlib import Path

from imgui_bundle import ImVec2, imgui

from texelscope.pipeline.training.losses import LOSSES
from texelscope.pipeline.training.request import OPTIMISER_NAMES
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.panel import Panel
from texelscope.viewer.training import finding_list
from texelscope.viewer.training.loss_plot import loss_plot
from texelscope.viewer.training.model.training import Kept, Training
from texelscope.viewer.widgets.short_text import shortened

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
        self._path = ""
        self._target = ""

    def is_there(self, app: App) -> bool:
        """Returns whether the user has requested training."""
        return app.training.is_wanted

    def draw(self, app: App) -> None:
        """Draws both halves; without a target only a hint."""
        target = app.document.target
        if target is None:
            imgui.text_disabled("Nothing is open." if not app.document.opening else f"{app.document.opening} …")
            return
        if self._target != target.path:
            self._target, path = target.path, Path(target.path)
            self._path = str(path.with_name(f"{path.stem}.trained.onnx"))
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
            finding_list.draw(app)
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
        imgui.set_item_tooltip("Ctrl+Shift+L")
        imgui.same_line()
        if imgui.button("One step"):
            app.send("train_step")
        app.mark("train step")
        imgui.set_item_tooltip("Ctrl+Shift+N")
        imgui.same_line()
        imgui.begin_disabled(training.trainer is None)
        if imgui.button("Keep"):
            app.send("train_keep")
        app.mark("train keep")
        imgui.set_item_tooltip("Keeps the weights as they are now (Ctrl+Shift+K)")
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
        _, self._path = imgui.input_text("##path", self._path)
        app.mark("train path")
        imgui.same_line()
        if imgui.button("Save"):
            app.send("train_save", path=self._path)
        app.mark("train save")
        imgui.set_item_tooltip("The model with the weights as they are now, as an .onnx file")
        imgui.end_disabled()

    def _curve(self, app: App) -> None:
        training = app.training
        if not training.curve.steps:
            imgui.text_disabled("The loss of each step is drawn here.")
            return
        _, self._logarithmic = imgui.checkbox("logarithmic", self._logarithmic)
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
        imgui.set_item_tooltip("Goes back to kept weights; Ctrl+Shift+Z goes back to the last ones")


def _kept_words(kept: Kept) -> str:
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
