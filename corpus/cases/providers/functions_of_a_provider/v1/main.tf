resource "simcloud_updated" "x" {
  name  = "x"
  value = provider::simcloud::echo("said")
}

output "next" {
  value = provider::simcloud::joined(simcloud_updated.x.id, "again")
}
