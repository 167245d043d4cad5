"""The plugin protocol, versions 5 and 6: what is exchanged with a provider plugin, and how.

`protocol.proto` states all messages, `methods.py` the names of the calls. A message carries values (`values.py`),
schemas (`schemas.py`), signatures of functions (`functions.py`), diagnostics (`diagnostics.py`) and paths (`paths.py`);
each module translates in both directions. What cannot be translated is a `WireError`, whatever the bytes are.

`rpc_client.py` and `rpc_server.py` carry messages as bytes, over HTTP/2 (`http2.py`). Start with `methods.py`.
"""
