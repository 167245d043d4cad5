variable "size" {
  type = number

  validation {
    condition     = var.size < 10
    error_message = "At most 9."
  }
}

resource "sim_thing" "box" {
  name  = "box"
  value = var.size
}
