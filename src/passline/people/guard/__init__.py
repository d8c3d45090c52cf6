"""Guards of the front desk: common passwords, the queue in which secrets are hashed, and what was refused, added up."""
