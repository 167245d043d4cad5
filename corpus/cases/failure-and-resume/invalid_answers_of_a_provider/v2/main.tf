resource "simcloud_updated" "unknown" {
  name = "unknown"
}

resource "simcloud_computed" "unknown" {
  name = "unknown text"
}

resource "simcloud_block_list" "unknown" {
  name = "unknown name"

  part {
    key = "a"
  }
}

resource "simcloud_block_list" "other" {
  name = "other name"

  part {
    key = "a"
  }
}

resource "simcloud_normalised_legacy" "x" {
  name = "forgiven"
  text = "Two"
}
