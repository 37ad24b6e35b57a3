"""ONNX Runtime's own operators, held against ONNX Runtime: cases, a module a subject, and how they are run."""
