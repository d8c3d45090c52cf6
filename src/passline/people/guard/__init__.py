"""Guards of the front desk: common passwords, the processes in which secrets are hashed, and what was refused, added up."""
