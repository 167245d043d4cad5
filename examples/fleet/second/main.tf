variable "regions" {
  description = "Machines wanted in each region."
  type        = map(number)
  default     = { east = 1 }

  validation {
    condition     = alltrue([for machines in values(var.regions) : machines > 0])
    error_message = "A region without machines is no region."
  }
}

module "region" {
  source   = "./region"
  for_each = var.regions

  name     = each.key
  machines = each.value
}

removed {
  from = terraform_data.audit

  lifecycle {
    destroy = false
  }
}

resource "terraform_data" "release" {
  input            = "release for ${join(" and ", keys(module.region))}"
  triggers_replace = [for region in module.region : region.machines]

  provisioner "local-exec" {
    command = "echo released"
  }

  lifecycle {
    create_before_destroy = true
  }
}

check "fleet" {
  assert {
    condition     = sum(values(var.regions)) >= 2
    error_message = "A fleet of one machine cannot be released without an interruption."
  }
}

output "machines" {
  value = { for name, region in module.region : name => region.machines }
}
