"""Masks sensitive values in all output: `sensitive_values.py` finds them, `masking.py` replaces them."""
