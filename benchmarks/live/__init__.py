"""What `./x bench tables` measures: screens, appends, long logs."""
