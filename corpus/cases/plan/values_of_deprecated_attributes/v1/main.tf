terraform {
  required_providers {
    simcloud = {
      source = "dh.test/diffharness/simcloud"
    }
  }
}

resource "simcloud_deprecated" "x" {
  name      = "x"
  old_value = "1"

  old_part {
    key = "a"
  }

  lifecycle {
    postcondition {
      condition     = self.old_value == "1"
      error_message = "Not 1."
    }
  }
}

resource "simcloud_deprecated" "provisioned" {
  name      = "provisioned"
  old_value = "1"

  provisioner "local-exec" {
    command = "true ${self.old_value} ${self.name}"
  }

  provisioner "local-exec" {
    when    = destroy
    command = "true ${self.old_value}"
  }
}

resource "simcloud_deprecated" "several" {
  for_each  = toset(["a", "b"])
  name      = "several-${each.key}"
  old_value = each.key
}

resource "simcloud_updated" "argument" {
  name  = "argument"
  value = simcloud_deprecated.x.old_value
}

resource "simcloud_updated" "part" {
  count = length(simcloud_deprecated.x.old_part)
  name  = "part"
  value = simcloud_deprecated.x.old_part[0].key
}

resource "simcloud_updated" "derived" {
  name  = "derived"
  value = simcloud_updated.argument.value
}

locals {
  whole   = simcloud_deprecated.x
  all     = simcloud_deprecated.several
  one     = simcloud_deprecated.several["a"].old_value
  by_loop = [for each in simcloud_deprecated.several : each.old_value]
}

module "child" {
  source = "./child"
  given  = simcloud_deprecated.x.old_value
}

output "value" {
  value = simcloud_deprecated.x.old_value
}

output "name" {
  value = simcloud_deprecated.x.name
}

output "text" {
  value = "${simcloud_deprecated.x.old_value} and ${simcloud_deprecated.several["b"].old_value}"
}

output "of_child" {
  value = module.child.taken
}

resource "simcloud_deprecated_type" "y" {
  name  = "y"
  value = "1"
}

output "of_type" {
  value = simcloud_deprecated_type.y.value
}
