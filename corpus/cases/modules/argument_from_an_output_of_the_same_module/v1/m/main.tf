variable "second" {
  type = string
}

resource "sim_thing" "one" {
  name = "one"
}

resource "sim_thing" "two" {
  name  = "two"
  value = var.second
}

output "first" {
  value = sim_thing.one.id
}

output "result" {
  value = sim_thing.two.value
}
