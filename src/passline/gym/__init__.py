"""Craps as an environment of Gymnasium, for programs that learn: the automaton of decisions, stepped.

Importing this package registers `Passline/Craps-v0`, alone and vectorised:

    import gymnasium, passline.gym
    env = gymnasium.make("Passline/Craps-v0", menu="pass, pass_odds")
    envs = gymnasium.make_vec("Passline/Craps-v0", num_envs=4096, vectorization_mode="vector_entry_point")

`environment.py` has the single environment, `vector.py` the vectorised one, and `tables.py` the arrays of both.
"""

from passline.extras import extra_for

with extra_for("passline.gym"):
    import gymnasium

gymnasium.register(
    id="Passline/Craps-v0",
    entry_point="passline.gym.environment:CrapsEnv",
    vector_entry_point="passline.gym.vector:CrapsVectorEnv",
)
