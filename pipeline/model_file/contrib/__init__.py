"""Expands operators of ONNX Runtime's own domain, com.microsoft, to ONNX's, one module each.

A module defines `OPERATOR`, the operator's name, and `write(node: Writer) -> None`, which adds the nodes that replace
a node of that type and names its outputs among their tensors. Its numpy definition, written from the same
documentation and nothing else, is the module of that name in `pipeline.oracle.contrib`. The documentation is
https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md.
"""
