"""Vectorised numpy versions of operators that are slow, missing or wrong in onnx.reference; one a module.

A module has two names. `OPERATOR` is the ONNX operator. `evaluate(invocation)` gives the outputs, computed in
the dtype of the inputs, or None where the module does not cover what is asked: the reference then does it.
Inputs are never written to; an output may share memory with an input.
"""
