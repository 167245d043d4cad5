"""Real provider plugins under our engines: found as the original finds them, started, called, and ended.

A plugin is a program of others, so nothing here happens unless the user allows programs to be run. `resolve.py` is the
entrance: it finds the plugin of a provider (`locate.py`, with `cli_configuration.py`, `lock_file.py` and
`package_hashes.py`), asks it for its schema (`schema_cache.py`), and returns how instances are made. An instance is a
`PluginProvider` (`plugin_provider.py`): the provider contract, over calls to a process of its own
(`plugin_process.py`, `handshake.py`). Whatever a plugin does, crash, hang or answer nonsense, becomes a diagnostic
(`failures.py`).
"""
