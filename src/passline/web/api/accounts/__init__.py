"""The API of an office's accounts: what tables should have won, how players played, and whether dice are fair."""
