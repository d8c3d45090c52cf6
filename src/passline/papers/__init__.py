"""Papers of a house that a compliance officer prints, files and compares, all made from the rules it deals by."""
