"""The API: requests and their bodies, described once for validation, for OpenAPI and for people."""
