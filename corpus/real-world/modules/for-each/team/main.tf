variable "name" {}

variable "members" {
  type = set(string)
}

resource "terraform_data" "member" {
  for_each = var.members
  input    = "${var.name}/${each.value}"
}

output "members" {
  value = [for member in terraform_data.member : member.output]
}
