resource "simcloud_updated" "x" {
  name  = "x"
  value = "changed"
}

resource "simcloud_computed" "x" {
  name = "x"
}

data "simcloud_listing" "x" {
  only {
    kind = "simcloud_computed"
  }

  only {
    kind = simcloud_updated.x.revision == 2 ? "simcloud_updated" : "none"
  }

  depends_on = [simcloud_updated.x, simcloud_computed.x]
}

output "number" {
  value = data.simcloud_listing.x.number
}

output "kind" {
  value = data.simcloud_listing.x.only[0].kind
}
