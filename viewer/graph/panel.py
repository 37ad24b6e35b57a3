"""The Graph panel draws the network with skips and concatenations, and each layer's verdict, attributes and weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import repeat
from weakref import ref

import numpy as np
from imgui_bundle import ImVec2, imgui

from texelscope.pipeline.plan import Plan
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.graph import edges, minimap, scope_names
from texelscope.viewer.graph.boxes import BoxLook, Cuts, draw_bars, draw_box, level_of, texts_of
from texelscope.viewer.graph.model.camera import FITTED_ZOOM, Camera
from texelscope.viewer.graph.model.drawn_graph import DrawnGraph, drawn_graph, plan_scopes
from texelscope.viewer.graph.model.folding import Folds, GraphBox, count_words, is_wrong
from texelscope.viewer.graph.model.geometry import Indices
from texelscope.viewer.graph.model.node_details import NodeDetails, all_details
from texelscope.viewer.graph.model.scopes import LayerScopes
from texelscope.viewer.graph.model.search import GraphSearch, shape_of
from texelscope.viewer.graph.model.search import texts_of as searched_texts
from texelscope.viewer.graph.sheet import Sheet
from texelscope.viewer.graph.signs import SIGNS, BoxSigns
from texelscope.viewer.graph.tool_row import ToolRow
from texelscope.viewer.layers import menu as layer_menu
from texelscope.viewer.panel import Panel

CLICK_PIXELS = 4.0
# A bar that is smaller can be pointed at all the same.
_LEAST_TARGET = 4.0
_WHEEL = 1.2
# A mark of a found layer is so large from afar.
_FOUND_RADIUS = 4.0
# A tooltip names so many wrong layers of a folded box.
_MOST_NAMED = 6


class GraphPanel(Panel):
    """Draws the network as a graph: passes and inputs with their verdicts, skips as arcs, scopes as folded boxes."""

    title = "Graph"
    place = "centre"
    order = 1
    key = "3"

    def __init__(self) -> None:
        self._plan: Callable[[], Plan | None] = lambda: None  # a hidden panel must not keep a closed plan alive
        self._scopes = LayerScopes()
        self._folds = Folds()
        self._folded: frozenset[str] = frozenset()
        self._graph: DrawnGraph | None = None
        self._labels: tuple[str, ...] = ()
        self._found: tuple[str, DrawnGraph | None, Indices] = ("", None, np.zeros(0, dtype=np.intp))
        self._selected: str | None = None
        self._details: Mapping[str, NodeDetails] = {}
        self._search = GraphSearch()
        self._signs = BoxSigns()
        self._camera = Camera()
        self._row = ToolRow()
        self._cuts = Cuts()
        self._followed: str | None = None
        self._going_to = ""
        self._menu_of = ""

    def draw(self, app: App) -> None:
        """Draws the graph: the wheel zooms, dragging moves, F fits, a click selects, two open a tab or unfold."""
        session = app.document.session
        if session is None:
            imgui.text_disabled("Nothing is open.")
            return
        is_new = session.plan is not self._plan()
        if is_new:
            self._read(session.plan)
        self._selected = app.selected
        asked = self._row.draw(app, self._search, self._scopes)
        room, corner = imgui.get_content_region_avail(), imgui.get_cursor_screen_pos()
        size = ImVec2(max(room.x, 16.0), max(room.y, 16.0))
        self._camera.room = (size.x / app.scale, size.y / app.scale)
        graph = self._folded_graph(app, session.plan, is_new=is_new)
        if asked.fits or asked.shows_all:
            self._camera.fit(0.0 if asked.shows_all else FITTED_ZOOM)
        imgui.set_next_item_allow_overlap()
        imgui.invisible_button("graph", size)
        self._mouse(corner, app.scale)
        if imgui.is_window_focused() and imgui.is_key_pressed(imgui.Key.f):
            self._camera.fit()
        self._follow(graph)
        if asked.go_to:
            self._going_to = asked.go_to
            app.send("go_in_graph", name=asked.go_to)
        self._signs.update(app, graph)
        draw_list = imgui.get_window_draw_list()
        sheet = Sheet(draw_list, corner.x, corner.y, size.x, size.y, self._camera, app.scale)
        end = ImVec2(corner.x + size.x, corner.y + size.y)
        draw_list.push_clip_rect(corner, end, True)
        draw_list.add_rect_filled(corner, end, theme.packed(theme.BACKGROUND))
        found = self._found_boxes(graph)
        pointed = self._draw_graph(app, sheet, graph, found)
        draw_list.pop_clip_rect()
        if pointed is not None:
            self._act(app, graph, graph.boxes[pointed])
        if imgui.begin_popup("layer"):
            layer_menu.offers(app, self._menu_of)
            imgui.end_popup()
        minimap.draw(app, sheet, graph.geometry, self._signs, found, graph.index_of(self._selected))

    def _read(self, plan: Plan) -> None:
        """Takes up another plan."""
        self._plan, self._graph, self._followed = ref(plan), None, None
        self._scopes, self._details = plan_scopes(plan), all_details(plan)
        self._search = GraphSearch(searched_texts(plan, self._details))

    def _folded_graph(self, app: App, plan: Plan, *, is_new: bool) -> DrawnGraph:
        """Returns the graph as it is folded now; what was folded or unfolded stays where it is on the screen."""
        before = self._graph
        if before is not None and app.state.folds == self._folds:
            return before
        self._folds, folded = app.state.folds, app.state.folds.of(self._scopes)
        graph = self._graph = drawn_graph(plan, self._scopes, folded)
        self._labels = tuple(map(_place_of, graph.boxes))
        changed, self._folded = folded ^ self._folded, folded
        self._camera.extent = graph.geometry.extent
        if is_new or before is None:
            self._camera.fit()
            return graph
        chain = self._scopes.chains.get(self._selected or "", ())
        anchor = self._selected if changed & set(chain) else None
        if anchor is None and len(changed) == 1:
            anchor = next(name for name, scopes in self._scopes.chains.items() if changed & set(scopes))
        was, now = before.index_of(anchor), graph.index_of(anchor)
        if was is None or now is None:
            self._camera.fit()
            return graph
        self._camera.x += float(graph.geometry.lefts[now] - before.geometry.lefts[was])
        self._camera.y += float(graph.geometry.tops[now] - before.geometry.tops[was])
        return graph

    def _found_boxes(self, graph: DrawnGraph) -> Indices:
        """Returns the indices of the boxes that hold what is searched."""
        sought = self._row.sought
        if self._found[0] != sought or self._found[1] is not graph:
            found = (graph.index_of(name) for name in self._search.found(sought))
            boxes = sorted({index for index in found if index is not None})
            self._found = sought, graph, np.array(boxes, dtype=np.intp)
        return self._found[2]

    def _draw_graph(self, app: App, sheet: Sheet, graph: DrawnGraph, found: Indices) -> int | None:
        """Draws edges and boxes in sight; returns the index of the box under the mouse."""
        geometry, level = graph.geometry, level_of(self._camera.zoom)
        edges.draw(sheet, graph, graph.index_of(self._selected))
        shown = geometry.boxes_in(self._camera.seen)
        width, height = sheet.box_size
        xs, tops = sheet.corners(geometry, shown)
        rects = zip(xs.tolist(), tops.tolist(), repeat(width), repeat(height), strict=False)
        app.display.places.update(zip(map(self._labels.__getitem__, shown.tolist()), rects, strict=True))
        pointed = None
        if imgui.is_item_hovered():
            mouse, least = imgui.get_io().mouse_pos, _LEAST_TARGET * app.scale
            on_it = (xs <= mouse.x) & (mouse.x <= xs + max(width, least)) & (tops <= mouse.y)
            hits = np.flatnonzero(on_it & (mouse.y <= tops + max(height, least)))
            pointed = int(shown[hits[-1]]) if hits.size else None
        if level != "words":
            scope_names.draw(sheet, graph)
        if level == "bars":
            draw_bars(sheet, xs, tops, self._signs.ranks[shown], (width, height), signed=True)
        else:
            for number, rect in zip(shown.tolist(), sheet.rects(geometry, shown), strict=True):
                self._box(app, sheet, graph, number, rect, is_hovered=number == pointed)
        self._marks(app, sheet, graph, found, pointed)
        return pointed

    def _box(
        self,
        app: App,
        sheet: Sheet,
        graph: DrawnGraph,
        number: int,
        rect: tuple[float, float, float, float],
        *,
        is_hovered: bool,
    ) -> None:
        box, session = graph.boxes[number], app.document.session
        texts = texts_of(app, graph, box, self._signs, self._details.get(box.key, NodeDetails()))
        look = BoxLook(
            SIGNS[int(self._signs.ranks[number])],
            is_selected=self._selected in box.members,
            is_hovered=is_hovered,
            is_backward=session is not None and box.members[0] in session.plan.backward,
        )
        draw_box(sheet, rect, box, texts, look, self._cuts)

    def _marks(self, app: App, sheet: Sheet, graph: DrawnGraph, found: Indices, pointed: int | None) -> None:
        """Marks what is searched; from afar also the selected box and the one under the mouse."""
        geometry, warning = graph.geometry, theme.packed(theme.WARNING)
        is_far = level_of(self._camera.zoom) == "bars"
        for left, top, right, bottom in sheet.rects(geometry, found):
            if is_far:
                at = ImVec2(left - 3 * _FOUND_RADIUS * app.scale, (top + bottom) / 2)
                sheet.draw_list.add_circle_filled(at, _FOUND_RADIUS * app.scale, warning, 12)
            low, high = ImVec2(left - 4, top - 4), ImVec2(right + 4, bottom + 4)
            if not is_far:
                sheet.draw_list.add_rect(low, high, warning, 6.0 * app.scale, 2.0 * app.scale)
        chosen = (number for number in (graph.index_of(self._selected), pointed) if is_far and number is not None)
        for left, top, right, bottom in sheet.rects(geometry, np.array(list(chosen), dtype=np.intp)):
            low, high = ImVec2(left - 2, top - 2), ImVec2(right + 2, max(bottom, top + 2) + 2)
            sheet.draw_list.add_rect(low, high, theme.packed(theme.ACCENT), 0.0, 1.5)

    def _mouse(self, corner: ImVec2, scale: float) -> None:
        io, camera = imgui.get_io(), self._camera
        if imgui.is_item_active() and imgui.is_mouse_dragging(0, CLICK_PIXELS):
            camera.move(-io.mouse_delta.x / scale, -io.mouse_delta.y / scale)
        if imgui.is_item_hovered() and io.mouse_wheel:
            at = (io.mouse_pos.x - corner.x) / scale, (io.mouse_pos.y - corner.y) / scale
            camera.zoom_at(_WHEEL**io.mouse_wheel, at)

    def _follow(self, graph: DrawnGraph) -> None:
        """Scrolls the selected layer, or the box that it is folded into, into view; zooms in on a search's next one."""
        index = graph.index_of(self._selected)
        if self._selected == self._followed and not self._going_to:
            return
        goes, self._followed = self._going_to == self._selected, self._selected
        self._going_to = ""
        if index is None:
            return
        corner = float(graph.geometry.lefts[index]), float(graph.geometry.tops[index])
        if goes:
            self._camera.go_to(*corner)
        else:
            self._camera.bring(*corner)

    def _act(self, app: App, graph: DrawnGraph, box: GraphBox) -> None:
        """Handles a click on a box, or draws its tooltip."""
        moved = imgui.get_mouse_drag_delta(0, 0.0)
        signs = self._signs.of_members(box.members)
        first_wrong = next((name for name, sign in zip(box.members, signs, strict=True) if is_wrong(sign)), None)
        choice = self._selected if self._selected in box.members else first_wrong or box.members[0]
        if imgui.is_mouse_double_clicked(0):
            app.send("unfold_scope", scope=box.scope) if box.scope else app.send("lock", name=box.key)
        elif imgui.is_mouse_released(0) and max(abs(moved.x), abs(moved.y)) < CLICK_PIXELS:
            app.send("select", name=choice)
        if imgui.is_mouse_released(1):
            self._menu_of = choice
            imgui.open_popup("layer")
        imgui.set_tooltip(self._hint(app, graph, box))

    def _hint(self, app: App, graph: DrawnGraph, box: GraphBox) -> str:
        signs = self._signs.of_members(box.members)
        if box.scope:
            wrong = [name for name, sign in zip(box.members, signs, strict=True) if is_wrong(sign)]
            lines = [f"Wrong: {name}" for name in wrong[:_MOST_NAMED]]
            lines += [f"and {len(wrong) - _MOST_NAMED} more"] if len(wrong) > _MOST_NAMED else []
            words = f"{count_words(signs)}: {graph.kinds[box.key]}"
            return "\n".join((box.scope, words, *lines, "Double-click unfolds it (Z)"))
        session, details = app.document.session, self._details.get(box.key, NodeDetails())
        shape = shape_of(session.plan, box.key) if session is not None else ""
        lines = [f"{key}: {value}" for key, value in (*details.attributes, *details.weights)]
        return "\n".join((f"{box.key}  {shape}", f"{app.operator_of(box.key)}, {theme.SIGNS[signs[0]].word}", *lines))


def _place_of(box: GraphBox) -> str:
    """Returns the name of a box's place in the window, for the probe."""
    return f"graph box {box.scope}" if box.scope else f"graph {box.key}"


PANEL = GraphPanel()
