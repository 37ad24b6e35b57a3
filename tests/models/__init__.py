"""Small models as exporters, quantisers and optimisers really write them, and the recipes that made them."""
