terraform {
  required_providers {
    tfcoremock = { source = "hashicorp/tfcoremock" }
  }
}

resource "tfcoremock_crate" "set" {
  id = "set"

  slot {
    a_mark = "two"
    set    = ["a"]
  }

  slot {
    a_mark = "one"
    set    = ["b"]
  }
}

resource "tfcoremock_crate" "list" {
  id = "list"

  slot {
    a_mark = "two"
    list   = [{ key = "a" }]
  }

  slot {
    a_mark = "one"
    list   = [{ key = "b" }]
  }
}

resource "tfcoremock_crate" "longer" {
  id = "longer"

  slot {
    a_mark = "two"
    list   = [{ key = "a" }]
  }

  slot {
    a_mark = "one"
    list   = [{ key = "a" }, { key = "b" }]
  }
}

resource "tfcoremock_crate" "map" {
  id = "map"

  slot {
    a_mark = "two"
    map    = { a = { key = "x" } }
  }

  slot {
    a_mark = "one"
    map    = { b = { key = "x" } }
  }
}

resource "tfcoremock_crate" "object" {
  id = "object"

  slot {
    a_mark = "two"
    object = { key = "a" }
  }

  slot {
    a_mark = "one"
    object = { key = "b" }
  }
}

resource "tfcoremock_crate" "inner" {
  id = "inner"

  slot {
    a_mark = "two"

    inner {
      key = "a"
    }
  }

  slot {
    a_mark = "one"

    inner {
      key = "b"
    }
  }
}

resource "tfcoremock_crate" "board" {
  id = "board"

  slot {
    a_mark = "two"

    board {
      key = "a"
    }
  }

  slot {
    a_mark = "one"

    board {
      key = "b"
    }
  }
}
