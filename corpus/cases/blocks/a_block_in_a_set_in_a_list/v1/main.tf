resource "simcloud_block_deep" "x" {
  name = "x"

  outer {
    key = "o"

    middle {
      key = "same"

      inner {
        key = "a"
      }
    }

    middle {
      key = "other"

      inner {
        key = "b"
      }
    }
  }
}
