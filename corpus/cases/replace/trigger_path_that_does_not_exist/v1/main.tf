variable "v" {
  type = string
}

resource "terraform_data" "a" {
  input = {
    v    = var.v
    list = ["1"]
    map  = tomap({ k = "1" })
  }
}

resource "terraform_data" "by_missing_name" {
  lifecycle {
    replace_triggered_by = [terraform_data.a.input.missing]
  }
}

resource "terraform_data" "by_missing_position" {
  lifecycle {
    replace_triggered_by = [terraform_data.a.input.list[7]]
  }
}

resource "terraform_data" "by_missing_key" {
  lifecycle {
    replace_triggered_by = [terraform_data.a.input.map["missing"]]
  }
}

resource "terraform_data" "by_name_of_a_key" {
  lifecycle {
    replace_triggered_by = [terraform_data.a.input.map.k]
  }
}

resource "terraform_data" "by_position_in_a_text" {
  lifecycle {
    replace_triggered_by = [terraform_data.a.input.v[0]]
  }
}

resource "terraform_data" "by_part_of_something_unknown" {
  lifecycle {
    replace_triggered_by = [terraform_data.a.output.map["k"]]
  }
}
