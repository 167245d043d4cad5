"""B: bugs that an engine of this kind has had, or still has."""

from __future__ import annotations

from typing import Final

from harness.mutants.catalogue.mutant import Mutant

__all__ = ["MUTANTS"]

MUTANTS: Final = (
    Mutant(
        "B01",
        "Destroying an object waits for the change of its former dependency, which makes the order cyclic.",
        "new_engine.planning.leg_order",
        """
                         if leg.instance.sees(other.instance) and not _is_impossible(leg, other, edges, is_reachable):
                             edges[other][leg] = None
        +    for leg in removals:
        +        edges[leg].update(dict.fromkeys(other for other in applies if other.address in recorded[leg]))
        """,
        phase="plan",
        field="diagnostics",
        areas=("replace", "ordering"),
    ),
    Mutant(
        "B02",
        "A module does not inherit the provider configurations of its caller.",
        "shared_nodes.config.provider_configurations",
        """
        +return self._known.get(config)
         while found is None and config.alias is None and config.module.names:
        """,
        phase="validate",
        field="diagnostics",
        areas=("providers", "modules"),
    ),
    Mutant(
        "B03",
        "A null for a non-nullable variable stays null instead of being replaced by the default.",
        "shared_nodes.nodes.values.variable",
        """
        -if value.is_null and not declaration.nullable:
        +if False:
        """,
        phase="plan",
        field="plan",
        areas=("variables",),
    ),
    Mutant(
        "B04",
        "After an interrupt, operations continue as if there had been none.",
        "shared_nodes.nodes.resource.instance",
        """
        -return [error(HALTED)] if context.events.stopping else []
        +return []
        """,
        phase="apply",
        field="diagnostics",
        areas=("failure-and-resume", "interactions"),
    ),
    Mutant(
        "B05",
        "An object whose provider is named only in the state cannot be planned.",
        "shared_nodes.config.provider_configurations",
        """
        -return None if recorded is None else ProviderChoice(recorded.configuration, is_recorded=True)
        +is_missing = recorded is None or recorded.configuration.block is None
        +return None if is_missing else ProviderChoice(recorded.configuration, is_recorded=True)
        """,
        phase="plan",
        field="diagnostics",
        areas=("destroy", "removed", "state"),
    ),
    Mutant(
        "B06",
        "The state does not record that an object is replaced by creating first.",
        "shared_nodes.nodes.resource.apply",
        """
        +request = replace(request, create_before_destroy=False)
         change, problems = settled.change, []
        """,
        phase="apply",
        field="state",
        areas=("create-before-destroy", "create_before_destroy"),
    ),
    Mutant(
        "B07",
        "State changes are not announced, so the state lacks finished changes after a crash.",
        "shared_nodes.nodes.resource.apply",
        """
             context.working.put(address, provider, replace(kept, status=ObjectStatus.TAINTED))
        -    context.events.state_changed()
        @@
         problems += announce(context, _event(_ENDINGS[failed], change, result))
        -return [*problems, *record_change(context)]
        +return problems
        """,
        phase="apply",
        field="state",
        areas=("stories", "failure-and-resume"),
    ),
    Mutant(
        "B08",
        "The alias in a resource's `provider` argument is ignored.",
        "shared_nodes.config.provider_configurations",
        """
        -alias, key = (None, None) if reference is None else (reference.alias, reference.instance_key)
        +alias, key = None, None
        """,
        phase="plan",
        field="plan_calls",
        areas=("providers",),
    ),
    Mutant(
        "B09",
        "A block does not wait until its provider is configured; whether it is depends on the schedule.",
        "new_engine.nodes.resource",
        """
        -if self.provider is not None:
        -    yield self.provider.node
         if self.block.check is not None:
        """,
        phase="plan",
        field="plan_calls",
        areas=("providers",),
    ),
    Mutant(
        "B10",
        "During destroy, data resources are unknown.",
        "shared_nodes.context.named_values",
        """
             return self._validated_resource(resource)
        +if resource.mode.value == "data" and "destroy" in self._context.operation.value:
        +    return DYNAMIC_UNKNOWN
         address = AbsResource(self._module, resource)
        """,
        phase="destroy",
        field="plan_calls",
        areas=("destroy", "providers"),
    ),
    Mutant(
        "B11",
        "An object that no longer exists is treated as existing.",
        "shared_nodes.nodes.resource.refresh",
        """
         if answer.value is None or answer.value.is_null:
        -    return None, problems
        +    return known, problems
        """,
        phase="plan",
        field="plan",
        areas=("drift",),
    ),
    Mutant(
        "B12",
        "Data is read during plan although its dependencies are about to change.",
        "shared_nodes.nodes.resource.pending",
        """
        +return False
         mode = address.resource.mode
        """,
        phase="plan",
        field="plan",
        areas=("data", "data_sources"),
    ),
    Mutant(
        "B12b",
        "Data that is read during apply is not kept in the state.",
        "shared_nodes.nodes.resource.data",
        """
        -return [*problems, *run_conditions(context, request, "postcondition", as_warning=False, self_value=self_value)]
        +problems += run_conditions(context, request, "postcondition", as_warning=False, self_value=self_value)
        +context.working.put(request.address, request.provider, None)
        +return problems
        """,
        phase="apply",
        field="state",
        areas=("data", "data_sources"),
    ),
    Mutant(
        "B13",
        "A variable declared as sensitive is not treated as sensitive.",
        "shared_nodes.nodes.values.variable",
        """
        +declaration = replace(declaration, sensitive=False)
         context.variables[module, declaration.name] = declaration.mark(value)
        """,
        phase="plan",
        field="plan",
        areas=("sensitive", "variables"),
    ),
    Mutant(
        "B14",
        "Values that are sensitive in the configuration of an object are not sensitive in the object.",
        "shared_nodes.nodes.resource.provider_apply",
        """
        -change = request.change
        +change = replace(request.change, after=request.change.after.unmark_deep()[0])
        """,
        phase="apply",
        field="state",
        areas=("sensitive",),
    ),
    Mutant(
        "B15",
        "An object whose creation failed halfway is not tainted.",
        "shared_nodes.nodes.resource.apply",
        """
        -return replace(kept, status=ObjectStatus.TAINTED)
        +return kept
        """,
        phase="apply",
        field="state",
        areas=("failure-and-resume", "create_errors", "provisioners"),
    ),
    Mutant(
        "B15b",
        "If a replacement could not be created at all, the old object stays deposed.",
        "shared_nodes.nodes.resource.apply",
        """
        +return
         old = instance.deposed[key]
        """,
        phase="apply",
        field="state",
        areas=("create-before-destroy", "deposed", "failure-and-resume"),
    ),
    Mutant(
        "B16",
        "`each.value` is unknown if `for_each` is a set.",
        "shared_nodes.config.for_each",
        """
        -return {element.payload: string(element.payload) for element in self.value.payload}
        +from shared_nodes.values.value import DYNAMIC_UNKNOWN
        +return {element.payload: DYNAMIC_UNKNOWN for element in self.value.payload}
        """,
        phase="plan",
        field="plan",
        areas=("expansion",),
    ),
    Mutant(
        "B17",
        "An object is replaced because of an argument that the provider names although it does not change.",
        "shared_nodes.nodes.resource.replacement",
        """
        +return tuple(dict.fromkeys(required)), []
         prior, planned = prior.unmark_deep()[0], planned.unmark_deep()[0]
        """,
        phase="plan",
        field="plan",
        areas=("replace",),
    ),
    Mutant(
        "B18",
        "Private data that a provider sets while planning a deletion does not reach the deletion.",
        "shared_nodes.nodes.resource.plan_destroy",
        """
        -return _Destruction(current.private), problems
        +return _Destruction(b""), problems
        @@
        -return _Destruction(answer.private, identity), problems
        +return _Destruction(b"", identity), problems
        """,
        phase="apply",
        field="calls",
        areas=("failure-and-resume", "destroy"),
    ),
    Mutant(
        "B19",
        "Validation rules of variables do not wait for what they refer to, so two rules that need each other are not a cycle.",
        "new_engine.nodes.values",
        """
        -return [reference for reference in found if reference.subject != own]
        +return []
        """,
        phase="validate",
        field="diagnostics",
        areas=("variables", "cycles"),
    ),
)
