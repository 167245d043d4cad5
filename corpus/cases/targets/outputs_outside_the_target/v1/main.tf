resource "sim_thing" "a" {
  name = "a"
}

resource "sim_thing" "b" {
  name = "b"
}

output "of_a" {
  value = sim_thing.a.id
}

output "of_b" {
  value = sim_thing.b.id
}

output "of_both" {
  value = "${sim_thing.a.id} ${sim_thing.b.id}"
}

output "constant" {
  value = "one"
}
