"""Networks of dense prediction, as fragment passes: U-Net, DeepLab, a YOLO head, LinkNet, pyramid pooling."""
