resource "simcloud_nested_set" "x" {
  name = "set"
  part = [{ key = "a" }, { key = "b", amount = 2 }]
}

resource "simcloud_nested_single" "x" {
  name = "single"
  part = { key = "a" }
}
