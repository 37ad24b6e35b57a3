"""Lists each model, the recipe that made it, and its purpose."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Model:
    """NAME.onnx, made by the module `recipe` of the recipes; `kind` says what it is.

    `slack` is how far outputs may be from ONNX Runtime's, in parts of the largest one or of 1: more than rounding where
    the result is of codes, one of which may tip. Those that run `often` do so in all tests,
    the others in `make models`.
    """

    name: str
    recipe: str
    kind: str
    slack: float = 1e-5
    often: bool = True


CATALOGUE = (
    Model(
        "torch_training_opset9",
        "torch_models",
        "PyTorch's TorchScript export in training mode, opset 9: BatchNormalization with outputs that nobody reads",
    ),
    Model("torch_classifier_opset13", "torch_models", "PyTorch's TorchScript export of a classifier, opset 13"),
    Model(
        "torch_upscaler_opset11",
        "torch_models",
        "PyTorch's TorchScript export, opset 11: Pad and Resize by computed sizes",
    ),
    Model("torch_dynamo_encoder", "torch_models", "PyTorch's newer exporter: a layer of a vision transformer"),
    Model("torch_dynamo_upscaler", "torch_models", "PyTorch's newer exporter: reflecting Pad, DepthToSpace, Resize"),
    Model("torch_dynamo_if", "torch_models", "PyTorch's newer exporter: an If by the values of the picture"),
    Model("torch_dynamo_loop", "torch_models", "PyTorch's newer exporter: a Loop until the values are small"),
    Model(
        "tf2onnx_mobile_opset13",
        "tensorflow_models",
        "tf2onnx: a picture [N, H, W, C], TensorFlow's padding, depthwise",
    ),
    Model(
        "tf2onnx_resize_opset11", "tensorflow_models", "tf2onnx, opset 11: Resize by tf_half_pixel_for_nn, and bilinear"
    ),
    Model("tf2onnx_loop_opset15", "tensorflow_models", "tf2onnx: a Loop that runs three times"),
    Model("int8_static_operators", "quantised", "ONNX Runtime's static quantiser, operators on codes, unsigned"),
    Model("int8_static_operators_signed", "quantised", "the same, signed, with scales by channel", often=False),
    Model(
        "int8_static_qdq",
        "quantised",
        "ONNX Runtime's static quantiser, codes made real around operators",
        slack=1 / 255,
    ),
    Model(
        "int8_dynamic",
        "quantised",
        "ONNX Runtime's dynamic quantiser: DynamicQuantizeLinear, ConvInteger, MatMulInteger",
        often=False,
    ),
    Model(
        "ort_extended_classifier",
        "fused",
        "PyTorch's classifier after ONNX Runtime's optimiser, extended level: FusedConv",
    ),
    Model(
        "ort_extended_network",
        "fused",
        "a network after ONNX Runtime's optimiser, extended level: FusedConv, FusedGemm",
    ),
    Model("int8_dynamic_lstm", "quantised", "ONNX Runtime's dynamic quantiser: DynamicQuantizeLSTM", often=False),
    Model(
        "ort_extended_bert",
        "fused",
        "a BERT after ONNX Runtime's optimiser, extended level: FusedMatMul, SkipLayerNormalization, Gelu",
        often=False,
    ),
    Model(
        "ort_transformers_bert",
        "fused",
        "a BERT after ONNX Runtime's tool for transformers: EmbedLayerNormalization, Attention, FastGelu",
    ),
    Model("ort_transformers_vit", "fused", "PyTorch's vision transformer, opset 17, after the same tool: BiasGelu"),
    Model("ort_half_bert", "fused", "the BERT after the same tool in half precision", slack=2e-3),
    Model("ort_four_bit_bert", "fused", "the same with weights of four bits: MatMulNBits"),
    Model(
        "ort_four_bit_qdq_bert",
        "fused",
        "the same with weights of four bits: DequantizeLinear by blocks of uint4",
        often=False,
    ),
    Model(
        "ort_quantised_bert",
        "fused",
        "the same BERT, quantised to eight bits: QEmbedLayerNormalization, QAttention, DynamicQuantizeMatMul",
        often=False,
    ),
    Model(
        "gpt_step",
        "by_hand",
        "a step of a GPT as generators write it: four-bit MatMulNBits, GroupQueryAttention with a cache, rotation",
        often=False,
    ),
    Model("ml_chosen", "by_hand", "a network with operators of ai.onnx.ml behind it: ArrayFeatureExtractor, Binarizer"),
    Model("ml_trees", "by_hand", "two trees of a regression as scikit-learn's are written: TreeEnsembleRegressor"),
)
