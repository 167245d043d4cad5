resource "sim_thing" "disk" {
  for_each = toset(["main"])

  name = "disk"
}
