variable "v" {
  default = "one"
}

resource "sim_thing" "a" {
  name      = "green"
  force_new = "2"

  lifecycle {
    create_before_destroy = true

    precondition {
      condition     = var.v == "one"
      error_message = "Not one."
    }
  }
}
