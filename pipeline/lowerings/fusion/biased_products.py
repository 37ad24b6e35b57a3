"""Finds products of matrices to which a bias or another tensor is added: one draw for both passes."""

from __future__ import annotations

from dataclasses import replace

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.device import Limits
from texelscope.pipeline.lowerings.drawn_products import drawn_product_form
from texelscope.pipeline.lowerings.fusion.matching import Matching
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.lowerings.products import Product, product_of
from texelscope.pipeline.plan import Pass


def biased_forms(passes: Matching, limits: Limits) -> list[Lowering]:
    """Returns a form for each product and the sum that alone reads it."""
    found = (_form(passes, each, limits) for each in passes.passes if passes.node(each).op_type == "MatMul")
    return [form for form in found if form is not None]


def _form(passes: Matching, shader_pass: Pass, limits: Limits) -> Lowering | None:
    product = product_of(passes.call(shader_pass))
    added = passes.reader(shader_pass.output, "Add")
    if product is None or added is None or passes.shape(added.output) != passes.shape(shader_pass.output):
        return None
    others = [key for key in passes.node(added).inputs if key != shader_pass.output]
    if len(others) != 1 or not _can_add(passes, product, others[0]):
        return None
    covers = (shader_pass.name, added.name)
    return drawn_product_form(replace(product, c=others[0]), added.output, covers, passes.plan.textures, limits)


def _can_add(passes: Matching, product: Product, key: str) -> bool:
    """Whether the tensor is a number for each element of one matrix, or repeats along its rows or columns."""
    stored = passes.plan.textures.get(key)
    if stored is None or stored.dtype != "float32" or stored.storage not in ("float32", "float16"):
        return False
    n, c, rows, columns = as_nchw(stored.shape)
    fits = rows in (1, product.rows) and columns in (1, product.columns)
    return len(product.pairs) == 1 and (n, c) == (1, 1) and fits
