resource "simcloud_computed" "source" {
  name    = "source"
  trigger = "second"
}

resource "simcloud_replaced" "forced" {
  name  = "forced"
  value = simcloud_computed.source.number
}

resource "simcloud_block_list" "counted" {
  name = "counted"

  dynamic "part" {
    for_each = range(simcloud_computed.source.number)

    content {
      key = part.value
    }
  }
}

resource "simcloud_write_only" "secret" {
  name           = "secret"
  secret         = "hush"
  secret_version = 2
}
