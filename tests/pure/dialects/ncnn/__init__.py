"""What the dialect of ncnn promises, without GL."""
