"""The smallest size, the layouts, the precision and the devices at which a pass begins to be wrong."""
