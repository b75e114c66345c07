"""The game itself, compiled: one phase a file, arrays in and arrays out."""
