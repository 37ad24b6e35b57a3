"""The Graph panel draws the network with skips and concatenations, and each layer's verdict, attributes and weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from weakref import ref

from imgui_bundle import ImVec2, imgui

from texelscope.pipeline.gradients.links import SIGN
from texelscope.pipeline.plan import Plan
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.graph.graph_layout import Edge, GraphLayout, beside, path_bend
from texelscope.viewer.graph.node_details import NodeDetails, details_of, shape_text
from texelscope.viewer.layers import menu as layer_menu
from texelscope.viewer.layers.panel import sign_of
from texelscope.viewer.panel import Panel
from texelscope.viewer.widgets.controls import shortened, shortened_name, shortened_operator

BOX_WIDTH, BOX_HEIGHT = 196.0, 84.0
STEP_X, STEP_Y = 262.0, 120.0
MARGIN = 24.0
MIN_ZOOM, MAX_ZOOM = 0.12, 2.0
# Below this size a box has no room for text.
WORDS_ZOOM = 0.55
FITTED_ZOOM = 0.9
CLICK_PIXELS = 4.0
# The opacity of backward passes.
BACKWARD_TINT = 0.22


@dataclass
class _Camera:
    """Holds the zoom, and the graph's position (in pixels at zoom 1) at the panel's top left corner."""

    x: float = -MARGIN
    y: float = 0.0
    zoom: float = 1.0


class GraphPanel(Panel):
    """Draws the network as a graph: passes and inputs with their verdicts, skips as arcs."""

    title = "Graph"
    place = "centre"
    order = 1
    key = "3"

    def __init__(self) -> None:
        self._plan: Callable[[], Plan | None] = lambda: None  # a hidden panel must not keep a closed plan alive
        self._layout: GraphLayout | None = None
        self._camera = _Camera()
        self._followed: str | None = None
        self._menu_of = ""
        self._sought = ""
        self._details: dict[str, NodeDetails] = {}

    def draw(self, app: App) -> None:
        """Draws the graph: the wheel zooms, dragging moves, F fits, a click selects, a double-click opens a tab."""
        session = app.document.session
        if session is None:
            imgui.text_disabled("Nothing is open.")
            return
        is_new = session.plan is not self._plan()
        if is_new or self._layout is None:
            self._plan, self._layout, self._followed = ref(session.plan), _layout_of(app, session.plan), None
            self._details = {cell.name: details_of(session.plan, cell.name) for cell in self._layout.cells}
        wanted = self._search(app)
        room = imgui.get_content_region_avail()
        size = ImVec2(max(room.x, 16.0), max(room.y, 16.0))
        corner = imgui.get_cursor_screen_pos()
        if is_new or wanted:
            self._fit(size, app.scale, least=MIN_ZOOM if wanted == "all" else FITTED_ZOOM)
        imgui.invisible_button("graph", size)
        self._mouse(corner, app.scale)
        if imgui.is_window_focused() and imgui.is_key_pressed(imgui.Key.f):
            self._fit(size, app.scale)
        if app.selected != self._followed:
            self._follow(app.selected, size, app.scale)
        self._draw_all(app, self._layout, corner, size)

    def _search(self, app: App) -> str:
        """Draws the row above the graph; returns `fit` or `all` if one of its buttons was pressed."""
        imgui.set_next_item_width(200 * app.scale)
        flags = int(imgui.InputTextFlags_.enter_returns_true)
        entered, self._sought = imgui.input_text_with_hint("##sought", "Find in the graph", self._sought, flags)
        app.mark("graph search")
        imgui.set_item_tooltip("A name, an operator, an attribute or a shape; Enter goes to the next")
        found = self._found(app)
        if entered and found:
            at = found.index(app.selected) if app.selected in found else -1
            app.send("select", name=found[(at + 1) % len(found)])
            imgui.set_keyboard_focus_here(-1)
        wanted = ""
        for label, what, tip in (
            ("Fit", "fit", "As much as can be read (F)"), ("All", "all", "The whole graph, however small"),
        ):  # fmt: skip
            imgui.same_line()
            if imgui.button(label):
                wanted = what
            app.mark(f"graph {what}")
            imgui.set_item_tooltip(tip)
        if self._sought:
            imgui.same_line()
            imgui.text_disabled(f"{len(found)} found" if found else "Nothing found")
            app.mark(f"graph found {len(found)}")
        return wanted

    def _found(self, app: App) -> list[str]:
        """Returns the layers that contain every searched word, in the graph's order; none without words."""
        words = self._sought.lower().split()
        if not words:
            return []
        return [
            name
            for name, details in self._details.items()
            if all(
                word in f"{name} {app.operator_of(name)} {_shape(app, name)}".lower() or details.matches(word)
                for word in words
            )
        ]

    def _draw_all(self, app: App, layout: GraphLayout, corner: ImVec2, size: ImVec2) -> None:
        draw_list = imgui.get_window_draw_list()
        draw_list.push_clip_rect(corner, ImVec2(corner.x + size.x, corner.y + size.y), True)
        draw_list.add_rect_filled(corner, ImVec2(corner.x + size.x, corner.y + size.y), theme.packed(theme.BACKGROUND))
        boxes = {cell.name: self._box(cell.rank, cell.row, corner, app.scale) for cell in layout.cells}
        for edge in layout.edges:
            self._edge(app, edge, boxes, draw_list)
        pointed, found = None, set(self._found(app))
        mouse = imgui.get_io().mouse_pos
        for name, (left, top, right, bottom) in boxes.items():
            if right < corner.x or left > corner.x + size.x or bottom < corner.y or top > corner.y + size.y:
                continue
            hovered = imgui.is_item_hovered() and left <= mouse.x <= right and top <= mouse.y <= bottom
            pointed = name if hovered else pointed
            self._layer(app, name, (left, top, right, bottom), draw_list, hovered=hovered)
            if name in found:
                low, high = ImVec2(left - 4, top - 4), ImVec2(right + 4, bottom + 4)
                draw_list.add_rect(low, high, theme.packed(theme.WARNING), 6.0 * app.scale, 2.0 * app.scale)
            app.display.places[f"graph {name}"] = (left, top, right - left, bottom - top)
        draw_list.pop_clip_rect()
        if pointed is not None:
            _act(app, pointed, self._details.get(pointed, NodeDetails()))
            if imgui.is_mouse_released(1):
                self._menu_of = pointed
                imgui.open_popup("layer")
        if imgui.begin_popup("layer"):
            layer_menu.offers(app, self._menu_of)
            imgui.end_popup()

    def _box(self, rank: int, row: int, corner: ImVec2, scale: float) -> tuple[float, float, float, float]:
        zoom = self._camera.zoom * scale
        left = corner.x + (row * STEP_X - self._camera.x) * zoom
        top = corner.y + (rank * STEP_Y - self._camera.y) * zoom
        return left, top, left + BOX_WIDTH * zoom, top + BOX_HEIGHT * zoom

    def _edge(
        self, app: App, edge: Edge, boxes: dict[str, tuple[float, float, float, float]], draw_list: imgui.ImDrawList
    ) -> None:
        source, target = boxes[edge.source], boxes[edge.target]
        zoom = self._camera.zoom * app.scale
        touched = app.selected in (edge.source, edge.target)
        colour = theme.packed(theme.ACCENT if touched else theme.QUIET, 1.0 if touched else 0.7)
        thick = max((2.0 if touched else 1.5) * min(zoom, 1.0), 1.0)
        bend = path_bend(edge) * STEP_X * zoom
        if edge.across:
            _across(source, target, draw_list, touched=touched, zoom=zoom)
            return
        if not bend:
            down = source[1] < target[1]
            start = ImVec2((source[0] + source[2]) / 2, source[3 if down else 1])
            end = ImVec2((target[0] + target[2]) / 2, target[1 if down else 3])
            reach = (end.y - start.y) / 2
            near, far = ImVec2(start.x, start.y + reach), ImVec2(end.x, end.y - reach)
        else:
            start = ImVec2(source[2], (source[1] + source[3]) / 2)
            end = ImVec2(target[2], (target[1] + target[3]) / 2)
            reach = max(start.x, end.x) + bend
            near, far = ImVec2(reach, start.y + 20 * zoom), ImVec2(reach, end.y - 20 * zoom)
        draw_list.add_bezier_cubic(start, near, far, end, colour, thick)
        draw_list.add_circle_filled(end, max(2.5 * zoom, 1.5), colour)
        if self._camera.zoom >= WORDS_ZOOM:
            # In the middle of the curve; if the edge is straight, to its right.
            middle = [(start[i] + 3 * near[i] + 3 * far[i] + end[i]) / 8 for i in (0, 1)]
            font, pixels = imgui.get_font(), round(imgui.get_font_size() * self._camera.zoom * 0.85)
            at = ImVec2(round(middle[0] + 7 * zoom), round(middle[1] - pixels / 2))
            text = _shape(app, edge.source)
            draw_list.add_text(font, pixels, at, theme.packed(theme.ACCENT if touched else theme.QUIET), text)

    def _layer(
        self,
        app: App,
        name: str,
        box: tuple[float, float, float, float],
        draw_list: imgui.ImDrawList,
        *,
        hovered: bool,
    ) -> None:
        left, top, right, bottom = box
        zoom = self._camera.zoom * app.scale
        session = app.document.session
        is_input = session is not None and name in session.plan.given
        sign = theme.Sign("disc", theme.QUIET, "input") if is_input else theme.SIGNS[sign_of(app, name)]
        low, high, rounding = ImVec2(left, top), ImVec2(right, bottom), 5.0 * zoom
        chosen = name == app.selected
        fill = theme.HEADER if chosen else theme.RAISED
        draw_list.add_rect_filled(low, high, theme.packed(fill), rounding)
        if session is not None and name in session.plan.backward:
            draw_list.add_rect_filled(low, high, theme.packed(theme.VIOLET, BACKWARD_TINT), rounding)
        outline = theme.ACCENT if chosen or hovered else sign.colour
        draw_list.add_rect(low, high, theme.packed(outline, 1.0 if chosen or hovered else 0.6), rounding, 1.5)
        if self._camera.zoom < WORDS_ZOOM:
            theme.draw_sign(draw_list, (left + right) / 2, (top + bottom) / 2, max(9.0 * zoom, 2.5), sign)
            return
        draw_list.push_clip_rect(ImVec2(left, top), ImVec2(right - 5 * zoom, bottom), True)
        if not is_input:
            theme.draw_sign(draw_list, left + 13 * zoom, top + 15 * zoom, 5.0 * zoom, sign)
        # Whole pixels: letters between them are blurred.
        font, pixels = imgui.get_font(), round(imgui.get_font_size() * self._camera.zoom)
        text_left = round(left + (9 if is_input else 24) * zoom)
        room = (right - 6 * zoom - text_left) / self._camera.zoom
        title = shortened_name(name, room)
        draw_list.add_text(font, pixels, ImVec2(text_left, round(top + 5 * zoom)), theme.packed(theme.TEXT), title)
        below = ImVec2(text_left, round(top + 25 * zoom))
        sign_of_gradients = f"{SIGN} " if session is not None and name in session.plan.backward else ""
        operator = sign_of_gradients + shortened_operator(app.operator_of(name), room / 0.9)
        draw_list.add_text(font, round(pixels * 0.9), below, theme.packed(theme.QUIET), operator)
        details, left = self._details.get(name, NodeDetails()), left + 9 * zoom
        rows = (("  ".join(f"{key} {value}" for key, value in details.unusual)), _weights(details))
        for row, text in enumerate(each for each in rows if each):
            at, room = ImVec2(round(left), round(top + (44 + 18 * row) * zoom)), (right - 6 * zoom - left) / zoom
            line = shortened(text, room * app.scale / 0.85)
            draw_list.add_text(font, round(pixels * 0.85), at, theme.packed(theme.QUIET), line)
        draw_list.pop_clip_rect()

    def _mouse(self, corner: ImVec2, scale: float) -> None:
        io, camera = imgui.get_io(), self._camera
        if imgui.is_item_active() and imgui.is_mouse_dragging(0, CLICK_PIXELS):
            camera.x -= io.mouse_delta.x / camera.zoom / scale
            camera.y -= io.mouse_delta.y / camera.zoom / scale
        if imgui.is_item_hovered() and io.mouse_wheel:
            wanted = min(max(camera.zoom * 1.2**io.mouse_wheel, MIN_ZOOM), MAX_ZOOM)
            for axis, at in (("x", io.mouse_pos.x - corner.x), ("y", io.mouse_pos.y - corner.y)):
                held = getattr(camera, axis) + at / camera.zoom / scale
                setattr(camera, axis, held - at / wanted / scale)
            camera.zoom = wanted

    def _fit(self, size: ImVec2, scale: float, least: float = FITTED_ZOOM) -> None:
        """Shows the whole graph, or its beginning where the zoom would fall below `least`."""
        assert self._layout is not None
        beside = max((path_bend(edge) for edge in self._layout.edges), default=0.0) * STEP_X * 0.75
        wide = (self._layout.rows - 1) * STEP_X + BOX_WIDTH + 2 * MARGIN + beside
        high = (self._layout.ranks - 1) * STEP_Y + BOX_HEIGHT + 2 * MARGIN
        whole = min(size.x / wide, size.y / high) / scale
        self._camera.zoom = min(max(whole, least), 1.0)
        slack = max(size.x / self._camera.zoom / scale - wide, 0.0) / 2
        self._camera.x, self._camera.y = -MARGIN - slack, -MARGIN

    def _follow(self, name: str | None, size: ImVec2, scale: float) -> None:
        """Scrolls the selected layer into view."""
        self._followed = name
        cell = next((each for each in (self._layout.cells if self._layout else ()) if each.name == name), None)
        if cell is None:
            return
        wide, high = size.x / self._camera.zoom / scale, size.y / self._camera.zoom / scale
        x, y = cell.row * STEP_X, cell.rank * STEP_Y
        if not self._camera.x <= x <= self._camera.x + wide - BOX_WIDTH:
            self._camera.x = x - wide / 2 + BOX_WIDTH / 2
        if not self._camera.y <= y <= self._camera.y + high - BOX_HEIGHT:
            self._camera.y = max(y - high / 2, -MARGIN)


def _across(
    source: tuple[float, float, float, float],
    target: tuple[float, float, float, float],
    draw_list: imgui.ImDrawList,
    *,
    touched: bool,
    zoom: float,
) -> None:
    """Draws a thin line from a layer to a backward pass that reads it: they are many and less important."""
    start, end = ImVec2(source[2], (source[1] + source[3]) / 2), ImVec2(target[0], (target[1] + target[3]) / 2)
    reach = (end.x - start.x) / 2
    colour = theme.packed(theme.ACCENT if touched else theme.FAINT, 1.0 if touched else 0.6)
    near, far = ImVec2(start.x + reach, start.y), ImVec2(end.x - reach, end.y)
    draw_list.add_bezier_cubic(start, near, far, end, colour, 1.5 if touched else 1.0)
    draw_list.add_circle_filled(end, max(2.0 * zoom, 1.0), colour)


def _act(app: App, name: str, details: NodeDetails) -> None:
    """Handles a click on a layer, or draws its tooltip."""
    moved = imgui.get_mouse_drag_delta(0, 0.0)
    if imgui.is_mouse_double_clicked(0):
        app.send("lock", name=name)
    elif imgui.is_mouse_released(0) and max(abs(moved.x), abs(moved.y)) < CLICK_PIXELS:
        app.send("select", name=name)
    lines = [f"{key}: {value}" for key, value in (*details.attributes, *details.weights)]
    word = theme.SIGNS[sign_of(app, name)].word
    imgui.set_tooltip("\n".join((f"{name}  {_shape(app, name)}", f"{app.operator_of(name)}, {word}", *lines)))


def _weights(details: NodeDetails) -> str:
    """Returns the shapes of a layer's weights; the tooltip has their names."""
    return f"weights {', '.join(shape for _, shape in details.weights)}" if details.weights else ""


def _shape(app: App, name: str) -> str:
    stored = app.document.stored(name)
    return shape_text(stored.shape) if stored is not None else ""


def _layout_of(app: App, plan: Plan) -> GraphLayout:
    makers = {key: each.name for each in plan.passes for key in each.outputs}
    makers |= {key: each.name for each in plan.not_run for key in each.outputs}
    reads = {each.name: [makers.get(key, key) for key in each.reads] for each in plan.passes}
    for each in plan.not_run:
        node = plan.graph.producer(each.outputs[0]) if plan.graph is not None else None
        reads[each.name] = [makers.get(name, name) for name in node.inputs] if node is not None else []
    pairs = ((plan.find(tensor), tensor, plan.find(gradient)) for tensor, gradient in plan.gradients.items())
    gradients = {maker.name if maker else tensor: back.name for maker, tensor, back in pairs if back is not None}
    return beside(app.layer_names(), reads, plan.backward, gradients)


PANEL = GraphPanel()
