"""Makes the models: run by hand, with tools that neither the program nor its tests need.

`python -m tests.models.recipes.fused` and so on, in an environment with torch, onnxscript, tensorflow, tf2onnx and
onnxruntime; docs/models.md says with which versions.
"""
