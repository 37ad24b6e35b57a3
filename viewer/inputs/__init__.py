"""What goes into inputs by hand or over time: strokes that can be undone, folders, videos and cameras played."""
