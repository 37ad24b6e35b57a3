"""Shows what is wrong: the first wrong layer, or the place of a finding."""

from __future__ import annotations

from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer.app import App
from texelscope.viewer.state import View, fit_key

# A tile takes this share of the panel, so that its neighbours are visible too; a texel is at least this large.
TILE_SHARE, SMALLEST_TEXEL, LARGEST_TEXEL = 0.8, 4.0, 32.0


def first_wrong(app: App) -> None:
    """Goes to the first wrong layer and its finding; without one, to where the end-to-end error jumps."""
    name = first_to_see(app)
    if name is not None:
        app.state.select(name)
        app.state.wanted_panels.append("Findings")


def first_to_see(app: App) -> str | None:
    """Returns the first wrong layer, or the one where the end-to-end error jumps; None without either."""
    comparison = app.document.comparison
    if comparison is None or not app.document.is_compared:
        return None
    whole = comparison.report.end_to_end
    jump = whole.jump.name if whole is not None and whole.jump is not None else None
    return comparison.report.culprit or jump


def show_finding(app: App, name: str, file: str, line: int | None) -> None:
    """Picks the worst element of the pass called `name`, keeps its tile visible, and shows the line of the file."""
    app.state.select(name)
    report = app.document.report_of(name)
    figures = report.isolated if report is not None else None
    stored = app.showing(app.state.views[0], figures.worst) if figures is not None else None
    if line is not None:
        app.state.wanted_line = (file, line)
        app.state.wanted_panels.append("Shader")
    if figures is None or stored is None:
        return
    app.state.wanted_view = 0
    app.state.wanted_panels.append("Texture")
    tx, ty, _ = stored.layout.texel_of(stored.shape, figures.worst)
    _look_at(app, app.state.views[0], stored, (tx, ty))


def _look_at(app: App, view: View, stored: StoredTensor, texel: tuple[int, int]) -> None:
    view.pick, view.fitted = texel, fit_key(stored.key, stored.texture_shape)
    _, _, width, height = app.display.places.get("canvas", (0.0, 0.0, 400.0, 400.0))
    number = stored.layout.tile_index(stored.shape, *texel)
    centre, extent = (texel[0] + 0.5, texel[1] + 0.5), (32.0, 32.0)
    if number >= 0:
        tile = stored.layout.tile(stored.shape, number)
        centre, extent = (tile.tx + tile.width / 2, tile.ty + tile.height / 2), (tile.width, tile.height)
    zoom = min(width / extent[0], height / extent[1]) * TILE_SHARE
    if zoom < SMALLEST_TEXEL:  # the tile does not fit: the texel is more important
        centre = (texel[0] + 0.5, texel[1] + 0.5)
    view.centre, view.zoom = centre, float(int(min(max(zoom, SMALLEST_TEXEL), LARGEST_TEXEL)))
