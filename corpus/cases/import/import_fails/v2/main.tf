resource "simcloud_updated" "b" {
  name = "b"
}

import {
  to = simcloud_updated.b
  id = "b-7"
}
