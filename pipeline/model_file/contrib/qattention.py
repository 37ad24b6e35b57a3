"""QAttention: Attention whose projection is a product of quantised tensors."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.attention import attend
from texelscope.pipeline.model_file.contrib.quantised import per_tensor, shifted
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "QAttention"


def write(node: Writer) -> None:
    """Codes [B, S, D], codes of weights, bias, both scales, mask, both zero points, past."""
    if node.attribute("do_rotary", 0) or node.attribute("past_present_share_buffer", 0):
        got = "do_rotary" if node.attribute("do_rotary", 0) else "past_present_share_buffer"
        raise node.refusal("an attention without rotation and with a past of its own", got)
    product = node.add("MatMul", shifted(node, 0, 6), shifted(node, 1, 7), label="product")
    scale = node.add("Mul", per_tensor(node, 3), per_tensor(node, 4), label="scales")
    projected = node.add("Add", node.add("Mul", product, scale, label="scaled"), node.x(2), label="projected")
    attend(node, projected, mask=5, past=8, bias=9)
