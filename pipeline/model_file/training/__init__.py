"""Expands steps of training, ai.onnx.preview.training, to plain operators.

A module has the form of those in `pipeline.model_file.contrib`; the formulas are those of the schemas, with R the
rate, T the count of steps, and for each weight X its gradient G and its moments.
"""

DOMAIN = "ai.onnx.preview.training"
TITLE = "Steps of training"
