resource "terraform_data" "list" {
  input = ["a", "c", { key = 2 }, "one\n2\nthree"]
}

resource "terraform_data" "empty" {
  input = "x"
}

resource "terraform_data" "json" {
  input = "{\"key\": 2} and less"
}

output "markup" {
  value = "<c> & <b>"
}
