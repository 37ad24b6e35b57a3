"""Functions of angles and of hyperbolas, and their inverses."""

from __future__ import annotations

from texelscope.pipeline.gradients.derivatives.formulas import TensorTerm, of_one_input


def _other_leg(x: TensorTerm) -> TensorTerm:
    """1 − x², of which nothing cancels near −1 and 1."""
    return (1.0 - x) * (1.0 + x)


DERIVATIVES = of_one_input(
    {
        "Acos": lambda f: -(f.dy / _other_leg(f.x).of("Sqrt")),
        "Acosh": lambda f: f.dy / f.y.of("Sinh"),
        "Asin": lambda f: f.dy / _other_leg(f.x).of("Sqrt"),
        "Asinh": lambda f: f.dy / f.y.of("Cosh"),
        "Atan": lambda f: f.dy / (1.0 + f.x * f.x),
        "Atanh": lambda f: f.dy / _other_leg(f.x),
        "Cos": lambda f: -(f.dy * f.x.of("Sin")),
        "Cosh": lambda f: f.dy * f.x.of("Sinh"),
        "Sin": lambda f: f.dy * f.x.of("Cos"),
        "Sinh": lambda f: f.dy * f.x.of("Cosh"),
        "Tan": lambda f: f.dy * (1.0 + f.y * f.y),
        "Tanh": lambda f: f.dy * (1.0 - f.y * f.y),
    }
)
FLAT = ()
