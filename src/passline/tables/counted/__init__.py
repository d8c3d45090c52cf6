"""Tables whose chips are counted: on the papers of the office, and where no wagers are keyed in."""
