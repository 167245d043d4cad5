resource "simcloud_updated" "x" {
  name = "x"
}

resource "simcloud_nested_set" "x" {
  name = "set"
  part = []
}

resource "simcloud_nested_single" "x" {
  name = "single"
  part = null
}
