removed {
  from = simcloud_replaced.a

  lifecycle {
    destroy = false
  }
}
