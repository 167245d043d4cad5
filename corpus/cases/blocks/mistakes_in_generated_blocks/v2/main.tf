resource "simcloud_updated" "x" {
  name = "x"
}

resource "simcloud_block_list" "text" {
  name = "text"

  dynamic "part" {
    for_each = "a"

    content {}
  }
}

resource "simcloud_block_map" "null" {
  name = "null label"

  dynamic "part" {
    for_each = { a = null }
    labels   = [part.value]

    content {}
  }
}

resource "simcloud_block_map" "unknown" {
  name = "unknown label"

  dynamic "part" {
    for_each = [simcloud_updated.x.id]
    labels   = [part.value]

    content {}
  }
}

resource "simcloud_block_map" "secret" {
  name = "secret label"

  dynamic "part" {
    for_each = [1]
    labels   = [sensitive(part.value)]

    content {}
  }
}

resource "simcloud_block_map" "list" {
  name = "list as label"

  dynamic "part" {
    for_each = [[], "good"]
    labels   = [part.value]

    content {}
  }
}

resource "simcloud_block_map" "failing" {
  name = "label that fails"

  dynamic "part" {
    for_each = ["a"]
    labels   = [part.value.name]

    content {}
  }
}
