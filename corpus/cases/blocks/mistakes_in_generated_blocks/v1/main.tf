resource "simcloud_block_map" "iterator" {
  name = "iterator"

  dynamic "part" {
    for_each = ["a"]
    iterator = each_part.value
    labels   = ["a"]

    content {}
  }
}

resource "simcloud_block_map" "many" {
  name = "many"

  dynamic "part" {
    for_each = ["a"]
    labels   = ["a", "b"]

    content {}
  }
}

resource "simcloud_block_map" "few" {
  name = "few"

  dynamic "part" {
    for_each = ["a"]
    labels   = []

    content {}
  }
}

resource "simcloud_block_map" "text" {
  name = "text"

  dynamic "part" {
    for_each = ["a"]
    labels   = "a"

    content {}
  }
}

resource "simcloud_block_map" "none" {
  name = "none"

  dynamic "part" {
    for_each = ["a"]

    content {}
  }
}

resource "simcloud_block_list" "labelled" {
  name = "labelled"

  dynamic "part" {
    for_each = ["a"]
    labels   = ["a"]

    content {}
  }
}

resource "simcloud_block_list" "empty" {
  name = "empty"

  dynamic "part" {
    for_each = ["a"]
  }
}

resource "simcloud_block_list" "twice" {
  name = "twice"

  dynamic "part" {
    for_each = ["a"]

    content {}

    content {}
  }
}

resource "simcloud_block_list" "nothing" {
  name = "nothing"

  dynamic "part" {
    content {}
  }
}

resource "simcloud_block_list" "quoted" {
  name = "quoted"

  dynamic "part" {
    for_each = ["a"]
    iterator = "x${1}"

    content {}
  }
}
