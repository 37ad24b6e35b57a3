"""Implements the commands that fold and unfold the graph by the scopes in the names of layers."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.pipeline.errors import TexelscopeError
from texelscope.viewer.app import App
from texelscope.viewer.command import Command, MenuGroup, chord
from texelscope.viewer.graph.model.drawn_graph import plan_scopes
from texelscope.viewer.graph.model.folding import Folds
from texelscope.viewer.graph.model.scopes import LayerScopes
from texelscope.viewer.layers.commands import choose


def _scopes(app: App) -> LayerScopes:
    session = app.document.session
    return plan_scopes(session.plan) if session is not None else LayerScopes()


def _fold(app: App) -> None:
    """Unfolds the box that holds the selected layer, or folds the innermost scope of the layer.

    Raises TexelscopeError if the layer is in no scope.
    """
    scopes, name = _scopes(app), app.selected or ""
    if not scopes.chains.get(name):
        raise TexelscopeError(
            f"graph, layer '{name}'",
            "a layer whose name begins like that of another, such as encoder/conv and encoder/relu",
            "a layer in no scope",
            "Select a layer in a scope, or choose 'Fold all'.",
        )
    app.state.folds = app.state.folds.toggled(scopes, name)


def _fold_to(app: App, depth: int) -> None:
    """Folds all scopes from that level on: 1 folds everything, more than there are nothing."""
    app.state.folds = Folds(_scopes(app).folded_to(depth))


def _unfold_all(app: App) -> None:
    app.state.folds = Folds(frozenset())


def _unfold_scope(app: App, scope: str) -> None:
    app.state.folds = app.state.folds.unfolded(_scopes(app), scope)


def _go_in_graph(app: App, name: str) -> None:
    """Selects a layer, and unfolds what hides it."""
    app.state.folds = app.state.folds.opened_for(_scopes(app), name)
    choose(app, name)


_KEY = imgui.Key.z
COMMANDS = (
    Command("fold", _fold, "Graph: unfold or fold around the selected layer", "Z", chord(_KEY)),
    Command("fold_all", lambda app: _fold_to(app, 1), "Graph: fold all", "Shift+Z", chord(_KEY, shift=True)),
    Command("unfold_all", _unfold_all, "Graph: unfold all", "Alt+Z", chord(_KEY, alt=True)),
    Command("fold_to", _fold_to),
    Command("unfold_scope", _unfold_scope),
    Command("go_in_graph", _go_in_graph),
)
MENUS = (MenuGroup("Layers", 25, ("fold", "fold_all", "unfold_all")),)
