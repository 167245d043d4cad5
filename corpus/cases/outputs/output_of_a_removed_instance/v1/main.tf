variable "n" {
  type = number
}

resource "sim_thing" "a" {
  count = var.n

  name = "a${count.index}"
}

output "second" {
  value = sim_thing.a[1].id
}
