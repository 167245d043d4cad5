resource "terraform_data" "writer" {
  provisioner "local-exec" {
    command = "cp after.json note.json"
  }
}

resource "simcloud_block_list" "list" {
  name = "list"

  dynamic "part" {
    for_each = jsondecode(file("note.json")).list

    content {
      key = part.value
    }
  }

  depends_on = [terraform_data.writer]
}

resource "simcloud_block_list" "places" {
  name = "places"

  dynamic "part" {
    for_each = jsondecode(file("note.json")).places

    content {
      key = part.value
    }
  }

  depends_on = [terraform_data.writer]
}

resource "simcloud_block_set" "set" {
  name = "set"

  dynamic "part" {
    for_each = jsondecode(file("note.json")).set

    content {
      key = part.value
    }
  }

  depends_on = [terraform_data.writer]
}

resource "simcloud_block_set" "grown" {
  name = "grown"

  dynamic "part" {
    for_each = jsondecode(file("note.json")).grown

    content {
      key = part.value
    }
  }

  depends_on = [terraform_data.writer]
}

resource "simcloud_block_map" "map" {
  name = "map"

  dynamic "part" {
    for_each = jsondecode(file("note.json")).map
    labels   = [part.key]

    content {
      key = part.value
    }
  }

  depends_on = [terraform_data.writer]
}

resource "simcloud_block_map" "keys" {
  name = "keys"

  dynamic "part" {
    for_each = jsondecode(file("note.json")).keys
    labels   = [part.key]

    content {
      key = part.value
    }
  }

  depends_on = [terraform_data.writer]
}

resource "simcloud_block_single" "single" {
  name = "single"

  dynamic "part" {
    for_each = jsondecode(file("note.json")).single

    content {
      key = part.value
    }
  }

  depends_on = [terraform_data.writer]
}

resource "simcloud_block_single" "added" {
  name = "added"

  dynamic "part" {
    for_each = jsondecode(file("note.json")).added

    content {
      key = part.value
    }
  }

  depends_on = [terraform_data.writer]
}
