"""What nobody foresaw: a fault of this program becomes one line that says where the whole of it is written."""
