output "paths" {
  value = [path.cwd == abspath(path.root), path.cwd == abspath(path.module), path.root, path.module]
}
