"""Tables of a tournament: chips are points, for one round."""
