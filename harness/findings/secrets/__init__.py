"""Masks sensitive values in everything that is written: `sensitive_values.py` finds them, `masking.py` replaces them."""
