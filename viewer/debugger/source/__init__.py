"""Draws a trace over its shader: the tool row, the line that runs next, values beside lines, breakpoints."""
