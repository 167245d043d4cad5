variable "services" {
  type = map(object({
    image    = string
    replicas = optional(number, 1)
    ports = optional(list(object({
      number   = number
      protocol = optional(string, "tcp")
    })), [{ number = 80 }])
    env = optional(map(string), {})
    scaling = optional(object({
      min    = optional(number, 1)
      max    = optional(number, 3)
      target = optional(object({ cpu = optional(number, 70), memory = optional(number) }), {})
    }))
    tags  = optional(set(string), ["default"])
    extra = optional(any)
  }))
  default = {
    web = { image = "nginx", extra = { a = [1, "b"] } }
    api = { image = "api", replicas = 3, ports = [{ number = 8080 }, { number = 9090, protocol = "udp" }], scaling = {}, extra = { a = [1, "c"] } }
  }
  validation {
    condition     = alltrue([for s in values(var.services) : s.scaling == null ? true : s.scaling.min <= s.scaling.max])
    error_message = "min must not exceed max."
  }
  nullable = false
}
output "ports" { value = { for n, s in var.services : n => [for p in s.ports : "${p.number}/${p.protocol}"] } }
output "cpu" { value = { for n, s in var.services : n => try(s.scaling.target.cpu, null) } }
output "tags" { value = { for n, s in var.services : n => s.tags } }
resource "terraform_data" "svc" {
  for_each         = var.services
  input            = each.value
  triggers_replace = [each.value.image, each.value.ports[*].number]
}
