"""Automata: a strategy under rules as arrays over states and outcomes, the bridge from the game to the mathematics.

- `seat`: plays one strategy at a table of its own through the real engine: from a state, act, then roll any dice.
- `compiler`: explores every state that the strategy reaches and writes down the arrays.
- `arrays`: the arrays, which `exact` solves and `simulation` walks without knowing craps.
- `minimise`: merges states; `minimise` for replaying dice, `lump` for the mathematics.
- `network`: keeps independent parts of a strategy apart, or multiplies them into one automaton.
- `cache`: keeps compiled automata on disk.
- `real_table`: plays single sessions with real money, to check an automaton against.
"""
