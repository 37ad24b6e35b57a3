"""Attention blocks in fragment passes: heads flat or in tiles, scores, masks, softmax, context, rotations and gates."""
