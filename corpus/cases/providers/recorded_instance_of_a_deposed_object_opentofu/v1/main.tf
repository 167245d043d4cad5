provider "terraform" {
  alias    = "by"
  for_each = toset(["x", "y"])
}
resource "terraform_data" "a" {
  provider         = terraform.by["x"]
  input            = "i"
  triggers_replace = 1
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    when    = destroy
    command = "exit 1"
  }
}
