float relu(float x) { return max(x, 0.0); }
