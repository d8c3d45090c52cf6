"""The pages people see, rendered from templates; what is live on them comes over the websocket."""
