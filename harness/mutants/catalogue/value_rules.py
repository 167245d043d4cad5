"""S: rules about planned and recorded values, moves, conditions and checks that are easily inverted, in either engine.
The other mutants of this class are in `order_rules.py`.

The mutants up to S24 invert rules that were listed while reading the engine that is to be replaced. Not here: reading
data that a refresh-only plan defers (S23), since such a plan has no changes to wait for; the private data a replacement
is planned with (S24), since no provider here uses the private data of the replaced object.
"""

from __future__ import annotations

from typing import Final

from harness.mutants.catalogue.mutant import Mutant

__all__ = ["MUTANTS"]

MUTANTS: Final = (
    Mutant(
        "S07",
        "The graph engine does not replace tainted objects.",
        "shared_nodes.nodes.resource.change",
        """
        -tainted = current is not None and current.status is ObjectStatus.TAINTED
        +tainted = False
        """,
        phase="plan",
        field="plan",
        areas=("replace", "failure-and-resume"),
        engine="legacy",
    ),
    Mutant(
        "S08",
        "Values ignored for an object are also ignored for its replacement.",
        "shared_nodes.nodes.resource.change",
        """
        +current = self.context.refreshed.current(self.instance.address)
        +prior = null(implied_type(self.schema)) if current is None or current.value is None else current.value
        +config = apply_ignore_changes(self.instance.block.lifecycle, self.schema, prior, self.config)
         nothing = _Prior(null(implied_type(self.schema)), first.private)
        -answer, problems = await self._ask_provider(nothing, self.config.unmark_deep()[0])
        +answer, problems = await self._ask_provider(nothing, config.unmark_deep()[0])
        """,
        phase="plan",
        field="plan",
        areas=("replace", "lifecycle_misc"),
    ),
    Mutant(
        "S09",
        "The graph engine replaces an object because of an argument that does not change.",
        "shared_nodes.nodes.resource.replacement",
        """
        +return tuple(dict.fromkeys(required)), []
         prior, planned = prior.unmark_deep()[0], planned.unmark_deep()[0]
        """,
        phase="plan",
        field="plan",
        areas=("replace",),
        engine="legacy",
    ),
    Mutant(
        "S10",
        "An object is saved only after its postconditions hold.",
        "shared_nodes.nodes.resource.apply",
        """
        -return [*problems, *_check_postconditions(context, request)]
        +problems += _check_postconditions(context, request)
        +if any(each.summary == "Resource postcondition failed" for each in problems):
        +    context.working.put(request.address, request.provider, settled.current)
        +return problems
        """,
        phase="apply",
        field="state",
        areas=("conditions",),
    ),
    Mutant(
        "S11",
        "A failed postcondition taints the object.",
        "shared_nodes.nodes.resource.apply",
        """
        -return [*problems, *_check_postconditions(context, request)]
        +problems += _check_postconditions(context, request)
        +current = context.working.current(request.address)
        +if current is not None and any(each.summary == "Resource postcondition failed" for each in problems):
        +    context.working.put(request.address, request.provider, replace(current, status=ObjectStatus.TAINTED))
        +return problems
        """,
        phase="apply",
        field="state",
        areas=("conditions",),
    ),
    Mutant(
        "S14",
        "A counted resource has as many elements as planned instances instead of as many as the state has.",
        "shared_nodes.context.named_values",
        """
         length = max((key + 1 for key in values if isinstance(key, int)), default=0)
        +wanted = self._context.expander.known_resource(AbsResource(self._module, resource))
        +if wanted is not None and wanted.kind == "count":
        +    length = max(length, len(wanted.keys))
        """,
        phase="plan",
        field="plan",
        areas=("expansion", "targets"),
    ),
    Mutant(
        "S17",
        "A warning prevents dependents from being evaluated, like an error.",
        "new_engine.discovery.evaluation",
        """
        -succeeded = not has_errors(problems)
        +succeeded = not problems
        """,
        phase="plan",
        field="plan",
        areas=("conditions", "checks", "variables"),
    ),
    Mutant(
        "S18",
        "Consequences of an error are reported as further errors.",
        "new_engine.discovery.evaluation",
        """
         if not await self.succeeded(self._dependencies.of(node)):
        +    from shared_nodes.lang.diagnostics import error
        +
        +    self.diagnostics.append(error(f"{node.name}: a dependency failed"))
             return False
        """,
        phase="plan",
        field="diagnostics",
        areas=("conditions", "static_errors"),
    ),
    Mutant(
        "S19",
        "A move onto an existing object overwrites it.",
        "shared_nodes.nodes.statements.moved",
        """
        -results._block(source, target)
        -return
        +del state.resources[target.containing].instances[target.key]
        """,
        phase="plan",
        field="plan",
        areas=("moved",),
    ),
    Mutant(
        "S20",
        "Adding `for_each` implies a move to the first index.",
        "shared_nodes.nodes.statements.moved",
        """
        -if block.count is not None and None in instances:
        -    source, target, where = None, 0, block.count.range
        +count = block.for_each if block.count is None else block.count
        +if count is not None and None in instances:
        +    source, target, where = None, 0, count.range
        """,
        phase="plan",
        field="plan",
        areas=("moved",),
    ),
    Mutant(
        "S22",
        "The reasons for deleting a moved object and an unmoved one, both without a block, are swapped.",
        "shared_nodes.nodes.resource.orphan",
        """
        -return ActionReason.DELETE_NO_MOVE_TARGET if moved else ActionReason.DELETE_NO_RESOURCE_CONFIG
        +return ActionReason.DELETE_NO_RESOURCE_CONFIG if moved else ActionReason.DELETE_NO_MOVE_TARGET
        """,
        phase="plan",
        field="plan",
        areas=("moved", "plan"),
    ),
    Mutant(
        "S30",
        "Objects in removed module instances are not planned to be destroyed.",
        "shared_nodes.operations.plan_block",
        """
        +return
         existing = set(modules)
        """,
        phase="plan",
        field="plan",
        areas=("modules", "expansion"),
    ),
    Mutant(
        "S31",
        "Instances whose key was removed are not planned to be destroyed.",
        "shared_nodes.operations.plan_block",
        """
        +return
         keys = set(context.expander.resource(address).keys)
        """,
        phase="plan",
        field="plan",
        areas=("expansion",),
    ),
    Mutant(
        "S38",
        "A resource that was emptied and created again keeps an empty record.",
        "shared_nodes.state.empty_resources",
        """
        -if address in working.emptied and not is_expanded_later(address):
        +if False:
             del working.resources[address]
        """,
        phase="apply",
        field="state",
        areas=("failure-and-resume",),
    ),
    Mutant(
        "S39",
        "Outputs that are no longer declared stay in the state.",
        "shared_nodes.nodes.values.output",
        """
        +return []
         prior = context.working.outputs.pop(name, None)
        """,
        phase="plan",
        field="plan",
        areas=("outputs", "outputs_locals", "destroy"),
    ),
    Mutant(
        "S40",
        "Every output changes in every plan.",
        "shared_nodes.nodes.values.output",
        """
        -return same.is_known and bool(same.payload)
        +return False
        """,
        phase="plan",
        field="plan",
        areas=("outputs", "outputs_locals"),
    ),
    Mutant(
        "S41",
        "Check blocks are not evaluated again during apply.",
        "new_engine.nodes.check",
        """
        +if context.operation.is_applying:
        +    return ()
         return evaluate_in_each(modules, lambda module: evaluate_check(context, CheckRequest(module, self._block)))
        """,
        phase="apply",
        field="state",
        areas=("checks",),
    ),
    Mutant(
        "S42",
        "An object of which only the sensitivity changes is not updated.",
        "shared_nodes.nodes.resource.replacement",
        """
        -if decision.action is Action.NO_OP and _sensitive_paths(prior) != _sensitive_paths(planned):
        +if False:
             return decision._replace(action=Action.UPDATE)
        """,
        phase="plan",
        field="plan",
        areas=("sensitive", "plan"),
    ),
    Mutant(
        "S43",
        "An update that turns out to be unnecessary is rejected.",
        "shared_nodes.nodes.resource.apply",
        """
         may_become = {Action.UPDATE: Action.NO_OP, Action.FORGET_THEN_CREATE: Action.CREATE}.get(planned.action)
        +if actual.action is may_become:
        +    yield error("Provider produced inconsistent final plan")
        """,
        phase="apply",
        field="diagnostics",
        areas=("plan", "partial_apply", "terraform_data"),
    ),
    Mutant(
        "S44",
        "The result of a provider is not checked against the plan.",
        "shared_nodes.nodes.provider.conformance",
        """
         def compatibility_problems(block: SchemaBlock, planned: Value, actual: Value, flavour: Flavour) -> list[str]:
        +    return []
        """,
        phase="apply",
        field="diagnostics",
        areas=("contract", "providers"),
    ),
    Mutant(
        "S45",
        "Objects that should be forgotten stay in the state.",
        "shared_nodes.nodes.resource.forget",
        """
        +return []
         provider = context.working.provider_of(request.address)
        """,
        phase="apply",
        field="state",
        areas=("removed",),
    ),
    Mutant(
        "S46",
        "Changes made outside are not reported.",
        "shared_nodes.plan.drift",
        """
        +return []
         for address, instance in previous.instances():
        """,
        phase="plan",
        field="plan",
        areas=("drift",),
    ),
    Mutant(
        "S47",
        "The plan does not list its relevant attributes.",
        "shared_nodes.operations.relevant_attributes",
        """
        +return ()
         analysis = _Analysis(config, schemas)
        """,
        phase="plan",
        field="plan",
        areas=("plan", "basics"),
    ),
    Mutant(
        "S48",
        "There is no warning if a requested replacement matches no instance.",
        "shared_nodes.plan.targets",
        """
        +return []
         asked = [one.containing for one in requested if one.key is None and one.resource == resource.resource]
        """,
        phase="plan",
        field="diagnostics",
        areas=("replace", "planning_modes"),
    ),
    Mutant(
        "S49",
        "Targets may exclude moved objects.",
        "shared_nodes.plan.targets",
        """
        +return []
         missing = {address for move in moves for address in move if targets and not contains_any(targets, address)}
        """,
        phase="plan",
        field="diagnostics",
        areas=("targets", "moved"),
    ),
    Mutant(
        "S50",
        "Importing into an instance that does not exist is not an error.",
        "shared_nodes.nodes.statements.imports",
        """
        -return [missing_instance(address) for address in missing]
        +return []
        """,
        phase="plan",
        field="diagnostics",
        areas=("import", "imports"),
    ),
    Mutant(
        "S51",
        "A resource with a `removed` block may still be declared.",
        "shared_nodes.nodes.statements.removed",
        """
        -if declared is None or not statement.in_force:
        +if True:
        """,
        phase="plan",
        field="diagnostics",
        areas=("removed",),
    ),
    Mutant(
        "S52",
        "Moves are not validated.",
        "shared_nodes.nodes.statements.moved_validation",
        """
        -return validation.problems or _cycle_problems(statements)
        +return []
        """,
        phase="plan",
        field="diagnostics",
        areas=("moved",),
    ),
    Mutant(
        "S53",
        "A block may refer to itself.",
        "shared_nodes.nodes.resource.instance",
        """
        +return []
         names = (f"{resource}{key_text(instance.address.key)}", resource)
        """,
        phase="plan",
        field="diagnostics",
        areas=("cycles", "static_errors"),
    ),
    Mutant(
        "S54",
        "Ephemeral resources are never closed.",
        "shared_nodes.nodes.resource.ephemeral",
        """
        +return []
         opened, provider = context.working.current(address), context.working.provider_of(address)
        """,
        phase="plan",
        field="plan_calls",
        areas=("ephemeral",),
    ),
    Mutant(
        "S55",
        "A data resource in a check block fails the run.",
        "shared_nodes.nodes.resource.data",
        """
        -return [replace(problem, severity=Severity.WARNING, from_check=True) for problem in problems]
        +return [replace(problem, severity=Severity.ERROR, from_check=True) for problem in problems]
        """,
        phase="plan",
        field="diagnostics",
        areas=("checks",),
    ),
    Mutant(
        "S57",
        "During destroy, outputs that are no longer declared stay in the state.",
        "new_engine.discovery.compile",
        """
        +if self._operation is Operation.PLAN_DESTROY:
        +    return
         for name in self._inputs.state.outputs:
        """,
        phase="destroy",
        field="plan",
        areas=("destroy", "outputs"),
    ),
    Mutant(
        "S58",
        "A destroy plan does not record the previous addresses of moved objects.",
        "shared_nodes.nodes.resource.destroy",
        """
        +request = replace(request, previous_address=None)
         address, provider = request.address, request.provider
         if address.resource.mode is not ResourceMode.MANAGED:
             nothing = null(DYNAMIC)
        """,
        phase="destroy",
        field="plan",
        areas=("moved", "destroy"),
    ),
)
