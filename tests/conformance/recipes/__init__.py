"""Inputs and attributes of operators of which the schema alone does not say what makes sense, by version."""

from __future__ import annotations

from collections.abc import Mapping

from tests.conformance.recipes import defined, elements, places, sequences, windows
from tests.conformance.recipes.recipe import Recipes

RECIPES: Mapping[str, Recipes] = {
    **defined.RECIPES,
    **elements.RECIPES,
    **places.RECIPES,
    **sequences.RECIPES,
    **windows.RECIPES,
}
