"""What stands around a texture: the range bar, the legend, channels of a picture, and what a right click offers."""
