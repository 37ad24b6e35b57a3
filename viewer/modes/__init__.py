"""Runs a shader in every mode and pack, beside the open one."""
