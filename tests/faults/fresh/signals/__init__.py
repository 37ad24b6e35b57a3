"""Networks on sound, motion and pairs of views: dilated stacks, spectrograms, filter banks, rings, cost volumes."""
