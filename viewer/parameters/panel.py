"""The Parameters panel changes the numbers of the open target while it runs: an effect's, or a pipeline file's."""

from __future__ import annotations

import operator
from pathlib import Path
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.document.plan_kinds import as_drafted_plan
from texelscope.viewer.key_names import with_keys
from texelscope.viewer.panel import Panel
from texelscope.viewer.parameters.hook_rows import HookRows
from texelscope.viewer.parameters.model import file_plan, parameters_of, unsaved_values
from texelscope.viewer.parameters.value_rows import ValueRows
from texelscope.viewer.widgets.controls import as_label, shortened

if TYPE_CHECKING:
    from texelscope.pipeline.pipeline_values.pass_values import PassValue


class ParametersPanel(Panel):
    """Shows a row for each parameter of an effect, and for each value that a pipeline file gives its passes."""

    title = "Parameters"
    place = "bottom"
    order = 6
    comes_and_goes = True

    def __init__(self) -> None:
        self._hooks, self._rows = HookRows(), ValueRows()
        # What the known values were read of, which the plans of further frames share.
        self._read_of: tuple[object, ...] = ()
        self._known: tuple[PassValue, ...] = ()

    def is_there(self, app: App) -> bool:
        """Returns whether the open target has parameters or values."""
        return bool(parameters_of(app) or self._values(app))

    def comes_quietly(self, app: App) -> bool:
        """Returns whether it is about a pipeline file, which is opened to be compared in the first place."""
        return not parameters_of(app)

    def let_go(self) -> None:
        """Forgets what fields show."""
        self._hooks.let_go()
        self._rows.let_go()

    def draw(self, app: App) -> None:
        """Draws the buttons for all rows, and the rows."""
        parameters, values, target = parameters_of(app), self._values(app), app.document.target
        if target is None:
            return
        changed = frozenset(target.options.dialect) & {each.key for each in values}
        varied = any(each.initial != each.in_file for each in parameters)
        if values:
            self._save(app)
        self._steps(app)
        imgui.begin_disabled(not (varied or changed))
        if imgui.button("Reset all"):
            app.send("reset_parameters")
        app.mark("reset parameters")
        imgui.end_disabled()
        if values:
            imgui.same_line()
            self._state(app)
        self._hooks.draw(app, parameters)
        if values:
            self._rows.draw(app, values, changed)

    def _values(self, app: App) -> tuple[PassValue, ...]:
        """Returns the values of the open pipeline file, which are read once for each text of the file and shaders."""
        plan = file_plan(app)
        if plan is None:
            self._read_of, self._known = (), ()
            return ()
        from texelscope.pipeline.pipeline_values.pass_values import pass_values

        read_of = (plan.entries, plan.oracle_file, *(each.program for each in plan.passes))
        is_known = len(read_of) == len(self._read_of) and all(map(operator.is_, read_of, self._read_of))
        if not is_known:
            self._read_of, self._known = read_of, pass_values(plan)
        return self._known

    def _save(self, app: App) -> None:
        plan, target = file_plan(app), app.document.target
        assert target is not None
        is_draft = as_drafted_plan(plan) is not None
        imgui.begin_disabled(not (is_draft or unsaved_values(app)))
        name = Path(target.path).name
        if imgui.button("Write pipeline file" if is_draft else f"Save in {as_label(name)}"):
            app.send("save_values")
        app.mark("save values")
        imgui.end_disabled()
        advice = (
            "Writes the draft with these values" if is_draft else "Writes these numbers; all else in the file stays"
        )
        imgui.set_item_tooltip(with_keys(f"{advice} (Ctrl+S)"))
        imgui.same_line()

    def _steps(self, app: App) -> None:
        for label, command, is_there, keys in (
            ("Undo", "undo", app.deeds.can_undo, "Ctrl+Z"),
            ("Redo", "redo", app.deeds.can_redo, "Ctrl+Y"),
        ):
            imgui.begin_disabled(not is_there)
            if imgui.button(label):
                app.send(command)
            app.mark(f"{command} value")
            imgui.end_disabled()
            imgui.set_item_tooltip(with_keys(keys))
            imgui.same_line()

    def _state(self, app: App) -> None:
        unsaved = unsaved_values(app)
        imgui.align_text_to_frame_padding()
        if not unsaved:
            imgui.text_disabled("Drag a number, or double-click it to type.")
            return
        count = "1 value is" if len(unsaved) == 1 else f"{len(unsaved)} values are"
        text = f"{count} changed, not saved"
        imgui.text_colored(theme.WARNING, shortened(text, imgui.get_content_region_avail().x))
        app.mark("unsaved values")


PANEL = ParametersPanel()
