"""Custom conditions and check blocks: what a configuration asserts about itself."""
