"""Answers where a value comes from: the pass, the texel and the operand that made it wrong."""
