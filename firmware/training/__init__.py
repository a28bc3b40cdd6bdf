"""How the reader of stacks is taught: pictures of strangers' tables, and the network that learns from them."""
