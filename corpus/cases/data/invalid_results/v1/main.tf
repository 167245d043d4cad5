data "simcloud_pure" "early" {
  name = "early"
}

resource "simcloud_updated" "x" {
  name = "x"
}

data "simcloud_pure" "late" {
  name       = "late"
  depends_on = [simcloud_updated.x]
}

resource "simcloud_updated" "y" {
  name  = "y"
  value = data.simcloud_pure.late.result
}
