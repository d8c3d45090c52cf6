"""The people of a house: accounts and roles in the log, their secrets beside it, and who signs what off."""
