variable "t" {
  default = 1
}

resource "terraform_data" "a" {
  triggers_replace = var.t

  lifecycle {
    create_before_destroy = true
  }

  provisioner "local-exec" {
    when    = destroy
    command = "echo bye"
  }
}
