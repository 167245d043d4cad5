resource "simcloud_block_deep" "x" {
  name = "x"

  outer {
    key = "o"

    middle {
      key = "same"
    }

    middle {
      key = "same"

      inner {
        key = "a"
      }
    }

    middle {
      key = "new"

      inner {
        key = "a"
      }
    }

    middle {
      key = "other"

      inner {
        key = "changed"
      }
    }
  }

  outer {
    key = "p"

    middle {
      key = "same"

      inner {
        key = "a"
      }
    }
  }
}
