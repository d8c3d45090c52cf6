"""Guards of the front desk: common passwords, processes in which secrets are hashed, and what was refused, added up."""
