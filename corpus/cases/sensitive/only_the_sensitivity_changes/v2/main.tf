resource "sim_thing" "a" {
  name  = "a"
  value = sensitive("same")
}
