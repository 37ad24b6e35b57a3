"""GLSL run in Python, statement by statement: a second opinion on what one fragment does, for tests alone.

It shares the parser, the macros and the map of lines with the product, and no line of what records traces.
"""
