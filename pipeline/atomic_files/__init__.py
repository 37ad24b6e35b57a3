"""Files written whole or not at all: under another name first, which takes the place of the file when it is done."""

from texelscope.pipeline.atomic_files.writing import (
    filled_folder,
    new_folder,
    write_array_whole,
    write_text_whole,
    write_whole,
)

__all__ = ["filled_folder", "new_folder", "write_array_whole", "write_text_whole", "write_whole"]
