"""Stand-ins for HashiCorp's utility providers: local (files), null (nothing) and random (generated values).

They have the schemas of the originals, and plan, replace, import and refuse as those do. Files are those of the World,
and so is every random choice: a run can be repeated exactly, whatever order its calls come in.

- definition.py   what a resource type consists of: attributes with their rules, and what happens to its objects
- planning.py     planned changes, by the rules of the framework that the originals are built with
- validation.py   what the framework, and the validators of its library, refuse
- offers.py       the providers by name
- provider.py     one provider with any set of such types; start here
- local_types.py, null_types.py, random_types.py   the types of each provider
- texts.py        random_string and random_password; pets.py: the names of random_pet; keepers.py: what replaces objects
"""
