resource "simcloud_updated" "a" {
  name = "a"
}

resource "simcloud_updated" "b" {
  name = "b"
}

resource "simcloud_unimportable" "c" {
  name = "c"
}

import {
  to = simcloud_updated.a
  id = "a-7"
}

import {
  to = simcloud_updated.b
  id = "b-7"
}

import {
  to = simcloud_unimportable.c
  id = "c-7"
}
