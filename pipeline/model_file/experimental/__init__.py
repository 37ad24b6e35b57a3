"""Expands ONNX's experimental operators from before opset 10 to those that stayed, one family a module.

A module has the form of those in `pipeline.model_file.contrib`. ONNX describes the operators in docs/Operators.md of
its version 1.4 under "experimental"; they never had versions, and a model contains nothing but their name.
"""

DOMAIN = ""
TITLE = "Experimental operators before opset 10"
