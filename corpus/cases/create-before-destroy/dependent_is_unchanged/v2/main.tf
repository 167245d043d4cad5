resource "sim_thing" "dependency" {
  name      = "dependency"
  force_new = "2"
}

resource "sim_thing" "dependent" {
  name = "dependent"

  depends_on = [sim_thing.dependency]

  lifecycle {
    create_before_destroy = true
  }
}
