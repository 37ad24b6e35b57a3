"""Opens shaders of ncnn in their original files, each as a plan for the layer that it computes."""
