"""Expands operators of ONNX's second domain, ai.onnx.ml, to those of the first, one family a module: numbers, no texts.

A module has the form of those in `pipeline.model_file.contrib`; the definitions are those of the schemas.
"""

DOMAIN = "ai.onnx.ml"
TITLE = "Operators of ai.onnx.ml"
