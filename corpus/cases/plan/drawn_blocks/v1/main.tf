resource "simcloud_computed" "source" {
  name    = "source"
  trigger = "first"
}

resource "simcloud_replaced" "forced" {
  name  = "forced"
  value = "known"
}

resource "simcloud_block_list" "counted" {
  name = "counted"

  part {
    key = "a"
  }
}

resource "simcloud_write_only" "secret" {
  name           = "secret"
  secret         = "hush"
  secret_version = 1
}
