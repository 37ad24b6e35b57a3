"""Translates shaders of other languages to GLSL, line by line of the author's: one module a language.

Everything behind works on the translated text; `#line` says which of the author's lines each of its lines is of, so
that whatever points to a line points into the author's file.
"""
