"""What menus, buttons, keys and the palette do, one module a subject."""
