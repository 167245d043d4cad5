variable "secret" {
  type      = list(string)
  sensitive = true
  default   = ["s"]
}

resource "simcloud_block_deep" "x" {
  name = "deep"

  dynamic "outer" {
    for_each = var.secret

    content {
      key = "shown"

      middle {
        key = "middle"
      }
    }
  }
}

resource "simcloud_replaced_by_nested" "x" {
  name = "nested"

  dynamic "disk" {
    for_each = var.secret

    content {
      label = "disk"
    }
  }
}

resource "simcloud_sensitive" "x" {
  name    = "account"
  account = { user = "u", password = "p" }

  login {
    user     = "v"
    password = "q"
  }
}

output "user" {
  value = simcloud_sensitive.x.account.user
}
