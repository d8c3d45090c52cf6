"""Acts that people record and sign under cited pages: things, fields, signatures, needs, clocks, watches, papers."""
