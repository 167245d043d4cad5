"""A provider for those there are not: it takes its schema from the configuration it meets, and refuses nothing.

uses.py       which attributes expressions ask resources for, and what they take them for
derived.py    the schema: what blocks configure, what expressions ask for, what a state knows
provider.py   the provider
"""
