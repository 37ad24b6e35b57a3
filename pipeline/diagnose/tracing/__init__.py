"""Functions of a pipeline file as graphs, so that what is known of a model's pass is known of theirs."""
