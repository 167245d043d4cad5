resource "terraform_data" "a" {
  input = {
    list = ["1", "1"]
    map  = tomap({ k = "1", other = "1" })
    deep = { x = { y = "1", z = "1" } }
  }

  lifecycle {
    ignore_changes = [
      input.list[0],
      input.map["k"],
      input.deep.x.y,
      input.list[7],
      input.missing.x,
    ]
  }
}
