"""What a pass could cost at best on this device: its work over what the device was measured to do at most."""
