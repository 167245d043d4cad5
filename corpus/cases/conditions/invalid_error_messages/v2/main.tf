variable "nothing" {
  type    = string
  default = null
}

variable "list" {
  type    = list(string)
  default = []
}

resource "terraform_data" "null" {
  lifecycle {
    precondition {
      condition     = var.nothing == null
      error_message = var.nothing
    }
  }
}

resource "terraform_data" "failing" {
  lifecycle {
    precondition {
      condition     = length(var.list) == 1
      error_message = "first: ${var.list[0]}"
    }
  }
}

resource "terraform_data" "list" {
  lifecycle {
    postcondition {
      condition     = length(var.list) == 1
      error_message = var.list
    }
  }
}

output "null" {
  value = 1

  precondition {
    condition     = var.nothing != null
    error_message = var.nothing
  }
}

check "null" {
  assert {
    condition     = var.nothing == null
    error_message = var.nothing
  }
}
