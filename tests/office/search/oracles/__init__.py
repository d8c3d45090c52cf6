"""What is wrong in an office whatever its pages say: oracles that know of things, people and time, and of no page."""
