resource "sim_thing" "x" {
  name   = "x"
  secret = "hush"
}

output "o" {
  value = sim_thing.x.secret
}
