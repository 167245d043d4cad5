"""Builds results from verdicts: `result_builder.py` puts findings, explanations and masked evidence together."""
