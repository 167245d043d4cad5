variable "v" {
  default = "one"
}

resource "sim_thing" "a" {
  name      = "blue"
  force_new = "1"

  lifecycle {
    create_before_destroy = true

    precondition {
      condition     = var.v == "one"
      error_message = "Not one."
    }
  }
}
