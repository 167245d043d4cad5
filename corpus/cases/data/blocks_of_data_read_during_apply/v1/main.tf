resource "simcloud_updated" "x" {
  name = "x"
}

resource "simcloud_computed" "x" {
  name = "x"
}

data "simcloud_listing" "x" {
  only {
    kind = "simcloud_updated"
  }

  only {
    kind = simcloud_updated.x.id
  }

  depends_on = [simcloud_updated.x, simcloud_computed.x]
}

output "number" {
  value = data.simcloud_listing.x.number
}

output "kind" {
  value = data.simcloud_listing.x.only[0].kind
}
