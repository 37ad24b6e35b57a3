"""Defines ONNX Runtime's operators, com.microsoft, in numpy, one family a module.

A module lists functions by operator in `OPERATORS`, as those in `pipeline.oracle.own` do. They are written from the
documentation, and share nothing with `pipeline.model_file.contrib`:
https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md. Attributes are those that the model gives.
"""
