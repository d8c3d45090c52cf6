"""Output that several commands share: files, progress, tables of strategies side by side."""
