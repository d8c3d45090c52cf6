"""The parts of `./x bench tables`: screens, appends, long logs."""
