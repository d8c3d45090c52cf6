"""The automaton of decisions: positions times a menu of acts, as arrays.

`menu.py` has the wagers and sizes that a player may choose from, `menu_seat.py` asks the engine which acts are lawful
and deals every roll, `compiler.py` explores, and `arrays.py` has what comes of it.
"""
