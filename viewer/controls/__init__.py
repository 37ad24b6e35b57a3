"""What stands around a texture: range bar, legend, channels of a picture, its menu; rows that give way."""
