"""A texture becomes a picture, with tiles, labels and reads drawn over it."""
