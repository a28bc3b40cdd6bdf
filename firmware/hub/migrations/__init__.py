"""How the hub's database came to be, step by step; run by Alembic."""
