"""What the pages of an office say."""
