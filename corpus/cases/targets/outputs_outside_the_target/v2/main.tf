resource "sim_thing" "a" {
  name  = "a"
  value = "2"
}

resource "sim_thing" "b" {
  name  = "b"
  value = "2"
}

output "of_a" {
  value = "${sim_thing.a.id}!"
}

output "of_b" {
  value = "${sim_thing.b.id}!"
}

output "constant" {
  value = "two"
}
