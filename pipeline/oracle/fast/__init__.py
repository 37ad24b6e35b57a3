"""Evaluates in numpy the operators that are slow, missing or wrong in onnx.reference; one a module.

A module has two names. `OPERATOR` is the ONNX operator. `evaluate(invocation)` returns the outputs, computed in the
dtype of the inputs, or None for a case that the module does not cover: the reference then computes it. Inputs are never
written to; an output may share memory with an input.
"""
