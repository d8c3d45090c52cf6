"""Texts that people send to be read: houses and plans, parsed and checked in a process beside the server's."""
