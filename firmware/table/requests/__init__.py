"""What people ask of the table, by page, panel or command, and how it is carried out."""
