"""What people see of tables and of the log: pages, wording, recall and records."""
