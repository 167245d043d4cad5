variable "prefix" {
  type    = list(string)
  default = ["app"]
}

locals {
  prefix = join("-", var.prefix)
  random = substr(sha1(local.prefix), 0, 4)
  names = {
    analysis_account = {
      name   = substr(join("-", compact([local.prefix, "aa0", "w"])), 0, 20)
      unique = substr(join("", compact([local.prefix, "aa0", local.random])), 0, 24)
      slug   = "aa0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,20}$"
      length = { min = 1, max = 20 }
    }
    analysis_group = {
      name   = substr(join("-", compact([local.prefix, "ag1", "w"])), 0, 21)
      unique = substr(join("", compact([local.prefix, "ag1", local.random])), 0, 25)
      slug   = "ag1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,21}$"
      length = { min = 1, max = 21 }
    }
    analysis_link = {
      name   = substr(join("-", compact([local.prefix, "al2", "w"])), 0, 22)
      unique = substr(join("", compact([local.prefix, "al2", local.random])), 0, 26)
      slug   = "al2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,22}$"
      length = { min = 1, max = 22 }
    }
    analysis_network = {
      name   = substr(join("-", compact([local.prefix, "an3", "w"])), 0, 23)
      unique = substr(join("", compact([local.prefix, "an3", local.random])), 0, 27)
      slug   = "an3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,23}$"
      length = { min = 1, max = 23 }
    }
    analysis_rule = {
      name   = substr(join("-", compact([local.prefix, "ar4", "w"])), 0, 24)
      unique = substr(join("", compact([local.prefix, "ar4", local.random])), 0, 28)
      slug   = "ar4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,24}$"
      length = { min = 1, max = 24 }
    }
    analysis_server = {
      name   = substr(join("-", compact([local.prefix, "as5", "w"])), 0, 25)
      unique = substr(join("", compact([local.prefix, "as5", local.random])), 0, 29)
      slug   = "as5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,25}$"
      length = { min = 1, max = 25 }
    }
    analysis_set = {
      name   = substr(join("-", compact([local.prefix, "as6", "w"])), 0, 26)
      unique = substr(join("", compact([local.prefix, "as6", local.random])), 0, 30)
      slug   = "as6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,26}$"
      length = { min = 1, max = 26 }
    }
    analysis_vault = {
      name   = substr(join("-", compact([local.prefix, "av7", "w"])), 0, 27)
      unique = substr(join("", compact([local.prefix, "av7", local.random])), 0, 31)
      slug   = "av7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,27}$"
      length = { min = 1, max = 27 }
    }
    analysis_zone = {
      name   = substr(join("-", compact([local.prefix, "az8", "w"])), 0, 28)
      unique = substr(join("", compact([local.prefix, "az8", local.random])), 0, 32)
      slug   = "az8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,28}$"
      length = { min = 1, max = 28 }
    }
    analysis_gateway = {
      name   = substr(join("-", compact([local.prefix, "ag0", "w"])), 0, 29)
      unique = substr(join("", compact([local.prefix, "ag0", local.random])), 0, 33)
      slug   = "ag0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,29}$"
      length = { min = 1, max = 29 }
    }
    api_account = {
      name   = substr(join("-", compact([local.prefix, "aa1", "w"])), 0, 30)
      unique = substr(join("", compact([local.prefix, "aa1", local.random])), 0, 34)
      slug   = "aa1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,30}$"
      length = { min = 1, max = 30 }
    }
    api_group = {
      name   = substr(join("-", compact([local.prefix, "ag2", "w"])), 0, 31)
      unique = substr(join("", compact([local.prefix, "ag2", local.random])), 0, 35)
      slug   = "ag2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,31}$"
      length = { min = 1, max = 31 }
    }
    api_link = {
      name   = substr(join("-", compact([local.prefix, "al3", "w"])), 0, 32)
      unique = substr(join("", compact([local.prefix, "al3", local.random])), 0, 36)
      slug   = "al3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,32}$"
      length = { min = 1, max = 32 }
    }
    api_network = {
      name   = substr(join("-", compact([local.prefix, "an4", "w"])), 0, 33)
      unique = substr(join("", compact([local.prefix, "an4", local.random])), 0, 37)
      slug   = "an4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,33}$"
      length = { min = 1, max = 33 }
    }
    api_rule = {
      name   = substr(join("-", compact([local.prefix, "ar5", "w"])), 0, 34)
      unique = substr(join("", compact([local.prefix, "ar5", local.random])), 0, 38)
      slug   = "ar5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,34}$"
      length = { min = 1, max = 34 }
    }
    api_server = {
      name   = substr(join("-", compact([local.prefix, "as6", "w"])), 0, 35)
      unique = substr(join("", compact([local.prefix, "as6", local.random])), 0, 39)
      slug   = "as6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,35}$"
      length = { min = 1, max = 35 }
    }
    api_set = {
      name   = substr(join("-", compact([local.prefix, "as7", "w"])), 0, 36)
      unique = substr(join("", compact([local.prefix, "as7", local.random])), 0, 40)
      slug   = "as7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,36}$"
      length = { min = 1, max = 36 }
    }
    api_vault = {
      name   = substr(join("-", compact([local.prefix, "av8", "w"])), 0, 37)
      unique = substr(join("", compact([local.prefix, "av8", local.random])), 0, 41)
      slug   = "av8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,37}$"
      length = { min = 1, max = 37 }
    }
    api_zone = {
      name   = substr(join("-", compact([local.prefix, "az0", "w"])), 0, 38)
      unique = substr(join("", compact([local.prefix, "az0", local.random])), 0, 42)
      slug   = "az0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,38}$"
      length = { min = 1, max = 38 }
    }
    api_gateway = {
      name   = substr(join("-", compact([local.prefix, "ag1", "w"])), 0, 39)
      unique = substr(join("", compact([local.prefix, "ag1", local.random])), 0, 43)
      slug   = "ag1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,39}$"
      length = { min = 1, max = 39 }
    }
    app_account = {
      name   = substr(join("-", compact([local.prefix, "aa2", "w"])), 0, 40)
      unique = substr(join("", compact([local.prefix, "aa2", local.random])), 0, 44)
      slug   = "aa2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,40}$"
      length = { min = 1, max = 40 }
    }
    app_group = {
      name   = substr(join("-", compact([local.prefix, "ag3", "w"])), 0, 41)
      unique = substr(join("", compact([local.prefix, "ag3", local.random])), 0, 45)
      slug   = "ag3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,41}$"
      length = { min = 1, max = 41 }
    }
    app_link = {
      name   = substr(join("-", compact([local.prefix, "al4", "w"])), 0, 42)
      unique = substr(join("", compact([local.prefix, "al4", local.random])), 0, 46)
      slug   = "al4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,42}$"
      length = { min = 1, max = 42 }
    }
    app_network = {
      name   = substr(join("-", compact([local.prefix, "an5", "w"])), 0, 43)
      unique = substr(join("", compact([local.prefix, "an5", local.random])), 0, 47)
      slug   = "an5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,43}$"
      length = { min = 1, max = 43 }
    }
    app_rule = {
      name   = substr(join("-", compact([local.prefix, "ar6", "w"])), 0, 44)
      unique = substr(join("", compact([local.prefix, "ar6", local.random])), 0, 48)
      slug   = "ar6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,44}$"
      length = { min = 1, max = 44 }
    }
    app_server = {
      name   = substr(join("-", compact([local.prefix, "as7", "w"])), 0, 45)
      unique = substr(join("", compact([local.prefix, "as7", local.random])), 0, 49)
      slug   = "as7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,45}$"
      length = { min = 1, max = 45 }
    }
    app_set = {
      name   = substr(join("-", compact([local.prefix, "as8", "w"])), 0, 46)
      unique = substr(join("", compact([local.prefix, "as8", local.random])), 0, 50)
      slug   = "as8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,46}$"
      length = { min = 1, max = 46 }
    }
    app_vault = {
      name   = substr(join("-", compact([local.prefix, "av0", "w"])), 0, 47)
      unique = substr(join("", compact([local.prefix, "av0", local.random])), 0, 51)
      slug   = "av0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,47}$"
      length = { min = 1, max = 47 }
    }
    app_zone = {
      name   = substr(join("-", compact([local.prefix, "az1", "w"])), 0, 48)
      unique = substr(join("", compact([local.prefix, "az1", local.random])), 0, 52)
      slug   = "az1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,48}$"
      length = { min = 1, max = 48 }
    }
    app_gateway = {
      name   = substr(join("-", compact([local.prefix, "ag2", "w"])), 0, 49)
      unique = substr(join("", compact([local.prefix, "ag2", local.random])), 0, 53)
      slug   = "ag2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,49}$"
      length = { min = 1, max = 49 }
    }
    automation_account = {
      name   = substr(join("-", compact([local.prefix, "aa3", "w"])), 0, 50)
      unique = substr(join("", compact([local.prefix, "aa3", local.random])), 0, 54)
      slug   = "aa3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,50}$"
      length = { min = 1, max = 50 }
    }
    automation_group = {
      name   = substr(join("-", compact([local.prefix, "ag4", "w"])), 0, 51)
      unique = substr(join("", compact([local.prefix, "ag4", local.random])), 0, 55)
      slug   = "ag4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,51}$"
      length = { min = 1, max = 51 }
    }
    automation_link = {
      name   = substr(join("-", compact([local.prefix, "al5", "w"])), 0, 52)
      unique = substr(join("", compact([local.prefix, "al5", local.random])), 0, 56)
      slug   = "al5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,52}$"
      length = { min = 1, max = 52 }
    }
    automation_network = {
      name   = substr(join("-", compact([local.prefix, "an6", "w"])), 0, 53)
      unique = substr(join("", compact([local.prefix, "an6", local.random])), 0, 57)
      slug   = "an6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,53}$"
      length = { min = 1, max = 53 }
    }
    automation_rule = {
      name   = substr(join("-", compact([local.prefix, "ar7", "w"])), 0, 54)
      unique = substr(join("", compact([local.prefix, "ar7", local.random])), 0, 58)
      slug   = "ar7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,54}$"
      length = { min = 1, max = 54 }
    }
    automation_server = {
      name   = substr(join("-", compact([local.prefix, "as8", "w"])), 0, 55)
      unique = substr(join("", compact([local.prefix, "as8", local.random])), 0, 59)
      slug   = "as8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,55}$"
      length = { min = 1, max = 55 }
    }
    automation_set = {
      name   = substr(join("-", compact([local.prefix, "as0", "w"])), 0, 56)
      unique = substr(join("", compact([local.prefix, "as0", local.random])), 0, 60)
      slug   = "as0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,56}$"
      length = { min = 1, max = 56 }
    }
    automation_vault = {
      name   = substr(join("-", compact([local.prefix, "av1", "w"])), 0, 57)
      unique = substr(join("", compact([local.prefix, "av1", local.random])), 0, 61)
      slug   = "av1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,57}$"
      length = { min = 1, max = 57 }
    }
    automation_zone = {
      name   = substr(join("-", compact([local.prefix, "az2", "w"])), 0, 58)
      unique = substr(join("", compact([local.prefix, "az2", local.random])), 0, 62)
      slug   = "az2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,58}$"
      length = { min = 1, max = 58 }
    }
    automation_gateway = {
      name   = substr(join("-", compact([local.prefix, "ag3", "w"])), 0, 59)
      unique = substr(join("", compact([local.prefix, "ag3", local.random])), 0, 63)
      slug   = "ag3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,59}$"
      length = { min = 1, max = 59 }
    }
    batch_account = {
      name   = substr(join("-", compact([local.prefix, "ba4", "w"])), 0, 60)
      unique = substr(join("", compact([local.prefix, "ba4", local.random])), 0, 24)
      slug   = "ba4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,60}$"
      length = { min = 1, max = 60 }
    }
    batch_group = {
      name   = substr(join("-", compact([local.prefix, "bg5", "w"])), 0, 61)
      unique = substr(join("", compact([local.prefix, "bg5", local.random])), 0, 25)
      slug   = "bg5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,61}$"
      length = { min = 1, max = 61 }
    }
    batch_link = {
      name   = substr(join("-", compact([local.prefix, "bl6", "w"])), 0, 62)
      unique = substr(join("", compact([local.prefix, "bl6", local.random])), 0, 26)
      slug   = "bl6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,62}$"
      length = { min = 1, max = 62 }
    }
    batch_network = {
      name   = substr(join("-", compact([local.prefix, "bn7", "w"])), 0, 63)
      unique = substr(join("", compact([local.prefix, "bn7", local.random])), 0, 27)
      slug   = "bn7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,63}$"
      length = { min = 1, max = 63 }
    }
    batch_rule = {
      name   = substr(join("-", compact([local.prefix, "br8", "w"])), 0, 64)
      unique = substr(join("", compact([local.prefix, "br8", local.random])), 0, 28)
      slug   = "br8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,64}$"
      length = { min = 1, max = 64 }
    }
    batch_server = {
      name   = substr(join("-", compact([local.prefix, "bs0", "w"])), 0, 65)
      unique = substr(join("", compact([local.prefix, "bs0", local.random])), 0, 29)
      slug   = "bs0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,65}$"
      length = { min = 1, max = 65 }
    }
    batch_set = {
      name   = substr(join("-", compact([local.prefix, "bs1", "w"])), 0, 66)
      unique = substr(join("", compact([local.prefix, "bs1", local.random])), 0, 30)
      slug   = "bs1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,66}$"
      length = { min = 1, max = 66 }
    }
    batch_vault = {
      name   = substr(join("-", compact([local.prefix, "bv2", "w"])), 0, 67)
      unique = substr(join("", compact([local.prefix, "bv2", local.random])), 0, 31)
      slug   = "bv2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,67}$"
      length = { min = 1, max = 67 }
    }
    batch_zone = {
      name   = substr(join("-", compact([local.prefix, "bz3", "w"])), 0, 68)
      unique = substr(join("", compact([local.prefix, "bz3", local.random])), 0, 32)
      slug   = "bz3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,68}$"
      length = { min = 1, max = 68 }
    }
    batch_gateway = {
      name   = substr(join("-", compact([local.prefix, "bg4", "w"])), 0, 69)
      unique = substr(join("", compact([local.prefix, "bg4", local.random])), 0, 33)
      slug   = "bg4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,69}$"
      length = { min = 1, max = 69 }
    }
    bot_account = {
      name   = substr(join("-", compact([local.prefix, "ba5", "w"])), 0, 70)
      unique = substr(join("", compact([local.prefix, "ba5", local.random])), 0, 34)
      slug   = "ba5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,70}$"
      length = { min = 1, max = 70 }
    }
    bot_group = {
      name   = substr(join("-", compact([local.prefix, "bg6", "w"])), 0, 71)
      unique = substr(join("", compact([local.prefix, "bg6", local.random])), 0, 35)
      slug   = "bg6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,71}$"
      length = { min = 1, max = 71 }
    }
    bot_link = {
      name   = substr(join("-", compact([local.prefix, "bl7", "w"])), 0, 72)
      unique = substr(join("", compact([local.prefix, "bl7", local.random])), 0, 36)
      slug   = "bl7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,72}$"
      length = { min = 1, max = 72 }
    }
    bot_network = {
      name   = substr(join("-", compact([local.prefix, "bn8", "w"])), 0, 73)
      unique = substr(join("", compact([local.prefix, "bn8", local.random])), 0, 37)
      slug   = "bn8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,73}$"
      length = { min = 1, max = 73 }
    }
    bot_rule = {
      name   = substr(join("-", compact([local.prefix, "br0", "w"])), 0, 74)
      unique = substr(join("", compact([local.prefix, "br0", local.random])), 0, 38)
      slug   = "br0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,74}$"
      length = { min = 1, max = 74 }
    }
    bot_server = {
      name   = substr(join("-", compact([local.prefix, "bs1", "w"])), 0, 75)
      unique = substr(join("", compact([local.prefix, "bs1", local.random])), 0, 39)
      slug   = "bs1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,75}$"
      length = { min = 1, max = 75 }
    }
    bot_set = {
      name   = substr(join("-", compact([local.prefix, "bs2", "w"])), 0, 76)
      unique = substr(join("", compact([local.prefix, "bs2", local.random])), 0, 40)
      slug   = "bs2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,76}$"
      length = { min = 1, max = 76 }
    }
    bot_vault = {
      name   = substr(join("-", compact([local.prefix, "bv3", "w"])), 0, 77)
      unique = substr(join("", compact([local.prefix, "bv3", local.random])), 0, 41)
      slug   = "bv3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,77}$"
      length = { min = 1, max = 77 }
    }
    bot_zone = {
      name   = substr(join("-", compact([local.prefix, "bz4", "w"])), 0, 78)
      unique = substr(join("", compact([local.prefix, "bz4", local.random])), 0, 42)
      slug   = "bz4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,78}$"
      length = { min = 1, max = 78 }
    }
    bot_gateway = {
      name   = substr(join("-", compact([local.prefix, "bg5", "w"])), 0, 79)
      unique = substr(join("", compact([local.prefix, "bg5", local.random])), 0, 43)
      slug   = "bg5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,79}$"
      length = { min = 1, max = 79 }
    }
    cdn_account = {
      name   = substr(join("-", compact([local.prefix, "ca6", "w"])), 0, 20)
      unique = substr(join("", compact([local.prefix, "ca6", local.random])), 0, 44)
      slug   = "ca6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,20}$"
      length = { min = 1, max = 20 }
    }
    cdn_group = {
      name   = substr(join("-", compact([local.prefix, "cg7", "w"])), 0, 21)
      unique = substr(join("", compact([local.prefix, "cg7", local.random])), 0, 45)
      slug   = "cg7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,21}$"
      length = { min = 1, max = 21 }
    }
    cdn_link = {
      name   = substr(join("-", compact([local.prefix, "cl8", "w"])), 0, 22)
      unique = substr(join("", compact([local.prefix, "cl8", local.random])), 0, 46)
      slug   = "cl8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,22}$"
      length = { min = 1, max = 22 }
    }
    cdn_network = {
      name   = substr(join("-", compact([local.prefix, "cn0", "w"])), 0, 23)
      unique = substr(join("", compact([local.prefix, "cn0", local.random])), 0, 47)
      slug   = "cn0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,23}$"
      length = { min = 1, max = 23 }
    }
    cdn_rule = {
      name   = substr(join("-", compact([local.prefix, "cr1", "w"])), 0, 24)
      unique = substr(join("", compact([local.prefix, "cr1", local.random])), 0, 48)
      slug   = "cr1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,24}$"
      length = { min = 1, max = 24 }
    }
    cdn_server = {
      name   = substr(join("-", compact([local.prefix, "cs2", "w"])), 0, 25)
      unique = substr(join("", compact([local.prefix, "cs2", local.random])), 0, 49)
      slug   = "cs2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,25}$"
      length = { min = 1, max = 25 }
    }
    cdn_set = {
      name   = substr(join("-", compact([local.prefix, "cs3", "w"])), 0, 26)
      unique = substr(join("", compact([local.prefix, "cs3", local.random])), 0, 50)
      slug   = "cs3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,26}$"
      length = { min = 1, max = 26 }
    }
    cdn_vault = {
      name   = substr(join("-", compact([local.prefix, "cv4", "w"])), 0, 27)
      unique = substr(join("", compact([local.prefix, "cv4", local.random])), 0, 51)
      slug   = "cv4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,27}$"
      length = { min = 1, max = 27 }
    }
    cdn_zone = {
      name   = substr(join("-", compact([local.prefix, "cz5", "w"])), 0, 28)
      unique = substr(join("", compact([local.prefix, "cz5", local.random])), 0, 52)
      slug   = "cz5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,28}$"
      length = { min = 1, max = 28 }
    }
    cdn_gateway = {
      name   = substr(join("-", compact([local.prefix, "cg6", "w"])), 0, 29)
      unique = substr(join("", compact([local.prefix, "cg6", local.random])), 0, 53)
      slug   = "cg6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,29}$"
      length = { min = 1, max = 29 }
    }
    cognitive_account = {
      name   = substr(join("-", compact([local.prefix, "ca7", "w"])), 0, 30)
      unique = substr(join("", compact([local.prefix, "ca7", local.random])), 0, 54)
      slug   = "ca7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,30}$"
      length = { min = 1, max = 30 }
    }
    cognitive_group = {
      name   = substr(join("-", compact([local.prefix, "cg8", "w"])), 0, 31)
      unique = substr(join("", compact([local.prefix, "cg8", local.random])), 0, 55)
      slug   = "cg8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,31}$"
      length = { min = 1, max = 31 }
    }
    cognitive_link = {
      name   = substr(join("-", compact([local.prefix, "cl0", "w"])), 0, 32)
      unique = substr(join("", compact([local.prefix, "cl0", local.random])), 0, 56)
      slug   = "cl0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,32}$"
      length = { min = 1, max = 32 }
    }
    cognitive_network = {
      name   = substr(join("-", compact([local.prefix, "cn1", "w"])), 0, 33)
      unique = substr(join("", compact([local.prefix, "cn1", local.random])), 0, 57)
      slug   = "cn1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,33}$"
      length = { min = 1, max = 33 }
    }
    cognitive_rule = {
      name   = substr(join("-", compact([local.prefix, "cr2", "w"])), 0, 34)
      unique = substr(join("", compact([local.prefix, "cr2", local.random])), 0, 58)
      slug   = "cr2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,34}$"
      length = { min = 1, max = 34 }
    }
    cognitive_server = {
      name   = substr(join("-", compact([local.prefix, "cs3", "w"])), 0, 35)
      unique = substr(join("", compact([local.prefix, "cs3", local.random])), 0, 59)
      slug   = "cs3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,35}$"
      length = { min = 1, max = 35 }
    }
    cognitive_set = {
      name   = substr(join("-", compact([local.prefix, "cs4", "w"])), 0, 36)
      unique = substr(join("", compact([local.prefix, "cs4", local.random])), 0, 60)
      slug   = "cs4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,36}$"
      length = { min = 1, max = 36 }
    }
    cognitive_vault = {
      name   = substr(join("-", compact([local.prefix, "cv5", "w"])), 0, 37)
      unique = substr(join("", compact([local.prefix, "cv5", local.random])), 0, 61)
      slug   = "cv5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,37}$"
      length = { min = 1, max = 37 }
    }
    cognitive_zone = {
      name   = substr(join("-", compact([local.prefix, "cz6", "w"])), 0, 38)
      unique = substr(join("", compact([local.prefix, "cz6", local.random])), 0, 62)
      slug   = "cz6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,38}$"
      length = { min = 1, max = 38 }
    }
    cognitive_gateway = {
      name   = substr(join("-", compact([local.prefix, "cg7", "w"])), 0, 39)
      unique = substr(join("", compact([local.prefix, "cg7", local.random])), 0, 63)
      slug   = "cg7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,39}$"
      length = { min = 1, max = 39 }
    }
    container_account = {
      name   = substr(join("-", compact([local.prefix, "ca8", "w"])), 0, 40)
      unique = substr(join("", compact([local.prefix, "ca8", local.random])), 0, 24)
      slug   = "ca8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,40}$"
      length = { min = 1, max = 40 }
    }
    container_group = {
      name   = substr(join("-", compact([local.prefix, "cg0", "w"])), 0, 41)
      unique = substr(join("", compact([local.prefix, "cg0", local.random])), 0, 25)
      slug   = "cg0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,41}$"
      length = { min = 1, max = 41 }
    }
    container_link = {
      name   = substr(join("-", compact([local.prefix, "cl1", "w"])), 0, 42)
      unique = substr(join("", compact([local.prefix, "cl1", local.random])), 0, 26)
      slug   = "cl1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,42}$"
      length = { min = 1, max = 42 }
    }
    container_network = {
      name   = substr(join("-", compact([local.prefix, "cn2", "w"])), 0, 43)
      unique = substr(join("", compact([local.prefix, "cn2", local.random])), 0, 27)
      slug   = "cn2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,43}$"
      length = { min = 1, max = 43 }
    }
    container_rule = {
      name   = substr(join("-", compact([local.prefix, "cr3", "w"])), 0, 44)
      unique = substr(join("", compact([local.prefix, "cr3", local.random])), 0, 28)
      slug   = "cr3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,44}$"
      length = { min = 1, max = 44 }
    }
    container_server = {
      name   = substr(join("-", compact([local.prefix, "cs4", "w"])), 0, 45)
      unique = substr(join("", compact([local.prefix, "cs4", local.random])), 0, 29)
      slug   = "cs4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,45}$"
      length = { min = 1, max = 45 }
    }
    container_set = {
      name   = substr(join("-", compact([local.prefix, "cs5", "w"])), 0, 46)
      unique = substr(join("", compact([local.prefix, "cs5", local.random])), 0, 30)
      slug   = "cs5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,46}$"
      length = { min = 1, max = 46 }
    }
    container_vault = {
      name   = substr(join("-", compact([local.prefix, "cv6", "w"])), 0, 47)
      unique = substr(join("", compact([local.prefix, "cv6", local.random])), 0, 31)
      slug   = "cv6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,47}$"
      length = { min = 1, max = 47 }
    }
    container_zone = {
      name   = substr(join("-", compact([local.prefix, "cz7", "w"])), 0, 48)
      unique = substr(join("", compact([local.prefix, "cz7", local.random])), 0, 32)
      slug   = "cz7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,48}$"
      length = { min = 1, max = 48 }
    }
    container_gateway = {
      name   = substr(join("-", compact([local.prefix, "cg8", "w"])), 0, 49)
      unique = substr(join("", compact([local.prefix, "cg8", local.random])), 0, 33)
      slug   = "cg8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,49}$"
      length = { min = 1, max = 49 }
    }
    cosmosdb_account = {
      name   = substr(join("-", compact([local.prefix, "ca0", "w"])), 0, 50)
      unique = substr(join("", compact([local.prefix, "ca0", local.random])), 0, 34)
      slug   = "ca0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,50}$"
      length = { min = 1, max = 50 }
    }
    cosmosdb_group = {
      name   = substr(join("-", compact([local.prefix, "cg1", "w"])), 0, 51)
      unique = substr(join("", compact([local.prefix, "cg1", local.random])), 0, 35)
      slug   = "cg1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,51}$"
      length = { min = 1, max = 51 }
    }
    cosmosdb_link = {
      name   = substr(join("-", compact([local.prefix, "cl2", "w"])), 0, 52)
      unique = substr(join("", compact([local.prefix, "cl2", local.random])), 0, 36)
      slug   = "cl2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,52}$"
      length = { min = 1, max = 52 }
    }
    cosmosdb_network = {
      name   = substr(join("-", compact([local.prefix, "cn3", "w"])), 0, 53)
      unique = substr(join("", compact([local.prefix, "cn3", local.random])), 0, 37)
      slug   = "cn3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,53}$"
      length = { min = 1, max = 53 }
    }
    cosmosdb_rule = {
      name   = substr(join("-", compact([local.prefix, "cr4", "w"])), 0, 54)
      unique = substr(join("", compact([local.prefix, "cr4", local.random])), 0, 38)
      slug   = "cr4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,54}$"
      length = { min = 1, max = 54 }
    }
    cosmosdb_server = {
      name   = substr(join("-", compact([local.prefix, "cs5", "w"])), 0, 55)
      unique = substr(join("", compact([local.prefix, "cs5", local.random])), 0, 39)
      slug   = "cs5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,55}$"
      length = { min = 1, max = 55 }
    }
    cosmosdb_set = {
      name   = substr(join("-", compact([local.prefix, "cs6", "w"])), 0, 56)
      unique = substr(join("", compact([local.prefix, "cs6", local.random])), 0, 40)
      slug   = "cs6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,56}$"
      length = { min = 1, max = 56 }
    }
    cosmosdb_vault = {
      name   = substr(join("-", compact([local.prefix, "cv7", "w"])), 0, 57)
      unique = substr(join("", compact([local.prefix, "cv7", local.random])), 0, 41)
      slug   = "cv7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,57}$"
      length = { min = 1, max = 57 }
    }
    cosmosdb_zone = {
      name   = substr(join("-", compact([local.prefix, "cz8", "w"])), 0, 58)
      unique = substr(join("", compact([local.prefix, "cz8", local.random])), 0, 42)
      slug   = "cz8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,58}$"
      length = { min = 1, max = 58 }
    }
    cosmosdb_gateway = {
      name   = substr(join("-", compact([local.prefix, "cg0", "w"])), 0, 59)
      unique = substr(join("", compact([local.prefix, "cg0", local.random])), 0, 43)
      slug   = "cg0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,59}$"
      length = { min = 1, max = 59 }
    }
    data_account = {
      name   = substr(join("-", compact([local.prefix, "da1", "w"])), 0, 60)
      unique = substr(join("", compact([local.prefix, "da1", local.random])), 0, 44)
      slug   = "da1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,60}$"
      length = { min = 1, max = 60 }
    }
    data_group = {
      name   = substr(join("-", compact([local.prefix, "dg2", "w"])), 0, 61)
      unique = substr(join("", compact([local.prefix, "dg2", local.random])), 0, 45)
      slug   = "dg2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,61}$"
      length = { min = 1, max = 61 }
    }
    data_link = {
      name   = substr(join("-", compact([local.prefix, "dl3", "w"])), 0, 62)
      unique = substr(join("", compact([local.prefix, "dl3", local.random])), 0, 46)
      slug   = "dl3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,62}$"
      length = { min = 1, max = 62 }
    }
    data_network = {
      name   = substr(join("-", compact([local.prefix, "dn4", "w"])), 0, 63)
      unique = substr(join("", compact([local.prefix, "dn4", local.random])), 0, 47)
      slug   = "dn4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,63}$"
      length = { min = 1, max = 63 }
    }
    data_rule = {
      name   = substr(join("-", compact([local.prefix, "dr5", "w"])), 0, 64)
      unique = substr(join("", compact([local.prefix, "dr5", local.random])), 0, 48)
      slug   = "dr5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,64}$"
      length = { min = 1, max = 64 }
    }
    data_server = {
      name   = substr(join("-", compact([local.prefix, "ds6", "w"])), 0, 65)
      unique = substr(join("", compact([local.prefix, "ds6", local.random])), 0, 49)
      slug   = "ds6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,65}$"
      length = { min = 1, max = 65 }
    }
    data_set = {
      name   = substr(join("-", compact([local.prefix, "ds7", "w"])), 0, 66)
      unique = substr(join("", compact([local.prefix, "ds7", local.random])), 0, 50)
      slug   = "ds7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,66}$"
      length = { min = 1, max = 66 }
    }
    data_vault = {
      name   = substr(join("-", compact([local.prefix, "dv8", "w"])), 0, 67)
      unique = substr(join("", compact([local.prefix, "dv8", local.random])), 0, 51)
      slug   = "dv8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,67}$"
      length = { min = 1, max = 67 }
    }
    data_zone = {
      name   = substr(join("-", compact([local.prefix, "dz0", "w"])), 0, 68)
      unique = substr(join("", compact([local.prefix, "dz0", local.random])), 0, 52)
      slug   = "dz0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,68}$"
      length = { min = 1, max = 68 }
    }
    data_gateway = {
      name   = substr(join("-", compact([local.prefix, "dg1", "w"])), 0, 69)
      unique = substr(join("", compact([local.prefix, "dg1", local.random])), 0, 53)
      slug   = "dg1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,69}$"
      length = { min = 1, max = 69 }
    }
    databricks_account = {
      name   = substr(join("-", compact([local.prefix, "da2", "w"])), 0, 70)
      unique = substr(join("", compact([local.prefix, "da2", local.random])), 0, 54)
      slug   = "da2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,70}$"
      length = { min = 1, max = 70 }
    }
    databricks_group = {
      name   = substr(join("-", compact([local.prefix, "dg3", "w"])), 0, 71)
      unique = substr(join("", compact([local.prefix, "dg3", local.random])), 0, 55)
      slug   = "dg3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,71}$"
      length = { min = 1, max = 71 }
    }
    databricks_link = {
      name   = substr(join("-", compact([local.prefix, "dl4", "w"])), 0, 72)
      unique = substr(join("", compact([local.prefix, "dl4", local.random])), 0, 56)
      slug   = "dl4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,72}$"
      length = { min = 1, max = 72 }
    }
    databricks_network = {
      name   = substr(join("-", compact([local.prefix, "dn5", "w"])), 0, 73)
      unique = substr(join("", compact([local.prefix, "dn5", local.random])), 0, 57)
      slug   = "dn5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,73}$"
      length = { min = 1, max = 73 }
    }
    databricks_rule = {
      name   = substr(join("-", compact([local.prefix, "dr6", "w"])), 0, 74)
      unique = substr(join("", compact([local.prefix, "dr6", local.random])), 0, 58)
      slug   = "dr6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,74}$"
      length = { min = 1, max = 74 }
    }
    databricks_server = {
      name   = substr(join("-", compact([local.prefix, "ds7", "w"])), 0, 75)
      unique = substr(join("", compact([local.prefix, "ds7", local.random])), 0, 59)
      slug   = "ds7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,75}$"
      length = { min = 1, max = 75 }
    }
    databricks_set = {
      name   = substr(join("-", compact([local.prefix, "ds8", "w"])), 0, 76)
      unique = substr(join("", compact([local.prefix, "ds8", local.random])), 0, 60)
      slug   = "ds8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,76}$"
      length = { min = 1, max = 76 }
    }
    databricks_vault = {
      name   = substr(join("-", compact([local.prefix, "dv0", "w"])), 0, 77)
      unique = substr(join("", compact([local.prefix, "dv0", local.random])), 0, 61)
      slug   = "dv0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,77}$"
      length = { min = 1, max = 77 }
    }
    databricks_zone = {
      name   = substr(join("-", compact([local.prefix, "dz1", "w"])), 0, 78)
      unique = substr(join("", compact([local.prefix, "dz1", local.random])), 0, 62)
      slug   = "dz1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,78}$"
      length = { min = 1, max = 78 }
    }
    databricks_gateway = {
      name   = substr(join("-", compact([local.prefix, "dg2", "w"])), 0, 79)
      unique = substr(join("", compact([local.prefix, "dg2", local.random])), 0, 63)
      slug   = "dg2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,79}$"
      length = { min = 1, max = 79 }
    }
    dns_account = {
      name   = substr(join("-", compact([local.prefix, "da3", "w"])), 0, 20)
      unique = substr(join("", compact([local.prefix, "da3", local.random])), 0, 24)
      slug   = "da3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,20}$"
      length = { min = 1, max = 20 }
    }
    dns_group = {
      name   = substr(join("-", compact([local.prefix, "dg4", "w"])), 0, 21)
      unique = substr(join("", compact([local.prefix, "dg4", local.random])), 0, 25)
      slug   = "dg4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,21}$"
      length = { min = 1, max = 21 }
    }
    dns_link = {
      name   = substr(join("-", compact([local.prefix, "dl5", "w"])), 0, 22)
      unique = substr(join("", compact([local.prefix, "dl5", local.random])), 0, 26)
      slug   = "dl5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,22}$"
      length = { min = 1, max = 22 }
    }
    dns_network = {
      name   = substr(join("-", compact([local.prefix, "dn6", "w"])), 0, 23)
      unique = substr(join("", compact([local.prefix, "dn6", local.random])), 0, 27)
      slug   = "dn6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,23}$"
      length = { min = 1, max = 23 }
    }
    dns_rule = {
      name   = substr(join("-", compact([local.prefix, "dr7", "w"])), 0, 24)
      unique = substr(join("", compact([local.prefix, "dr7", local.random])), 0, 28)
      slug   = "dr7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,24}$"
      length = { min = 1, max = 24 }
    }
    dns_server = {
      name   = substr(join("-", compact([local.prefix, "ds8", "w"])), 0, 25)
      unique = substr(join("", compact([local.prefix, "ds8", local.random])), 0, 29)
      slug   = "ds8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,25}$"
      length = { min = 1, max = 25 }
    }
    dns_set = {
      name   = substr(join("-", compact([local.prefix, "ds0", "w"])), 0, 26)
      unique = substr(join("", compact([local.prefix, "ds0", local.random])), 0, 30)
      slug   = "ds0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,26}$"
      length = { min = 1, max = 26 }
    }
    dns_vault = {
      name   = substr(join("-", compact([local.prefix, "dv1", "w"])), 0, 27)
      unique = substr(join("", compact([local.prefix, "dv1", local.random])), 0, 31)
      slug   = "dv1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,27}$"
      length = { min = 1, max = 27 }
    }
    dns_zone = {
      name   = substr(join("-", compact([local.prefix, "dz2", "w"])), 0, 28)
      unique = substr(join("", compact([local.prefix, "dz2", local.random])), 0, 32)
      slug   = "dz2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,28}$"
      length = { min = 1, max = 28 }
    }
    dns_gateway = {
      name   = substr(join("-", compact([local.prefix, "dg3", "w"])), 0, 29)
      unique = substr(join("", compact([local.prefix, "dg3", local.random])), 0, 33)
      slug   = "dg3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,29}$"
      length = { min = 1, max = 29 }
    }
    event_account = {
      name   = substr(join("-", compact([local.prefix, "ea4", "w"])), 0, 30)
      unique = substr(join("", compact([local.prefix, "ea4", local.random])), 0, 34)
      slug   = "ea4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,30}$"
      length = { min = 1, max = 30 }
    }
    event_group = {
      name   = substr(join("-", compact([local.prefix, "eg5", "w"])), 0, 31)
      unique = substr(join("", compact([local.prefix, "eg5", local.random])), 0, 35)
      slug   = "eg5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,31}$"
      length = { min = 1, max = 31 }
    }
    event_link = {
      name   = substr(join("-", compact([local.prefix, "el6", "w"])), 0, 32)
      unique = substr(join("", compact([local.prefix, "el6", local.random])), 0, 36)
      slug   = "el6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,32}$"
      length = { min = 1, max = 32 }
    }
    event_network = {
      name   = substr(join("-", compact([local.prefix, "en7", "w"])), 0, 33)
      unique = substr(join("", compact([local.prefix, "en7", local.random])), 0, 37)
      slug   = "en7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,33}$"
      length = { min = 1, max = 33 }
    }
    event_rule = {
      name   = substr(join("-", compact([local.prefix, "er8", "w"])), 0, 34)
      unique = substr(join("", compact([local.prefix, "er8", local.random])), 0, 38)
      slug   = "er8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,34}$"
      length = { min = 1, max = 34 }
    }
    event_server = {
      name   = substr(join("-", compact([local.prefix, "es0", "w"])), 0, 35)
      unique = substr(join("", compact([local.prefix, "es0", local.random])), 0, 39)
      slug   = "es0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,35}$"
      length = { min = 1, max = 35 }
    }
    event_set = {
      name   = substr(join("-", compact([local.prefix, "es1", "w"])), 0, 36)
      unique = substr(join("", compact([local.prefix, "es1", local.random])), 0, 40)
      slug   = "es1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,36}$"
      length = { min = 1, max = 36 }
    }
    event_vault = {
      name   = substr(join("-", compact([local.prefix, "ev2", "w"])), 0, 37)
      unique = substr(join("", compact([local.prefix, "ev2", local.random])), 0, 41)
      slug   = "ev2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,37}$"
      length = { min = 1, max = 37 }
    }
    event_zone = {
      name   = substr(join("-", compact([local.prefix, "ez3", "w"])), 0, 38)
      unique = substr(join("", compact([local.prefix, "ez3", local.random])), 0, 42)
      slug   = "ez3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,38}$"
      length = { min = 1, max = 38 }
    }
    event_gateway = {
      name   = substr(join("-", compact([local.prefix, "eg4", "w"])), 0, 39)
      unique = substr(join("", compact([local.prefix, "eg4", local.random])), 0, 43)
      slug   = "eg4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,39}$"
      length = { min = 1, max = 39 }
    }
    express_account = {
      name   = substr(join("-", compact([local.prefix, "ea5", "w"])), 0, 40)
      unique = substr(join("", compact([local.prefix, "ea5", local.random])), 0, 44)
      slug   = "ea5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,40}$"
      length = { min = 1, max = 40 }
    }
    express_group = {
      name   = substr(join("-", compact([local.prefix, "eg6", "w"])), 0, 41)
      unique = substr(join("", compact([local.prefix, "eg6", local.random])), 0, 45)
      slug   = "eg6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,41}$"
      length = { min = 1, max = 41 }
    }
    express_link = {
      name   = substr(join("-", compact([local.prefix, "el7", "w"])), 0, 42)
      unique = substr(join("", compact([local.prefix, "el7", local.random])), 0, 46)
      slug   = "el7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,42}$"
      length = { min = 1, max = 42 }
    }
    express_network = {
      name   = substr(join("-", compact([local.prefix, "en8", "w"])), 0, 43)
      unique = substr(join("", compact([local.prefix, "en8", local.random])), 0, 47)
      slug   = "en8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,43}$"
      length = { min = 1, max = 43 }
    }
    express_rule = {
      name   = substr(join("-", compact([local.prefix, "er0", "w"])), 0, 44)
      unique = substr(join("", compact([local.prefix, "er0", local.random])), 0, 48)
      slug   = "er0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,44}$"
      length = { min = 1, max = 44 }
    }
    express_server = {
      name   = substr(join("-", compact([local.prefix, "es1", "w"])), 0, 45)
      unique = substr(join("", compact([local.prefix, "es1", local.random])), 0, 49)
      slug   = "es1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,45}$"
      length = { min = 1, max = 45 }
    }
    express_set = {
      name   = substr(join("-", compact([local.prefix, "es2", "w"])), 0, 46)
      unique = substr(join("", compact([local.prefix, "es2", local.random])), 0, 50)
      slug   = "es2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,46}$"
      length = { min = 1, max = 46 }
    }
    express_vault = {
      name   = substr(join("-", compact([local.prefix, "ev3", "w"])), 0, 47)
      unique = substr(join("", compact([local.prefix, "ev3", local.random])), 0, 51)
      slug   = "ev3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,47}$"
      length = { min = 1, max = 47 }
    }
    express_zone = {
      name   = substr(join("-", compact([local.prefix, "ez4", "w"])), 0, 48)
      unique = substr(join("", compact([local.prefix, "ez4", local.random])), 0, 52)
      slug   = "ez4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,48}$"
      length = { min = 1, max = 48 }
    }
    express_gateway = {
      name   = substr(join("-", compact([local.prefix, "eg5", "w"])), 0, 49)
      unique = substr(join("", compact([local.prefix, "eg5", local.random])), 0, 53)
      slug   = "eg5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,49}$"
      length = { min = 1, max = 49 }
    }
    firewall_account = {
      name   = substr(join("-", compact([local.prefix, "fa6", "w"])), 0, 50)
      unique = substr(join("", compact([local.prefix, "fa6", local.random])), 0, 54)
      slug   = "fa6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,50}$"
      length = { min = 1, max = 50 }
    }
    firewall_group = {
      name   = substr(join("-", compact([local.prefix, "fg7", "w"])), 0, 51)
      unique = substr(join("", compact([local.prefix, "fg7", local.random])), 0, 55)
      slug   = "fg7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,51}$"
      length = { min = 1, max = 51 }
    }
    firewall_link = {
      name   = substr(join("-", compact([local.prefix, "fl8", "w"])), 0, 52)
      unique = substr(join("", compact([local.prefix, "fl8", local.random])), 0, 56)
      slug   = "fl8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,52}$"
      length = { min = 1, max = 52 }
    }
    firewall_network = {
      name   = substr(join("-", compact([local.prefix, "fn0", "w"])), 0, 53)
      unique = substr(join("", compact([local.prefix, "fn0", local.random])), 0, 57)
      slug   = "fn0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,53}$"
      length = { min = 1, max = 53 }
    }
    firewall_rule = {
      name   = substr(join("-", compact([local.prefix, "fr1", "w"])), 0, 54)
      unique = substr(join("", compact([local.prefix, "fr1", local.random])), 0, 58)
      slug   = "fr1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,54}$"
      length = { min = 1, max = 54 }
    }
    firewall_server = {
      name   = substr(join("-", compact([local.prefix, "fs2", "w"])), 0, 55)
      unique = substr(join("", compact([local.prefix, "fs2", local.random])), 0, 59)
      slug   = "fs2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,55}$"
      length = { min = 1, max = 55 }
    }
    firewall_set = {
      name   = substr(join("-", compact([local.prefix, "fs3", "w"])), 0, 56)
      unique = substr(join("", compact([local.prefix, "fs3", local.random])), 0, 60)
      slug   = "fs3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,56}$"
      length = { min = 1, max = 56 }
    }
    firewall_vault = {
      name   = substr(join("-", compact([local.prefix, "fv4", "w"])), 0, 57)
      unique = substr(join("", compact([local.prefix, "fv4", local.random])), 0, 61)
      slug   = "fv4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,57}$"
      length = { min = 1, max = 57 }
    }
    firewall_zone = {
      name   = substr(join("-", compact([local.prefix, "fz5", "w"])), 0, 58)
      unique = substr(join("", compact([local.prefix, "fz5", local.random])), 0, 62)
      slug   = "fz5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,58}$"
      length = { min = 1, max = 58 }
    }
    firewall_gateway = {
      name   = substr(join("-", compact([local.prefix, "fg6", "w"])), 0, 59)
      unique = substr(join("", compact([local.prefix, "fg6", local.random])), 0, 63)
      slug   = "fg6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,59}$"
      length = { min = 1, max = 59 }
    }
    frontdoor_account = {
      name   = substr(join("-", compact([local.prefix, "fa7", "w"])), 0, 60)
      unique = substr(join("", compact([local.prefix, "fa7", local.random])), 0, 24)
      slug   = "fa7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,60}$"
      length = { min = 1, max = 60 }
    }
    frontdoor_group = {
      name   = substr(join("-", compact([local.prefix, "fg8", "w"])), 0, 61)
      unique = substr(join("", compact([local.prefix, "fg8", local.random])), 0, 25)
      slug   = "fg8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,61}$"
      length = { min = 1, max = 61 }
    }
    frontdoor_link = {
      name   = substr(join("-", compact([local.prefix, "fl0", "w"])), 0, 62)
      unique = substr(join("", compact([local.prefix, "fl0", local.random])), 0, 26)
      slug   = "fl0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,62}$"
      length = { min = 1, max = 62 }
    }
    frontdoor_network = {
      name   = substr(join("-", compact([local.prefix, "fn1", "w"])), 0, 63)
      unique = substr(join("", compact([local.prefix, "fn1", local.random])), 0, 27)
      slug   = "fn1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,63}$"
      length = { min = 1, max = 63 }
    }
    frontdoor_rule = {
      name   = substr(join("-", compact([local.prefix, "fr2", "w"])), 0, 64)
      unique = substr(join("", compact([local.prefix, "fr2", local.random])), 0, 28)
      slug   = "fr2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,64}$"
      length = { min = 1, max = 64 }
    }
    frontdoor_server = {
      name   = substr(join("-", compact([local.prefix, "fs3", "w"])), 0, 65)
      unique = substr(join("", compact([local.prefix, "fs3", local.random])), 0, 29)
      slug   = "fs3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,65}$"
      length = { min = 1, max = 65 }
    }
    frontdoor_set = {
      name   = substr(join("-", compact([local.prefix, "fs4", "w"])), 0, 66)
      unique = substr(join("", compact([local.prefix, "fs4", local.random])), 0, 30)
      slug   = "fs4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,66}$"
      length = { min = 1, max = 66 }
    }
    frontdoor_vault = {
      name   = substr(join("-", compact([local.prefix, "fv5", "w"])), 0, 67)
      unique = substr(join("", compact([local.prefix, "fv5", local.random])), 0, 31)
      slug   = "fv5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,67}$"
      length = { min = 1, max = 67 }
    }
    frontdoor_zone = {
      name   = substr(join("-", compact([local.prefix, "fz6", "w"])), 0, 68)
      unique = substr(join("", compact([local.prefix, "fz6", local.random])), 0, 32)
      slug   = "fz6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,68}$"
      length = { min = 1, max = 68 }
    }
    frontdoor_gateway = {
      name   = substr(join("-", compact([local.prefix, "fg7", "w"])), 0, 69)
      unique = substr(join("", compact([local.prefix, "fg7", local.random])), 0, 33)
      slug   = "fg7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,69}$"
      length = { min = 1, max = 69 }
    }
    function_account = {
      name   = substr(join("-", compact([local.prefix, "fa8", "w"])), 0, 70)
      unique = substr(join("", compact([local.prefix, "fa8", local.random])), 0, 34)
      slug   = "fa8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,70}$"
      length = { min = 1, max = 70 }
    }
    function_group = {
      name   = substr(join("-", compact([local.prefix, "fg0", "w"])), 0, 71)
      unique = substr(join("", compact([local.prefix, "fg0", local.random])), 0, 35)
      slug   = "fg0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,71}$"
      length = { min = 1, max = 71 }
    }
    function_link = {
      name   = substr(join("-", compact([local.prefix, "fl1", "w"])), 0, 72)
      unique = substr(join("", compact([local.prefix, "fl1", local.random])), 0, 36)
      slug   = "fl1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,72}$"
      length = { min = 1, max = 72 }
    }
    function_network = {
      name   = substr(join("-", compact([local.prefix, "fn2", "w"])), 0, 73)
      unique = substr(join("", compact([local.prefix, "fn2", local.random])), 0, 37)
      slug   = "fn2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,73}$"
      length = { min = 1, max = 73 }
    }
    function_rule = {
      name   = substr(join("-", compact([local.prefix, "fr3", "w"])), 0, 74)
      unique = substr(join("", compact([local.prefix, "fr3", local.random])), 0, 38)
      slug   = "fr3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,74}$"
      length = { min = 1, max = 74 }
    }
    function_server = {
      name   = substr(join("-", compact([local.prefix, "fs4", "w"])), 0, 75)
      unique = substr(join("", compact([local.prefix, "fs4", local.random])), 0, 39)
      slug   = "fs4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,75}$"
      length = { min = 1, max = 75 }
    }
    function_set = {
      name   = substr(join("-", compact([local.prefix, "fs5", "w"])), 0, 76)
      unique = substr(join("", compact([local.prefix, "fs5", local.random])), 0, 40)
      slug   = "fs5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,76}$"
      length = { min = 1, max = 76 }
    }
    function_vault = {
      name   = substr(join("-", compact([local.prefix, "fv6", "w"])), 0, 77)
      unique = substr(join("", compact([local.prefix, "fv6", local.random])), 0, 41)
      slug   = "fv6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,77}$"
      length = { min = 1, max = 77 }
    }
    function_zone = {
      name   = substr(join("-", compact([local.prefix, "fz7", "w"])), 0, 78)
      unique = substr(join("", compact([local.prefix, "fz7", local.random])), 0, 42)
      slug   = "fz7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,78}$"
      length = { min = 1, max = 78 }
    }
    function_gateway = {
      name   = substr(join("-", compact([local.prefix, "fg8", "w"])), 0, 79)
      unique = substr(join("", compact([local.prefix, "fg8", local.random])), 0, 43)
      slug   = "fg8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,79}$"
      length = { min = 1, max = 79 }
    }
    hdinsight_account = {
      name   = substr(join("-", compact([local.prefix, "ha0", "w"])), 0, 20)
      unique = substr(join("", compact([local.prefix, "ha0", local.random])), 0, 44)
      slug   = "ha0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,20}$"
      length = { min = 1, max = 20 }
    }
    hdinsight_group = {
      name   = substr(join("-", compact([local.prefix, "hg1", "w"])), 0, 21)
      unique = substr(join("", compact([local.prefix, "hg1", local.random])), 0, 45)
      slug   = "hg1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,21}$"
      length = { min = 1, max = 21 }
    }
    hdinsight_link = {
      name   = substr(join("-", compact([local.prefix, "hl2", "w"])), 0, 22)
      unique = substr(join("", compact([local.prefix, "hl2", local.random])), 0, 46)
      slug   = "hl2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,22}$"
      length = { min = 1, max = 22 }
    }
    hdinsight_network = {
      name   = substr(join("-", compact([local.prefix, "hn3", "w"])), 0, 23)
      unique = substr(join("", compact([local.prefix, "hn3", local.random])), 0, 47)
      slug   = "hn3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,23}$"
      length = { min = 1, max = 23 }
    }
    hdinsight_rule = {
      name   = substr(join("-", compact([local.prefix, "hr4", "w"])), 0, 24)
      unique = substr(join("", compact([local.prefix, "hr4", local.random])), 0, 48)
      slug   = "hr4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,24}$"
      length = { min = 1, max = 24 }
    }
    hdinsight_server = {
      name   = substr(join("-", compact([local.prefix, "hs5", "w"])), 0, 25)
      unique = substr(join("", compact([local.prefix, "hs5", local.random])), 0, 49)
      slug   = "hs5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,25}$"
      length = { min = 1, max = 25 }
    }
    hdinsight_set = {
      name   = substr(join("-", compact([local.prefix, "hs6", "w"])), 0, 26)
      unique = substr(join("", compact([local.prefix, "hs6", local.random])), 0, 50)
      slug   = "hs6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,26}$"
      length = { min = 1, max = 26 }
    }
    hdinsight_vault = {
      name   = substr(join("-", compact([local.prefix, "hv7", "w"])), 0, 27)
      unique = substr(join("", compact([local.prefix, "hv7", local.random])), 0, 51)
      slug   = "hv7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,27}$"
      length = { min = 1, max = 27 }
    }
    hdinsight_zone = {
      name   = substr(join("-", compact([local.prefix, "hz8", "w"])), 0, 28)
      unique = substr(join("", compact([local.prefix, "hz8", local.random])), 0, 52)
      slug   = "hz8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,28}$"
      length = { min = 1, max = 28 }
    }
    hdinsight_gateway = {
      name   = substr(join("-", compact([local.prefix, "hg0", "w"])), 0, 29)
      unique = substr(join("", compact([local.prefix, "hg0", local.random])), 0, 53)
      slug   = "hg0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,29}$"
      length = { min = 1, max = 29 }
    }
    iot_account = {
      name   = substr(join("-", compact([local.prefix, "ia1", "w"])), 0, 30)
      unique = substr(join("", compact([local.prefix, "ia1", local.random])), 0, 54)
      slug   = "ia1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,30}$"
      length = { min = 1, max = 30 }
    }
    iot_group = {
      name   = substr(join("-", compact([local.prefix, "ig2", "w"])), 0, 31)
      unique = substr(join("", compact([local.prefix, "ig2", local.random])), 0, 55)
      slug   = "ig2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,31}$"
      length = { min = 1, max = 31 }
    }
    iot_link = {
      name   = substr(join("-", compact([local.prefix, "il3", "w"])), 0, 32)
      unique = substr(join("", compact([local.prefix, "il3", local.random])), 0, 56)
      slug   = "il3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,32}$"
      length = { min = 1, max = 32 }
    }
    iot_network = {
      name   = substr(join("-", compact([local.prefix, "in4", "w"])), 0, 33)
      unique = substr(join("", compact([local.prefix, "in4", local.random])), 0, 57)
      slug   = "in4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,33}$"
      length = { min = 1, max = 33 }
    }
    iot_rule = {
      name   = substr(join("-", compact([local.prefix, "ir5", "w"])), 0, 34)
      unique = substr(join("", compact([local.prefix, "ir5", local.random])), 0, 58)
      slug   = "ir5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,34}$"
      length = { min = 1, max = 34 }
    }
    iot_server = {
      name   = substr(join("-", compact([local.prefix, "is6", "w"])), 0, 35)
      unique = substr(join("", compact([local.prefix, "is6", local.random])), 0, 59)
      slug   = "is6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,35}$"
      length = { min = 1, max = 35 }
    }
    iot_set = {
      name   = substr(join("-", compact([local.prefix, "is7", "w"])), 0, 36)
      unique = substr(join("", compact([local.prefix, "is7", local.random])), 0, 60)
      slug   = "is7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,36}$"
      length = { min = 1, max = 36 }
    }
    iot_vault = {
      name   = substr(join("-", compact([local.prefix, "iv8", "w"])), 0, 37)
      unique = substr(join("", compact([local.prefix, "iv8", local.random])), 0, 61)
      slug   = "iv8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,37}$"
      length = { min = 1, max = 37 }
    }
    iot_zone = {
      name   = substr(join("-", compact([local.prefix, "iz0", "w"])), 0, 38)
      unique = substr(join("", compact([local.prefix, "iz0", local.random])), 0, 62)
      slug   = "iz0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,38}$"
      length = { min = 1, max = 38 }
    }
    iot_gateway = {
      name   = substr(join("-", compact([local.prefix, "ig1", "w"])), 0, 39)
      unique = substr(join("", compact([local.prefix, "ig1", local.random])), 0, 63)
      slug   = "ig1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,39}$"
      length = { min = 1, max = 39 }
    }
    key_account = {
      name   = substr(join("-", compact([local.prefix, "ka2", "w"])), 0, 40)
      unique = substr(join("", compact([local.prefix, "ka2", local.random])), 0, 24)
      slug   = "ka2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,40}$"
      length = { min = 1, max = 40 }
    }
    key_group = {
      name   = substr(join("-", compact([local.prefix, "kg3", "w"])), 0, 41)
      unique = substr(join("", compact([local.prefix, "kg3", local.random])), 0, 25)
      slug   = "kg3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,41}$"
      length = { min = 1, max = 41 }
    }
    key_link = {
      name   = substr(join("-", compact([local.prefix, "kl4", "w"])), 0, 42)
      unique = substr(join("", compact([local.prefix, "kl4", local.random])), 0, 26)
      slug   = "kl4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,42}$"
      length = { min = 1, max = 42 }
    }
    key_network = {
      name   = substr(join("-", compact([local.prefix, "kn5", "w"])), 0, 43)
      unique = substr(join("", compact([local.prefix, "kn5", local.random])), 0, 27)
      slug   = "kn5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,43}$"
      length = { min = 1, max = 43 }
    }
    key_rule = {
      name   = substr(join("-", compact([local.prefix, "kr6", "w"])), 0, 44)
      unique = substr(join("", compact([local.prefix, "kr6", local.random])), 0, 28)
      slug   = "kr6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,44}$"
      length = { min = 1, max = 44 }
    }
    key_server = {
      name   = substr(join("-", compact([local.prefix, "ks7", "w"])), 0, 45)
      unique = substr(join("", compact([local.prefix, "ks7", local.random])), 0, 29)
      slug   = "ks7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,45}$"
      length = { min = 1, max = 45 }
    }
    key_set = {
      name   = substr(join("-", compact([local.prefix, "ks8", "w"])), 0, 46)
      unique = substr(join("", compact([local.prefix, "ks8", local.random])), 0, 30)
      slug   = "ks8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,46}$"
      length = { min = 1, max = 46 }
    }
    key_vault = {
      name   = substr(join("-", compact([local.prefix, "kv0", "w"])), 0, 47)
      unique = substr(join("", compact([local.prefix, "kv0", local.random])), 0, 31)
      slug   = "kv0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,47}$"
      length = { min = 1, max = 47 }
    }
    key_zone = {
      name   = substr(join("-", compact([local.prefix, "kz1", "w"])), 0, 48)
      unique = substr(join("", compact([local.prefix, "kz1", local.random])), 0, 32)
      slug   = "kz1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,48}$"
      length = { min = 1, max = 48 }
    }
    key_gateway = {
      name   = substr(join("-", compact([local.prefix, "kg2", "w"])), 0, 49)
      unique = substr(join("", compact([local.prefix, "kg2", local.random])), 0, 33)
      slug   = "kg2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,49}$"
      length = { min = 1, max = 49 }
    }
    kubernetes_account = {
      name   = substr(join("-", compact([local.prefix, "ka3", "w"])), 0, 50)
      unique = substr(join("", compact([local.prefix, "ka3", local.random])), 0, 34)
      slug   = "ka3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,50}$"
      length = { min = 1, max = 50 }
    }
    kubernetes_group = {
      name   = substr(join("-", compact([local.prefix, "kg4", "w"])), 0, 51)
      unique = substr(join("", compact([local.prefix, "kg4", local.random])), 0, 35)
      slug   = "kg4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,51}$"
      length = { min = 1, max = 51 }
    }
    kubernetes_link = {
      name   = substr(join("-", compact([local.prefix, "kl5", "w"])), 0, 52)
      unique = substr(join("", compact([local.prefix, "kl5", local.random])), 0, 36)
      slug   = "kl5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,52}$"
      length = { min = 1, max = 52 }
    }
    kubernetes_network = {
      name   = substr(join("-", compact([local.prefix, "kn6", "w"])), 0, 53)
      unique = substr(join("", compact([local.prefix, "kn6", local.random])), 0, 37)
      slug   = "kn6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,53}$"
      length = { min = 1, max = 53 }
    }
    kubernetes_rule = {
      name   = substr(join("-", compact([local.prefix, "kr7", "w"])), 0, 54)
      unique = substr(join("", compact([local.prefix, "kr7", local.random])), 0, 38)
      slug   = "kr7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,54}$"
      length = { min = 1, max = 54 }
    }
    kubernetes_server = {
      name   = substr(join("-", compact([local.prefix, "ks8", "w"])), 0, 55)
      unique = substr(join("", compact([local.prefix, "ks8", local.random])), 0, 39)
      slug   = "ks8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,55}$"
      length = { min = 1, max = 55 }
    }
    kubernetes_set = {
      name   = substr(join("-", compact([local.prefix, "ks0", "w"])), 0, 56)
      unique = substr(join("", compact([local.prefix, "ks0", local.random])), 0, 40)
      slug   = "ks0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,56}$"
      length = { min = 1, max = 56 }
    }
    kubernetes_vault = {
      name   = substr(join("-", compact([local.prefix, "kv1", "w"])), 0, 57)
      unique = substr(join("", compact([local.prefix, "kv1", local.random])), 0, 41)
      slug   = "kv1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,57}$"
      length = { min = 1, max = 57 }
    }
    kubernetes_zone = {
      name   = substr(join("-", compact([local.prefix, "kz2", "w"])), 0, 58)
      unique = substr(join("", compact([local.prefix, "kz2", local.random])), 0, 42)
      slug   = "kz2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,58}$"
      length = { min = 1, max = 58 }
    }
    kubernetes_gateway = {
      name   = substr(join("-", compact([local.prefix, "kg3", "w"])), 0, 59)
      unique = substr(join("", compact([local.prefix, "kg3", local.random])), 0, 43)
      slug   = "kg3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,59}$"
      length = { min = 1, max = 59 }
    }
    lb_account = {
      name   = substr(join("-", compact([local.prefix, "la4", "w"])), 0, 60)
      unique = substr(join("", compact([local.prefix, "la4", local.random])), 0, 44)
      slug   = "la4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,60}$"
      length = { min = 1, max = 60 }
    }
    lb_group = {
      name   = substr(join("-", compact([local.prefix, "lg5", "w"])), 0, 61)
      unique = substr(join("", compact([local.prefix, "lg5", local.random])), 0, 45)
      slug   = "lg5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,61}$"
      length = { min = 1, max = 61 }
    }
    lb_link = {
      name   = substr(join("-", compact([local.prefix, "ll6", "w"])), 0, 62)
      unique = substr(join("", compact([local.prefix, "ll6", local.random])), 0, 46)
      slug   = "ll6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,62}$"
      length = { min = 1, max = 62 }
    }
    lb_network = {
      name   = substr(join("-", compact([local.prefix, "ln7", "w"])), 0, 63)
      unique = substr(join("", compact([local.prefix, "ln7", local.random])), 0, 47)
      slug   = "ln7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,63}$"
      length = { min = 1, max = 63 }
    }
    lb_rule = {
      name   = substr(join("-", compact([local.prefix, "lr8", "w"])), 0, 64)
      unique = substr(join("", compact([local.prefix, "lr8", local.random])), 0, 48)
      slug   = "lr8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,64}$"
      length = { min = 1, max = 64 }
    }
    lb_server = {
      name   = substr(join("-", compact([local.prefix, "ls0", "w"])), 0, 65)
      unique = substr(join("", compact([local.prefix, "ls0", local.random])), 0, 49)
      slug   = "ls0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,65}$"
      length = { min = 1, max = 65 }
    }
    lb_set = {
      name   = substr(join("-", compact([local.prefix, "ls1", "w"])), 0, 66)
      unique = substr(join("", compact([local.prefix, "ls1", local.random])), 0, 50)
      slug   = "ls1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,66}$"
      length = { min = 1, max = 66 }
    }
    lb_vault = {
      name   = substr(join("-", compact([local.prefix, "lv2", "w"])), 0, 67)
      unique = substr(join("", compact([local.prefix, "lv2", local.random])), 0, 51)
      slug   = "lv2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,67}$"
      length = { min = 1, max = 67 }
    }
    lb_zone = {
      name   = substr(join("-", compact([local.prefix, "lz3", "w"])), 0, 68)
      unique = substr(join("", compact([local.prefix, "lz3", local.random])), 0, 52)
      slug   = "lz3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,68}$"
      length = { min = 1, max = 68 }
    }
    lb_gateway = {
      name   = substr(join("-", compact([local.prefix, "lg4", "w"])), 0, 69)
      unique = substr(join("", compact([local.prefix, "lg4", local.random])), 0, 53)
      slug   = "lg4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,69}$"
      length = { min = 1, max = 69 }
    }
    linux_account = {
      name   = substr(join("-", compact([local.prefix, "la5", "w"])), 0, 70)
      unique = substr(join("", compact([local.prefix, "la5", local.random])), 0, 54)
      slug   = "la5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,70}$"
      length = { min = 1, max = 70 }
    }
    linux_group = {
      name   = substr(join("-", compact([local.prefix, "lg6", "w"])), 0, 71)
      unique = substr(join("", compact([local.prefix, "lg6", local.random])), 0, 55)
      slug   = "lg6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,71}$"
      length = { min = 1, max = 71 }
    }
    linux_link = {
      name   = substr(join("-", compact([local.prefix, "ll7", "w"])), 0, 72)
      unique = substr(join("", compact([local.prefix, "ll7", local.random])), 0, 56)
      slug   = "ll7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,72}$"
      length = { min = 1, max = 72 }
    }
    linux_network = {
      name   = substr(join("-", compact([local.prefix, "ln8", "w"])), 0, 73)
      unique = substr(join("", compact([local.prefix, "ln8", local.random])), 0, 57)
      slug   = "ln8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,73}$"
      length = { min = 1, max = 73 }
    }
    linux_rule = {
      name   = substr(join("-", compact([local.prefix, "lr0", "w"])), 0, 74)
      unique = substr(join("", compact([local.prefix, "lr0", local.random])), 0, 58)
      slug   = "lr0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,74}$"
      length = { min = 1, max = 74 }
    }
    linux_server = {
      name   = substr(join("-", compact([local.prefix, "ls1", "w"])), 0, 75)
      unique = substr(join("", compact([local.prefix, "ls1", local.random])), 0, 59)
      slug   = "ls1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,75}$"
      length = { min = 1, max = 75 }
    }
    linux_set = {
      name   = substr(join("-", compact([local.prefix, "ls2", "w"])), 0, 76)
      unique = substr(join("", compact([local.prefix, "ls2", local.random])), 0, 60)
      slug   = "ls2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,76}$"
      length = { min = 1, max = 76 }
    }
    linux_vault = {
      name   = substr(join("-", compact([local.prefix, "lv3", "w"])), 0, 77)
      unique = substr(join("", compact([local.prefix, "lv3", local.random])), 0, 61)
      slug   = "lv3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,77}$"
      length = { min = 1, max = 77 }
    }
    linux_zone = {
      name   = substr(join("-", compact([local.prefix, "lz4", "w"])), 0, 78)
      unique = substr(join("", compact([local.prefix, "lz4", local.random])), 0, 62)
      slug   = "lz4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,78}$"
      length = { min = 1, max = 78 }
    }
    linux_gateway = {
      name   = substr(join("-", compact([local.prefix, "lg5", "w"])), 0, 79)
      unique = substr(join("", compact([local.prefix, "lg5", local.random])), 0, 63)
      slug   = "lg5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,79}$"
      length = { min = 1, max = 79 }
    }
    log_account = {
      name   = substr(join("-", compact([local.prefix, "la6", "w"])), 0, 20)
      unique = substr(join("", compact([local.prefix, "la6", local.random])), 0, 24)
      slug   = "la6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,20}$"
      length = { min = 1, max = 20 }
    }
    log_group = {
      name   = substr(join("-", compact([local.prefix, "lg7", "w"])), 0, 21)
      unique = substr(join("", compact([local.prefix, "lg7", local.random])), 0, 25)
      slug   = "lg7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,21}$"
      length = { min = 1, max = 21 }
    }
    log_link = {
      name   = substr(join("-", compact([local.prefix, "ll8", "w"])), 0, 22)
      unique = substr(join("", compact([local.prefix, "ll8", local.random])), 0, 26)
      slug   = "ll8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,22}$"
      length = { min = 1, max = 22 }
    }
    log_network = {
      name   = substr(join("-", compact([local.prefix, "ln0", "w"])), 0, 23)
      unique = substr(join("", compact([local.prefix, "ln0", local.random])), 0, 27)
      slug   = "ln0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,23}$"
      length = { min = 1, max = 23 }
    }
    log_rule = {
      name   = substr(join("-", compact([local.prefix, "lr1", "w"])), 0, 24)
      unique = substr(join("", compact([local.prefix, "lr1", local.random])), 0, 28)
      slug   = "lr1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,24}$"
      length = { min = 1, max = 24 }
    }
    log_server = {
      name   = substr(join("-", compact([local.prefix, "ls2", "w"])), 0, 25)
      unique = substr(join("", compact([local.prefix, "ls2", local.random])), 0, 29)
      slug   = "ls2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,25}$"
      length = { min = 1, max = 25 }
    }
    log_set = {
      name   = substr(join("-", compact([local.prefix, "ls3", "w"])), 0, 26)
      unique = substr(join("", compact([local.prefix, "ls3", local.random])), 0, 30)
      slug   = "ls3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,26}$"
      length = { min = 1, max = 26 }
    }
    log_vault = {
      name   = substr(join("-", compact([local.prefix, "lv4", "w"])), 0, 27)
      unique = substr(join("", compact([local.prefix, "lv4", local.random])), 0, 31)
      slug   = "lv4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,27}$"
      length = { min = 1, max = 27 }
    }
    log_zone = {
      name   = substr(join("-", compact([local.prefix, "lz5", "w"])), 0, 28)
      unique = substr(join("", compact([local.prefix, "lz5", local.random])), 0, 32)
      slug   = "lz5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,28}$"
      length = { min = 1, max = 28 }
    }
    log_gateway = {
      name   = substr(join("-", compact([local.prefix, "lg6", "w"])), 0, 29)
      unique = substr(join("", compact([local.prefix, "lg6", local.random])), 0, 33)
      slug   = "lg6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,29}$"
      length = { min = 1, max = 29 }
    }
    logic_account = {
      name   = substr(join("-", compact([local.prefix, "la7", "w"])), 0, 30)
      unique = substr(join("", compact([local.prefix, "la7", local.random])), 0, 34)
      slug   = "la7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,30}$"
      length = { min = 1, max = 30 }
    }
    logic_group = {
      name   = substr(join("-", compact([local.prefix, "lg8", "w"])), 0, 31)
      unique = substr(join("", compact([local.prefix, "lg8", local.random])), 0, 35)
      slug   = "lg8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,31}$"
      length = { min = 1, max = 31 }
    }
    logic_link = {
      name   = substr(join("-", compact([local.prefix, "ll0", "w"])), 0, 32)
      unique = substr(join("", compact([local.prefix, "ll0", local.random])), 0, 36)
      slug   = "ll0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,32}$"
      length = { min = 1, max = 32 }
    }
    logic_network = {
      name   = substr(join("-", compact([local.prefix, "ln1", "w"])), 0, 33)
      unique = substr(join("", compact([local.prefix, "ln1", local.random])), 0, 37)
      slug   = "ln1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,33}$"
      length = { min = 1, max = 33 }
    }
    logic_rule = {
      name   = substr(join("-", compact([local.prefix, "lr2", "w"])), 0, 34)
      unique = substr(join("", compact([local.prefix, "lr2", local.random])), 0, 38)
      slug   = "lr2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,34}$"
      length = { min = 1, max = 34 }
    }
    logic_server = {
      name   = substr(join("-", compact([local.prefix, "ls3", "w"])), 0, 35)
      unique = substr(join("", compact([local.prefix, "ls3", local.random])), 0, 39)
      slug   = "ls3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,35}$"
      length = { min = 1, max = 35 }
    }
    logic_set = {
      name   = substr(join("-", compact([local.prefix, "ls4", "w"])), 0, 36)
      unique = substr(join("", compact([local.prefix, "ls4", local.random])), 0, 40)
      slug   = "ls4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,36}$"
      length = { min = 1, max = 36 }
    }
    logic_vault = {
      name   = substr(join("-", compact([local.prefix, "lv5", "w"])), 0, 37)
      unique = substr(join("", compact([local.prefix, "lv5", local.random])), 0, 41)
      slug   = "lv5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,37}$"
      length = { min = 1, max = 37 }
    }
    logic_zone = {
      name   = substr(join("-", compact([local.prefix, "lz6", "w"])), 0, 38)
      unique = substr(join("", compact([local.prefix, "lz6", local.random])), 0, 42)
      slug   = "lz6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,38}$"
      length = { min = 1, max = 38 }
    }
    logic_gateway = {
      name   = substr(join("-", compact([local.prefix, "lg7", "w"])), 0, 39)
      unique = substr(join("", compact([local.prefix, "lg7", local.random])), 0, 43)
      slug   = "lg7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,39}$"
      length = { min = 1, max = 39 }
    }
    machine_account = {
      name   = substr(join("-", compact([local.prefix, "ma8", "w"])), 0, 40)
      unique = substr(join("", compact([local.prefix, "ma8", local.random])), 0, 44)
      slug   = "ma8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,40}$"
      length = { min = 1, max = 40 }
    }
    machine_group = {
      name   = substr(join("-", compact([local.prefix, "mg0", "w"])), 0, 41)
      unique = substr(join("", compact([local.prefix, "mg0", local.random])), 0, 45)
      slug   = "mg0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,41}$"
      length = { min = 1, max = 41 }
    }
    machine_link = {
      name   = substr(join("-", compact([local.prefix, "ml1", "w"])), 0, 42)
      unique = substr(join("", compact([local.prefix, "ml1", local.random])), 0, 46)
      slug   = "ml1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,42}$"
      length = { min = 1, max = 42 }
    }
    machine_network = {
      name   = substr(join("-", compact([local.prefix, "mn2", "w"])), 0, 43)
      unique = substr(join("", compact([local.prefix, "mn2", local.random])), 0, 47)
      slug   = "mn2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,43}$"
      length = { min = 1, max = 43 }
    }
    machine_rule = {
      name   = substr(join("-", compact([local.prefix, "mr3", "w"])), 0, 44)
      unique = substr(join("", compact([local.prefix, "mr3", local.random])), 0, 48)
      slug   = "mr3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,44}$"
      length = { min = 1, max = 44 }
    }
    machine_server = {
      name   = substr(join("-", compact([local.prefix, "ms4", "w"])), 0, 45)
      unique = substr(join("", compact([local.prefix, "ms4", local.random])), 0, 49)
      slug   = "ms4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,45}$"
      length = { min = 1, max = 45 }
    }
    machine_set = {
      name   = substr(join("-", compact([local.prefix, "ms5", "w"])), 0, 46)
      unique = substr(join("", compact([local.prefix, "ms5", local.random])), 0, 50)
      slug   = "ms5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,46}$"
      length = { min = 1, max = 46 }
    }
    machine_vault = {
      name   = substr(join("-", compact([local.prefix, "mv6", "w"])), 0, 47)
      unique = substr(join("", compact([local.prefix, "mv6", local.random])), 0, 51)
      slug   = "mv6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,47}$"
      length = { min = 1, max = 47 }
    }
    machine_zone = {
      name   = substr(join("-", compact([local.prefix, "mz7", "w"])), 0, 48)
      unique = substr(join("", compact([local.prefix, "mz7", local.random])), 0, 52)
      slug   = "mz7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,48}$"
      length = { min = 1, max = 48 }
    }
    machine_gateway = {
      name   = substr(join("-", compact([local.prefix, "mg8", "w"])), 0, 49)
      unique = substr(join("", compact([local.prefix, "mg8", local.random])), 0, 53)
      slug   = "mg8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,49}$"
      length = { min = 1, max = 49 }
    }
    managed_account = {
      name   = substr(join("-", compact([local.prefix, "ma0", "w"])), 0, 50)
      unique = substr(join("", compact([local.prefix, "ma0", local.random])), 0, 54)
      slug   = "ma0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,50}$"
      length = { min = 1, max = 50 }
    }
    managed_group = {
      name   = substr(join("-", compact([local.prefix, "mg1", "w"])), 0, 51)
      unique = substr(join("", compact([local.prefix, "mg1", local.random])), 0, 55)
      slug   = "mg1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,51}$"
      length = { min = 1, max = 51 }
    }
    managed_link = {
      name   = substr(join("-", compact([local.prefix, "ml2", "w"])), 0, 52)
      unique = substr(join("", compact([local.prefix, "ml2", local.random])), 0, 56)
      slug   = "ml2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,52}$"
      length = { min = 1, max = 52 }
    }
    managed_network = {
      name   = substr(join("-", compact([local.prefix, "mn3", "w"])), 0, 53)
      unique = substr(join("", compact([local.prefix, "mn3", local.random])), 0, 57)
      slug   = "mn3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,53}$"
      length = { min = 1, max = 53 }
    }
    managed_rule = {
      name   = substr(join("-", compact([local.prefix, "mr4", "w"])), 0, 54)
      unique = substr(join("", compact([local.prefix, "mr4", local.random])), 0, 58)
      slug   = "mr4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,54}$"
      length = { min = 1, max = 54 }
    }
    managed_server = {
      name   = substr(join("-", compact([local.prefix, "ms5", "w"])), 0, 55)
      unique = substr(join("", compact([local.prefix, "ms5", local.random])), 0, 59)
      slug   = "ms5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,55}$"
      length = { min = 1, max = 55 }
    }
    managed_set = {
      name   = substr(join("-", compact([local.prefix, "ms6", "w"])), 0, 56)
      unique = substr(join("", compact([local.prefix, "ms6", local.random])), 0, 60)
      slug   = "ms6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,56}$"
      length = { min = 1, max = 56 }
    }
    managed_vault = {
      name   = substr(join("-", compact([local.prefix, "mv7", "w"])), 0, 57)
      unique = substr(join("", compact([local.prefix, "mv7", local.random])), 0, 61)
      slug   = "mv7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,57}$"
      length = { min = 1, max = 57 }
    }
    managed_zone = {
      name   = substr(join("-", compact([local.prefix, "mz8", "w"])), 0, 58)
      unique = substr(join("", compact([local.prefix, "mz8", local.random])), 0, 62)
      slug   = "mz8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,58}$"
      length = { min = 1, max = 58 }
    }
    managed_gateway = {
      name   = substr(join("-", compact([local.prefix, "mg0", "w"])), 0, 59)
      unique = substr(join("", compact([local.prefix, "mg0", local.random])), 0, 63)
      slug   = "mg0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,59}$"
      length = { min = 1, max = 59 }
    }
    mariadb_account = {
      name   = substr(join("-", compact([local.prefix, "ma1", "w"])), 0, 60)
      unique = substr(join("", compact([local.prefix, "ma1", local.random])), 0, 24)
      slug   = "ma1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,60}$"
      length = { min = 1, max = 60 }
    }
    mariadb_group = {
      name   = substr(join("-", compact([local.prefix, "mg2", "w"])), 0, 61)
      unique = substr(join("", compact([local.prefix, "mg2", local.random])), 0, 25)
      slug   = "mg2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,61}$"
      length = { min = 1, max = 61 }
    }
    mariadb_link = {
      name   = substr(join("-", compact([local.prefix, "ml3", "w"])), 0, 62)
      unique = substr(join("", compact([local.prefix, "ml3", local.random])), 0, 26)
      slug   = "ml3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,62}$"
      length = { min = 1, max = 62 }
    }
    mariadb_network = {
      name   = substr(join("-", compact([local.prefix, "mn4", "w"])), 0, 63)
      unique = substr(join("", compact([local.prefix, "mn4", local.random])), 0, 27)
      slug   = "mn4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,63}$"
      length = { min = 1, max = 63 }
    }
    mariadb_rule = {
      name   = substr(join("-", compact([local.prefix, "mr5", "w"])), 0, 64)
      unique = substr(join("", compact([local.prefix, "mr5", local.random])), 0, 28)
      slug   = "mr5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,64}$"
      length = { min = 1, max = 64 }
    }
    mariadb_server = {
      name   = substr(join("-", compact([local.prefix, "ms6", "w"])), 0, 65)
      unique = substr(join("", compact([local.prefix, "ms6", local.random])), 0, 29)
      slug   = "ms6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,65}$"
      length = { min = 1, max = 65 }
    }
    mariadb_set = {
      name   = substr(join("-", compact([local.prefix, "ms7", "w"])), 0, 66)
      unique = substr(join("", compact([local.prefix, "ms7", local.random])), 0, 30)
      slug   = "ms7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,66}$"
      length = { min = 1, max = 66 }
    }
    mariadb_vault = {
      name   = substr(join("-", compact([local.prefix, "mv8", "w"])), 0, 67)
      unique = substr(join("", compact([local.prefix, "mv8", local.random])), 0, 31)
      slug   = "mv8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,67}$"
      length = { min = 1, max = 67 }
    }
    mariadb_zone = {
      name   = substr(join("-", compact([local.prefix, "mz0", "w"])), 0, 68)
      unique = substr(join("", compact([local.prefix, "mz0", local.random])), 0, 32)
      slug   = "mz0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,68}$"
      length = { min = 1, max = 68 }
    }
    mariadb_gateway = {
      name   = substr(join("-", compact([local.prefix, "mg1", "w"])), 0, 69)
      unique = substr(join("", compact([local.prefix, "mg1", local.random])), 0, 33)
      slug   = "mg1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,69}$"
      length = { min = 1, max = 69 }
    }
    mssql_account = {
      name   = substr(join("-", compact([local.prefix, "ma2", "w"])), 0, 70)
      unique = substr(join("", compact([local.prefix, "ma2", local.random])), 0, 34)
      slug   = "ma2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,70}$"
      length = { min = 1, max = 70 }
    }
    mssql_group = {
      name   = substr(join("-", compact([local.prefix, "mg3", "w"])), 0, 71)
      unique = substr(join("", compact([local.prefix, "mg3", local.random])), 0, 35)
      slug   = "mg3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,71}$"
      length = { min = 1, max = 71 }
    }
    mssql_link = {
      name   = substr(join("-", compact([local.prefix, "ml4", "w"])), 0, 72)
      unique = substr(join("", compact([local.prefix, "ml4", local.random])), 0, 36)
      slug   = "ml4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,72}$"
      length = { min = 1, max = 72 }
    }
    mssql_network = {
      name   = substr(join("-", compact([local.prefix, "mn5", "w"])), 0, 73)
      unique = substr(join("", compact([local.prefix, "mn5", local.random])), 0, 37)
      slug   = "mn5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,73}$"
      length = { min = 1, max = 73 }
    }
    mssql_rule = {
      name   = substr(join("-", compact([local.prefix, "mr6", "w"])), 0, 74)
      unique = substr(join("", compact([local.prefix, "mr6", local.random])), 0, 38)
      slug   = "mr6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,74}$"
      length = { min = 1, max = 74 }
    }
    mssql_server = {
      name   = substr(join("-", compact([local.prefix, "ms7", "w"])), 0, 75)
      unique = substr(join("", compact([local.prefix, "ms7", local.random])), 0, 39)
      slug   = "ms7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,75}$"
      length = { min = 1, max = 75 }
    }
    mssql_set = {
      name   = substr(join("-", compact([local.prefix, "ms8", "w"])), 0, 76)
      unique = substr(join("", compact([local.prefix, "ms8", local.random])), 0, 40)
      slug   = "ms8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,76}$"
      length = { min = 1, max = 76 }
    }
    mssql_vault = {
      name   = substr(join("-", compact([local.prefix, "mv0", "w"])), 0, 77)
      unique = substr(join("", compact([local.prefix, "mv0", local.random])), 0, 41)
      slug   = "mv0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,77}$"
      length = { min = 1, max = 77 }
    }
    mssql_zone = {
      name   = substr(join("-", compact([local.prefix, "mz1", "w"])), 0, 78)
      unique = substr(join("", compact([local.prefix, "mz1", local.random])), 0, 42)
      slug   = "mz1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,78}$"
      length = { min = 1, max = 78 }
    }
    mssql_gateway = {
      name   = substr(join("-", compact([local.prefix, "mg2", "w"])), 0, 79)
      unique = substr(join("", compact([local.prefix, "mg2", local.random])), 0, 43)
      slug   = "mg2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,79}$"
      length = { min = 1, max = 79 }
    }
    mysql_account = {
      name   = substr(join("-", compact([local.prefix, "ma3", "w"])), 0, 20)
      unique = substr(join("", compact([local.prefix, "ma3", local.random])), 0, 44)
      slug   = "ma3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,20}$"
      length = { min = 1, max = 20 }
    }
    mysql_group = {
      name   = substr(join("-", compact([local.prefix, "mg4", "w"])), 0, 21)
      unique = substr(join("", compact([local.prefix, "mg4", local.random])), 0, 45)
      slug   = "mg4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,21}$"
      length = { min = 1, max = 21 }
    }
    mysql_link = {
      name   = substr(join("-", compact([local.prefix, "ml5", "w"])), 0, 22)
      unique = substr(join("", compact([local.prefix, "ml5", local.random])), 0, 46)
      slug   = "ml5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,22}$"
      length = { min = 1, max = 22 }
    }
    mysql_network = {
      name   = substr(join("-", compact([local.prefix, "mn6", "w"])), 0, 23)
      unique = substr(join("", compact([local.prefix, "mn6", local.random])), 0, 47)
      slug   = "mn6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,23}$"
      length = { min = 1, max = 23 }
    }
    mysql_rule = {
      name   = substr(join("-", compact([local.prefix, "mr7", "w"])), 0, 24)
      unique = substr(join("", compact([local.prefix, "mr7", local.random])), 0, 48)
      slug   = "mr7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,24}$"
      length = { min = 1, max = 24 }
    }
    mysql_server = {
      name   = substr(join("-", compact([local.prefix, "ms8", "w"])), 0, 25)
      unique = substr(join("", compact([local.prefix, "ms8", local.random])), 0, 49)
      slug   = "ms8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,25}$"
      length = { min = 1, max = 25 }
    }
    mysql_set = {
      name   = substr(join("-", compact([local.prefix, "ms0", "w"])), 0, 26)
      unique = substr(join("", compact([local.prefix, "ms0", local.random])), 0, 50)
      slug   = "ms0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,26}$"
      length = { min = 1, max = 26 }
    }
    mysql_vault = {
      name   = substr(join("-", compact([local.prefix, "mv1", "w"])), 0, 27)
      unique = substr(join("", compact([local.prefix, "mv1", local.random])), 0, 51)
      slug   = "mv1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,27}$"
      length = { min = 1, max = 27 }
    }
    mysql_zone = {
      name   = substr(join("-", compact([local.prefix, "mz2", "w"])), 0, 28)
      unique = substr(join("", compact([local.prefix, "mz2", local.random])), 0, 52)
      slug   = "mz2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,28}$"
      length = { min = 1, max = 28 }
    }
    mysql_gateway = {
      name   = substr(join("-", compact([local.prefix, "mg3", "w"])), 0, 29)
      unique = substr(join("", compact([local.prefix, "mg3", local.random])), 0, 53)
      slug   = "mg3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,29}$"
      length = { min = 1, max = 29 }
    }
    network_account = {
      name   = substr(join("-", compact([local.prefix, "na4", "w"])), 0, 30)
      unique = substr(join("", compact([local.prefix, "na4", local.random])), 0, 54)
      slug   = "na4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,30}$"
      length = { min = 1, max = 30 }
    }
    network_group = {
      name   = substr(join("-", compact([local.prefix, "ng5", "w"])), 0, 31)
      unique = substr(join("", compact([local.prefix, "ng5", local.random])), 0, 55)
      slug   = "ng5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,31}$"
      length = { min = 1, max = 31 }
    }
    network_link = {
      name   = substr(join("-", compact([local.prefix, "nl6", "w"])), 0, 32)
      unique = substr(join("", compact([local.prefix, "nl6", local.random])), 0, 56)
      slug   = "nl6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,32}$"
      length = { min = 1, max = 32 }
    }
    network_network = {
      name   = substr(join("-", compact([local.prefix, "nn7", "w"])), 0, 33)
      unique = substr(join("", compact([local.prefix, "nn7", local.random])), 0, 57)
      slug   = "nn7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,33}$"
      length = { min = 1, max = 33 }
    }
    network_rule = {
      name   = substr(join("-", compact([local.prefix, "nr8", "w"])), 0, 34)
      unique = substr(join("", compact([local.prefix, "nr8", local.random])), 0, 58)
      slug   = "nr8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,34}$"
      length = { min = 1, max = 34 }
    }
    network_server = {
      name   = substr(join("-", compact([local.prefix, "ns0", "w"])), 0, 35)
      unique = substr(join("", compact([local.prefix, "ns0", local.random])), 0, 59)
      slug   = "ns0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,35}$"
      length = { min = 1, max = 35 }
    }
    network_set = {
      name   = substr(join("-", compact([local.prefix, "ns1", "w"])), 0, 36)
      unique = substr(join("", compact([local.prefix, "ns1", local.random])), 0, 60)
      slug   = "ns1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,36}$"
      length = { min = 1, max = 36 }
    }
    network_vault = {
      name   = substr(join("-", compact([local.prefix, "nv2", "w"])), 0, 37)
      unique = substr(join("", compact([local.prefix, "nv2", local.random])), 0, 61)
      slug   = "nv2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,37}$"
      length = { min = 1, max = 37 }
    }
    network_zone = {
      name   = substr(join("-", compact([local.prefix, "nz3", "w"])), 0, 38)
      unique = substr(join("", compact([local.prefix, "nz3", local.random])), 0, 62)
      slug   = "nz3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,38}$"
      length = { min = 1, max = 38 }
    }
    network_gateway = {
      name   = substr(join("-", compact([local.prefix, "ng4", "w"])), 0, 39)
      unique = substr(join("", compact([local.prefix, "ng4", local.random])), 0, 63)
      slug   = "ng4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,39}$"
      length = { min = 1, max = 39 }
    }
    notification_account = {
      name   = substr(join("-", compact([local.prefix, "na5", "w"])), 0, 40)
      unique = substr(join("", compact([local.prefix, "na5", local.random])), 0, 24)
      slug   = "na5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,40}$"
      length = { min = 1, max = 40 }
    }
    notification_group = {
      name   = substr(join("-", compact([local.prefix, "ng6", "w"])), 0, 41)
      unique = substr(join("", compact([local.prefix, "ng6", local.random])), 0, 25)
      slug   = "ng6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,41}$"
      length = { min = 1, max = 41 }
    }
    notification_link = {
      name   = substr(join("-", compact([local.prefix, "nl7", "w"])), 0, 42)
      unique = substr(join("", compact([local.prefix, "nl7", local.random])), 0, 26)
      slug   = "nl7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,42}$"
      length = { min = 1, max = 42 }
    }
    notification_network = {
      name   = substr(join("-", compact([local.prefix, "nn8", "w"])), 0, 43)
      unique = substr(join("", compact([local.prefix, "nn8", local.random])), 0, 27)
      slug   = "nn8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,43}$"
      length = { min = 1, max = 43 }
    }
    notification_rule = {
      name   = substr(join("-", compact([local.prefix, "nr0", "w"])), 0, 44)
      unique = substr(join("", compact([local.prefix, "nr0", local.random])), 0, 28)
      slug   = "nr0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,44}$"
      length = { min = 1, max = 44 }
    }
    notification_server = {
      name   = substr(join("-", compact([local.prefix, "ns1", "w"])), 0, 45)
      unique = substr(join("", compact([local.prefix, "ns1", local.random])), 0, 29)
      slug   = "ns1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,45}$"
      length = { min = 1, max = 45 }
    }
    notification_set = {
      name   = substr(join("-", compact([local.prefix, "ns2", "w"])), 0, 46)
      unique = substr(join("", compact([local.prefix, "ns2", local.random])), 0, 30)
      slug   = "ns2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,46}$"
      length = { min = 1, max = 46 }
    }
    notification_vault = {
      name   = substr(join("-", compact([local.prefix, "nv3", "w"])), 0, 47)
      unique = substr(join("", compact([local.prefix, "nv3", local.random])), 0, 31)
      slug   = "nv3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,47}$"
      length = { min = 1, max = 47 }
    }
    notification_zone = {
      name   = substr(join("-", compact([local.prefix, "nz4", "w"])), 0, 48)
      unique = substr(join("", compact([local.prefix, "nz4", local.random])), 0, 32)
      slug   = "nz4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,48}$"
      length = { min = 1, max = 48 }
    }
    notification_gateway = {
      name   = substr(join("-", compact([local.prefix, "ng5", "w"])), 0, 49)
      unique = substr(join("", compact([local.prefix, "ng5", local.random])), 0, 33)
      slug   = "ng5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,49}$"
      length = { min = 1, max = 49 }
    }
    policy_account = {
      name   = substr(join("-", compact([local.prefix, "pa6", "w"])), 0, 50)
      unique = substr(join("", compact([local.prefix, "pa6", local.random])), 0, 34)
      slug   = "pa6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,50}$"
      length = { min = 1, max = 50 }
    }
    policy_group = {
      name   = substr(join("-", compact([local.prefix, "pg7", "w"])), 0, 51)
      unique = substr(join("", compact([local.prefix, "pg7", local.random])), 0, 35)
      slug   = "pg7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,51}$"
      length = { min = 1, max = 51 }
    }
    policy_link = {
      name   = substr(join("-", compact([local.prefix, "pl8", "w"])), 0, 52)
      unique = substr(join("", compact([local.prefix, "pl8", local.random])), 0, 36)
      slug   = "pl8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,52}$"
      length = { min = 1, max = 52 }
    }
    policy_network = {
      name   = substr(join("-", compact([local.prefix, "pn0", "w"])), 0, 53)
      unique = substr(join("", compact([local.prefix, "pn0", local.random])), 0, 37)
      slug   = "pn0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,53}$"
      length = { min = 1, max = 53 }
    }
    policy_rule = {
      name   = substr(join("-", compact([local.prefix, "pr1", "w"])), 0, 54)
      unique = substr(join("", compact([local.prefix, "pr1", local.random])), 0, 38)
      slug   = "pr1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,54}$"
      length = { min = 1, max = 54 }
    }
    policy_server = {
      name   = substr(join("-", compact([local.prefix, "ps2", "w"])), 0, 55)
      unique = substr(join("", compact([local.prefix, "ps2", local.random])), 0, 39)
      slug   = "ps2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,55}$"
      length = { min = 1, max = 55 }
    }
    policy_set = {
      name   = substr(join("-", compact([local.prefix, "ps3", "w"])), 0, 56)
      unique = substr(join("", compact([local.prefix, "ps3", local.random])), 0, 40)
      slug   = "ps3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,56}$"
      length = { min = 1, max = 56 }
    }
    policy_vault = {
      name   = substr(join("-", compact([local.prefix, "pv4", "w"])), 0, 57)
      unique = substr(join("", compact([local.prefix, "pv4", local.random])), 0, 41)
      slug   = "pv4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,57}$"
      length = { min = 1, max = 57 }
    }
    policy_zone = {
      name   = substr(join("-", compact([local.prefix, "pz5", "w"])), 0, 58)
      unique = substr(join("", compact([local.prefix, "pz5", local.random])), 0, 42)
      slug   = "pz5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,58}$"
      length = { min = 1, max = 58 }
    }
    policy_gateway = {
      name   = substr(join("-", compact([local.prefix, "pg6", "w"])), 0, 59)
      unique = substr(join("", compact([local.prefix, "pg6", local.random])), 0, 43)
      slug   = "pg6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,59}$"
      length = { min = 1, max = 59 }
    }
    postgresql_account = {
      name   = substr(join("-", compact([local.prefix, "pa7", "w"])), 0, 60)
      unique = substr(join("", compact([local.prefix, "pa7", local.random])), 0, 44)
      slug   = "pa7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,60}$"
      length = { min = 1, max = 60 }
    }
    postgresql_group = {
      name   = substr(join("-", compact([local.prefix, "pg8", "w"])), 0, 61)
      unique = substr(join("", compact([local.prefix, "pg8", local.random])), 0, 45)
      slug   = "pg8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,61}$"
      length = { min = 1, max = 61 }
    }
    postgresql_link = {
      name   = substr(join("-", compact([local.prefix, "pl0", "w"])), 0, 62)
      unique = substr(join("", compact([local.prefix, "pl0", local.random])), 0, 46)
      slug   = "pl0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,62}$"
      length = { min = 1, max = 62 }
    }
    postgresql_network = {
      name   = substr(join("-", compact([local.prefix, "pn1", "w"])), 0, 63)
      unique = substr(join("", compact([local.prefix, "pn1", local.random])), 0, 47)
      slug   = "pn1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,63}$"
      length = { min = 1, max = 63 }
    }
    postgresql_rule = {
      name   = substr(join("-", compact([local.prefix, "pr2", "w"])), 0, 64)
      unique = substr(join("", compact([local.prefix, "pr2", local.random])), 0, 48)
      slug   = "pr2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,64}$"
      length = { min = 1, max = 64 }
    }
    postgresql_server = {
      name   = substr(join("-", compact([local.prefix, "ps3", "w"])), 0, 65)
      unique = substr(join("", compact([local.prefix, "ps3", local.random])), 0, 49)
      slug   = "ps3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,65}$"
      length = { min = 1, max = 65 }
    }
    postgresql_set = {
      name   = substr(join("-", compact([local.prefix, "ps4", "w"])), 0, 66)
      unique = substr(join("", compact([local.prefix, "ps4", local.random])), 0, 50)
      slug   = "ps4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,66}$"
      length = { min = 1, max = 66 }
    }
    postgresql_vault = {
      name   = substr(join("-", compact([local.prefix, "pv5", "w"])), 0, 67)
      unique = substr(join("", compact([local.prefix, "pv5", local.random])), 0, 51)
      slug   = "pv5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,67}$"
      length = { min = 1, max = 67 }
    }
    postgresql_zone = {
      name   = substr(join("-", compact([local.prefix, "pz6", "w"])), 0, 68)
      unique = substr(join("", compact([local.prefix, "pz6", local.random])), 0, 52)
      slug   = "pz6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,68}$"
      length = { min = 1, max = 68 }
    }
    postgresql_gateway = {
      name   = substr(join("-", compact([local.prefix, "pg7", "w"])), 0, 69)
      unique = substr(join("", compact([local.prefix, "pg7", local.random])), 0, 53)
      slug   = "pg7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,69}$"
      length = { min = 1, max = 69 }
    }
    powerbi_account = {
      name   = substr(join("-", compact([local.prefix, "pa8", "w"])), 0, 70)
      unique = substr(join("", compact([local.prefix, "pa8", local.random])), 0, 54)
      slug   = "pa8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,70}$"
      length = { min = 1, max = 70 }
    }
    powerbi_group = {
      name   = substr(join("-", compact([local.prefix, "pg0", "w"])), 0, 71)
      unique = substr(join("", compact([local.prefix, "pg0", local.random])), 0, 55)
      slug   = "pg0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,71}$"
      length = { min = 1, max = 71 }
    }
    powerbi_link = {
      name   = substr(join("-", compact([local.prefix, "pl1", "w"])), 0, 72)
      unique = substr(join("", compact([local.prefix, "pl1", local.random])), 0, 56)
      slug   = "pl1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,72}$"
      length = { min = 1, max = 72 }
    }
    powerbi_network = {
      name   = substr(join("-", compact([local.prefix, "pn2", "w"])), 0, 73)
      unique = substr(join("", compact([local.prefix, "pn2", local.random])), 0, 57)
      slug   = "pn2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,73}$"
      length = { min = 1, max = 73 }
    }
    powerbi_rule = {
      name   = substr(join("-", compact([local.prefix, "pr3", "w"])), 0, 74)
      unique = substr(join("", compact([local.prefix, "pr3", local.random])), 0, 58)
      slug   = "pr3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,74}$"
      length = { min = 1, max = 74 }
    }
    powerbi_server = {
      name   = substr(join("-", compact([local.prefix, "ps4", "w"])), 0, 75)
      unique = substr(join("", compact([local.prefix, "ps4", local.random])), 0, 59)
      slug   = "ps4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,75}$"
      length = { min = 1, max = 75 }
    }
    powerbi_set = {
      name   = substr(join("-", compact([local.prefix, "ps5", "w"])), 0, 76)
      unique = substr(join("", compact([local.prefix, "ps5", local.random])), 0, 60)
      slug   = "ps5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,76}$"
      length = { min = 1, max = 76 }
    }
    powerbi_vault = {
      name   = substr(join("-", compact([local.prefix, "pv6", "w"])), 0, 77)
      unique = substr(join("", compact([local.prefix, "pv6", local.random])), 0, 61)
      slug   = "pv6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,77}$"
      length = { min = 1, max = 77 }
    }
    powerbi_zone = {
      name   = substr(join("-", compact([local.prefix, "pz7", "w"])), 0, 78)
      unique = substr(join("", compact([local.prefix, "pz7", local.random])), 0, 62)
      slug   = "pz7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,78}$"
      length = { min = 1, max = 78 }
    }
    powerbi_gateway = {
      name   = substr(join("-", compact([local.prefix, "pg8", "w"])), 0, 79)
      unique = substr(join("", compact([local.prefix, "pg8", local.random])), 0, 63)
      slug   = "pg8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,79}$"
      length = { min = 1, max = 79 }
    }
    private_account = {
      name   = substr(join("-", compact([local.prefix, "pa0", "w"])), 0, 20)
      unique = substr(join("", compact([local.prefix, "pa0", local.random])), 0, 24)
      slug   = "pa0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,20}$"
      length = { min = 1, max = 20 }
    }
    private_group = {
      name   = substr(join("-", compact([local.prefix, "pg1", "w"])), 0, 21)
      unique = substr(join("", compact([local.prefix, "pg1", local.random])), 0, 25)
      slug   = "pg1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,21}$"
      length = { min = 1, max = 21 }
    }
    private_link = {
      name   = substr(join("-", compact([local.prefix, "pl2", "w"])), 0, 22)
      unique = substr(join("", compact([local.prefix, "pl2", local.random])), 0, 26)
      slug   = "pl2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,22}$"
      length = { min = 1, max = 22 }
    }
    private_network = {
      name   = substr(join("-", compact([local.prefix, "pn3", "w"])), 0, 23)
      unique = substr(join("", compact([local.prefix, "pn3", local.random])), 0, 27)
      slug   = "pn3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,23}$"
      length = { min = 1, max = 23 }
    }
    private_rule = {
      name   = substr(join("-", compact([local.prefix, "pr4", "w"])), 0, 24)
      unique = substr(join("", compact([local.prefix, "pr4", local.random])), 0, 28)
      slug   = "pr4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,24}$"
      length = { min = 1, max = 24 }
    }
    private_server = {
      name   = substr(join("-", compact([local.prefix, "ps5", "w"])), 0, 25)
      unique = substr(join("", compact([local.prefix, "ps5", local.random])), 0, 29)
      slug   = "ps5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,25}$"
      length = { min = 1, max = 25 }
    }
    private_set = {
      name   = substr(join("-", compact([local.prefix, "ps6", "w"])), 0, 26)
      unique = substr(join("", compact([local.prefix, "ps6", local.random])), 0, 30)
      slug   = "ps6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,26}$"
      length = { min = 1, max = 26 }
    }
    private_vault = {
      name   = substr(join("-", compact([local.prefix, "pv7", "w"])), 0, 27)
      unique = substr(join("", compact([local.prefix, "pv7", local.random])), 0, 31)
      slug   = "pv7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,27}$"
      length = { min = 1, max = 27 }
    }
    private_zone = {
      name   = substr(join("-", compact([local.prefix, "pz8", "w"])), 0, 28)
      unique = substr(join("", compact([local.prefix, "pz8", local.random])), 0, 32)
      slug   = "pz8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,28}$"
      length = { min = 1, max = 28 }
    }
    private_gateway = {
      name   = substr(join("-", compact([local.prefix, "pg0", "w"])), 0, 29)
      unique = substr(join("", compact([local.prefix, "pg0", local.random])), 0, 33)
      slug   = "pg0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,29}$"
      length = { min = 1, max = 29 }
    }
    public_account = {
      name   = substr(join("-", compact([local.prefix, "pa1", "w"])), 0, 30)
      unique = substr(join("", compact([local.prefix, "pa1", local.random])), 0, 34)
      slug   = "pa1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,30}$"
      length = { min = 1, max = 30 }
    }
    public_group = {
      name   = substr(join("-", compact([local.prefix, "pg2", "w"])), 0, 31)
      unique = substr(join("", compact([local.prefix, "pg2", local.random])), 0, 35)
      slug   = "pg2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,31}$"
      length = { min = 1, max = 31 }
    }
    public_link = {
      name   = substr(join("-", compact([local.prefix, "pl3", "w"])), 0, 32)
      unique = substr(join("", compact([local.prefix, "pl3", local.random])), 0, 36)
      slug   = "pl3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,32}$"
      length = { min = 1, max = 32 }
    }
    public_network = {
      name   = substr(join("-", compact([local.prefix, "pn4", "w"])), 0, 33)
      unique = substr(join("", compact([local.prefix, "pn4", local.random])), 0, 37)
      slug   = "pn4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,33}$"
      length = { min = 1, max = 33 }
    }
    public_rule = {
      name   = substr(join("-", compact([local.prefix, "pr5", "w"])), 0, 34)
      unique = substr(join("", compact([local.prefix, "pr5", local.random])), 0, 38)
      slug   = "pr5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,34}$"
      length = { min = 1, max = 34 }
    }
    public_server = {
      name   = substr(join("-", compact([local.prefix, "ps6", "w"])), 0, 35)
      unique = substr(join("", compact([local.prefix, "ps6", local.random])), 0, 39)
      slug   = "ps6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,35}$"
      length = { min = 1, max = 35 }
    }
    public_set = {
      name   = substr(join("-", compact([local.prefix, "ps7", "w"])), 0, 36)
      unique = substr(join("", compact([local.prefix, "ps7", local.random])), 0, 40)
      slug   = "ps7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,36}$"
      length = { min = 1, max = 36 }
    }
    public_vault = {
      name   = substr(join("-", compact([local.prefix, "pv8", "w"])), 0, 37)
      unique = substr(join("", compact([local.prefix, "pv8", local.random])), 0, 41)
      slug   = "pv8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,37}$"
      length = { min = 1, max = 37 }
    }
    public_zone = {
      name   = substr(join("-", compact([local.prefix, "pz0", "w"])), 0, 38)
      unique = substr(join("", compact([local.prefix, "pz0", local.random])), 0, 42)
      slug   = "pz0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,38}$"
      length = { min = 1, max = 38 }
    }
    public_gateway = {
      name   = substr(join("-", compact([local.prefix, "pg1", "w"])), 0, 39)
      unique = substr(join("", compact([local.prefix, "pg1", local.random])), 0, 43)
      slug   = "pg1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,39}$"
      length = { min = 1, max = 39 }
    }
    redis_account = {
      name   = substr(join("-", compact([local.prefix, "ra2", "w"])), 0, 40)
      unique = substr(join("", compact([local.prefix, "ra2", local.random])), 0, 44)
      slug   = "ra2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,40}$"
      length = { min = 1, max = 40 }
    }
    redis_group = {
      name   = substr(join("-", compact([local.prefix, "rg3", "w"])), 0, 41)
      unique = substr(join("", compact([local.prefix, "rg3", local.random])), 0, 45)
      slug   = "rg3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,41}$"
      length = { min = 1, max = 41 }
    }
    redis_link = {
      name   = substr(join("-", compact([local.prefix, "rl4", "w"])), 0, 42)
      unique = substr(join("", compact([local.prefix, "rl4", local.random])), 0, 46)
      slug   = "rl4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,42}$"
      length = { min = 1, max = 42 }
    }
    redis_network = {
      name   = substr(join("-", compact([local.prefix, "rn5", "w"])), 0, 43)
      unique = substr(join("", compact([local.prefix, "rn5", local.random])), 0, 47)
      slug   = "rn5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,43}$"
      length = { min = 1, max = 43 }
    }
    redis_rule = {
      name   = substr(join("-", compact([local.prefix, "rr6", "w"])), 0, 44)
      unique = substr(join("", compact([local.prefix, "rr6", local.random])), 0, 48)
      slug   = "rr6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,44}$"
      length = { min = 1, max = 44 }
    }
    redis_server = {
      name   = substr(join("-", compact([local.prefix, "rs7", "w"])), 0, 45)
      unique = substr(join("", compact([local.prefix, "rs7", local.random])), 0, 49)
      slug   = "rs7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,45}$"
      length = { min = 1, max = 45 }
    }
    redis_set = {
      name   = substr(join("-", compact([local.prefix, "rs8", "w"])), 0, 46)
      unique = substr(join("", compact([local.prefix, "rs8", local.random])), 0, 50)
      slug   = "rs8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,46}$"
      length = { min = 1, max = 46 }
    }
    redis_vault = {
      name   = substr(join("-", compact([local.prefix, "rv0", "w"])), 0, 47)
      unique = substr(join("", compact([local.prefix, "rv0", local.random])), 0, 51)
      slug   = "rv0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,47}$"
      length = { min = 1, max = 47 }
    }
    redis_zone = {
      name   = substr(join("-", compact([local.prefix, "rz1", "w"])), 0, 48)
      unique = substr(join("", compact([local.prefix, "rz1", local.random])), 0, 52)
      slug   = "rz1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,48}$"
      length = { min = 1, max = 48 }
    }
    redis_gateway = {
      name   = substr(join("-", compact([local.prefix, "rg2", "w"])), 0, 49)
      unique = substr(join("", compact([local.prefix, "rg2", local.random])), 0, 53)
      slug   = "rg2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,49}$"
      length = { min = 1, max = 49 }
    }
    relay_account = {
      name   = substr(join("-", compact([local.prefix, "ra3", "w"])), 0, 50)
      unique = substr(join("", compact([local.prefix, "ra3", local.random])), 0, 54)
      slug   = "ra3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,50}$"
      length = { min = 1, max = 50 }
    }
    relay_group = {
      name   = substr(join("-", compact([local.prefix, "rg4", "w"])), 0, 51)
      unique = substr(join("", compact([local.prefix, "rg4", local.random])), 0, 55)
      slug   = "rg4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,51}$"
      length = { min = 1, max = 51 }
    }
    relay_link = {
      name   = substr(join("-", compact([local.prefix, "rl5", "w"])), 0, 52)
      unique = substr(join("", compact([local.prefix, "rl5", local.random])), 0, 56)
      slug   = "rl5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,52}$"
      length = { min = 1, max = 52 }
    }
    relay_network = {
      name   = substr(join("-", compact([local.prefix, "rn6", "w"])), 0, 53)
      unique = substr(join("", compact([local.prefix, "rn6", local.random])), 0, 57)
      slug   = "rn6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,53}$"
      length = { min = 1, max = 53 }
    }
    relay_rule = {
      name   = substr(join("-", compact([local.prefix, "rr7", "w"])), 0, 54)
      unique = substr(join("", compact([local.prefix, "rr7", local.random])), 0, 58)
      slug   = "rr7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,54}$"
      length = { min = 1, max = 54 }
    }
    relay_server = {
      name   = substr(join("-", compact([local.prefix, "rs8", "w"])), 0, 55)
      unique = substr(join("", compact([local.prefix, "rs8", local.random])), 0, 59)
      slug   = "rs8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,55}$"
      length = { min = 1, max = 55 }
    }
    relay_set = {
      name   = substr(join("-", compact([local.prefix, "rs0", "w"])), 0, 56)
      unique = substr(join("", compact([local.prefix, "rs0", local.random])), 0, 60)
      slug   = "rs0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,56}$"
      length = { min = 1, max = 56 }
    }
    relay_vault = {
      name   = substr(join("-", compact([local.prefix, "rv1", "w"])), 0, 57)
      unique = substr(join("", compact([local.prefix, "rv1", local.random])), 0, 61)
      slug   = "rv1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,57}$"
      length = { min = 1, max = 57 }
    }
    relay_zone = {
      name   = substr(join("-", compact([local.prefix, "rz2", "w"])), 0, 58)
      unique = substr(join("", compact([local.prefix, "rz2", local.random])), 0, 62)
      slug   = "rz2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,58}$"
      length = { min = 1, max = 58 }
    }
    relay_gateway = {
      name   = substr(join("-", compact([local.prefix, "rg3", "w"])), 0, 59)
      unique = substr(join("", compact([local.prefix, "rg3", local.random])), 0, 63)
      slug   = "rg3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,59}$"
      length = { min = 1, max = 59 }
    }
    role_account = {
      name   = substr(join("-", compact([local.prefix, "ra4", "w"])), 0, 60)
      unique = substr(join("", compact([local.prefix, "ra4", local.random])), 0, 24)
      slug   = "ra4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,60}$"
      length = { min = 1, max = 60 }
    }
    role_group = {
      name   = substr(join("-", compact([local.prefix, "rg5", "w"])), 0, 61)
      unique = substr(join("", compact([local.prefix, "rg5", local.random])), 0, 25)
      slug   = "rg5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,61}$"
      length = { min = 1, max = 61 }
    }
    role_link = {
      name   = substr(join("-", compact([local.prefix, "rl6", "w"])), 0, 62)
      unique = substr(join("", compact([local.prefix, "rl6", local.random])), 0, 26)
      slug   = "rl6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,62}$"
      length = { min = 1, max = 62 }
    }
    role_network = {
      name   = substr(join("-", compact([local.prefix, "rn7", "w"])), 0, 63)
      unique = substr(join("", compact([local.prefix, "rn7", local.random])), 0, 27)
      slug   = "rn7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,63}$"
      length = { min = 1, max = 63 }
    }
    role_rule = {
      name   = substr(join("-", compact([local.prefix, "rr8", "w"])), 0, 64)
      unique = substr(join("", compact([local.prefix, "rr8", local.random])), 0, 28)
      slug   = "rr8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,64}$"
      length = { min = 1, max = 64 }
    }
    role_server = {
      name   = substr(join("-", compact([local.prefix, "rs0", "w"])), 0, 65)
      unique = substr(join("", compact([local.prefix, "rs0", local.random])), 0, 29)
      slug   = "rs0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,65}$"
      length = { min = 1, max = 65 }
    }
    role_set = {
      name   = substr(join("-", compact([local.prefix, "rs1", "w"])), 0, 66)
      unique = substr(join("", compact([local.prefix, "rs1", local.random])), 0, 30)
      slug   = "rs1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,66}$"
      length = { min = 1, max = 66 }
    }
    role_vault = {
      name   = substr(join("-", compact([local.prefix, "rv2", "w"])), 0, 67)
      unique = substr(join("", compact([local.prefix, "rv2", local.random])), 0, 31)
      slug   = "rv2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,67}$"
      length = { min = 1, max = 67 }
    }
    role_zone = {
      name   = substr(join("-", compact([local.prefix, "rz3", "w"])), 0, 68)
      unique = substr(join("", compact([local.prefix, "rz3", local.random])), 0, 32)
      slug   = "rz3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,68}$"
      length = { min = 1, max = 68 }
    }
    role_gateway = {
      name   = substr(join("-", compact([local.prefix, "rg4", "w"])), 0, 69)
      unique = substr(join("", compact([local.prefix, "rg4", local.random])), 0, 33)
      slug   = "rg4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,69}$"
      length = { min = 1, max = 69 }
    }
    route_account = {
      name   = substr(join("-", compact([local.prefix, "ra5", "w"])), 0, 70)
      unique = substr(join("", compact([local.prefix, "ra5", local.random])), 0, 34)
      slug   = "ra5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,70}$"
      length = { min = 1, max = 70 }
    }
    route_group = {
      name   = substr(join("-", compact([local.prefix, "rg6", "w"])), 0, 71)
      unique = substr(join("", compact([local.prefix, "rg6", local.random])), 0, 35)
      slug   = "rg6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,71}$"
      length = { min = 1, max = 71 }
    }
    route_link = {
      name   = substr(join("-", compact([local.prefix, "rl7", "w"])), 0, 72)
      unique = substr(join("", compact([local.prefix, "rl7", local.random])), 0, 36)
      slug   = "rl7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,72}$"
      length = { min = 1, max = 72 }
    }
    route_network = {
      name   = substr(join("-", compact([local.prefix, "rn8", "w"])), 0, 73)
      unique = substr(join("", compact([local.prefix, "rn8", local.random])), 0, 37)
      slug   = "rn8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,73}$"
      length = { min = 1, max = 73 }
    }
    route_rule = {
      name   = substr(join("-", compact([local.prefix, "rr0", "w"])), 0, 74)
      unique = substr(join("", compact([local.prefix, "rr0", local.random])), 0, 38)
      slug   = "rr0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,74}$"
      length = { min = 1, max = 74 }
    }
    route_server = {
      name   = substr(join("-", compact([local.prefix, "rs1", "w"])), 0, 75)
      unique = substr(join("", compact([local.prefix, "rs1", local.random])), 0, 39)
      slug   = "rs1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,75}$"
      length = { min = 1, max = 75 }
    }
    route_set = {
      name   = substr(join("-", compact([local.prefix, "rs2", "w"])), 0, 76)
      unique = substr(join("", compact([local.prefix, "rs2", local.random])), 0, 40)
      slug   = "rs2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,76}$"
      length = { min = 1, max = 76 }
    }
    route_vault = {
      name   = substr(join("-", compact([local.prefix, "rv3", "w"])), 0, 77)
      unique = substr(join("", compact([local.prefix, "rv3", local.random])), 0, 41)
      slug   = "rv3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,77}$"
      length = { min = 1, max = 77 }
    }
    route_zone = {
      name   = substr(join("-", compact([local.prefix, "rz4", "w"])), 0, 78)
      unique = substr(join("", compact([local.prefix, "rz4", local.random])), 0, 42)
      slug   = "rz4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,78}$"
      length = { min = 1, max = 78 }
    }
    route_gateway = {
      name   = substr(join("-", compact([local.prefix, "rg5", "w"])), 0, 79)
      unique = substr(join("", compact([local.prefix, "rg5", local.random])), 0, 43)
      slug   = "rg5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,79}$"
      length = { min = 1, max = 79 }
    }
    service_account = {
      name   = substr(join("-", compact([local.prefix, "sa6", "w"])), 0, 20)
      unique = substr(join("", compact([local.prefix, "sa6", local.random])), 0, 44)
      slug   = "sa6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,20}$"
      length = { min = 1, max = 20 }
    }
    service_group = {
      name   = substr(join("-", compact([local.prefix, "sg7", "w"])), 0, 21)
      unique = substr(join("", compact([local.prefix, "sg7", local.random])), 0, 45)
      slug   = "sg7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,21}$"
      length = { min = 1, max = 21 }
    }
    service_link = {
      name   = substr(join("-", compact([local.prefix, "sl8", "w"])), 0, 22)
      unique = substr(join("", compact([local.prefix, "sl8", local.random])), 0, 46)
      slug   = "sl8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,22}$"
      length = { min = 1, max = 22 }
    }
    service_network = {
      name   = substr(join("-", compact([local.prefix, "sn0", "w"])), 0, 23)
      unique = substr(join("", compact([local.prefix, "sn0", local.random])), 0, 47)
      slug   = "sn0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,23}$"
      length = { min = 1, max = 23 }
    }
    service_rule = {
      name   = substr(join("-", compact([local.prefix, "sr1", "w"])), 0, 24)
      unique = substr(join("", compact([local.prefix, "sr1", local.random])), 0, 48)
      slug   = "sr1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,24}$"
      length = { min = 1, max = 24 }
    }
    service_server = {
      name   = substr(join("-", compact([local.prefix, "ss2", "w"])), 0, 25)
      unique = substr(join("", compact([local.prefix, "ss2", local.random])), 0, 49)
      slug   = "ss2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,25}$"
      length = { min = 1, max = 25 }
    }
    service_set = {
      name   = substr(join("-", compact([local.prefix, "ss3", "w"])), 0, 26)
      unique = substr(join("", compact([local.prefix, "ss3", local.random])), 0, 50)
      slug   = "ss3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,26}$"
      length = { min = 1, max = 26 }
    }
    service_vault = {
      name   = substr(join("-", compact([local.prefix, "sv4", "w"])), 0, 27)
      unique = substr(join("", compact([local.prefix, "sv4", local.random])), 0, 51)
      slug   = "sv4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,27}$"
      length = { min = 1, max = 27 }
    }
    service_zone = {
      name   = substr(join("-", compact([local.prefix, "sz5", "w"])), 0, 28)
      unique = substr(join("", compact([local.prefix, "sz5", local.random])), 0, 52)
      slug   = "sz5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,28}$"
      length = { min = 1, max = 28 }
    }
    service_gateway = {
      name   = substr(join("-", compact([local.prefix, "sg6", "w"])), 0, 29)
      unique = substr(join("", compact([local.prefix, "sg6", local.random])), 0, 53)
      slug   = "sg6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,29}$"
      length = { min = 1, max = 29 }
    }
    sql_account = {
      name   = substr(join("-", compact([local.prefix, "sa7", "w"])), 0, 30)
      unique = substr(join("", compact([local.prefix, "sa7", local.random])), 0, 54)
      slug   = "sa7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,30}$"
      length = { min = 1, max = 30 }
    }
    sql_group = {
      name   = substr(join("-", compact([local.prefix, "sg8", "w"])), 0, 31)
      unique = substr(join("", compact([local.prefix, "sg8", local.random])), 0, 55)
      slug   = "sg8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,31}$"
      length = { min = 1, max = 31 }
    }
    sql_link = {
      name   = substr(join("-", compact([local.prefix, "sl0", "w"])), 0, 32)
      unique = substr(join("", compact([local.prefix, "sl0", local.random])), 0, 56)
      slug   = "sl0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,32}$"
      length = { min = 1, max = 32 }
    }
    sql_network = {
      name   = substr(join("-", compact([local.prefix, "sn1", "w"])), 0, 33)
      unique = substr(join("", compact([local.prefix, "sn1", local.random])), 0, 57)
      slug   = "sn1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,33}$"
      length = { min = 1, max = 33 }
    }
    sql_rule = {
      name   = substr(join("-", compact([local.prefix, "sr2", "w"])), 0, 34)
      unique = substr(join("", compact([local.prefix, "sr2", local.random])), 0, 58)
      slug   = "sr2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,34}$"
      length = { min = 1, max = 34 }
    }
    sql_server = {
      name   = substr(join("-", compact([local.prefix, "ss3", "w"])), 0, 35)
      unique = substr(join("", compact([local.prefix, "ss3", local.random])), 0, 59)
      slug   = "ss3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,35}$"
      length = { min = 1, max = 35 }
    }
    sql_set = {
      name   = substr(join("-", compact([local.prefix, "ss4", "w"])), 0, 36)
      unique = substr(join("", compact([local.prefix, "ss4", local.random])), 0, 60)
      slug   = "ss4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,36}$"
      length = { min = 1, max = 36 }
    }
    sql_vault = {
      name   = substr(join("-", compact([local.prefix, "sv5", "w"])), 0, 37)
      unique = substr(join("", compact([local.prefix, "sv5", local.random])), 0, 61)
      slug   = "sv5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,37}$"
      length = { min = 1, max = 37 }
    }
    sql_zone = {
      name   = substr(join("-", compact([local.prefix, "sz6", "w"])), 0, 38)
      unique = substr(join("", compact([local.prefix, "sz6", local.random])), 0, 62)
      slug   = "sz6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,38}$"
      length = { min = 1, max = 38 }
    }
    sql_gateway = {
      name   = substr(join("-", compact([local.prefix, "sg7", "w"])), 0, 39)
      unique = substr(join("", compact([local.prefix, "sg7", local.random])), 0, 63)
      slug   = "sg7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,39}$"
      length = { min = 1, max = 39 }
    }
    storage_account = {
      name   = substr(join("-", compact([local.prefix, "sa8", "w"])), 0, 40)
      unique = substr(join("", compact([local.prefix, "sa8", local.random])), 0, 24)
      slug   = "sa8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,40}$"
      length = { min = 1, max = 40 }
    }
    storage_group = {
      name   = substr(join("-", compact([local.prefix, "sg0", "w"])), 0, 41)
      unique = substr(join("", compact([local.prefix, "sg0", local.random])), 0, 25)
      slug   = "sg0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,41}$"
      length = { min = 1, max = 41 }
    }
    storage_link = {
      name   = substr(join("-", compact([local.prefix, "sl1", "w"])), 0, 42)
      unique = substr(join("", compact([local.prefix, "sl1", local.random])), 0, 26)
      slug   = "sl1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,42}$"
      length = { min = 1, max = 42 }
    }
    storage_network = {
      name   = substr(join("-", compact([local.prefix, "sn2", "w"])), 0, 43)
      unique = substr(join("", compact([local.prefix, "sn2", local.random])), 0, 27)
      slug   = "sn2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,43}$"
      length = { min = 1, max = 43 }
    }
    storage_rule = {
      name   = substr(join("-", compact([local.prefix, "sr3", "w"])), 0, 44)
      unique = substr(join("", compact([local.prefix, "sr3", local.random])), 0, 28)
      slug   = "sr3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,44}$"
      length = { min = 1, max = 44 }
    }
    storage_server = {
      name   = substr(join("-", compact([local.prefix, "ss4", "w"])), 0, 45)
      unique = substr(join("", compact([local.prefix, "ss4", local.random])), 0, 29)
      slug   = "ss4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,45}$"
      length = { min = 1, max = 45 }
    }
    storage_set = {
      name   = substr(join("-", compact([local.prefix, "ss5", "w"])), 0, 46)
      unique = substr(join("", compact([local.prefix, "ss5", local.random])), 0, 30)
      slug   = "ss5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,46}$"
      length = { min = 1, max = 46 }
    }
    storage_vault = {
      name   = substr(join("-", compact([local.prefix, "sv6", "w"])), 0, 47)
      unique = substr(join("", compact([local.prefix, "sv6", local.random])), 0, 31)
      slug   = "sv6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,47}$"
      length = { min = 1, max = 47 }
    }
    storage_zone = {
      name   = substr(join("-", compact([local.prefix, "sz7", "w"])), 0, 48)
      unique = substr(join("", compact([local.prefix, "sz7", local.random])), 0, 32)
      slug   = "sz7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,48}$"
      length = { min = 1, max = 48 }
    }
    storage_gateway = {
      name   = substr(join("-", compact([local.prefix, "sg8", "w"])), 0, 49)
      unique = substr(join("", compact([local.prefix, "sg8", local.random])), 0, 33)
      slug   = "sg8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,49}$"
      length = { min = 1, max = 49 }
    }
    stream_account = {
      name   = substr(join("-", compact([local.prefix, "sa0", "w"])), 0, 50)
      unique = substr(join("", compact([local.prefix, "sa0", local.random])), 0, 34)
      slug   = "sa0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,50}$"
      length = { min = 1, max = 50 }
    }
    stream_group = {
      name   = substr(join("-", compact([local.prefix, "sg1", "w"])), 0, 51)
      unique = substr(join("", compact([local.prefix, "sg1", local.random])), 0, 35)
      slug   = "sg1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,51}$"
      length = { min = 1, max = 51 }
    }
    stream_link = {
      name   = substr(join("-", compact([local.prefix, "sl2", "w"])), 0, 52)
      unique = substr(join("", compact([local.prefix, "sl2", local.random])), 0, 36)
      slug   = "sl2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,52}$"
      length = { min = 1, max = 52 }
    }
    stream_network = {
      name   = substr(join("-", compact([local.prefix, "sn3", "w"])), 0, 53)
      unique = substr(join("", compact([local.prefix, "sn3", local.random])), 0, 37)
      slug   = "sn3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,53}$"
      length = { min = 1, max = 53 }
    }
    stream_rule = {
      name   = substr(join("-", compact([local.prefix, "sr4", "w"])), 0, 54)
      unique = substr(join("", compact([local.prefix, "sr4", local.random])), 0, 38)
      slug   = "sr4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,54}$"
      length = { min = 1, max = 54 }
    }
    stream_server = {
      name   = substr(join("-", compact([local.prefix, "ss5", "w"])), 0, 55)
      unique = substr(join("", compact([local.prefix, "ss5", local.random])), 0, 39)
      slug   = "ss5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,55}$"
      length = { min = 1, max = 55 }
    }
    stream_set = {
      name   = substr(join("-", compact([local.prefix, "ss6", "w"])), 0, 56)
      unique = substr(join("", compact([local.prefix, "ss6", local.random])), 0, 40)
      slug   = "ss6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,56}$"
      length = { min = 1, max = 56 }
    }
    stream_vault = {
      name   = substr(join("-", compact([local.prefix, "sv7", "w"])), 0, 57)
      unique = substr(join("", compact([local.prefix, "sv7", local.random])), 0, 41)
      slug   = "sv7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,57}$"
      length = { min = 1, max = 57 }
    }
    stream_zone = {
      name   = substr(join("-", compact([local.prefix, "sz8", "w"])), 0, 58)
      unique = substr(join("", compact([local.prefix, "sz8", local.random])), 0, 42)
      slug   = "sz8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,58}$"
      length = { min = 1, max = 58 }
    }
    stream_gateway = {
      name   = substr(join("-", compact([local.prefix, "sg0", "w"])), 0, 59)
      unique = substr(join("", compact([local.prefix, "sg0", local.random])), 0, 43)
      slug   = "sg0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,59}$"
      length = { min = 1, max = 59 }
    }
    synapse_account = {
      name   = substr(join("-", compact([local.prefix, "sa1", "w"])), 0, 60)
      unique = substr(join("", compact([local.prefix, "sa1", local.random])), 0, 44)
      slug   = "sa1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,60}$"
      length = { min = 1, max = 60 }
    }
    synapse_group = {
      name   = substr(join("-", compact([local.prefix, "sg2", "w"])), 0, 61)
      unique = substr(join("", compact([local.prefix, "sg2", local.random])), 0, 45)
      slug   = "sg2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,61}$"
      length = { min = 1, max = 61 }
    }
    synapse_link = {
      name   = substr(join("-", compact([local.prefix, "sl3", "w"])), 0, 62)
      unique = substr(join("", compact([local.prefix, "sl3", local.random])), 0, 46)
      slug   = "sl3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,62}$"
      length = { min = 1, max = 62 }
    }
    synapse_network = {
      name   = substr(join("-", compact([local.prefix, "sn4", "w"])), 0, 63)
      unique = substr(join("", compact([local.prefix, "sn4", local.random])), 0, 47)
      slug   = "sn4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,63}$"
      length = { min = 1, max = 63 }
    }
    synapse_rule = {
      name   = substr(join("-", compact([local.prefix, "sr5", "w"])), 0, 64)
      unique = substr(join("", compact([local.prefix, "sr5", local.random])), 0, 48)
      slug   = "sr5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,64}$"
      length = { min = 1, max = 64 }
    }
    synapse_server = {
      name   = substr(join("-", compact([local.prefix, "ss6", "w"])), 0, 65)
      unique = substr(join("", compact([local.prefix, "ss6", local.random])), 0, 49)
      slug   = "ss6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,65}$"
      length = { min = 1, max = 65 }
    }
    synapse_set = {
      name   = substr(join("-", compact([local.prefix, "ss7", "w"])), 0, 66)
      unique = substr(join("", compact([local.prefix, "ss7", local.random])), 0, 50)
      slug   = "ss7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,66}$"
      length = { min = 1, max = 66 }
    }
    synapse_vault = {
      name   = substr(join("-", compact([local.prefix, "sv8", "w"])), 0, 67)
      unique = substr(join("", compact([local.prefix, "sv8", local.random])), 0, 51)
      slug   = "sv8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,67}$"
      length = { min = 1, max = 67 }
    }
    synapse_zone = {
      name   = substr(join("-", compact([local.prefix, "sz0", "w"])), 0, 68)
      unique = substr(join("", compact([local.prefix, "sz0", local.random])), 0, 52)
      slug   = "sz0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,68}$"
      length = { min = 1, max = 68 }
    }
    synapse_gateway = {
      name   = substr(join("-", compact([local.prefix, "sg1", "w"])), 0, 69)
      unique = substr(join("", compact([local.prefix, "sg1", local.random])), 0, 53)
      slug   = "sg1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,69}$"
      length = { min = 1, max = 69 }
    }
    template_account = {
      name   = substr(join("-", compact([local.prefix, "ta2", "w"])), 0, 70)
      unique = substr(join("", compact([local.prefix, "ta2", local.random])), 0, 54)
      slug   = "ta2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,70}$"
      length = { min = 1, max = 70 }
    }
    template_group = {
      name   = substr(join("-", compact([local.prefix, "tg3", "w"])), 0, 71)
      unique = substr(join("", compact([local.prefix, "tg3", local.random])), 0, 55)
      slug   = "tg3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,71}$"
      length = { min = 1, max = 71 }
    }
    template_link = {
      name   = substr(join("-", compact([local.prefix, "tl4", "w"])), 0, 72)
      unique = substr(join("", compact([local.prefix, "tl4", local.random])), 0, 56)
      slug   = "tl4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,72}$"
      length = { min = 1, max = 72 }
    }
    template_network = {
      name   = substr(join("-", compact([local.prefix, "tn5", "w"])), 0, 73)
      unique = substr(join("", compact([local.prefix, "tn5", local.random])), 0, 57)
      slug   = "tn5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,73}$"
      length = { min = 1, max = 73 }
    }
    template_rule = {
      name   = substr(join("-", compact([local.prefix, "tr6", "w"])), 0, 74)
      unique = substr(join("", compact([local.prefix, "tr6", local.random])), 0, 58)
      slug   = "tr6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,74}$"
      length = { min = 1, max = 74 }
    }
    template_server = {
      name   = substr(join("-", compact([local.prefix, "ts7", "w"])), 0, 75)
      unique = substr(join("", compact([local.prefix, "ts7", local.random])), 0, 59)
      slug   = "ts7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,75}$"
      length = { min = 1, max = 75 }
    }
    template_set = {
      name   = substr(join("-", compact([local.prefix, "ts8", "w"])), 0, 76)
      unique = substr(join("", compact([local.prefix, "ts8", local.random])), 0, 60)
      slug   = "ts8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,76}$"
      length = { min = 1, max = 76 }
    }
    template_vault = {
      name   = substr(join("-", compact([local.prefix, "tv0", "w"])), 0, 77)
      unique = substr(join("", compact([local.prefix, "tv0", local.random])), 0, 61)
      slug   = "tv0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,77}$"
      length = { min = 1, max = 77 }
    }
    template_zone = {
      name   = substr(join("-", compact([local.prefix, "tz1", "w"])), 0, 78)
      unique = substr(join("", compact([local.prefix, "tz1", local.random])), 0, 62)
      slug   = "tz1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,78}$"
      length = { min = 1, max = 78 }
    }
    template_gateway = {
      name   = substr(join("-", compact([local.prefix, "tg2", "w"])), 0, 79)
      unique = substr(join("", compact([local.prefix, "tg2", local.random])), 0, 63)
      slug   = "tg2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,79}$"
      length = { min = 1, max = 79 }
    }
    traffic_account = {
      name   = substr(join("-", compact([local.prefix, "ta3", "w"])), 0, 20)
      unique = substr(join("", compact([local.prefix, "ta3", local.random])), 0, 24)
      slug   = "ta3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,20}$"
      length = { min = 1, max = 20 }
    }
    traffic_group = {
      name   = substr(join("-", compact([local.prefix, "tg4", "w"])), 0, 21)
      unique = substr(join("", compact([local.prefix, "tg4", local.random])), 0, 25)
      slug   = "tg4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,21}$"
      length = { min = 1, max = 21 }
    }
    traffic_link = {
      name   = substr(join("-", compact([local.prefix, "tl5", "w"])), 0, 22)
      unique = substr(join("", compact([local.prefix, "tl5", local.random])), 0, 26)
      slug   = "tl5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,22}$"
      length = { min = 1, max = 22 }
    }
    traffic_network = {
      name   = substr(join("-", compact([local.prefix, "tn6", "w"])), 0, 23)
      unique = substr(join("", compact([local.prefix, "tn6", local.random])), 0, 27)
      slug   = "tn6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,23}$"
      length = { min = 1, max = 23 }
    }
    traffic_rule = {
      name   = substr(join("-", compact([local.prefix, "tr7", "w"])), 0, 24)
      unique = substr(join("", compact([local.prefix, "tr7", local.random])), 0, 28)
      slug   = "tr7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,24}$"
      length = { min = 1, max = 24 }
    }
    traffic_server = {
      name   = substr(join("-", compact([local.prefix, "ts8", "w"])), 0, 25)
      unique = substr(join("", compact([local.prefix, "ts8", local.random])), 0, 29)
      slug   = "ts8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,25}$"
      length = { min = 1, max = 25 }
    }
    traffic_set = {
      name   = substr(join("-", compact([local.prefix, "ts0", "w"])), 0, 26)
      unique = substr(join("", compact([local.prefix, "ts0", local.random])), 0, 30)
      slug   = "ts0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,26}$"
      length = { min = 1, max = 26 }
    }
    traffic_vault = {
      name   = substr(join("-", compact([local.prefix, "tv1", "w"])), 0, 27)
      unique = substr(join("", compact([local.prefix, "tv1", local.random])), 0, 31)
      slug   = "tv1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,27}$"
      length = { min = 1, max = 27 }
    }
    traffic_zone = {
      name   = substr(join("-", compact([local.prefix, "tz2", "w"])), 0, 28)
      unique = substr(join("", compact([local.prefix, "tz2", local.random])), 0, 32)
      slug   = "tz2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,28}$"
      length = { min = 1, max = 28 }
    }
    traffic_gateway = {
      name   = substr(join("-", compact([local.prefix, "tg3", "w"])), 0, 29)
      unique = substr(join("", compact([local.prefix, "tg3", local.random])), 0, 33)
      slug   = "tg3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,29}$"
      length = { min = 1, max = 29 }
    }
    virtual_account = {
      name   = substr(join("-", compact([local.prefix, "va4", "w"])), 0, 30)
      unique = substr(join("", compact([local.prefix, "va4", local.random])), 0, 34)
      slug   = "va4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,30}$"
      length = { min = 1, max = 30 }
    }
    virtual_group = {
      name   = substr(join("-", compact([local.prefix, "vg5", "w"])), 0, 31)
      unique = substr(join("", compact([local.prefix, "vg5", local.random])), 0, 35)
      slug   = "vg5"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,31}$"
      length = { min = 1, max = 31 }
    }
    virtual_link = {
      name   = substr(join("-", compact([local.prefix, "vl6", "w"])), 0, 32)
      unique = substr(join("", compact([local.prefix, "vl6", local.random])), 0, 36)
      slug   = "vl6"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,32}$"
      length = { min = 1, max = 32 }
    }
    virtual_network = {
      name   = substr(join("-", compact([local.prefix, "vn7", "w"])), 0, 33)
      unique = substr(join("", compact([local.prefix, "vn7", local.random])), 0, 37)
      slug   = "vn7"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,33}$"
      length = { min = 1, max = 33 }
    }
    virtual_rule = {
      name   = substr(join("-", compact([local.prefix, "vr8", "w"])), 0, 34)
      unique = substr(join("", compact([local.prefix, "vr8", local.random])), 0, 38)
      slug   = "vr8"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,34}$"
      length = { min = 1, max = 34 }
    }
    virtual_server = {
      name   = substr(join("-", compact([local.prefix, "vs0", "w"])), 0, 35)
      unique = substr(join("", compact([local.prefix, "vs0", local.random])), 0, 39)
      slug   = "vs0"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,35}$"
      length = { min = 1, max = 35 }
    }
    virtual_set = {
      name   = substr(join("-", compact([local.prefix, "vs1", "w"])), 0, 36)
      unique = substr(join("", compact([local.prefix, "vs1", local.random])), 0, 40)
      slug   = "vs1"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,36}$"
      length = { min = 1, max = 36 }
    }
    virtual_vault = {
      name   = substr(join("-", compact([local.prefix, "vv2", "w"])), 0, 37)
      unique = substr(join("", compact([local.prefix, "vv2", local.random])), 0, 41)
      slug   = "vv2"
      scope  = "parent"
      regex  = "^[a-z][a-z0-9-]{0,37}$"
      length = { min = 1, max = 37 }
    }
    virtual_zone = {
      name   = substr(join("-", compact([local.prefix, "vz3", "w"])), 0, 38)
      unique = substr(join("", compact([local.prefix, "vz3", local.random])), 0, 42)
      slug   = "vz3"
      scope  = "global"
      regex  = "^[a-z][a-z0-9-]{0,38}$"
      length = { min = 1, max = 38 }
    }
    virtual_gateway = {
      name   = substr(join("-", compact([local.prefix, "vg4", "w"])), 0, 39)
      unique = substr(join("", compact([local.prefix, "vg4", local.random])), 0, 43)
      slug   = "vg4"
      scope  = "resourceGroup"
      regex  = "^[a-z][a-z0-9-]{0,39}$"
      length = { min = 1, max = 39 }
    }
  }
}

output "valid" {
  value = alltrue([for name, each in local.names : can(regex(each.regex, each.name))])
}

output "some" {
  value = { for name in ["storage_account", "key_vault"] : name => local.names[name] }
}

resource "terraform_data" "used" {
  input = local.names["storage_account"].name
}
