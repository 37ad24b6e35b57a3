"""Places, folds and searches the boxes of a graph, without a window."""
