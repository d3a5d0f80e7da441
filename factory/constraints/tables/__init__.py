"""What is known of built-in types and library modules, as plain tables."""
