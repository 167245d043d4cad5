variable "v" {
  type = string
}

resource "simcloud_updated" "source" {
  for_each = toset(["first", "second", "single", "key", "other_key", "whole"])

  name  = each.key
  value = each.key
}

resource "simcloud_block_list" "list" {
  name = "list"

  part {
    key = simcloud_updated.source["first"].value
  }

  part {
    key = simcloud_updated.source["second"].value
  }
}

resource "simcloud_block_single" "single" {
  name = "single"

  part {
    key = simcloud_updated.source["single"].value
  }
}

resource "simcloud_block_map" "map" {
  name = "map"

  part "k" {
    key = simcloud_updated.source["key"].value
  }

  part "l" {
    key = simcloud_updated.source["other_key"].value
  }
}

resource "simcloud_block_set" "set" {
  name = "set"

  part {
    key = simcloud_updated.source["whole"].value
  }
}

output "of_list" {
  value = "${var.v} ${simcloud_block_list.list.part[1].key}"
}

output "of_single" {
  value = "${var.v} ${simcloud_block_single.single.part.key}"
}

output "of_map" {
  value = "${var.v} ${simcloud_block_map.map.part["k"].key}"
}

output "of_set" {
  value = "${var.v} ${length(simcloud_block_set.set.part)}"
}
