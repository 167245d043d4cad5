"""Statements about objects that exist already: `moved`, `import` and `removed` blocks."""
