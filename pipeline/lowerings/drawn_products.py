"""Builds the form of MatMul and Gemm as a draw: a fragment computes several rows of several groups of columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from texelscope.layouts.grid import ceil_div
from texelscope.layouts.row_major_rgba import RowMajorRgba
from texelscope.pipeline.device import Limits
from texelscope.pipeline.glsl.assemble import literal
from texelscope.pipeline.glsl.other_stages import with_units
from texelscope.pipeline.lowerings.lowering import Lowering, LoweringStep
from texelscope.pipeline.lowerings.product_finish import ProductFinish, is_row
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
NO_FINISH = ProductFinish()
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
    product: Product,
    output: str,
    covers: Sequence[str],
    textures: Mapping[str, StoredTensor],
    limits: Limits,
    finish: ProductFinish = NO_FINISH,
) -> Lowering | None:
    """Returns the draw of a product into the tensor stored as `output`, in place of the passes it `covers`.

    `finish` says what they do after the product.

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
    if product.c and finish.is_empty and stores_fours(product, y) and is_row(textures.get(product.c), product.columns):
        product, finish = replace(product, c=""), ProductFinish(bias=product.c, beta=product.beta)
    if product.c:
        inputs["C"] = product.c
    inputs |= {f"O{i}": key for i, key in enumerate(finish.others)}

    rows = [(product.k_groups, 0, 0, 0), *((*pair, 0, 0) for pair in product.pairs)]

    def form(block: _Block) -> Lowering:
        width, height = draw_size(block.fragments(product))
        step = LoweringStep(
            program=_program(product, block, inputs, y, textures, width, finish),
            size=(width, height, 1),
            textures=tuple(inputs.values()),
            images=(output,),
            packed=(*([product.packed()] if product.b_is_packed else []), *finish.packed(product.columns)),
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
    finish: ProductFinish,
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
        "HAS_FINISH": not finish.is_empty,
    }
    own = {name: key for name, key in inputs.items() if name in "ABC"}
    generated = "\n".join(
        [
            *(f"uniform sampler2D t_{name};" for name in inputs if name not in own),
            *_reads(product, own, y, textures),
            *places_text(y),
        ]
    )
    bindings = [f"#define {name}" for name, is_set in flags.items() if is_set]
    packed = [*(["t_W"] if product.b_is_packed else []), *(["t_P"] if finish.packed(product.columns) else [])]
    bindings += [
        f"layout(binding = {unit}) uniform samplerBuffer {name};" for unit, name in enumerate(packed, len(inputs))
    ]
    bindings.append(with_units(generated, [f"t_{name}" for name in inputs]))
    text = "" if finish.is_empty else finish.text(y)
    return framed(DispatchText("product.glsl", None, (), ("product.puts.glsl",)), constants, bindings, text)


def _reads(
    product: Product, inputs: Mapping[str, str], y: StoredTensor, textures: Mapping[str, StoredTensor]
) -> list[str]:
    """Returns text that reads the inputs; four neighbours by sampling where they are a texel of a flat layout."""
    found = []
    for name, key in inputs.items():
        lines = product.reads({name: key}, y, textures)
        sampled = _sampled_four(name, textures[key]) if any(f" {name}_four(" in line for line in lines) else None
        found += lines if sampled is None else [f"uniform sampler2D t_{name};", sampled]
    return found


# Up to here the row of a texel is found with floating-point numbers without error.
_MOST_SAMPLED = 1 << 21


def _sampled_four(name: str, stored: StoredTensor) -> str | None:
    """Returns the text of `<name>_four(group)` that samples texel number `group`; None for layouts that are not flat.

    That takes a driver a third of the time of a fetch, and a division of integers as long as a fetch.
    """
    height, width = stored.texture_shape
    if not isinstance(stored.layout, RowMajorRgba) or height * width > _MOST_SAMPLED:
        return None
    return (
        f"vec4 {name}_four(int group) {{\n"
        f"    float i = float(group) + 0.5, row = floor(i * {literal(1 / width)});\n"
        f"    vec2 at = vec2(i - row * {literal(float(width))}, row + 0.5);\n"
        f"    return textureLod(t_{name}, at * vec2({literal(1 / width)}, {literal(1 / height)}), 0.0);\n}}"
    )
