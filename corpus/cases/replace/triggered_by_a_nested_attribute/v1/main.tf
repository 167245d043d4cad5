resource "terraform_data" "a" {
  input = {
    list  = ["1", "same"]
    map   = tomap({ k = "1", same = "same" })
    deep  = { x = { y = "1" } }
    maybe = null
  }
}

resource "terraform_data" "by_position" {
  lifecycle {
    replace_triggered_by = [terraform_data.a.input.list[0]]
  }
}

resource "terraform_data" "by_another_position" {
  lifecycle {
    replace_triggered_by = [terraform_data.a.input.list[1]]
  }
}

resource "terraform_data" "by_key" {
  lifecycle {
    replace_triggered_by = [terraform_data.a.input.map["k"]]
  }
}

resource "terraform_data" "by_another_key" {
  lifecycle {
    replace_triggered_by = [terraform_data.a.input.map["same"]]
  }
}

resource "terraform_data" "by_name" {
  lifecycle {
    replace_triggered_by = [terraform_data.a.input.deep.x.y]
  }
}

resource "terraform_data" "by_part_of_null" {
  lifecycle {
    replace_triggered_by = [terraform_data.a.input.maybe.x]
  }
}

resource "terraform_data" "by_nothing_below_null" {
  lifecycle {
    replace_triggered_by = [terraform_data.a.input.maybe.y]
  }
}
