"""The Draft panel is a form of what a shader's drafted pipeline file says: each value can be changed, and is tried."""

from __future__ import annotations

from collections.abc import Mapping

from imgui_bundle import ImVec2, imgui

from texelscope.layouts import all_layouts
from texelscope.layouts.outside_text import in_cell
from texelscope.pipeline.draft.fields import Certainty, DraftFile, DraftTable, Field
from texelscope.pipeline.toml_text import value_text
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.document.plan_kinds import as_drafted_plan
from texelscope.viewer.panel import Panel

# Keys that a table says of itself, which are no choices of a person.
_FIXED = ("name", "shader", "vertex")


class DraftPanel(Panel):
    """Shows a row for each field, those to be filled in first: its value, and the reason where it is a guess."""

    title = "Draft"
    place = "bottom"
    order = 5
    comes_and_goes = True

    def __init__(self) -> None:
        self._typed: dict[str, str] = {}
        self._further_text = ""
        self._of = ""

    def is_there(self, app: App) -> bool:
        """Returns whether a shader without a pipeline file is open."""
        return _draft(app) is not None

    def let_go(self) -> None:
        """Forgets what was typed."""
        self._typed = {}

    def draw(self, app: App) -> None:
        """Draws what is left to fill in, and the form."""
        draft, target = _draft(app), app.document.target
        if draft is None or target is None:
            return
        if target.path != self._of:
            self._of, self._typed = target.path, {}
        self._head(app, draft)
        flags = imgui.TableFlags_.sizing_fixed_fit | imgui.TableFlags_.row_bg | imgui.TableFlags_.scroll_y
        if not imgui.begin_table("draft", 3, int(flags), ImVec2(0, imgui.get_content_region_avail().y)):
            return
        imgui.table_setup_column("field")
        imgui.table_setup_column("value", 0, 330 * app.scale)
        imgui.table_setup_column("why")
        rows = [(table, field) for table in draft.tables for field in _editable(table, target.options.dialect)]
        for table, field in sorted(rows, key=lambda row: row[1].certainty is not Certainty.ASKED):
            self._row(app, table, field)
        imgui.end_table()

    def _further(self, app: App) -> None:
        """Draws the line in which any field can be typed with its value."""
        imgui.set_next_item_width(260 * app.scale)
        entered, typed = imgui.input_text_with_hint(
            "##further", "any field = its value", self._further_text, int(imgui.InputTextFlags_.enter_returns_true)
        )
        app.mark("draft further")
        imgui.set_item_tooltip("For example image.dtype = uint8, or a field that stands below")
        self._further_text = typed
        key, equals, value = (part.strip() for part in typed.partition("="))
        target = app.document.target
        if equals and target is not None and target.options.dialect.get(key) == value:
            self._further_text = ""  # it was taken; one that was refused stays, to be corrected
        if entered and equals and key and value:
            _try(app, key, value)

    def _head(self, app: App, draft: DraftFile) -> None:
        asked = draft.count(Certainty.ASKED)
        if imgui.button("Write pipeline file"):
            app.send("keep_draft")
        app.mark("keep draft")
        imgui.set_item_tooltip("Writes these fields as a .toml file beside the shader, and opens it")
        imgui.same_line()
        self._further(app)
        imgui.same_line()
        if app.analyses.layouts.is_under_way:
            if imgui.small_button("Stop"):
                app.analyses.layouts.cancel()
            imgui.same_line()
            imgui.text_unformatted("Layouts are tried, until the passes match the model.")
        elif asked:
            imgui.text_colored(theme.WARNING, f"{asked} to fill in: until then a uniform is 0.")
        else:
            imgui.text_disabled("Change a guess and press Enter: it is tried at once.")

    def _row(self, app: App, table: DraftTable, field: Field) -> None:
        key = f"{'pipeline' if table.kind == 'pipeline' else table.name}.{field.key}"
        imgui.table_next_row()
        imgui.table_next_column()
        imgui.align_text_to_frame_padding()
        imgui.text_unformatted(in_cell(key))
        imgui.table_next_column()
        imgui.set_next_item_width(-1.0)
        if field.key.endswith("layout") and isinstance(getattr(field.value, "name", None), str):
            self._layout(app, key, field)
        else:
            self._text(app, key, field)
        imgui.table_next_column()
        imgui.align_text_to_frame_padding()
        if field.certainty is Certainty.ASKED:
            imgui.text_colored(theme.WARNING, in_cell(field.reason))
        else:
            imgui.text_disabled(in_cell(field.reason))

    def _text(self, app: App, key: str, field: Field) -> None:
        is_empty = field.certainty is Certainty.ASKED or field.value == ""
        shown = "" if is_empty else value_text(field.value)
        before = self._typed.get(key, shown)
        entered, typed = imgui.input_text(f"##{key}", before, int(imgui.InputTextFlags_.enter_returns_true))
        app.mark(f"draft {key}")
        if typed != shown:
            self._typed[key] = typed
        else:
            self._typed.pop(key, None)
        if entered and typed.strip():
            _try(app, key, typed.strip())

    def _layout(self, app: App, key: str, field: Field) -> None:
        if imgui.begin_combo(f"##{key}", str(field.value)):
            for name in all_layouts():
                if imgui.selectable(name, name == field.value.name)[0]:
                    _try(app, key, f'"{name}"')
                app.mark(f"layout {name}")
            imgui.end_combo()
        else:
            app.mark(f"draft {key}")


def _editable(table: DraftTable, values: Mapping[str, str]) -> tuple[Field, ...]:
    """Returns the fields that a person may change.

    Among them are the pipeline's model and further shaders, empty where there are none; `values` are what is typed.
    """
    from texelscope.pipeline.importers.planned_draft import SHADERS

    found = tuple(each for each in table.fields if each.key not in _FIXED)
    if table.kind != "pipeline":
        return found
    if table.field("model") is None:
        found = (Field("model", "", reason="an .onnx file in this folder: its tensors are the right values"), *found)
    others = Field("shaders", values.get(SHADERS, ""), reason="further shaders in this folder: a pass each")
    return (*found, others)


def _draft(app: App) -> DraftFile | None:
    session = app.document.session
    plan = as_drafted_plan(session.plan) if session is not None else None
    return plan.draft if plan is not None else None


def _try(app: App, key: str, value: str) -> None:
    assert app.document.target is not None
    app.send("reopen", dialect={**app.document.target.options.dialect, key: value})


PANEL = DraftPanel()
