resource "simcloud_block_list" "x" {
  name = "list"

  part {
    key = "a"
  }
}

resource "simcloud_block_map" "x" {
  name = "map"

  part "label" {
    key = simcloud_block_list.x.part[0].made
  }
}

resource "simcloud_block_single" "x" {
  name = "single"

  part {
    key = simcloud_block_map.x.part["label"].made
  }
}

resource "simcloud_block_set" "x" {
  name = "set"

  part {
    key = simcloud_block_single.x.part.made
  }
}

output "made" {
  value = simcloud_block_set.x.part[*].made
}
