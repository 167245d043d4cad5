resource "sim_thing" "base" {
  name      = "base"
  force_new = "2"

  lifecycle {
    create_before_destroy = true
  }
}

resource "sim_thing" "keep" {
  name       = "keep"
  depends_on = [sim_thing.base]

  lifecycle {
    postcondition {
      condition     = sim_thing.base.version == 1
      error_message = "The base was changed."
    }
  }
}
