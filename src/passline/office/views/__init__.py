"""What people see of an office."""
