"""Named values of a module: input variables, local values, outputs, and the module calls they pass through."""
