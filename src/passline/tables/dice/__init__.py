"""Dice: throws of electronic ones and their proofs, sets of physical ones and dice out."""
