"""Generate stories, run them through several engines, and report where the engines differ.

A *story* is a case that does not exist on disk yet: configuration versions, steps, drift and faults. It is generated
from a model of blocks by random decisions, each of which is recorded as a *feature* if it adds one. A *campaign* runs
many stories and prefers features that led to new behaviour.

- `choices.py`: where decisions come from (a seed, or Hypothesis), and the weights of features.
- `model.py`, `printing.py`, `instances.py`, `file_layout.py`: a configuration as blocks that refer to each other, and
  as files.
- `module_builder.py`, `referable_attributes.py`: a module under construction, and what its expressions may refer to.
- `configuration_generator.py`: the first version; below it `block_generator.py`, `resource_generator.py`,
  `lifecycle_generator.py`, `condition_generator.py` and `expression_generator.py`.
- `edits.py`, `statements.py`, `mistakes.py`: how a version becomes the next one.
- `enabled_generator.py`, `opentofu_values.py`, `opentofu_edits.py`, `opentofu_mistakes.py`: what only OpenTofu has.
- `initial_state.py`: a state that exists before the first step.
- `story_generator.py`, `fault_generator.py`, `story_builder.py`: the steps and faults of a story.
- `profiles.py`, `story.py`: the size of a story, and its form as a case.
- `story_execution.py`: runs a story through the engines.
- `laws.py`: properties that every engine must have by itself.
- `feedback.py`, `campaign.py`: what stories showed, what to try more often, and the campaign as a whole.

Start with `story_generator.py`: everything a story can contain is decided there or in modules it calls.
"""
