"""Simulated providers, which cases use instead of a real cloud.

None of them touches anything outside the working directory, and the same calls always give the same answers. Engines
never import them: they receive providers with each request.

    simcloud      a cloud with objects, faults and drift. Most cases use it.
    tfcoremock    a model of HashiCorp's provider of that name, which keeps its objects in files.
    utilities     models of HashiCorp's providers local, null and random.
    permissive    a stand-in for any provider, with a schema derived from the configuration.
"""
