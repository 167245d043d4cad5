"""Provider plugins: programs of others, and ours for the programs of others.

A plugin is a program that implements a provider and is called over gRPC. `wire/` has the transport and the messages of
both versions of the plugin protocol. `driving/` finds and starts plugins, so that our engines can use them; `serving/`
offers our simulated providers to real binaries. The libraries for these are an extra (`diffharness[plugins]`), and
nothing outside this folder imports them. `tapes/` records what providers answer and replays it, and needs no libraries.
"""
