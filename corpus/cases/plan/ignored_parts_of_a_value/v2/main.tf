resource "terraform_data" "a" {
  input = {
    list = ["2", "1"]
    map  = tomap({ k = "2", other = "1" })
    deep = { x = { y = "2", z = "1" } }
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
