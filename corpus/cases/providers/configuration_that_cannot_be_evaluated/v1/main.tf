variable "given" {
  type = any
}

provider "simcloud" {
  region = var.given.region
}

resource "simcloud_updated" "x" {
  name = "x"
}
