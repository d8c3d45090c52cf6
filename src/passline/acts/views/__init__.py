"""What people see of the acts of an office."""
