"""The best lawful play for a purpose, by dynamic programming over positions and money, with a proven bound.

`purpose.py` has what can be asked for, `best_play.py` answers, `unlimited.py` solves play without a limit of rolls,
`limited.py` play of so many rolls, and `rational.py` finds the fraction behind a value where that is feasible.
"""
