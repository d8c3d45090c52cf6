"""The pages, the HTTP API and the websocket of live tables."""
