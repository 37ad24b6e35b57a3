"""Converts functions of a pipeline file to graphs, so that they are diagnosed like a model's passes."""
