resource "terraform_data" "x" {
  lifecycle {
    precondition {
      condition     = self.id == "" || var.none == local.none
      error_message = "No ${var.none}, ${each.key} ${count.index}."
    }

    precondition {
      condition     = var.none == local.none
      error_message = "No ${path.home} ${terraform.env}."
    }
  }
}

check "c" {
  assert {
    condition     = var.none && each.key == "a"
    error_message = "No ${local.none}."
  }

  assert {
    condition     = self.id == ""
    error_message = "No self."
  }
}
