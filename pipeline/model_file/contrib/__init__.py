"""Expands operators of ONNX Runtime's own domain, com.microsoft, to ONNX's, one family a module.

A module lists functions of a `Writer` by operator in `OPERATORS`. Each adds the nodes that replace a node of that type
and names its outputs among their tensors; the first sentence of its docstring, after the colon, is the operator's
description. The numpy definitions, written from the same documentation and nothing else, are in the module of that name
in `pipeline.oracle.contrib`. The documentation is
https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md.
"""

DOMAIN = "com.microsoft"
