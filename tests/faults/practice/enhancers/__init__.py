"""Enhancing networks as video players and photo apps have them: weights in the text, feature maps in RGBA."""
