"""Finds products of matrices and the passes per element after them: a bias, a rectifier, the sum with a residual.

One draw computes them all. Only the last result is stored, so that nothing else may need another.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.device import Limits
from texelscope.pipeline.lowerings.drawn_products import drawn_product_form
from texelscope.pipeline.lowerings.elements import Elements, elements_of, is_short
from texelscope.pipeline.lowerings.fusion.matching import Matching
from texelscope.pipeline.lowerings.fusion.operands import OperandsAtHand, is_arranged_as
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.lowerings.product_finish import ProductFinish, is_row
from texelscope.pipeline.lowerings.products import Product, product_of, stores_fours
from texelscope.pipeline.plan import Pass

# What stands in the text once for each sum that a fragment computes.
_MOST_PASSES = 6
_MOST_OTHERS = 2
_MOST_ROWS = 3


def finished_product_forms(passes: Matching, limits: Limits) -> list[Lowering]:
    """Returns a form for each product and what follows it."""
    products = (each for each in passes.passes if passes.node(each).op_type in ("MatMul", "Gemm"))
    found = (_form(passes, each, limits) for each in products)
    return [form for form in found if form is not None]


def _form(passes: Matching, shader_pass: Pass, limits: Limits) -> Lowering | None:
    product = product_of(passes.call(shader_pass))
    if product is None:
        return None
    textures, output = passes.plan.textures, passes.plan.textures[shader_pass.output]
    is_row_of_c = not product.c or is_row(textures.get(product.c), product.columns)
    if stores_fours(product, output) and is_row_of_c:
        followers = _Followers(passes, product, shader_pass)
        chain = followers.chain()
        if chain:
            finish = followers.finish(chain)
            covers = (shader_pass.name, *(each.name for each in chain))
            product = replace(product, c="") if finish.bias else product
            return drawn_product_form(product, chain[-1].output, covers, textures, limits, finish)
    added = passes.reader(shader_pass.output, "Add")
    if product.c or added is None or passes.shape(added.output) != passes.shape(shader_pass.output):
        return None
    others = [key for key in passes.node(added).inputs if key != shader_pass.output]
    if len(others) != 1 or not _can_add(passes, product, others[0]):
        return None
    covers = (shader_pass.name, added.name)
    return drawn_product_form(replace(product, c=others[0]), added.output, covers, textures, limits)


def _can_add(passes: Matching, product: Product, key: str) -> bool:
    """Whether the tensor is a number for each element of one matrix, or repeats along its rows or columns."""
    stored = passes.plan.textures.get(key)
    if stored is None or stored.dtype != "float32" or stored.storage not in ("float32", "float16"):
        return False
    n, c, rows, columns = as_nchw(stored.shape)
    fits = rows in (1, product.rows) and columns in (1, product.columns)
    return len(product.pairs) == 1 and (n, c) == (1, 1) and fits


@dataclass
class _Followers:
    """Collects the passes that follow one product."""

    passes: Matching
    product: Product
    first: Pass

    def __post_init__(self) -> None:
        like = self.passes.plan.textures[self.first.output]
        self._at_hand = OperandsAtHand(self.passes, like, self.product.columns, _MOST_ROWS, _MOST_OTHERS)

    def chain(self) -> tuple[Elements, ...]:
        """Returns the longest run of passes of whose results only the last is needed elsewhere."""
        found: list[Elements] = []
        made = [self.first.output]
        longest = 0
        while len(found) < _MOST_PASSES:
            following = self._next(made)
            if following is None:
                break
            found.append(following)
            made.append(following.output)
            if all(self.passes.is_read_by({each.name for each in found}, key) for key in made[:-1]):
                longest = len(found)
        return tuple(found[:longest])

    def finish(self, chain: tuple[Elements, ...]) -> ProductFinish:
        """Returns what the passes do."""
        used = {key for each in chain for key in each.operands}
        return ProductFinish(
            self.first.output,
            chain,
            {key: value for key, value in self._at_hand.known.items() if key in used},
            tuple(key for key in self._at_hand.rows if key in used),
            tuple(key for key in self._at_hand.others if key in used),
            self.product.c,
            self.product.beta,
        )

    def _next(self, made: Collection[str]) -> Elements | None:
        """Returns the next pass that computes from these tensors, and from what it can read, each element in place."""
        for reader in self.passes.following(made):
            found = self._taken(reader, made)
            if found is not None:
                return found
        return None

    def _taken(self, shader_pass: Pass, made: Collection[str]) -> Elements | None:
        stored = self.passes.plan.textures[shader_pass.output]
        if not is_arranged_as(stored, self._at_hand.like) or stored.storage != "float32":
            return None
        if len(shader_pass.outputs) != 1 or shader_pass.uniforms:
            return None
        found = elements_of(shader_pass.name, self.passes.call(shader_pass))
        if found is None or not is_short(found):
            return None
        can_read = all(key in made or self._at_hand.take(key) for key in found.operands)
        return found if can_read else None
