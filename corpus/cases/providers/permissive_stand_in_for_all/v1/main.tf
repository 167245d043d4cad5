resource "kettle_pot" "tea" {
  leaves = "green"
}

resource "saucer_cup" "one" {
  filled_from = kettle_pot.tea.spout[0].name

  lifecycle {
    create_before_destroy = true
  }
}

resource "terraform_data" "table" {
  input = saucer_cup.one.filled_from
}
