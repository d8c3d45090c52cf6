"""Who finished where, and what each place wins."""
