"""The passes of a reduction."""
