"""Reads `[[atlas]]` tables, and places tensors into rectangles of the atlases."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast, get_args

from texelscope import layouts
from texelscope.layouts import Layout, LayoutError
from texelscope.layouts.base import Area
from texelscope.layouts.rectangles import MOST_RECTANGLES, Rectangles
from texelscope.pipeline.errors import nearest
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.pipeline_file.table import Problems, Table
from texelscope.pipeline.plan import Storage, StoredTensor

KEYS = ("name", "size", "lanes", "dtype")
_CORNERS = 4
_ADVICE = "Write x, y, width and height in texels: rectangle = [0, 0, 64, 64]."


@dataclass(frozen=True)
class AtlasEntry:
    """Describes an `[[atlas]]`, a texture of `size` texels, width and height, for several tensors."""

    name: str
    title: str
    size: tuple[int, int]
    lanes: int
    storage: Storage


def read_atlas(table: Table) -> AtlasEntry | None:
    """Reads one table; returns None if something is missing or wrong, which is recorded."""
    table.check_keys(KEYS)
    name, size, lanes = table.text("name", required=True), table.shape("size"), table.values.get("lanes", 4)
    dtype = table.choice("dtype", get_args(Storage), "float32")
    if size is not None and len(size) != 2:
        table.problem("size", "width and height in texels", str(list(size)), "For example size = [256, 128].")
        return None
    if lanes not in (1, 4):
        table.problem("lanes", "1 or 4", f"{lanes!r}", "4 is the default.")
        return None
    if not name or size is None:
        return None
    return AtlasEntry(name, table.title, (size[0], size[1]), int(lanes), cast("Storage", dtype))


class Atlases:
    """Places tensors into the atlases of a file; problems are recorded."""

    def __init__(
        self, entries: Sequence[AtlasEntry], problems: Problems, textures: Collection[StoredTensor] = ()
    ) -> None:
        """`textures` are tensors that are placed already."""
        self._entries = {entry.name: entry for entry in entries}
        self._problems = problems
        self._claims: dict[str, list[tuple[Area, str]]] = {}
        for stored in textures:
            own = stored.tensor if stored.role == "constant" else stored.key
            if stored.layout.atlas:
                areas = stored.layout.areas(stored.shape)
                self._claims.setdefault(stored.layout.atlas, []).extend((area, own) for area in areas)

    @property
    def names(self) -> Collection[str]:
        """The names of the atlases."""
        return self._entries.keys()

    def storage(self, layout: Layout | None, given: Storage) -> Storage:
        """Returns the storage of a tensor: that of its atlas, if it lies in one."""
        entry = self._entries.get(layout.atlas) if layout is not None else None
        return given if entry is None else entry.storage

    def check_dtype(self, layout: Layout, dtype: str, title: str, key: str) -> bool:
        """Checks that a tensor in an atlas has the type of the atlas, or gives none."""
        entry = self._entries.get(layout.atlas)
        if entry is None or dtype in ("", entry.storage):
            return True
        expected, advice = f"{entry.storage}, as '{entry.name}' has", "Leave it out, or change the atlas."
        self._problems.add(title, key, expected, dtype, advice)
        return False

    def placed(self, layout: Layout, name: str, shape: Shape, title: str, key: str) -> Layout | None:
        """Returns the layout with what its atlas says; None, with a problem, if the tensor does not fit in there."""
        if not isinstance(layout, Rectangles):
            return layout
        entry = self._entries.get(layout.atlas)
        if entry is None:
            got, advice = f"'{layout.atlas}'", nearest(layout.atlas, self._entries)
            self._problems.add(title, f"{key}.of", "the name of an [[atlas]]", got, advice)
            return None
        inner = layout.inner or layouts.layout("channel_tiles" if entry.lanes == 1 else "channel_tiles_rgba")
        if inner.lanes != entry.lanes:
            expected, got = f"a layout of {entry.lanes} lanes, as '{entry.name}' has", f"'{inner}', of {inner.lanes}"
            self._problems.add(title, f"{key}.name", expected, got, "Choose another, or change the atlas.")
            return None
        made = dataclasses.replace(layout, size=entry.size, inner=inner)
        try:
            areas = made.areas(shape)
        except LayoutError as error:
            self._problems.add(title, key, error.expected, error.got, error.do_next)
            return None
        return made if self._claim(entry, areas, name, title, key) else None

    def _claim(self, entry: AtlasEntry, areas: Sequence[Area], name: str, title: str, key: str) -> bool:
        """Records that areas belong to the tensor; a problem if one is outside, or belongs to another already."""
        width, height = entry.size
        taken = [each for each in self._claims.get(entry.name, []) if each[1] != name]
        for number, area in enumerate(areas):
            x, y, across, down = area
            if x + across > width or y + down > height:
                got = f"{list(area)}, which reaches {x + across} x {y + down}"
                expected = f"a rectangle inside the {width} x {height} texels of '{entry.name}'"
                self._problems.add(title, key, expected, got, "Move it, or enlarge the atlas.")
                return False
            own = [(each, name) for each in areas[:number]]
            other = next((each for each in (*taken, *own) if _overlap(area, each[0])), None)
            if other is not None:
                expected = f"a rectangle that overlaps no other of '{entry.name}'"
                got = f"{list(area)}, which overlaps {list(other[0])} of '{other[1]}'"
                self._problems.add(title, key, expected, got, "Move one of them.")
                return False
        self._claims.setdefault(entry.name, []).extend((area, name) for area in areas)
        return True

    def check_output(self, stored: StoredTensor, title: str) -> bool:
        """Checks that a pass can draw into the areas of its output: they fill the rectangle around them."""
        areas, (_, _, width, height) = stored.layout.areas(stored.shape), stored.layout.bounds(stored.shape)
        if sum(area[2] * area[3] for area in areas) == width * height:
            return True
        expected = "rectangles that together fill one, into which the pass draws"
        self._problems.add(title, "output.layout", expected, f"{len(areas)} with gaps", "Draw one pass into each.")
        return False

    def check_reads(self, output: StoredTensor, read: Mapping[str, StoredTensor | None], title: str) -> bool:
        """Checks that a pass does not read the atlas that it draws into."""
        for key, stored in read.items():
            if stored is not None and output.layout.atlas and stored.layout.atlas == output.layout.atlas:
                expected = f"a texture other than '{output.layout.atlas}', into which this pass draws"
                advice = "OpenGL does not define that: draw into another atlas."
                self._problems.add(title, key, expected, f"'{stored.key}', which lies in it", advice)
                return False
        return True


def _overlap(one: Area, other: Area) -> bool:
    return all(one[axis] < other[axis] + other[axis + 2] and other[axis] < one[axis] + one[axis + 2] for axis in (0, 1))


def read_layout(table: Table, key: str, *, required: bool = True) -> Layout | None:
    """Reads a layout: a name, a table with parameters, or rectangles of an atlas, which is looked up later."""
    value = table.values.get(key)
    if isinstance(value, dict) and not {"rectangle", "of"}.isdisjoint(value):
        return read_rectangles(table, key, value)
    return table.layout(key, required=required)


def read_rectangles(table: Table, key: str, values: Mapping[str, Any]) -> Layout | None:
    """Reads a layout with a rectangle or a list of them; its atlas is looked up later."""
    given, of = values.get("rectangle"), values.get("of")
    if not isinstance(of, str) or not of:
        table.problem(f"{key}.of", "the name of an [[atlas]]", f"{of!r}" if of is not None else "nothing", _ADVICE)
        return None
    is_grid = isinstance(given, list) and bool(given) and all(isinstance(each, list) for each in given)
    areas = given if is_grid else [given]
    assert isinstance(areas, list)
    if len(areas) > MOST_RECTANGLES:
        expected = f"at most {MOST_RECTANGLES} rectangles"
        table.problem(f"{key}.rectangle", expected, str(len(areas)), "Use one, with a layout inside.")
        return None
    if not all(map(_is_area, areas)):
        expected = "four whole numbers, or an array of such"
        table.problem(f"{key}.rectangle", expected, f"{given!r}"[:120] if given is not None else "nothing", _ADVICE)
        return None
    rest = {name: value for name, value in values.items() if name not in ("rectangle", "of")}
    inner = None
    if rest:
        name = rest.pop("name", None)
        if is_grid or not isinstance(name, str):
            expected = "no other keys beside several rectangles" if is_grid else "the name of the layout inside"
            table.problem(key, expected, ", ".join(["name", *rest][: 1 + len(rest)]), "Remove them, or name it.")
            return None
        try:
            inner = layouts.layout(name, **rest)
        except LayoutError as error:
            table.problem(key, error.expected, error.got, error.do_next)
            return None
    return Rectangles(of, (0, 0), tuple((x, y, w, h) for x, y, w, h in areas), inner, is_grid)


def _is_area(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != _CORNERS:
        return False
    whole = all(isinstance(each, int) and not isinstance(each, bool) and each >= 0 for each in value)
    return whole and value[2] > 0 and value[3] > 0
