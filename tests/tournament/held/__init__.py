"""Cases of tournaments that are held, by what they are about; `tests/tournament/engine_cases.py` has the others."""
