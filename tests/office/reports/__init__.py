"""Every report of an office against the raw log: stories, the log as JSON, and a table of reports with ten figures."""
