"""Live tables: what people ask of them, what is recorded, the ledger, and who may do what."""
