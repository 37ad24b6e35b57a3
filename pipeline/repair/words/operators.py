"""Spellings of operators in shaders: GLSL's own, parts of names that people give to functions, signs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

SPELLED: Mapping[str, tuple[str, ...]] = {
    "Relu": ("max", "relu"), "LeakyRelu": ("relu", "max", "mix", "?"), "PRelu": ("relu", "max", "min", "mix", "slope"),
    "Sigmoid": ("exp", "sigm", "logistic"), "Tanh": ("tanh",), "Neg": ("-",), "Abs": ("abs",), "Sqrt": ("sqrt", "pow"),
    "Exp": ("exp",), "Log": ("log",), "Softplus": ("log", "softplus"), "Elu": ("elu", "exp"), "Selu": ("elu", "exp"),
    "Celu": ("elu", "exp"), "Gelu": ("gelu", "tanh", "erf"), "Erf": ("erf", "tanh"), "Mish": ("mish", "tanh"),
    "Clip": ("clamp", "min", "max"), "HardSigmoid": ("clamp", "min", "hard"), "HardSwish": ("clamp", "min", "hard"),
    "Swish": ("swish", "silu", "exp"), "Mul": ("*",), "Div": ("/",), "Reciprocal": ("/",), "Sub": ("-", "+"),
    "Add": ("+", "-"),
    "Floor": ("floor",), "Round": ("round",), "Softsign": ("abs",), "Max": ("max",), "Min": ("min",),
    "MaxPool": ("max",), "Pow": ("pow", "*"), "Softmax": ("exp", "/"), "ReduceMean": ("/",),
    "AveragePool": ("/",), "GlobalAveragePool": ("/",),
}  # fmt: skip


def functions_of(operators: Iterable[str]) -> frozenset[str]:
    """Returns the words among the spellings of some operators, without signs."""
    return frozenset(word for each in operators for word in SPELLED.get(each, ()) if word.isalpha())
