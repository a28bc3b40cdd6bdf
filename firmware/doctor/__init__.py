"""`magister doctor`: gathers facts, checks them and reports."""
