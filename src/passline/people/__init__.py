"""The people of a house: accounts and roles in the log, their secrets in the vault, and sign-off."""
