resource "terraform_data" "keyed" {
  for_each = toset(["x"])
  lifecycle {
    postcondition {
      condition     = self.id == null
      error_message = "It never holds."
    }
  }
}

resource "terraform_data" "counted" {
  count = 2
  lifecycle {
    postcondition {
      condition     = self.id == null
      error_message = "It never holds."
    }
  }
}

resource "terraform_data" "single" {
  lifecycle {
    postcondition {
      condition     = self.id == null
      error_message = "It never holds."
    }
  }
}

module "m" {
  source   = "./m"
  for_each = toset(["k"])
}
