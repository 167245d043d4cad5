module "child" {
  source = "./child"
}

output "same" {
  value = [path.cwd == abspath(path.root), path.cwd == abspath(path.module), path.root, path.module, module.child.paths]
}
