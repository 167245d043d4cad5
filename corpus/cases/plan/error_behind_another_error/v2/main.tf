resource "sim_thing" "r" {
  name = "r"
}

resource "sim_thing" "s" {
  name  = "s"
  value = tonumber("s")

  depends_on = [sim_thing.r]
}
