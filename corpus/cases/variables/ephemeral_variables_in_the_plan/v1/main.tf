variable "given" {
  default   = "default"
  ephemeral = true
}

variable "unset" {
  type      = object({ a = optional(number, 1), b = string })
  default   = { b = "x" }
  ephemeral = true
}

variable "required" {
  type        = list(any)
  ephemeral   = true
  description = "Never shown."
}

variable "plain" {
  type       = number
  default    = 5
  deprecated = "Use given."
}

output "plain" {
  value      = var.plain
  deprecated = "Do not."
}
