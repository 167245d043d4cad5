terraform {
  required_providers {
    tfcoremock = { source = "hashicorp/tfcoremock" }
  }
}

resource "tfcoremock_crate" "set" {
  id = "set"

  slot {
    set = ["a"]
  }

  slot {
    set = ["b"]
  }
}

resource "tfcoremock_crate" "list" {
  id = "list"

  slot {
    list = [{ key = "a" }]
  }

  slot {
    list = [{ key = "b" }]
  }
}

resource "tfcoremock_crate" "longer" {
  id = "longer"

  slot {
    list = [{ key = "a" }]
  }

  slot {
    list = [{ key = "a" }, { key = "b" }]
  }
}

resource "tfcoremock_crate" "map" {
  id = "map"

  slot {
    map = { a = { key = "x" } }
  }

  slot {
    map = { b = { key = "x" } }
  }
}

resource "tfcoremock_crate" "object" {
  id = "object"

  slot {
    object = { key = "a" }
  }

  slot {
    object = { key = "b" }
  }
}

resource "tfcoremock_crate" "inner" {
  id = "inner"

  slot {
    inner {
      key = "a"
    }
  }

  slot {
    inner {
      key = "b"
    }
  }
}

resource "tfcoremock_crate" "board" {
  id = "board"

  slot {
    board {
      key = "a"
    }
  }

  slot {
    board {
      key = "b"
    }
  }
}
