resource "terraform_data" "list" {
  input = ["a", "b", { key = 1 }, "one\ntwo\nthree"]
}

resource "terraform_data" "empty" {
  input = ""
}

resource "terraform_data" "json" {
  input = "{\"key\": 1} and more"
}

output "markup" {
  value = "<a> & <b>"
}
