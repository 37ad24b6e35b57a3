"""Operators of ONNX's second domain, ai.onnx.ml, in terms of those of the first, one module each: numbers, no texts.

A module is made as those of `pipeline.model_file.contrib`; the definitions are those of the schemas.
"""

DOMAIN = "ai.onnx.ml"
TITLE = "Operators of ai.onnx.ml"
