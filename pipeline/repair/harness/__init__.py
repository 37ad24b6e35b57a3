"""A wrong pass on a bench of its own: variants of it compiled and drawn, what they should make, what a look tells."""
