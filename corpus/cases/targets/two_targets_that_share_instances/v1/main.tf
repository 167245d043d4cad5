resource "sim_thing" "a" {
  count = 3

  name = "a${count.index}"
}

resource "sim_thing" "b" {
  name  = "b"
  value = join(",", sim_thing.a[*].name)
}
