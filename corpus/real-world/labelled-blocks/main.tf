terraform {
  required_providers {
    kubernetes-alpha = {
      source  = "example/policy"
      version = ">= 1.0"
    }
  }
}

resource "policy_rule" "this" {
  provider = kubernetes-alpha
  equal "networks" {
    values = ["10.0.0.0/8"]
  }
  equal "users" {
    values = ["root"]
  }
  dynamic "match" {
    for_each = { a = 1, b = 2 }
    labels   = [match.key]
    content {
      weight = match.value
    }
  }
}

output "networks" {
  value = policy_rule.this.equal["networks"].values
}
