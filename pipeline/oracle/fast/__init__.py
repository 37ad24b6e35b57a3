"""Evaluates in numpy the operators that are slow, missing or wrong in onnx.reference; one family a module.

A module lists functions by ONNX operator in `OPERATORS`. Each takes an `Invocation` and returns the outputs, computed
in the dtype of the inputs, or None for a case that it does not cover: the reference then computes it. Inputs are never
written to; an output may share memory with an input.
"""
