from shared_nodes.values.text import quoted as go_quote

__all__ = ["go_quote"]
