resource "sim_thing" "r" {
  name  = "r"
  value = tonumber("r")
}

resource "sim_thing" "s" {
  name  = "s"
  value = tonumber("s")

  depends_on = [sim_thing.r]
}
