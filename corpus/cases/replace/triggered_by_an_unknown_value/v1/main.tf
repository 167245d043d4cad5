resource "simcloud_computed" "a" {
  name = "a"
}

resource "terraform_data" "by_position" {
  lifecycle {
    replace_triggered_by = [simcloud_computed.a.list[0]]
  }
}

resource "terraform_data" "by_key" {
  lifecycle {
    replace_triggered_by = [simcloud_computed.a.map["made"]]
  }
}

resource "terraform_data" "by_attribute" {
  lifecycle {
    replace_triggered_by = [simcloud_computed.a.object.text]
  }
}

resource "terraform_data" "by_position_that_was_not_there" {
  lifecycle {
    replace_triggered_by = [simcloud_computed.a.list[7]]
  }
}

resource "terraform_data" "by_key_that_was_not_there" {
  lifecycle {
    replace_triggered_by = [simcloud_computed.a.map["missing"]]
  }
}

resource "terraform_data" "by_what_stays" {
  lifecycle {
    replace_triggered_by = [simcloud_computed.a.name]
  }
}
