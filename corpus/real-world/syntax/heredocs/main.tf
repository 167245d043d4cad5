locals {
  users = { ada = "admin", bob = "reader" }
  config = <<-EOT
    [users]
    %{for name, role in local.users~}
    ${name} = "${role}"
    %{endfor~}
    [end]
  EOT
  script = <<EOF
#!/bin/sh
echo "$${HOME}" %%{literal}
EOF
}

resource "terraform_data" "file" {
  input = { config = local.config, script = local.script, lines = length(split("\n", trimspace(local.config))) }
}

output "lines" {
  value = terraform_data.file.output.lines
}
