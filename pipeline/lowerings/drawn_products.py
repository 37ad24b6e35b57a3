"""Builds the form of MatMul and Gemm as a draw: a fragment computes several rows of several groups of columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from texelscope.layouts.grid import ceil_div
from texelscope.pipeline.device import Limits
from texelscope.pipeline.glsl.other_stages import with_units
from texelscope.pipeline.lowerings.lowering import Lowering, LoweringStep
from texelscope.pipeline.lowerings.products import Product, can_store, places_text, stores_fours
from texelscope.pipeline.lowerings.sums import draw_size
from texelscope.pipeline.lowerings.text import DispatchText, framed
from texelscope.pipeline.operators.base import Constant as Number
from texelscope.pipeline.plan import ProgramSource, StoredTensor

# Fewer fragments leave cores idle.
_FRAGMENTS = 512
# Rows and groups of columns of a fragment, the best first. A read of a row's elements costs as much as six of packed
# columns on a software driver, so that it has to serve many of these.
_BLOCKS = ((8, 4), (8, 2), (4, 2), (4, 1), (2, 1))
_SOON = (4, 1)
# Where elements are read one by one a larger block has so long a text that a driver compiles it for minutes.
_ONE_BY_ONE = ((4, 1), (2, 1))


@dataclass(frozen=True)
class _Block:
    """Holds the `rows` and the `groups` of four columns that a fragment computes."""

    rows: int
    groups: int

    def fragments(self, product: Product) -> int:
        """Counts the fragments of a draw."""
        return self.runs(product) * self.blocks(product) * len(product.pairs)

    def runs(self, product: Product) -> int:
        """Counts the runs of rows of a matrix."""
        return ceil_div(product.rows, self.rows)

    def blocks(self, product: Product) -> int:
        """Counts the blocks of columns of a matrix."""
        return ceil_div(product.groups, self.groups)


def drawn_product_form(
    product: Product, output: str, covers: Sequence[str], textures: Mapping[str, StoredTensor], limits: Limits
) -> Lowering | None:
    """Returns the draw of a product into the tensor stored as `output`, in place of the passes it `covers`.

    None if texels of the output hold elements of several rows, and if the second matrix or a sum is too long for the
    driver.
    """
    y = textures[output]
    packed = product.packed_texels if product.b_is_packed else 0
    if not can_store(product, y) or packed > limits.max_buffer_texels or product.k_groups > limits.max_loop_turns:
        return None
    inputs = {"A": product.a}
    if not product.b_is_packed:
        inputs["B"] = product.b
    if product.c:
        inputs["C"] = product.c

    rows = [(product.k_groups, 0, 0, 0), *((*pair, 0, 0) for pair in product.pairs)]

    def form(block: _Block) -> Lowering:
        width, height = draw_size(block.fragments(product))
        step = LoweringStep(
            program=_program(product, block, inputs, y, textures, width),
            size=(width, height, 1),
            textures=tuple(inputs.values()),
            images=(output,),
            packed=(product.packed(),) if product.b_is_packed else (),
            shape=np.array(rows, dtype=np.int32).tobytes(),
        )
        return Lowering(tuple(covers), tuple(dict.fromkeys(inputs.values())), (output,), (step,))

    best = _best(product)
    soon = _Block(min(best.rows, _SOON[0]), min(best.groups, _SOON[1]))
    return form(best) if best == soon else replace(form(soon), tuned=lambda: form(best))


def _best(product: Product) -> _Block:
    """Returns the largest block that leaves enough fragments, of no more rows than there are."""
    most_rows = 1 << (product.rows - 1).bit_length()
    in_fours = product.a_in_fours and (product.b_is_packed or product.columns % 4 == 0)
    for rows, groups in _BLOCKS if in_fours else _ONE_BY_ONE:
        block = _Block(min(rows, most_rows), min(groups, product.groups))
        if block.fragments(product) >= _FRAGMENTS:
            return block
    return _Block(min(_BLOCKS[-1][0], most_rows), 1)


def _program(
    product: Product,
    block: _Block,
    inputs: Mapping[str, str],
    y: StoredTensor,
    textures: Mapping[str, StoredTensor],
    width: int,
) -> ProgramSource:
    constants: dict[str, Number] = {
        "ROWS": block.rows,
        "GROUPS": block.groups,
        "SUMS": block.rows * block.groups,
        "WIDTH": width,
        "FRAGMENTS": block.fragments(product),
        "RUNS": block.runs(product),
        "BLOCKS": block.blocks(product),
        "PAIRS": len(product.pairs),
        "INNER": product.inner,
        "ROWS_OF_Y": product.rows,
        "COLUMNS_OF_Y": product.columns,
        "GROUPS_OF_Y": product.groups,
        "A_IS_TRANSPOSED": product.a_is_transposed,
        "ALPHA": product.alpha,
        "BETA": product.beta,
    }
    flags = {
        "A_IN_FOURS": product.a_in_fours,
        "B_IN_FOURS": product.columns % 4 == 0,
        "B_IS_PACKED": product.b_is_packed,
        "Y_IN_FOURS": stores_fours(product, y),
    }
    generated = "\n".join([*product.reads(inputs, y, textures), *places_text(y)])
    bindings = [f"#define {name}" for name, is_set in flags.items() if is_set]
    if product.b_is_packed:
        bindings.append(f"layout(binding = {len(inputs)}) uniform samplerBuffer t_W;")
    bindings.append(with_units(generated, [f"t_{name}" for name in inputs]))
    return framed(DispatchText("product.glsl", None, ("product.puts.glsl",)), constants, bindings)
