"""Defines ONNX Runtime's operators, com.microsoft, in numpy, a module each.

A module defines `OPERATOR`, the operator's name, and `evaluate(invocation) -> tuple of arrays`, as those in
`pipeline.oracle.own` do. They are written from the documentation, and share nothing with `pipeline.model_file.contrib`:
https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md. Attributes are those that the model gives.
"""
