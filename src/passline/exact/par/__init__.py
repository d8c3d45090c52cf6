"""Par sheets: `lines` lists what has a line, `par` solves one, `sheet` makes the sheet, `printed` prints it."""
