resource "simcloud_updated" "x" {
  name = "a-b"
}

locals {
  later = split("-", simcloud_updated.x.id)
}

resource "simcloud_block_map" "known" {
  name = "known"

  dynamic "part" {
    for_each = { one = 1, two = 2 }
    iterator = each_part
    labels   = ["label-${each_part.key}"]

    content {
      key    = each_part.key
      amount = each_part.value
    }
  }
}

resource "simcloud_block_set" "later" {
  name = "set"

  part {
    key = "static"
  }

  dynamic "part" {
    for_each = local.later

    content {
      key = part.value
    }
  }
}

resource "simcloud_block_map" "later" {
  name = "map"

  dynamic "part" {
    for_each = slice(local.later, 0, 1)
    labels   = ["label"]

    content {
      key = part.value
    }
  }
}

resource "simcloud_block_single" "later" {
  name = "single"

  dynamic "part" {
    for_each = slice(local.later, 0, 1)

    content {
      key = part.value
    }
  }
}

resource "simcloud_dynamic" "later" {
  name  = "dynamic"
  input = "i"

  dynamic "part" {
    for_each = local.later

    content {
      key     = part.value
      content = [part.key]
    }
  }
}

resource "simcloud_block_deep" "x" {
  name = "deep"

  outer {
    dynamic "middle" {
      for_each = ["m", "n"]

      content {
        key = middle.value

        inner {
          key    = middle.value
          amount = middle.key
        }
      }
    }
  }

  dynamic "outer" {
    for_each = ["o"]

    content {
      key = outer.value

      dynamic "middle" {
        for_each = [outer.value, "p"]

        content {
          key = "${outer.value}${middle.value}"
        }
      }
    }
  }
}
