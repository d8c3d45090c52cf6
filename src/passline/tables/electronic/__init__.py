"""Electronic dice: how a throw closes wagers and lands, and how every roll is proved from the log."""
