"""A tournament rehearsed before it is held: by kernels that walk arrays, or table by table through the engine."""
