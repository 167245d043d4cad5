"""Flavours: the points in which the products that implement this language differ.

One frozen object answers every such question; no other code compares product names. `TERRAFORM_1_11` is measured on the
real Terraform 1.11.4, `OPENTOFU_1_12` on the real OpenTofu 1.12.6. docs/flavours.md describes every field.
"""

from __future__ import annotations

from typing import Final

from shared_nodes.record import record

__all__ = ["FLAVOURS", "FLAVOUR_NAMES", "OPENTOFU_1_12", "TERRAFORM_1_11", "Flavour", "flavour_of_release"]


@record
class Flavour:
    name: str
    product: str
    """The product's name as it appears in messages."""

    version: str
    """The modelled release, as written into states and plans."""

    command: str
    """The name of its program, used in event streams."""

    registry: str
    """The host of providers whose source names none, and of providers that are only implied."""

    adopted_registry: str | None
    """Providers of this host are replaced in a state by those of `registry`, unless the configuration requires them;
    None if the providers of a state are never replaced."""

    providers_repeat: bool
    """A provider block with an alias may have `for_each`. Whatever refers to it then chooses one of its instances by a
    key, and states record the choice."""

    unreadable_providers_are_reported: bool
    """A provider address in a state that cannot be read is an error; otherwise its resource is left out."""

    unusable_states_have_one_problem: bool
    """Whatever is wrong with a file that has a version, and so is meant to be a state, is reported as one problem
    without details, whose summary quotes all of them; otherwise one by one."""

    unreadable_states_spoil_backups: bool
    """A state that cannot be read once it is locked is reported as a backup file that could not be written."""

    states_require_providers: bool
    """All providers of a state must be available, and those missing are reported before anything else; otherwise only
    an object that needs a missing one is reported."""

    faulty_trees_pass_providers: bool
    """Whether provider configurations reach the modules that need them is checked even if other errors were found."""

    root_aliases_are_supplied: bool
    """Validation accepts `configuration_aliases` in a root module, as if a caller passed these configurations."""

    imports_imply_providers: bool
    """An import without a provider requires the one that the type of the object implies, also if the object is in a
    module or its block names another; otherwise the one of its block, and none if it is in a module."""

    ephemeral_resources_imply_providers: bool
    """An ephemeral resource whose type implies a provider that is required under another name is remarked on, like any
    other resource."""

    mismatched_providers_change_places: bool
    """A message about the configuration of a wrong provider, which the child module requires under another name, has
    the two providers in each other's place."""

    summary_counts_forgotten: bool
    """Summaries of changes include the number of objects removed from the state without being destroyed."""

    removed_destroys_by_default: bool
    """A `removed` block without a `lifecycle` destroys the objects; otherwise it only forgets them."""

    files_can_be_encrypted: bool
    """An `encryption` block asks for states and plans to be encrypted; otherwise there is no such block."""

    evaluates_statically: bool
    """Sources and versions of modules, backends, `for_each` of providers and encryption may refer to variables and
    local values: they are evaluated before anything runs, and validating takes values of variables for that. Variables
    can be declared `const`, so that they are. Otherwise all this is constant, or does not exist."""

    changed_sources_are_quoted: bool
    """A module that was installed from another source is reported with both sources."""

    empty_sources_are_strings: bool
    """An empty module source is an `invalid source string`; otherwise it is an `invalid source address`."""

    planning_reads_root_twice: bool
    """Planning reads the root module once more before everything else, to learn how the state is encrypted. It repeats
    what it remarks on, and ends there if there is an error in a single block, but not where several contradict each
    other."""

    lifecycle_enables_objects: bool
    """`enabled` in the `lifecycle` block of a resource or module decides whether there is an instance of it. Otherwise
    there is no such argument, and modules have no such block."""

    overrides_ignore_all: bool
    """An override file may set `ignore_changes = all`; otherwise that has no effect."""

    repetition_problems_name_arguments: bool
    """A message about arguments such as `count` and `for_each` in one block, or in a block that is not repeated, names
    those that were written and calls the objects by their kind; otherwise it always names both."""

    prevent_destroy_is_evaluated: bool
    """`prevent_destroy` may be any expression, which is evaluated for every instance and must have a usable value;
    otherwise it must be a constant. The message about a protected object suggests to exclude it."""

    lifecycle_can_keep_objects: bool
    """`destroy = false` in a `lifecycle` block keeps objects that would be destroyed: they are only forgotten, also
    when they are replaced or when everything is destroyed. The state records it."""

    sensitive_outputs_mark_values: bool
    """`sensitive = true` on a module's output makes its value sensitive for the calling module. Otherwise it only
    affects the root module's outputs, and values stay as sensitive as they were inside the module."""

    data_records_declared_sensitivity: bool
    """Plans and states record as sensitive what the schema of a data source declares so; otherwise only what its
    configuration makes so."""

    missing_self_is_unknown: bool
    """`self` in a condition of an instance that does not exist is unknown; otherwise it is an error that the resource
    has no such key."""

    logic_short_circuits: bool
    """In `&&` and `||`, the operand that decides the result wins, errors of the other are dropped, and null counts as
    false. All operators report operands of a wrong type before the errors inside operands."""

    mismatch_names_both_types: bool
    """The message is `string required, but have tuple` where the names of the types tell what is wrong; otherwise just
    `string required`."""

    ignored_attributes_cause_warnings: bool
    """An attribute in an object constructor that the type of the variable lacks causes a warning, in a default and in a
    module's argument."""

    faulty_constants_are_blamed_once: bool
    """An argument that must be constant and cannot be evaluated is reported once; otherwise a second time, because its
    value must be known."""

    malformed_references_blame_data: bool
    """An index right after `resource` or `ephemeral` is reported as one after `data`, and messages about malformed
    references to ephemeral resources do not speak of types; otherwise each root is described by its own words."""

    provider_functions_are_references: bool
    """Functions of providers are references: the provider must be required, by itself or with an alias, before
    anything is evaluated, and which functions it has does not matter to validation. Otherwise a call of an unknown
    function fails like that of any other."""

    provider_functions_blame_an_argument: bool
    """A function of a provider that fails without naming an argument is said to have refused its first one."""

    builtin_functions_are_strict: bool
    """The functions of the builtin provider take no maps in place of objects and no values with unknown parts, and have
    other parameters and messages."""

    opentofu_functions: bool
    """The functions that only OpenTofu has (base64gunzip, cidrcontains, urldecode) exist."""

    unknown_arguments_lose_marks: bool
    """Functions that look at the marks of an argument (conversions, lookup, base64decode, file and its like) do not see
    unknown arguments, so that the marks of these are lost."""

    marks_of_unknown_values_are_open: bool
    """issensitive() is unknown for every unknown value, even a sensitive one, and ephemeralasnull() keeps nothing that
    is known about one."""

    errors_hide_ephemeral_values: bool
    """Messages of functions that hide sensitive arguments hide ephemeral ones as well."""

    templates_are_unrestricted: bool
    """templatefile() and templatestring() are ordinary functions: they take any expression, templates may call every
    function and other templates, and the result may have any type and be null."""

    element_wraps_negative_on_tuples: bool
    """element() with a negative index works on tuples; otherwise it panics."""

    format_takes_literal_null: bool
    """format/formatlist treat a literal null like a typed one; otherwise it makes the whole result unknown."""

    fileset_checks_whole_patterns: bool
    """fileset() refuses a malformed pattern before it looks for files, alternatives in braces may be nested and contain
    slashes, and broken links are errors everywhere; otherwise only what a search comes across matters."""

    unicode_classes_have_long_names: bool
    """In patterns, `\\p{Letter}` is `\\p{L}`, spelling does not matter, and unassigned characters have a category. As a
    consequence, scripts with several capitals in their names are unknown."""

    yaml_merges_sequences: bool
    """In yamldecode, `<<` merges a sequence of mappings as well, and a key tagged as `!!merge` does the same."""

    json_duplicates_must_agree: bool
    """jsondecode rejects duplicate keys of different types; otherwise the last one wins."""

    transpose_locates_nulls: bool
    """transpose() says where in its argument it found a null; otherwise only that there is one."""

    timecmp_quotes_impossible_dates: bool
    """timecmp() shows a timestamp whose month lacks that day; otherwise it only says that the day is out of range."""

    misspellings_are_corrected: bool
    """Messages say `occurred` and `provisioner-type`, and structure errors in private keys are explained; otherwise
    misspellings in the sources prevent that."""

    language_blocks_exist: bool
    """`language` blocks say which versions and editions a module is written for, and `required_version` counts in
    `.tofu` files only, before everything else; `language` and `experiments` in `terraform` blocks are ignored."""

    reads_tofu_files: bool
    """Files named `*.tofu` and `*.tofu.json` are configuration, and hide the `.tf` and `.tf.json` files with the same
    base names."""

    tofu_names_the_program: bool
    """`tofu.workspace` and `tofu.applying` are other names for the attributes of `terraform`, and messages about other
    attributes of either object name `workspace` alone. Otherwise `tofu` is a resource type like any other."""

    libraries_are_recent: bool
    """Libraries are of newer releases: bcrypt words its range of costs differently, and RSA keys of less than 1024 bits
    are refused."""

    forgets_in_order_of_destroying: bool
    """Removing an object from the state is ordered like destroying it; otherwise it is ordered by references alone."""

    unchanged_dependents_create_first: bool
    """During apply as well, a dependent without changes forces create-before-destroy on what it depends on."""

    prunes_every_apply: bool
    """Unused values and expansions are dropped from every apply graph; otherwise only when everything is destroyed."""

    destroys_with_needs_alone: bool
    """Destroying everything visits only what is destroyed and what that needs, and removes the root module's outputs
    from the state. Otherwise only unreferenced values and expansions are left out, so ephemeral resources are
    opened."""

    modules_close_before_checks: bool
    """The end of a module does not wait for its check blocks; otherwise it does, which can cause a cycle."""

    variables_have_reference_vertices: bool
    """Every variable has a second vertex, for its rules, which references to the variable lead to as well; it is
    evaluated in every apply if there are rules. Otherwise only variables with rules have one."""

    applies_after_expansion_in_keyed_modules: bool
    """Inside repeated modules as well, an instance waits for the expansion of its resource block."""

    replacement_keeps_create_before_destroy: bool
    """A planned create-then-destroy replacement forces that order on what the object depends on, whatever else the
    graph contains."""

    forgotten_objects_warn_one_by_one: bool
    """Each object that is only forgotten gets its own warning; otherwise one warning lists them all."""

    removed_objects_are_read_first: bool
    """An object that is not wanted any more is read before its removal is planned, also if it is only forgotten.
    Otherwise its removal is planned first, and it is not read if it is only forgotten."""

    removed_problems_say_block: bool
    """Messages about faulty `removed` blocks have their own words, and one whose subject is still declared is blamed
    itself: the block of the subject "still exists". Otherwise the declaration of the subject is blamed."""

    removed_blocks_are_strict: bool
    """A `removed` block may have only one `lifecycle` block and no `connection` block."""

    last_removed_statement_counts: bool
    """If there are several `removed` blocks about an object, the last one counts, also if it is about a module around
    the object. Otherwise one that only forgets is enough, and only the first about each subject decides; provisioners
    are those of the last one whose address, as written, is that of the object."""

    validation_checks_triggers: bool
    """Validation checks all expressions of `replace_triggered_by`, and that what they name exists. Otherwise reading
    ends at the first bad one, and planning finds what does not exist."""

    creation_triggers_replacement: bool
    """`replace_triggered_by` also fires when the referenced object is created."""

    counts_may_use_their_own_resource: bool
    """A `count` or `for_each` that refers to its own resource sees what is in the state; otherwise that is an error."""

    undeclared_resources_lack_definition: bool
    """The message is `There is no managed resource ... definition`, and a namesake of any other mode is suggested;
    otherwise `A managed resource ... has not been declared`, and only data resources are suggested."""

    validation_knows_resource_types: bool
    """While validating, a resource without repetition is an unknown object of its own type, and an ephemeral resource
    is ephemeral. Otherwise all resources are unknown values of any type."""

    for_each_reports_every_problem: bool
    """All problems of a `for_each` value are reported, under one summary, and one that cannot be computed counts as
    unknown, which validation accepts. Otherwise only the first problem is, and those of sets have a summary of their
    own."""

    unknown_repetition_suggests_exclusion: bool
    """Where the number of instances is unknown, the advice is to exclude this object; otherwise to apply first what it
    depends on."""

    ephemeral_problems_name_context: bool
    """Messages about ephemeral values in the wrong place name the place; otherwise they name the value."""

    ephemeral_arguments_are_refused_unconverted: bool
    """Whether an argument of a module is ephemeral is asked of the value as given; otherwise of the value that was
    converted to the type of the variable, which may have lost the ephemeral part."""

    outputs_refuse_ephemeral_values_first: bool
    """Whether an output may be ephemeral is asked before whether it may be sensitive, and not while parts of its value
    are unknown; otherwise afterwards, and always."""

    ephemeral_blocks_read_as_resources: bool
    """`ephemeral` blocks are read like `resource` blocks, and what they must not contain is refused by name; otherwise
    they are read like `data` blocks."""

    state_commands_diagnose: bool
    """The commands about states report everything as diagnostics, and an object that does not fit its schema is a
    failure; otherwise most is plain text, and such an object is shown as an empty state."""

    tests_choose_phases: bool
    """Test files may say in which phase an override takes effect, where a run keeps its state, and where the mocks of a
    provider are."""

    tests_must_fit: bool
    """What test files name must be of the right kind, and exist, and runs and providers have names of their own.
    Otherwise only repeated overrides and mocks are refused, and instance keys in targets."""

    tests_require_providers: bool
    """Providers that only test files configure must be installed to validate."""

    ephemeral_outputs_take_any_value: bool
    """An output declared ephemeral may have a non-ephemeral value; otherwise that is an error."""

    objects_can_be_excluded: bool
    """Plans can leave out what `-exclude` names, and addresses may be read from files. Warnings about targeting then
    speak of both options."""

    json_references_name_their_type: bool
    """A JSON value that should be a reference but is no string is reported with its type."""

    absent_provider_blocks_have_a_name: bool
    """A problem that a provider without a block finds in its configuration is in a file that is named after the
    provider; otherwise in one that is called empty."""

    deferred_actions_are_refused: bool
    """A provider that puts an action off, which nothing allows it to do, has failed; otherwise that is ignored."""

    refreshed_objects_must_be_known: bool
    """A provider must not return unknown values when it reads an object; otherwise null is kept in their place."""

    root_objects_are_lower_case: bool
    """A message about an object that came or went while applying begins with `root object`; otherwise with `Root
    object`."""

    null_imports_name_the_kind_of_key: bool
    """The message about an import without a value calls the key an ID, and lacks a space; otherwise it does neither."""

    imports_by_identity: bool
    """An import may say by `identity` instead of `id` what to import."""

    imports_are_resolved_when_planning: bool
    """Validation only checks how an import identifies its object. Its keys, which may be any expressions, and its
    duplicates are checked when its resource is planned, a missing block before anything is planned, and missing
    instances at the end; an empty identifier creates the object, and a secret one is an error. Otherwise validation
    checks as much of the address as it can, and only an empty identifier is an error."""

    imports_compare_providers: bool
    """The message about the provider of an import asks for the one of the resource block; otherwise it says that the
    argument is for generated configuration."""

    addresses_reserve_words: bool
    """Addresses on the command line and in statements cannot begin with a word such as `var`, unless the word
    `resource` precedes it. Otherwise all these words, and `resource` too, are ordinary resource types."""

    plans_ephemeral_outputs: bool
    """Planning records ephemeral outputs among its changes, and apply takes the recorded values; otherwise they are
    evaluated again, and what they were made from does not count as relevant."""

    provider_problems_name_it_fully: bool
    """Messages about invalid plans name the provider configuration, and those about objects of newer versions the
    whole source of the provider; otherwise they name the source, and its type alone."""

    removed_provisioners_have_alternatives: bool
    """The message about a provisioner that no longer exists says since when, and where to find alternatives."""

    unreadable_states_are_reported_twice: bool
    """Where `terraform_remote_state` cannot be read, a second error says so of its address."""

    provisioners_refuse_empty_arguments: bool
    """Validation already refuses an empty command of local-exec and an empty destination of file."""

    suppressed_output_has_one_reason: bool
    """The text in place of a provisioner's output says `ephemeral` if something is ephemeral, whatever is sensitive;
    otherwise it lists both."""

    winrm_is_deprecated: bool
    """A provisioner that connects by WinRM is a warning."""

    suggests_types_of_every_mode: bool
    """Where a resource type does not exist, every other block type that has the name is suggested, and else a similar
    type of managed resources; otherwise only data sources and managed resources are suggested for each other."""

    values_can_be_deprecated: bool
    """`deprecated` of variables and outputs exists, and using them or what comes from them is a warning."""

    deprecated_attributes_mark_values: bool
    """Values of attributes that a provider declares as deprecated are marked, and a warning is due where an expression
    uses them; otherwise where an expression mentions such an attribute."""

    validations_see_sensitivity: bool
    """Validations see a sensitive variable as sensitive, and so cannot show it in their messages."""

    failed_rules_hide_later_ones: bool
    """After a rule of a variable has failed or could not be evaluated, the rules that follow it are not evaluated."""

    unusable_messages_do_not_hide_failures: bool
    """A rule of a variable that fails counts as failed even if its message is unknown or cannot be evaluated; otherwise
    it counts as an error."""

    input_problems_are_at_declaration: bool
    """A value of the wrong type, and a value of the root module that violates a rule, are reported at the declaration
    of the variable; otherwise at the value, and a default value of a module nowhere."""

    equalities_show_their_difference: bool
    """The JSON form of a diagnostic about a condition of the form `a == b` has both values, as a change."""

    events_escape_html: bool
    """In the event stream, the characters `<`, `>` and `&` of texts are escaped."""

    ephemeral_events_hide_failure: bool
    """Events of ephemeral resources have types and messages of their own, which are the same after a failure."""

    legend_explains_every_symbol: bool
    """The legend of a plan says that an update is shown as `current -> planned`, and has the symbols of forgotten
    objects."""

    lists_keep_positions: bool
    """Plans compare lists of the same length position by position, unless elements only moved. Otherwise elements are
    removed and added around what both lists have in common; only objects, and texts that share a line, may become
    others."""

    hides_empty_arguments: bool
    """In plans and states, an empty text that is an argument of a block is shown as null, and no other. Otherwise every
    empty text is, in types that the old provider SDK may have defined."""

    shows_json_with_a_tail: bool
    """A text that begins with JSON is shown as JSON, even if something else follows, which is not shown."""

    unknowns_repeat_what_they_force: bool
    """If an unknown value forces a replacement, the old value is marked with that as well."""

    unknown_blocks_look_like_their_parent: bool
    """Where the number of nested blocks is unknown, one stands for all of them, and is drawn with the arguments of the
    enclosing block. Otherwise an unknown block precedes those that exist."""

    write_only_follows_its_block: bool
    """A write-only argument has the symbol of its block, even of an update, and does not tell whether it is
    sensitive."""

    pure_imports_name_their_id: bool
    """The title of an object that is imported without changes is followed by the id."""

    forgotten_objects_show_their_values: bool
    """A plan shows all values of an object that is forgotten, without symbols, and counts it. Otherwise it is drawn
    like one that does not change."""

    tainted_title: str
    """The end of the title of an object that is replaced because it is tainted."""

    plan_says_whether_it_applies: bool
    """The JSON plan states whether it is complete and whether applying it would do anything."""

    saved_plans_take_further_inputs: bool
    """Applying a saved plan accepts values for variables of which the plan has none; otherwise everything that is not
    ephemeral must stay as it was, and an ephemeral variable must not be set if it was null."""

    plan_shows_defaults_of_ephemeral_variables: bool
    """The JSON plan has the default of an ephemeral variable even if another value was given; otherwise it then has
    nothing."""

    plan_lists_ephemeral_resources: bool
    """The configuration in the JSON plan has ephemeral resources; otherwise it has only managed and data resources."""

    plan_describes_variables: bool
    """The configuration in the JSON plan says of which types variables are, which are required, ephemeral and
    deprecated, and which outputs are ephemeral."""

    cloud_is_a_kind_of_backend: bool
    """Messages about `cloud` blocks speak of a cloud backend; otherwise of HCP Terraform and Terraform Enterprise."""

    evaluation_refuses_ephemeral_values: bool
    """An ephemeral argument where none may be ends the evaluation of its block; otherwise it is one problem besides
    others, and a data source that gets one while applying is read, but cannot be stored."""

    missing_provisioners_lack_schemas: bool
    """A provisioner of a `removed` block that does not exist is reported as one whose schema cannot be obtained;
    otherwise as unavailable."""

    planning_orders_deposed_objects: bool
    """Planning visits deposed objects in the order in which they are destroyed, so that what the state records can
    make them wait for themselves; otherwise only applying does."""

    module_moves_are_implied: bool
    """Adding or removing `count` on a module call moves its only instance, as it does for resources."""

    moved_objects_are_converted_when_read: bool
    """An object that a `moved` block has led to another type is converted when it is planned. Otherwise this is done
    before anything is planned, also for what targets leave out."""

    ephemerals_close_after_checks: bool
    """An ephemeral resource stays open until the data sources of checks are read, if these come after something that
    uses it; otherwise what they merely come after does not count."""

    ephemerals_are_planned_like_data: bool
    """An ephemeral resource is not opened while something that data would wait for is about to change, what is
    configured of it is known before it is open, and its conditions only warn in a plan that changes nothing. Otherwise
    it waits for unknown arguments alone, all of it is unknown until then, and its conditions are errors."""

    unfit_ephemerals_are_closed: bool
    """An ephemeral resource that a provider opened as null or with unknown parts is closed at once. Otherwise what is
    opened must fit its configuration, as a plan must, and may be unknown in parts."""

    null_resources_may_have_any_provider: bool
    """A null_resource can become a terraform_data whichever provider had it, and the message about any other move names
    both types. Otherwise it must be the official provider."""

    states_have_identities: bool
    """Providers are asked for the identities of their objects. States and plans have them."""

    unmovable_ends_are_reported: bool
    """An end of a `moved` block that is missing, unreadable or ephemeral is reported once more, as not movable."""


TERRAFORM_1_11: Final = Flavour(
    name="terraform-1.11",
    product="Terraform",
    version="1.11.4",
    command="terraform",
    registry="registry.terraform.io",
    adopted_registry=None,
    providers_repeat=False,
    unreadable_providers_are_reported=False,
    unusable_states_have_one_problem=False,
    unreadable_states_spoil_backups=False,
    states_require_providers=True,
    faulty_trees_pass_providers=True,
    root_aliases_are_supplied=False,
    imports_imply_providers=False,
    ephemeral_resources_imply_providers=False,
    mismatched_providers_change_places=False,
    summary_counts_forgotten=False,
    removed_destroys_by_default=True,
    planning_reads_root_twice=False,
    lifecycle_enables_objects=False,
    overrides_ignore_all=False,
    repetition_problems_name_arguments=False,
    prevent_destroy_is_evaluated=False,
    lifecycle_can_keep_objects=False,
    files_can_be_encrypted=False,
    evaluates_statically=False,
    changed_sources_are_quoted=False,
    empty_sources_are_strings=False,
    sensitive_outputs_mark_values=False,
    data_records_declared_sensitivity=True,
    missing_self_is_unknown=False,
    logic_short_circuits=False,
    mismatch_names_both_types=False,
    ignored_attributes_cause_warnings=False,
    faulty_constants_are_blamed_once=False,
    malformed_references_blame_data=False,
    provider_functions_are_references=False,
    provider_functions_blame_an_argument=False,
    builtin_functions_are_strict=False,
    opentofu_functions=False,
    unknown_arguments_lose_marks=False,
    marks_of_unknown_values_are_open=False,
    errors_hide_ephemeral_values=False,
    templates_are_unrestricted=False,
    element_wraps_negative_on_tuples=False,
    format_takes_literal_null=False,
    language_blocks_exist=False,
    reads_tofu_files=False,
    tofu_names_the_program=False,
    fileset_checks_whole_patterns=False,
    unicode_classes_have_long_names=False,
    yaml_merges_sequences=False,
    json_duplicates_must_agree=False,
    transpose_locates_nulls=False,
    timecmp_quotes_impossible_dates=False,
    misspellings_are_corrected=False,
    libraries_are_recent=False,
    forgets_in_order_of_destroying=True,
    unchanged_dependents_create_first=True,
    prunes_every_apply=False,
    destroys_with_needs_alone=True,
    modules_close_before_checks=False,
    variables_have_reference_vertices=False,
    applies_after_expansion_in_keyed_modules=True,
    replacement_keeps_create_before_destroy=False,
    forgotten_objects_warn_one_by_one=False,
    removed_objects_are_read_first=False,
    removed_problems_say_block=False,
    removed_blocks_are_strict=False,
    last_removed_statement_counts=False,
    validation_checks_triggers=False,
    creation_triggers_replacement=False,
    counts_may_use_their_own_resource=False,
    undeclared_resources_lack_definition=False,
    validation_knows_resource_types=False,
    for_each_reports_every_problem=False,
    unknown_repetition_suggests_exclusion=False,
    ephemeral_problems_name_context=False,
    ephemeral_arguments_are_refused_unconverted=False,
    outputs_refuse_ephemeral_values_first=False,
    ephemeral_blocks_read_as_resources=False,
    state_commands_diagnose=False,
    tests_choose_phases=True,
    tests_must_fit=True,
    tests_require_providers=False,
    ephemeral_outputs_take_any_value=False,
    objects_can_be_excluded=False,
    json_references_name_their_type=False,
    absent_provider_blocks_have_a_name=False,
    deferred_actions_are_refused=True,
    refreshed_objects_must_be_known=True,
    root_objects_are_lower_case=False,
    null_imports_name_the_kind_of_key=True,
    imports_by_identity=False,
    imports_are_resolved_when_planning=False,
    imports_compare_providers=False,
    addresses_reserve_words=True,
    plans_ephemeral_outputs=False,
    provider_problems_name_it_fully=False,
    removed_provisioners_have_alternatives=True,
    unreadable_states_are_reported_twice=False,
    provisioners_refuse_empty_arguments=False,
    suppressed_output_has_one_reason=False,
    winrm_is_deprecated=False,
    suggests_types_of_every_mode=False,
    values_can_be_deprecated=False,
    deprecated_attributes_mark_values=False,
    validations_see_sensitivity=False,
    failed_rules_hide_later_ones=False,
    unusable_messages_do_not_hide_failures=False,
    input_problems_are_at_declaration=False,
    equalities_show_their_difference=False,
    events_escape_html=True,
    ephemeral_events_hide_failure=False,
    legend_explains_every_symbol=False,
    lists_keep_positions=True,
    hides_empty_arguments=False,
    shows_json_with_a_tail=False,
    unknowns_repeat_what_they_force=False,
    unknown_blocks_look_like_their_parent=False,
    write_only_follows_its_block=False,
    pure_imports_name_their_id=False,
    forgotten_objects_show_their_values=False,
    tainted_title="is tainted, so must be replaced",
    plan_says_whether_it_applies=True,
    saved_plans_take_further_inputs=False,
    plan_shows_defaults_of_ephemeral_variables=False,
    plan_lists_ephemeral_resources=False,
    plan_describes_variables=False,
    cloud_is_a_kind_of_backend=False,
    evaluation_refuses_ephemeral_values=False,
    missing_provisioners_lack_schemas=False,
    planning_orders_deposed_objects=True,
    module_moves_are_implied=False,
    moved_objects_are_converted_when_read=False,
    ephemerals_close_after_checks=False,
    ephemerals_are_planned_like_data=False,
    unfit_ephemerals_are_closed=False,
    null_resources_may_have_any_provider=False,
    states_have_identities=False,
    unmovable_ends_are_reported=False,
)

OPENTOFU_1_12: Final = Flavour(
    name="opentofu-1.12",
    product="OpenTofu",
    version="1.12.6",
    command="tofu",
    registry="registry.opentofu.org",
    adopted_registry="registry.terraform.io",
    providers_repeat=True,
    unreadable_providers_are_reported=True,
    unusable_states_have_one_problem=True,
    unreadable_states_spoil_backups=True,
    states_require_providers=False,
    faulty_trees_pass_providers=False,
    root_aliases_are_supplied=True,
    imports_imply_providers=True,
    ephemeral_resources_imply_providers=True,
    mismatched_providers_change_places=True,
    summary_counts_forgotten=True,
    removed_destroys_by_default=False,
    planning_reads_root_twice=True,
    lifecycle_enables_objects=True,
    overrides_ignore_all=True,
    repetition_problems_name_arguments=True,
    prevent_destroy_is_evaluated=True,
    lifecycle_can_keep_objects=True,
    files_can_be_encrypted=True,
    evaluates_statically=True,
    changed_sources_are_quoted=True,
    empty_sources_are_strings=True,
    sensitive_outputs_mark_values=True,
    data_records_declared_sensitivity=False,
    missing_self_is_unknown=True,
    logic_short_circuits=True,
    mismatch_names_both_types=True,
    ignored_attributes_cause_warnings=True,
    faulty_constants_are_blamed_once=True,
    malformed_references_blame_data=True,
    provider_functions_are_references=True,
    provider_functions_blame_an_argument=True,
    builtin_functions_are_strict=True,
    opentofu_functions=True,
    unknown_arguments_lose_marks=True,
    marks_of_unknown_values_are_open=True,
    errors_hide_ephemeral_values=True,
    templates_are_unrestricted=True,
    element_wraps_negative_on_tuples=True,
    format_takes_literal_null=True,
    language_blocks_exist=True,
    reads_tofu_files=True,
    tofu_names_the_program=True,
    fileset_checks_whole_patterns=True,
    unicode_classes_have_long_names=True,
    yaml_merges_sequences=True,
    json_duplicates_must_agree=True,
    transpose_locates_nulls=True,
    timecmp_quotes_impossible_dates=True,
    misspellings_are_corrected=True,
    libraries_are_recent=True,
    forgets_in_order_of_destroying=False,
    unchanged_dependents_create_first=False,
    prunes_every_apply=True,
    destroys_with_needs_alone=False,
    modules_close_before_checks=True,
    variables_have_reference_vertices=True,
    applies_after_expansion_in_keyed_modules=False,
    replacement_keeps_create_before_destroy=True,
    forgotten_objects_warn_one_by_one=True,
    removed_objects_are_read_first=True,
    removed_problems_say_block=True,
    removed_blocks_are_strict=True,
    last_removed_statement_counts=True,
    validation_checks_triggers=True,
    creation_triggers_replacement=True,
    counts_may_use_their_own_resource=True,
    undeclared_resources_lack_definition=True,
    validation_knows_resource_types=True,
    for_each_reports_every_problem=True,
    unknown_repetition_suggests_exclusion=True,
    ephemeral_problems_name_context=True,
    ephemeral_arguments_are_refused_unconverted=True,
    outputs_refuse_ephemeral_values_first=True,
    ephemeral_blocks_read_as_resources=True,
    state_commands_diagnose=True,
    tests_choose_phases=False,
    tests_must_fit=False,
    tests_require_providers=True,
    ephemeral_outputs_take_any_value=True,
    objects_can_be_excluded=True,
    json_references_name_their_type=True,
    absent_provider_blocks_have_a_name=True,
    deferred_actions_are_refused=False,
    refreshed_objects_must_be_known=False,
    root_objects_are_lower_case=True,
    null_imports_name_the_kind_of_key=False,
    imports_by_identity=True,
    imports_are_resolved_when_planning=True,
    imports_compare_providers=True,
    addresses_reserve_words=False,
    plans_ephemeral_outputs=True,
    provider_problems_name_it_fully=True,
    removed_provisioners_have_alternatives=False,
    unreadable_states_are_reported_twice=True,
    provisioners_refuse_empty_arguments=True,
    suppressed_output_has_one_reason=True,
    winrm_is_deprecated=True,
    suggests_types_of_every_mode=True,
    values_can_be_deprecated=True,
    deprecated_attributes_mark_values=True,
    validations_see_sensitivity=True,
    failed_rules_hide_later_ones=True,
    unusable_messages_do_not_hide_failures=True,
    input_problems_are_at_declaration=True,
    equalities_show_their_difference=True,
    events_escape_html=False,
    ephemeral_events_hide_failure=True,
    legend_explains_every_symbol=True,
    lists_keep_positions=False,
    hides_empty_arguments=True,
    shows_json_with_a_tail=True,
    unknowns_repeat_what_they_force=True,
    unknown_blocks_look_like_their_parent=True,
    write_only_follows_its_block=True,
    pure_imports_name_their_id=True,
    forgotten_objects_show_their_values=True,
    tainted_title="is tainted, so it must be replaced",
    plan_says_whether_it_applies=False,
    saved_plans_take_further_inputs=True,
    plan_shows_defaults_of_ephemeral_variables=True,
    plan_lists_ephemeral_resources=True,
    plan_describes_variables=True,
    cloud_is_a_kind_of_backend=True,
    evaluation_refuses_ephemeral_values=True,
    missing_provisioners_lack_schemas=True,
    planning_orders_deposed_objects=False,
    module_moves_are_implied=True,
    moved_objects_are_converted_when_read=True,
    ephemerals_close_after_checks=True,
    ephemerals_are_planned_like_data=True,
    unfit_ephemerals_are_closed=True,
    null_resources_may_have_any_provider=True,
    states_have_identities=True,
    unmovable_ends_are_reported=True,
)

FLAVOURS: Final = {flavour.name: flavour for flavour in (TERRAFORM_1_11, OPENTOFU_1_12)}
"""The flavours by name."""

FLAVOUR_NAMES: Final = {**{name.partition("-")[0]: name for name in FLAVOURS}, **{name: name for name in FLAVOURS}}
"""Every spelling that users may use, the short ones included, and the name that it stands for."""


def flavour_of_release(release: str) -> Flavour | None:
    """Return the flavour of a product, given a release as binaries and recordings name it: `opentofu 1.12.6`. Releases
    that were not measured are treated like the one that was; None if no release of the product was."""
    product = release.partition(" ")[0]
    return next((flavour for flavour in FLAVOURS.values() if flavour.product.lower() == product), None)
