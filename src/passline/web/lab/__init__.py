"""The laboratory: exact answers about strategies that visitors write, made in processes beside the server's."""
