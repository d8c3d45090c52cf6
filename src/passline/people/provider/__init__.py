"""Log-in by the house's own identity provider (OpenID Connect): what it is asked, and what is believed."""
