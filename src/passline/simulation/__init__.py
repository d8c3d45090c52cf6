"""Simulation of sessions at any scale, on a CPU, a GPU or a cluster, with equal results session by session.

`simulation` is where to start; `reference_session` specifies one session in plain Python; `backends` play them fast.
"""
