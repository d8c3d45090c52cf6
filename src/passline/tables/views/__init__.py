"""What people are shown of tables and of the log: pages, wording, recall and records."""
