"""The server around the routes: services, middleware, logs, metrics, websockets."""
