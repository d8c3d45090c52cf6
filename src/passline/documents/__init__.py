"""One sheet for everything that is printed or filed, and the one way from it to text, PDF, xlsx and HTML."""
