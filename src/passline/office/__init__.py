"""The back office: what a casino must record, count, file and sign before and after its tables are dealt."""
