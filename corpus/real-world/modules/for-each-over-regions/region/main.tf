variable "name" { type = string }
variable "zones" { type = list(string) }
variable "peers" {
  type    = list(string)
  default = []
}
resource "terraform_data" "subnet" {
  for_each = { for i, z in var.zones : "${var.name}-${z}" => i }
  input    = { index = each.value, peers = var.peers }
}
output "subnets" {
  value      = sort(keys(terraform_data.subnet))
  depends_on = [terraform_data.subnet]
}
