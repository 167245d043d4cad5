terraform {
  required_providers {
    tfcoremock = { source = "hashicorp/tfcoremock" }
  }
}

variable "sizes" {
  type    = list(number)
  default = [1.5]
}

resource "tfcoremock_crate" "blocks" {
  slot {
    depth = 1
    marks = [1, 2.5]
  }

  board {
    width = 1.5
  }

  slot {
    depth = 1.5

    inner {
      depth = 1
    }

    inner {
      depth = 2.5
    }
  }
}

resource "tfcoremock_crate" "boards" {
  board {
    width = 1
  }

  board {
    width = 1.5
  }
}

resource "tfcoremock_crate" "generated" {
  dynamic "slot" {
    for_each = [1.5]

    content {
      depth = slot.value
    }
  }
}

resource "tfcoremock_crate" "elements" {
  sizes = [1, 1.5, 2]
  named = { a = 1, b = 1.5 }
  one = {
    size = 1.5
  }
  rows = [[1], [2, 2.5]]
}

resource "tfcoremock_crate" "keys" {
  sizes = [for size in [1.5] : size]
  named = { (upper("a")) = 1.5, "c" = 2.5 }
}

resource "tfcoremock_crate" "elsewhere" {
  named = zipmap(["a"], [1.5])
  sizes = var.sizes
}
