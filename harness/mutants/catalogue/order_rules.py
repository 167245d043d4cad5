"""S: rules about order that are easily inverted, in either engine: what waits for what, what is destroyed or created
first, and the dependencies that are recorded for it. The other mutants of this class are in `value_rules.py`.
"""

from __future__ import annotations

from typing import Final

from harness.mutants.catalogue.mutant import Mutant

__all__ = ["MUTANTS"]

MUTANTS: Final = (
    Mutant(
        "S01",
        "Dependencies are destroyed before their dependents.",
        "new_engine.planning.leg_order",
        """
         if leg.instance.sees(other.instance) and not _is_impossible(leg, other, edges, is_reachable):
        -    edges[other][leg] = None
        +    waiting, first = (leg, other) if other.is_removal else (other, leg)
        +    edges[waiting][first] = None
        """,
        phase="destroy",
        field="order",
        areas=("destroy", "destroy_order"),
    ),
    Mutant(
        "S02",
        "Legs in different instances of one module wait for each other.",
        "new_engine.planning.leg_order",
        """
        -if leg.instance.sees(other.instance):
        +if True:
             edges[leg][other] = None
        @@
        -if leg.instance.sees(other.instance) and not _is_impossible(leg, other, edges, is_reachable):
        +if not _is_impossible(leg, other, edges, is_reachable):
             edges[other][leg] = None
        """,
        phase="apply",
        field="order",
        areas=("modules", "ordering"),
    ),
    Mutant(
        "S03",
        "The order of destroying follows the configuration instead of the recorded dependencies.",
        "new_engine.planning.emit",
        """
        -if current is not None:
        +if leg.declared is not None:
        +    found[leg] = dependencies.analysis.of(leg.address).dependencies
        +elif current is not None:
             found[leg] = current.dependencies
        """,
        phase="destroy",
        field="order",
        areas=("ordering", "destroy_order", "cycles"),
    ),
    Mutant(
        "S04",
        "Refreshing an object does not add the dependencies that it has gained.",
        "shared_nodes.nodes.resource.plan",
        """
        -return first if first == second else tuple(sorted({*first, *second}, key=str))
        +return second
        """,
        phase="apply",
        field="order",
        areas=("ordering", "drift"),
    ),
    Mutant(
        "S05",
        "The recorded create-before-destroy flag is ignored if the block has been removed.",
        "new_engine.planning.emit",
        """
        -return _block_creates_first(leg) if current is None else current.create_before_destroy
        +return leg.block is not None and (_block_creates_first(leg) if current is None else current.create_before_destroy)
        """,
        phase="apply",
        field="order",
        areas=("create-before-destroy", "create_before_destroy"),
    ),
    Mutant(
        "S06",
        "Creating first is forced upon dependents instead of dependencies.",
        "new_engine.planning.replace_order",
        """
        -below = dependencies.reach.all_below(initial)
        -return frozenset(node.address for node in planned if node in below)
        +above = dependencies.reach.all_above(initial)
        +return frozenset(node.address for node in planned if node in initial or node in above)
        """,
        phase="plan",
        field="plan",
        areas=("create-before-destroy", "create_before_destroy"),
    ),
    Mutant(
        "S12",
        "Outputs without references are planned regardless of the targets.",
        "new_engine.planning.targets",
        """
        -return bool(resources) and all(resource in kept for resource in resources)
        +return bool(resources) and all(resource in kept for resource in resources) or not reach.dependencies[value]
        """,
        phase="plan",
        field="plan",
        areas=("targets", "targeting", "planning_modes"),
    ),
    Mutant(
        "S13",
        "Expressions see objects that are about to be deleted.",
        "shared_nodes.context.named_values",
        """
        +if change is not None and change.action is Action.DELETE:
        +    change = None
         if change is not None and change.action is Action.DELETE and not destroying:
        """,
        phase="apply",
        field="diagnostics",
        areas=("expansion", "create-before-destroy", "create_before_destroy"),
    ),
    Mutant(
        "S15",
        "A module output is known only by the module's name, so a reference to one output waits for all of them.",
        "shared_nodes.nodes.values.output",
        """
        -return [(module.parent, call), (module.parent, f"{call}.{name}")]
        +return [(module.parent, call)]
        """,
        phase="validate",
        field="diagnostics",
        areas=("modules", "cycles"),
    ),
    Mutant(
        "S16",
        "The end of a module does not wait for nested modules.",
        "new_engine.discovery.node_table",
        """
        -if path != module and module.contains(path):
        +if False:
             yield end
        """,
        phase="apply",
        field="order",
        areas=("modules",),
    ),
    Mutant(
        "S21",
        "Chained moves are applied in the order in which they are written.",
        "shared_nodes.nodes.statements.moved",
        """
         positions = range(len(statements))
        +return {position: [] for position in positions}
        """,
        phase="plan",
        field="plan",
        areas=("moved",),
    ),
    Mutant(
        "S25",
        "Creating first does not reverse any order.",
        "new_engine.planning.leg_order",
        """
        +return edges
         turned: Edges = defaultdict(dict)
        """,
        phase="apply",
        field="order",
        areas=("create-before-destroy", "create_before_destroy"),
    ),
    Mutant(
        "S26",
        "A leg waits only for legs that it names itself, not for those it reaches through values.",
        "new_engine.planning.emit",
        """
        -return {leg: nearest[leg] for leg in legs}
        +return {leg: nearest[leg] & sum({own.get(node, 0) for node in reach.dependencies[leg]}) for leg in legs}
        """,
        phase="apply",
        field="order",
        areas=("ordering", "modules"),
    ),
    Mutant(
        "S27",
        "Apply ignores the waiters of the execution graph.",
        "new_engine.execgraph.run",
        """
        -if ref is None:
        +if ref is None or ref.kind is RefKind.WAITER:
             continue
         if ref.kind is RefKind.OPERATION:
        """,
        phase="apply",
        field="events",
        areas=("ordering", "destroy"),
    ),
    Mutant(
        "S28",
        "A saved plan does not record which objects are replaced by creating first.",
        "new_engine.execgraph.codec",
        """
        -yield _instance(text, where), InstanceRecord(create_before_destroy)
        +yield _instance(text, where), InstanceRecord(False)
        @@
        -yield _instance(text, where), InstanceRecord(create_before_destroy, dependencies)
        +yield _instance(text, where), InstanceRecord(False, dependencies)
        """,
        phase="apply",
        field="state",
        areas=("create-before-destroy", "create_before_destroy"),
    ),
    Mutant(
        "S29",
        "An object is planned to be destroyed although a protected object depends on it.",
        "new_engine.discovery.node_table",
        """
        +return
         for other in self._removals_by_dependency.get(instance.config, ()):
        """,
        phase="destroy",
        field="diagnostics",
        areas=("destroy",),
    ),
    Mutant(
        "S32",
        "Data in a module is read before the dependencies of the module call have changed.",
        "new_engine.discovery.dependencies",
        """
        +return 0
         for call in self._table.calls_around(node.module if node.in_module else node.module.parent):
        """,
        phase="plan",
        field="plan",
        areas=("data", "modules"),
    ),
    Mutant(
        "S33",
        "Only direct dependencies are recorded with objects.",
        "new_engine.execgraph.graph",
        """
        -return self.dependencies_of(instance.config) if exact is None else exact
        +return self.resources[instance.config].depends_on
        """,
        phase="apply",
        field="state",
        areas=("ordering", "modules"),
    ),
    Mutant(
        "S34",
        "The graph engine orders destroying by the configuration instead of the recorded dependencies.",
        "legacy_engine.transforms.destroy_order",
        """
        +if isinstance(vertex, DependencyHolder) and vertex.dependencies:
        +    return vertex.dependencies
         if isinstance(vertex, StateHolder) and vertex.current is not None:
        """,
        phase="apply",
        field="order",
        areas=("ordering", "destroy_order", "cycles"),
        engine="legacy",
    ),
    Mutant(
        "S35",
        "In the graph engine, a changed object does not wait until its former dependency is destroyed.",
        "legacy_engine.transforms.destroy_order",
        """
        +if len(groups) == 1:
        +    return
         for dependency in _dependencies(vertex):
        """,
        phase="apply",
        field="order",
        areas=("ordering", "expansion"),
        engine="legacy",
    ),
    Mutant(
        "S36",
        "In the graph engine, instances of one module wait for each other's resources.",
        "legacy_engine.nodes.references",
        """
        -return namesakes.everything if module is None else namesakes.seen_from(module)
        +return namesakes.everything
        """,
        phase="apply",
        field="order",
        areas=("modules", "ordering"),
        engine="legacy",
    ),
    Mutant(
        "S37",
        "During destroy, the graph engine evaluates values that nothing needs.",
        "legacy_engine.transforms.prune",
        """
        +return []
         destroyed = [vertex for vertex in graph if isinstance(vertex, Destroyer)]
        """,
        phase="destroy",
        field="diagnostics",
        areas=("destroy",),
        engine="legacy",
    ),
    Mutant(
        "S56",
        "A replacement that destroys first never destroys.",
        "new_engine.planning.legs",
        """
        -yield Leg(LegKind.DESTROY, address, action)
        """,
        phase="apply",
        field="events",
        areas=("replace",),
    ),
    Mutant(
        "S59",
        "Assertions of a check wait for its data only if they refer to it.",
        "new_engine.nodes.check",
        """
        -return found if self._block.data is None else [*found, ScopedSubject(self.module, self._block.data.resource)]
        +return found
        """,
        phase="plan",
        field="diagnostics",
        areas=("checks",),
    ),
    Mutant(
        "S60",
        "Whether an object is destroyed last is decided by its block, if one exists, instead of the state.",
        "new_engine.planning.emit",
        """
        +if leg.is_removal and leg.leg.deposed is None and leg.block is not None:
        +    return bool(leg.block.lifecycle.create_before_destroy)
         if leg.leg.kind is not LegKind.DESTROY:
        """,
        phase="apply",
        field="order",
        areas=("create-before-destroy", "ordering"),
    ),
    Mutant(
        "S61",
        "Data in a module waits for the direct dependencies of the call, but not for indirect ones.",
        "new_engine.discovery.dependencies",
        """
        -found |= self._below.get(target, 0)
        +else:
        +    found |= self._below.get(target, 0)
        """,
        phase="apply",
        field="plan",
        areas=("data", "modules"),
    ),
    Mutant(
        "S62",
        "A resource does not wait for references in its import blocks.",
        "new_engine.nodes.resource",
        """
         if self.block.check is not None:
             yield from lookup.report_of(self.module, self.block.check)
        -for target in self.imports:
        -    yield from lookup.targets_of(import_references(lookup.config, target))
        """,
        phase="plan",
        field="diagnostics",
        areas=("import",),
    ),
    Mutant(
        "S63",
        "Of several instances of an ephemeral resource only one is closed.",
        "new_engine.discovery.evaluation",
        """
        +if any(each.promise.name == f"{opened.name} (close)" for each in self._closings):
        +    return
         closing = self._session.once(f"{opened.name} (close)", partial(self._close_served, opened, close))
        """,
        phase="plan",
        field="plan_calls",
        areas=("ephemeral",),
    ),
    Mutant(
        "S64",
        "A provider configuration inside a module does not wait for what it refers to.",
        "new_engine.nodes.provider",
        """
        -if self.declared.block is None or self._schema is None:
        +if self.declared.block is None or self._schema is None or self.module.names:
             return []
        """,
        phase="apply",
        field="calls",
        areas=("providers",),
    ),
    Mutant(
        "S65",
        "In the graph engine, an object recorded without dependencies gets those of the configuration.",
        "legacy_engine.transforms.destroy_order",
        """
        -if isinstance(vertex, StateHolder) and vertex.current is not None:
        +if isinstance(vertex, StateHolder) and vertex.current is not None and vertex.current.dependencies:
        """,
        phase="apply",
        field="order",
        areas=("ordering",),
        engine="legacy",
    ),
    Mutant(
        "S66",
        "A protected object in one module instance keeps objects of other instances from being destroyed.",
        "new_engine.discovery.node_table",
        """
        -if instance.sees(other.instance):
        +if True:
             yield other
        """,
        phase="destroy",
        field="plan",
        areas=("destroy", "modules"),
    ),
)
