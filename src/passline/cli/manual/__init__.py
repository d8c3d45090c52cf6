"""The manual, made from what the commands say of themselves: plain text, man pages, shell completion."""
