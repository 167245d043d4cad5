"""hashicorp/random: values that are generated once, and kept until something they depend on changes.

Releases before 3.4.0 are treated as that one.
"""

from __future__ import annotations

import base64
import binascii
import uuid
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from harness.simulation.releases import newest_allowed
from harness.simulation.utilities.definition import (
    Creation,
    Object,
    RefusalError,
    ResourceType,
    computed,
    defaulted,
    if_changed,
    optional,
    required,
    text_of,
    whole_of,
)
from harness.simulation.utilities.keepers import KEEPERS, random_for
from harness.simulation.utilities.pets import pet_name
from harness.simulation.utilities.provider import Offer
from harness.simulation.utilities.texts import PASSWORD, RANDOM_STRING
from harness.simulation.utilities.validation import minimum_problems
from shared_nodes.config.syntax.version_constraint import Version
from shared_nodes.values.types import NUMBER, STRING, ListType
from shared_nodes.values.value import Value, integer, list_of, string
from shared_nodes.world import World

__all__ = ["random_offer"]

_RELEASES: Final = tuple(
    Version((3, minor, patch))
    for minor, patches in ((4, 4), (5, 2), (6, 4), (7, 3), (8, 2), (9, 1))
    for patch in range(patches)
)
_FIRST_WITH_BYTES: Final = Version((3, 6, 0))
_RETRY: Final = (
    "Retry the Terraform operation. If the error still occurs or happens regularly, please contact the provider "
    "developer with hardware and operating system information.\n\n"
)


def random_offer(constraints: Iterable[str]) -> Offer:
    has_bytes = newest_allowed(_RELEASES, constraints).compare(_FIRST_WITH_BYTES) >= 0
    return Offer({**_TYPES, "random_bytes": _BYTES} if has_bytes else _TYPES)


# random_id, random_bytes


def _create_id(creation: Creation) -> Object:
    drawn = random_for(creation.world, creation.owner).randbytes(whole_of(creation.planned["byte_length"]))
    return _id_attributes(drawn, text_of(creation.planned["prefix"]))


def _id_attributes(drawn: bytes, prefix: str) -> dict[str, Value]:
    url = base64.urlsafe_b64encode(drawn).decode().rstrip("=")
    forms = {
        "b64_url": url,
        "b64_std": base64.b64encode(drawn).decode(),
        "hex": drawn.hex(),
        "dec": str(int.from_bytes(drawn)),
    }
    return {"id": string(url), **{name: string(prefix + text) for name, text in forms.items()}}


def _take_over_id(_world: World, identifier: str) -> Object:
    """Import `PREFIX,ID`, or an ID alone."""
    prefix, _, encoded = identifier.rpartition(",")
    try:
        decoded = base64.b64decode(encoded + "=" * (-len(encoded) % 4), altchars=b"-_", validate=True)
    except binascii.Error as problem:
        detail = (
            "While attempting to import a random id there was a decoding error.\n\n+"
            f"{_RETRY}Original Error: illegal base64 data"
        )
        raise RefusalError("Import Random ID Error", detail) from problem
    known = {"byte_length": integer(len(decoded)), **_id_attributes(decoded, prefix)}
    return known | ({"prefix": string(prefix)} if prefix else {})


def _create_bytes(creation: Creation) -> Object:
    return _bytes_attributes(random_for(creation.world, creation.owner).randbytes(whole_of(creation.planned["length"])))


def _bytes_attributes(drawn: bytes) -> dict[str, Value]:
    return {"base64": string(base64.b64encode(drawn).decode()), "hex": string(drawn.hex())}


def _take_over_bytes(_world: World, identifier: str) -> Object:
    try:
        decoded = base64.b64decode(identifier, validate=True)
    except binascii.Error as problem:
        what = "There was an error during the parsing of the base64 string.\n\n"
        detail = f"{what}{_RETRY}Original Error: illegal base64 data"
        raise RefusalError("Import Random bytes Error", detail) from problem
    return {"length": integer(len(decoded)), **_bytes_attributes(decoded)}


_BYTES: Final = ResourceType(
    {
        "keepers": replace(KEEPERS, replaces=if_changed),
        "length": required(NUMBER, is_whole=True),
        "base64": computed(STRING, sensitive=True),
        "hex": computed(STRING, sensitive=True),
    },
    create=_create_bytes,
    take_over=_take_over_bytes,
    check=lambda config: minimum_problems("length", 1, config),
)

# random_integer


def _create_integer(creation: Creation) -> Object:
    low, high = (whole_of(creation.planned[name]) for name in ("min", "max"))
    if high < low:
        detail = "The minimum (minVal) value needs to be smaller than or equal to maximum (maxVal) value."
        raise RefusalError("Create Random Integer Error", detail)
    seed = text_of(creation.planned["seed"])
    drawn = random_for(creation.world, creation.owner, seed).randint(low, high)
    return {"result": integer(drawn), "id": string(str(drawn))}


def _take_over_integer(_world: World, identifier: str) -> Object:
    """Import `RESULT,MIN,MAX` or `RESULT,MIN,MAX,SEED`."""
    parts = identifier.split(",")
    if len(parts) not in (3, 4):
        detail = "Invalid import usage: expecting {result},{min},{max} or {result},{min},{max},{seed}"
        raise RefusalError("Import Random Integer Error", detail)
    known = {"id": string(parts[0])}
    for name, subject, text in zip(("result", "min", "max"), ("value", "min value", "max value"), parts, strict=False):
        try:
            known[name] = integer(int(text))
        except ValueError as problem:
            detail = (
                f"The {subject} supplied could not be parsed as an integer.\n\n"
                f'Original Error: strconv.ParseInt: parsing "{text}": invalid syntax'
            )
            raise RefusalError("Import Random Integer Error", detail) from problem
    return known | ({"seed": string(parts[3])} if len(parts) == 4 else {})


# random_pet, random_shuffle, random_uuid


def _create_pet(creation: Creation) -> Object:
    prefix, separator = (text_of(creation.planned[name]) for name in ("prefix", "separator"))
    chance = random_for(creation.world, creation.owner)
    name = pet_name(chance, whole_of(creation.planned["length"]), separator)
    return {"id": string(f"{prefix}{separator}{name}" if prefix else name)}


def _create_shuffle(creation: Creation) -> Object:
    planned = creation.planned
    given, wanted = planned["input"].payload, planned["result_count"]
    count = len(given) if wanted.is_null else whole_of(wanted)
    chance = random_for(creation.world, creation.owner, text_of(planned["seed"]))
    drawn: list[Value] = []
    while given and len(drawn) < count:
        drawn += chance.sample(given, len(given))
    return {"result": list_of(STRING, drawn[: max(count, 0)]), "id": string("-")}


def _create_uuid(creation: Creation) -> Object:
    drawn = string(str(uuid.UUID(bytes=random_for(creation.world, creation.owner).randbytes(16))))
    return {"result": drawn, "id": drawn}


def _take_over_uuid(_world: World, identifier: str) -> Object:
    try:
        found = string(str(uuid.UUID(identifier)))
    except ValueError as problem:
        detail = (
            f"There was an error during the parsing of the UUID.\n\n{_RETRY}Original Error: uuid string is wrong length"
        )
        raise RefusalError("Import Random UUID Error", detail) from problem
    return {"result": found, "id": found}


_TYPES: Final = {
    "random_id": ResourceType(
        {
            "keepers": KEEPERS,
            "byte_length": required(NUMBER, is_whole=True),
            "prefix": optional(STRING),
            **{name: computed(STRING) for name in ("b64_url", "b64_std", "hex", "dec", "id")},
        },
        create=_create_id,
        take_over=_take_over_id,
    ),
    "random_integer": ResourceType(
        {
            "keepers": KEEPERS,
            "min": required(NUMBER, is_whole=True),
            "max": required(NUMBER, is_whole=True),
            "seed": optional(STRING),
            "result": computed(NUMBER),
            "id": computed(STRING),
        },
        create=_create_integer,
        take_over=_take_over_integer,
    ),
    "random_password": PASSWORD,
    "random_pet": ResourceType(
        {
            "keepers": KEEPERS,
            "length": defaulted(integer(2), is_whole=True),
            "prefix": optional(STRING),
            "separator": defaulted(string("-")),
            "id": computed(STRING),
        },
        create=_create_pet,
    ),
    "random_shuffle": ResourceType(
        {
            "keepers": KEEPERS,
            "seed": optional(STRING),
            "input": required(ListType(STRING)),
            "result_count": optional(NUMBER, is_whole=True),
            "result": computed(ListType(STRING)),
            "id": computed(STRING),
        },
        create=_create_shuffle,
    ),
    "random_string": RANDOM_STRING,
    "random_uuid": ResourceType(
        {"keepers": KEEPERS, "result": computed(STRING), "id": computed(STRING)},
        create=_create_uuid,
        take_over=_take_over_uuid,
    ),
}
