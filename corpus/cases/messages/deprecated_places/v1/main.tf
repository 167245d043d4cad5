module "m" {
  source = "./m"
  count  = 2
}

resource "terraform_data" "brace" {
  input = module.m[0].text
}

resource "terraform_data" "other_argument" {
  input            = module.m[0].text
  triggers_replace = "elsewhere"
}

resource "terraform_data" "element" {
  input            = { inner = module.m[1].object.key }
  triggers_replace = ["a", "b"]
  lifecycle {
    precondition {
      condition     = module.m[0].text == "x"
      error_message = "Never: ${module.m[1].text}."
    }
  }
}

locals {
  once = "${module.m[0].text}!"
}

output "branch" {
  value = local.once == "x!" ? "taken" : module.m[1].text
}

output "not_sensitive_while_planning" {
  value = module.m[0].secret
}
