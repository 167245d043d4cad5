"""M and O: features that an engine does not have yet. Configurations that use them are accepted without effect.

Not here, because neither engine has them: for_each of providers (M02), `lifecycle { destroy = false }` (M17), prompting
for provider arguments (M38), `enabled` (M39). Not here, because nothing outside the engine can observe it: local values
in the state in memory (M06), ephemeral objects in it (O03), the state that a plan predicts (M29): what plans show of it
is derived from their changes.
"""

from __future__ import annotations

from typing import Final

from harness.mutants.catalogue.mutant import Mutant

__all__ = ["MUTANTS"]

MUTANTS: Final = (
    Mutant(
        "M01",
        "Dependencies are not recorded with objects.",
        "shared_nodes.nodes.resource.apply",
        """
        +request = replace(request, dependencies=())
         change, problems = settled.change, []
        """,
        phase="apply",
        field="state",
        areas=("ordering", "basics"),
    ),
    Mutant(
        "M03",
        "`create_before_destroy` has no effect.",
        "new_engine.planning.replace_order",
        """
        +return frozenset()
         below = dependencies.reach.all_below(initial)
        """,
        phase="plan",
        field="plan",
        areas=("create-before-destroy", "create_before_destroy"),
    ),
    Mutant(
        "M04",
        "Deposed objects are ignored.",
        "new_engine.discovery.compile",
        """
        -for key in sorted(instance.deposed):
        +for key in ():
        """,
        phase="plan",
        field="plan",
        areas=("deposed", "create-before-destroy"),
    ),
    Mutant(
        "M05",
        "Pre- and postconditions of resources are not evaluated.",
        "shared_nodes.nodes.resource.instance",
        """
        +return []
         lifecycle = instance.block.lifecycle
        """,
        phase="plan",
        field="diagnostics",
        areas=("conditions",),
    ),
    Mutant(
        "M05b",
        "Preconditions of outputs are not evaluated.",
        "shared_nodes.nodes.checks.conditions",
        """
         what, config_address, address = checkable
        +if what is CheckKind.OUTPUT:
        +    return []
        """,
        phase="plan",
        field="diagnostics",
        areas=("conditions", "outputs"),
    ),
    Mutant(
        "M07",
        "Check blocks are ignored.",
        "new_engine.discovery.compile",
        """
        +return
         for block in tree.module.checks.values():
        """,
        phase="plan",
        field="diagnostics",
        areas=("checks",),
    ),
    Mutant(
        "M08",
        "The plan does not say why an object is deleted.",
        "shared_nodes.nodes.resource.orphan",
        """
        +return ActionReason.NONE
         address, block = request.address, request.block
        """,
        phase="plan",
        field="plan",
        areas=("expansion", "plan"),
    ),
    Mutant(
        "M09",
        "There are no warnings about deprecated attributes.",
        "shared_nodes.context.attribute_steps",
        """
        -return [] if schema is None else list(_check(schema, steps, flavour))
        +return [] if schema is None else [each for each in _check(schema, steps, flavour) if "deprecated" not in each.detail]
        """,
        phase="validate",
        field="diagnostics",
        areas=("plan", "providers"),
    ),
    Mutant(
        "M10",
        "Import blocks have no effect.",
        "shared_nodes.nodes.statements.imports",
        """
        +return {}, []
         found: dict[AbsResourceInstance, str] = {}
        """,
        phase="plan",
        field="plan",
        areas=("import", "imports"),
    ),
    Mutant(
        "M11",
        "Nothing is refreshed.",
        "shared_nodes.nodes.resource.refresh",
        """
        +return known, []
         if known is None or known.value is None:
        """,
        phase="plan",
        field="plan_events",
        areas=("drift",),
    ),
    Mutant(
        "M12",
        "A refresh-only plan is treated as a normal plan.",
        "new_engine.plan",
        """
        +from dataclasses import replace
        +
        +inputs = replace(inputs, options=replace(inputs.options, refresh_only=False))
         table, problems = compile_configuration(session, inputs)
        """,
        phase="plan",
        field="plan",
        areas=("planning_modes", "drift"),
    ),
    Mutant(
        "M13",
        "Validation does not call providers.",
        "shared_nodes.nodes.resource.validate",
        """
        +return []
         provider = context.provider_of(request.provider)
        """,
        phase="validate",
        field="calls",
        areas=("providers", "plan", "contract"),
    ),
    Mutant(
        "M14",
        "During destroy, objects that are going to be destroyed cannot be referred to.",
        "shared_nodes.context.named_values",
        """
        -if change is not None and change.action is Action.DELETE and not destroying:
        +if change is not None and change.action is Action.DELETE:
        """,
        phase="destroy",
        field="calls",
        areas=("destroy", "providers"),
    ),
    Mutant(
        "M15",
        "Moved blocks have no effect.",
        "shared_nodes.nodes.statements.moved",
        """
        +return []
         for node in config.walk():
        """,
        phase="plan",
        field="plan",
        areas=("moved",),
    ),
    Mutant(
        "M15b",
        "Adding or removing `count` moves nothing.",
        "shared_nodes.nodes.statements.moved",
        """
        +return []
         for address in sorted(state.resources, key=lambda resource: resource.sort_key):
        """,
        phase="plan",
        field="plan",
        areas=("moved", "expansion"),
    ),
    Mutant(
        "M16",
        "`removed` blocks never forget an object.",
        "shared_nodes.nodes.statements.removed",
        """
        +return None
         said = [
             statement.destroy for statement in statements if statement.in_force and contains(statement.subject, address)
         ]
        """,
        phase="plan",
        field="plan",
        areas=("removed",),
    ),
    Mutant(
        "M18",
        "Stored objects of an older schema are not upgraded.",
        "shared_nodes.nodes.resource.upgrade",
        """
        +return _decode(stored, schema)
         if stored.stored_version > schema.version:
        """,
        phase="plan",
        field="plan_calls",
        areas=("state", "prior_state"),
    ),
    Mutant(
        "M19",
        "Orphaned objects are not refreshed before they are destroyed.",
        "shared_nodes.nodes.resource.refresh",
        """
        -if known is None or known.value is None:
        +if known is None or known.value is None or request.body is None:
        """,
        phase="plan",
        field="plan_events",
        areas=("destroy", "drift", "deposed"),
    ),
    Mutant(
        "M20",
        "Events about objects are not reported.",
        "shared_nodes.nodes.resource.instance",
        """
        -context.events.emit(event)
         return halt(context)
        """,
        phase="plan",
        field="plan_events",
        areas=("plan", "basics"),
    ),
    Mutant(
        "M21",
        "Targets have no effect.",
        "new_engine.planning.targets",
        """
        +return dependencies.nodes
         reach = dependencies.reach
        """,
        phase="plan",
        field="plan",
        areas=("targets", "targeting"),
    ),
    Mutant(
        "M21b",
        "A target that names one instance selects all instances.",
        "shared_nodes.operations.plan_block",
        """
        +return True
         if self._targets and not contains_any(self._targets, instance):
        """,
        phase="plan",
        field="plan",
        areas=("targets", "targeting"),
    ),
    Mutant(
        "M22",
        "`replace_triggered_by` has no effect.",
        "shared_nodes.nodes.resource.replace_triggers",
        """
        +return False, []
         scope = instance.scope(context)
        """,
        phase="plan",
        field="plan",
        areas=("replace",),
    ),
    Mutant(
        "M23",
        "Provisioners are not run.",
        "shared_nodes.nodes.resource.provisioner",
        """
        +return []
         chosen = [provisioner for provisioner in block.provisioners if provisioner.when is when]
        """,
        phase="apply",
        field="events",
        areas=("provisioners",),
    ),
    Mutant(
        "M23b",
        "A provisioner with `on_failure = continue` fails its object.",
        "shared_nodes.nodes.resource.provisioner",
        """
        -if failed and step.block.continue_on_failure:
        +if False:
             found = []
        """,
        phase="apply",
        field="diagnostics",
        areas=("provisioners",),
    ),
    Mutant(
        "M24",
        "`depends_on` of resources has no effect.",
        "shared_nodes.nodes.references",
        """
        +    from dataclasses import replace
        +
        +    block = replace(block, depends_on=()) if block.depends_on else block
        +
             def find() -> tuple[tuple[ScopedSubject, ...], ResourceBlock, SchemaBlock | None]:
        """,
        phase="apply",
        field="events",
        areas=("ordering", "data"),
    ),
    Mutant(
        "M24b",
        "`depends_on` of module calls has no effect.",
        "shared_nodes.nodes.references",
        """
        -return depends_on_references(parent, call.depends_on) + found
        +return found
        """,
        phase="apply",
        field="events",
        areas=("modules", "ordering"),
    ),
    Mutant(
        "M25",
        "`ignore_changes` has no effect.",
        "shared_nodes.nodes.resource.ignore_changes",
        """
        +return config
         if lifecycle.ignore_all_changes:
        """,
        phase="plan",
        field="plan",
        areas=("lifecycle_misc", "plan", "drift"),
    ),
    Mutant(
        "M26",
        "Rules of variables are not evaluated.",
        "shared_nodes.nodes.values.variable",
        """
        +return []
         own, subject = context.unvalidated[module, declaration.name]
        """,
        phase="plan",
        field="diagnostics",
        areas=("variables",),
    ),
    Mutant(
        "M27",
        "`path.module` is the path of the root module in every module.",
        "shared_nodes.context.named_values",
        """
        -return string("." if name == "root" else self._node.module.directory)
        +return string(".")
        """,
        phase="plan",
        field="plan",
        areas=("modules",),
    ),
    Mutant(
        "M28",
        "`prevent_destroy` has no effect.",
        "shared_nodes.nodes.resource.prevent_destroy",
        """
        +return []
         if change.action is not Action.DELETE and not change.action.is_replace:
        """,
        phase="plan",
        field="diagnostics",
        areas=("destroy", "lifecycle_misc"),
    ),
    Mutant(
        "M30",
        "Replacements requested with `-replace` are not planned.",
        "new_engine.plan",
        """
        +from dataclasses import replace
        +
        +inputs = replace(inputs, options=replace(inputs.options, force_replace=()))
         table, problems = compile_configuration(session, inputs)
        """,
        phase="plan",
        field="plan",
        areas=("replace", "planning_modes"),
    ),
    Mutant(
        "M31",
        "Root outputs are not evaluated during apply.",
        "new_engine.apply",
        """
        -return [*selected_nodes(dependencies, graph), *dependencies.table.serving]
        +nodes = [*selected_nodes(dependencies, graph), *dependencies.table.serving]
        +return [node for node in nodes if not getattr(node, "is_root", False)]
        """,
        phase="apply",
        field="state",
        areas=("outputs", "outputs_locals"),
    ),
    Mutant(
        "M32",
        "Attributes that a schema declares as sensitive are not treated as sensitive.",
        "shared_nodes.state.object_values",
        """
        +return value
         parts = dict(value.payload)
        """,
        phase="apply",
        field="state",
        areas=("sensitive",),
    ),
    Mutant(
        "M32b",
        "Root outputs show sensitive values without being declared as sensitive.",
        "shared_nodes.nodes.values.output",
        """
        +return []
         block, marks = request.block, value.deep_marks()
        """,
        phase="plan",
        field="diagnostics",
        areas=("sensitive", "outputs"),
    ),
    Mutant(
        "M33",
        "Each variable of a module waits for all arguments of the call, so that a module cannot use its own outputs.",
        "new_engine.nodes.values",
        """
        -return [] if argument is None else expression_references(self._parent, argument.expression)
        +own = [] if argument is None else expression_references(self._parent, argument.expression)
        +declared, arguments = self._tree.module.variables, self._tree.call.body.attributes.values()
        +return [*own, *expression_references(self._parent, *(each.expression for each in arguments if each.name in declared))]
        """,
        phase="validate",
        field="diagnostics",
        areas=("modules", "cycles"),
    ),
    Mutant(
        "M34",
        "Providers do not receive the `provider_meta` of a module.",
        "shared_nodes.nodes.provider.meta",
        """
        -if meta is None:
        +if True:
             return NULL_DYNAMIC, []
        """,
        phase="apply",
        field="state",
        areas=("modules", "providers"),
    ),
    Mutant(
        "M35",
        "Tainted objects are not replaced.",
        "shared_nodes.nodes.resource.change",
        """
        -tainted = current is not None and current.status is ObjectStatus.TAINTED
        +tainted = False
        """,
        phase="plan",
        field="plan",
        areas=("replace", "failure-and-resume"),
    ),
    Mutant(
        "M35b",
        "A tainted object that could not be destroyed is no longer tainted.",
        "shared_nodes.nodes.resource.provider_apply",
        """
        -return current if failed else None
        +return replace(current, status=ObjectStatus.READY) if failed and current is not None else None
        @@
        -status = status if current is None else current.status
        """,
        phase="apply",
        field="state",
        areas=("delete_errors", "failure-and-resume"),
    ),
    Mutant(
        "M36",
        "An object whose update failed is lost.",
        "shared_nodes.nodes.resource.provider_apply",
        """
        +if failed and request.change.action is Action.UPDATE:
        +    return None
         current = request.current
        """,
        phase="apply",
        field="state",
        areas=("update_errors", "failure-and-resume"),
    ),
    Mutant(
        "M37",
        "Functions of providers do not exist.",
        "shared_nodes.context.node_context",
        """
        -return with_provider_functions(self.functions, offered)
        +return self.functions
        """,
        phase="validate",
        field="diagnostics",
        areas=("providers",),
    ),
    Mutant(
        "O01",
        "An object stored as a flat map is treated as missing.",
        "shared_nodes.nodes.resource.upgrade",
        """
        -return None, [error("Resource instance managed by newer provider version", detail)]
        +return None, []
        @@
        +if answer.value is None:
        +    return None, []
         return answer.value, _placed(context, address, answer.problems)
        """,
        phase="plan",
        field="diagnostics",
        areas=("state", "prior_state"),
    ),
    Mutant(
        "O02",
        "During destroy, data resources are not listed.",
        "shared_nodes.nodes.resource.destroy",
        """
        +return []
         nothing = null(DYNAMIC)
        """,
        phase="destroy",
        field="state",
        areas=("destroy", "data"),
    ),
)
