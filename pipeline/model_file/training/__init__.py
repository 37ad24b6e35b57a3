"""Steps of training, ai.onnx.preview.training, in terms of plain operators, one module each.

A module is made as those of `pipeline.model_file.contrib`; the formulas are those of the schemas, with R the rate, T
the count of steps, and for each weight X its gradient G and what is remembered of those before.
"""

DOMAIN = "ai.onnx.preview.training"
TITLE = "Steps of training"
