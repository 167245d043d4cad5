locals {
  hosts = [
    { name = "a", roles = ["web", "db"], weight = 3 },
    { name = "b", roles = ["web"], weight = 1 },
    { name = "c", roles = [], weight = 0 },
  ]
  by_role = { for pair in flatten([for host in local.hosts : [for role in host.roles : { role = role, name = host.name }]]) : pair.role => pair.name... }
  heavy   = [for index, host in local.hosts : "${index}:${host.name}" if host.weight > 0]
  merged  = merge([for host in local.hosts : { (host.name) = host.weight }]...)
  matrix  = setproduct(["x", "y"], [1, 2])
  nested  = try(local.hosts[9].name, local.hosts[0]["name"], "none")
}

output "all" {
  value = [local.by_role, local.heavy, local.merged, local.matrix, local.nested, local.hosts[*].name]
}

output "numbers" {
  value = [1 / 3, 10 % 3, pow(2, 60), parseint("ff", 16), floor(-1.5), format("%05.2f", 3.14159)]
}
