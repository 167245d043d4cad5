output "o" {
  value = timecmp("2020-02-30T00:00:00Z", "2020-01-01T00:00:00Z")
}
