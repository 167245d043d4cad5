resource "terraform_data" "writer" {
  provisioner "local-exec" {
    command = "cp after.json note.json"
  }
}

resource "simcloud_nested_list" "x" {
  name = "list"
  part = [for key in jsondecode(file("note.json")).list : { key = key }]

  depends_on = [terraform_data.writer]
}

resource "simcloud_nested_map" "x" {
  name = "map"
  part = { for label, key in jsondecode(file("note.json")).map : label => { key = key, amount = 1 } }

  depends_on = [terraform_data.writer]
}

resource "simcloud_nested_set" "x" {
  name = "set"
  part = [for key in jsondecode(file("note.json")).set : { key = key }]

  depends_on = [terraform_data.writer]
}

resource "simcloud_nested_single" "x" {
  name = "single"
  part = { key = jsondecode(file("note.json")).inside }

  depends_on = [terraform_data.writer]
}

resource "simcloud_block_deep" "x" {
  name = "deep"

  outer {
    middle {
      inner {
        key = jsondecode(file("note.json")).inside
      }
    }
  }

  depends_on = [terraform_data.writer]
}

resource "simcloud_sensitive" "x" {
  name    = "sensitive"
  account = { user = "u", password = jsondecode(file("note.json")).secret }

  login {
    user     = "v"
    password = jsondecode(file("note.json")).secret
  }

  login {
    user = jsondecode(file("note.json")).inside
  }

  depends_on = [terraform_data.writer]
}

resource "simcloud_block_list" "x" {
  name = "marked"

  part {
    key = sensitive(jsondecode(file("note.json")).secret)
  }

  depends_on = [terraform_data.writer]
}
