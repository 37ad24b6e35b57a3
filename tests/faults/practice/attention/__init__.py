"""Attention blocks as passes: projections, heads in flat indices, scores, softmax, context, feed-forward parts."""
