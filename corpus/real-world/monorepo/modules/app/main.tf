variable "name" {
  type = string
}

variable "replicas" {
  type    = number
  default = 1
}

variable "labels" {
  type    = map(string)
  default = {}
}

module "label" {
  source = "../label"
  parts  = [var.name, lookup(var.labels, "env", "none")]
}

resource "terraform_data" "replica" {
  count = var.replicas
  input = format("%s-%02d", module.label.id, count.index + 1)
}

output "url" {
  value = "https://${module.label.id}.example.com/?n=${length(terraform_data.replica)}"
}
