"""Builds models as ONNX Runtime's optimiser leaves them: its own operators in place of groups of nodes."""

from __future__ import annotations

import io
import math
import tempfile
from pathlib import Path

import onnx
import onnxruntime
import torch
from onnxruntime.quantization import QuantFormat, quantize_dynamic
from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer
from onnxruntime.transformers.fusion_options import FusionOptions
from onnxruntime.transformers.onnx_model import OnnxModel
from onnxruntime.transformers.optimizer import optimize_model
from torch import nn

from tests.models.recipes.quantised import network
from tests.models.recipes.torch_models import Classifier, Encoder, scripted
from tests.models.recipes.written import write

WORDS, WIDTH, HEADS, LENGTH = 30, 16, 2, 8


class Attention(nn.Module):
    """Builds attention as in the BERT that most people export."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.dense, self.norm = nn.Linear(WIDTH, WIDTH), nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        def heads(y: torch.Tensor) -> torch.Tensor:
            return y.view((*y.size()[:-1], HEADS, WIDTH // HEADS)).permute(0, 2, 1, 3)

        query, key, value = heads(self.query(x)), heads(self.key(x)), heads(self.value(x))
        scores = torch.matmul(query, key.transpose(-1, -2)) / math.sqrt(WIDTH // HEADS)
        shares = torch.softmax(scores + mask, dim=-1)
        context = torch.matmul(shares, value).permute(0, 2, 1, 3).contiguous()
        return self.norm(self.dense(context.view((*context.size()[:-2], WIDTH))) + x)


class Layer(nn.Module):
    """Builds attention and two linear layers."""

    def __init__(self) -> None:
        super().__init__()
        self.attention = Attention()
        self.wide, self.narrow = nn.Linear(WIDTH, 2 * WIDTH), nn.Linear(2 * WIDTH, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        x = self.attention(x, mask)
        return self.norm(self.narrow(nn.functional.gelu(self.wide(x))) + x)


class Bert(nn.Module):
    """Words, places and segments; two layers; a row of scores for the first word."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.segments = nn.Embedding(WORDS, WIDTH), nn.Embedding(2, WIDTH)
        self.places = nn.Embedding(LENGTH, WIDTH)
        self.register_buffer("numbers", torch.arange(LENGTH).expand((1, -1)))
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList([Layer(), Layer()])
        self.pooler = nn.Linear(WIDTH, 4)

    def forward(self, words: torch.Tensor, segments: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        extended = (1.0 - mask[:, None, None, :].to(torch.float32)) * -10000.0
        length = words.size(1)
        x = self.words(words) + self.segments(segments) + self.places(self.numbers[:, :length])
        x = self.norm(x)
        for layer in self.layers:
            x = layer(x, extended)
        return torch.tanh(self.pooler(x[:, 0]))


def bert(*, free: bool) -> onnx.ModelProto:
    """The exported model, nothing fused yet; with sizes left `free` or for two rows of eight words."""
    sizes = {0: "batch", 1: "length"}
    words = torch.randint(0, WORDS, (2, LENGTH))
    memory = io.BytesIO()
    torch.onnx.export(
        Bert().eval(),
        (words, torch.zeros_like(words), torch.ones_like(words)),
        memory,
        dynamo=False,
        opset_version=14,
        input_names=["input_ids", "token_type_ids", "attention_mask"],
        output_names=["pooled"],
        dynamic_axes=dict.fromkeys(("input_ids", "token_type_ids", "attention_mask"), sizes) if free else None,
    )
    return onnx.load_from_string(memory.getvalue())


def sized(model: onnx.ModelProto) -> onnx.ModelProto:
    """Returns the model for two rows of eight words."""
    for value in (*model.graph.input, *model.graph.output):
        for dim in value.type.tensor_type.shape.dim:
            if dim.HasField("dim_param"):
                dim.dim_value = {"batch": 2, "length": LENGTH}.get(dim.dim_param, 2)
    del model.graph.value_info[:]
    return model


def extended(model: onnx.ModelProto) -> onnx.ModelProto:
    """Returns the model as optimised by a session at the extended level."""
    with tempfile.TemporaryDirectory() as folder:
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
        options.optimized_model_filepath = str(Path(folder, "model.onnx"))
        onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
        return onnx.load(Path(folder, "model.onnx"))


def by_pattern(model: onnx.ModelProto, kind: str, **choices: bool) -> onnx.ModelProto:
    """Returns the model as optimised by the tool for transformers."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.onnx")
        onnx.save(model, path)
        options = FusionOptions(kind)
        for name, value in choices.items():
            setattr(options, name, value)
        fused = optimize_model(
            str(path), kind, num_heads=HEADS, hidden_size=WIDTH, optimization_options=options, opt_level=0
        )
        fused.save_model_to_file(str(path))
        return onnx.load(path)


def quantised(model: onnx.ModelProto) -> onnx.ModelProto:
    """Returns weights of eight bits, activations quantised as they come."""
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder, "before.onnx"), Path(folder, "after.onnx")
        onnx.save(model, before)
        quantize_dynamic(before, after, extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT})
        return onnx.load(after)


def halved(model: onnx.ModelProto) -> onnx.ModelProto:
    """Returns the model in half precision, inputs and outputs unchanged."""
    half = OnnxModel(model)
    half.convert_float_to_float16(keep_io_types=True)
    return half.model


def four_bits(model: onnx.ModelProto, form: QuantFormat) -> onnx.ModelProto:
    """Returns weights of four bits in blocks of sixteen."""
    sizes = sized(model)
    quantiser = MatMulNBitsQuantizer(sizes, block_size=16, is_symmetric=False, quant_format=form)
    quantiser.process()
    return quantiser.model.model


def main() -> None:
    torch.manual_seed(6)
    write(extended(scripted(Classifier(), torch.randn(1, 3, 16, 16), opset=13)), "ort_extended_classifier")
    write(extended(network()), "ort_extended_network")
    write(extended(bert(free=False)), "ort_extended_bert")
    plain = bert(free=True)
    write(sized(by_pattern(plain, "bert", enable_gelu_approximation=True)), "ort_transformers_bert")
    write(sized(halved(by_pattern(plain, "bert"))), "ort_half_bert")
    write(by_pattern(scripted(Encoder(), torch.randn(1, 3, 16, 16), opset=17), "vit"), "ort_transformers_vit")
    write(four_bits(by_pattern(plain, "bert"), QuantFormat.QOperator), "ort_four_bit_bert")
    write(four_bits(by_pattern(plain, "bert"), QuantFormat.QDQ), "ort_four_bit_qdq_bert")
    write(sized(extended(quantised(by_pattern(plain, "bert")))), "ort_quantised_bert")


if __name__ == "__main__":
    main()
