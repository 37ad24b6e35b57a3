"""Operators that ONNX had on trial before opset 10, in terms of those that stayed, one module each.

A module is made as those of `pipeline.model_file.contrib`. ONNX describes them in docs/Operators.md of its version 1.4
under "experimental"; they never had versions, and a model says nothing but their name.
"""

DOMAIN = ""
TITLE = "Operators on trial before opset 10"
