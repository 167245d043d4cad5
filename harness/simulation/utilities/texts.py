"""`random_string` and `random_password`: texts of chosen kinds of characters.

They differ in what is sensitive, in the id, and in that a password comes with its bcrypt hash.
"""

from __future__ import annotations

import random
import string as ascii_characters
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from harness.simulation.utilities.definition import (
    Attribute,
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
from harness.simulation.utilities.validation import attribute_problem, minimum_problems, sum_problems
from shared_nodes.functions.hashes import LONGEST_BCRYPT_PASSWORD, bcrypt_hash
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.providers.schema import SchemaAttribute
from shared_nodes.values.json import JsonNumber, Tree
from shared_nodes.values.types import BOOL, NUMBER, STRING
from shared_nodes.values.value import TRUE, Value, boolean, integer, string
from shared_nodes.world import World

__all__ = ["PASSWORD", "RANDOM_STRING"]

_KINDS: Final = {
    "upper": ascii_characters.ascii_uppercase,
    "lower": ascii_characters.ascii_lowercase,
    "numeric": ascii_characters.digits,
    "special": "!@#$%&*()-_=+[]{}<>:?",
}
_MINIMA: Final = ("min_upper", "min_lower", "min_numeric", "min_special")
_PASSWORD_ID: Final = "none"
_BCRYPT_COST: Final = 10


def _unless_emptied(_planned: Value, config: Value, prior: Value) -> bool:
    """Return whether a change of `override_special` replaces the object: always, except from an empty text to null,
    which one release confused."""
    return config.is_known and not (config.is_null and not prior.is_null and prior.payload == "")


def _attributes(*, is_password: bool) -> Mapping[str, Attribute]:
    number = Attribute(
        SchemaAttribute(BOOL, optional=True, computed=True, deprecated=True),
        replaces=if_changed,
        deprecation="**NOTE**: This is deprecated, use `numeric` instead.",
    )
    return {
        "keepers": KEEPERS,
        "length": required(NUMBER, is_whole=True),
        **{name: defaulted(TRUE) for name in ("special", "upper", "lower")},
        "number": number,
        "numeric": Attribute(SchemaAttribute(BOOL, optional=True, computed=True), replaces=if_changed),
        **{name: defaulted(integer(0), is_whole=True) for name in _MINIMA},
        "override_special": optional(STRING, replaces=_unless_emptied),
        "result": computed(STRING, sensitive=is_password),
        **({"bcrypt_hash": computed(STRING, sensitive=True)} if is_password else {}),
        "id": computed(STRING),
    }


def _settle(config: Object, planned: Object) -> Object:
    """Make `number` and `numeric` the same: the one that is configured decides, and both are true by default."""
    number, numeric = config["number"], config["numeric"]
    if number.is_null:
        decided = TRUE if numeric.is_null else numeric
    elif numeric.is_null:
        decided = number
    elif _truth(number) == _truth(numeric):
        return planned
    else:
        summary = "Number and numeric are both configured with different values"
        raise RefusalError(summary, "Number is deprecated, use numeric instead")
    return {**planned, "number": decided, "numeric": decided}


def _truth(value: Value) -> bool:
    return value.is_known and not value.is_null and bool(value.payload)


def _check(config: Object) -> Iterator[Diagnostic]:
    yield from minimum_problems("length", 1, config)
    yield from sum_problems("length", _MINIMA, config)
    others = ("special", "upper", "lower")
    if any(not config[name].is_known or config[name].is_null or config[name].payload for name in others):
        return
    for name in ("number", "numeric"):
        if not config[name].is_null and not _truth(config[name]):
            detail = f"At least one attribute out of [{','.join((*others, name))}] must be specified as true"
            yield attribute_problem(name, "Invalid Attribute Combination", detail)


def _generate(chance: random.Random, wanted: Object) -> str:
    override = text_of(wanted["override_special"])
    kinds = {**_KINDS, "special": override} if override else _KINDS
    every = "".join(characters for kind, characters in kinds.items() if wanted[kind].payload)
    if not every:
        detail = (
            "While attempting to generate a random value for this resource, a read error was generated.\n\nRetry the "
            "Terraform operation. If the error still occurs or happens regularly, please contact the provider "
            "developer with hardware and operating system information.\n\nOriginal Error: the character set specified "
            "is empty"
        )
        raise RefusalError("Random Read Error", detail)
    drawn = [
        character for kind in kinds for character in chance.choices(kinds[kind], k=whole_of(wanted[f"min_{kind}"]))
    ]
    drawn += chance.choices(every, k=whole_of(wanted["length"]) - len(drawn))
    chance.shuffle(drawn)
    return "".join(drawn)


def _create(is_password: bool, creation: Creation) -> Object:
    chance = random_for(creation.world, creation.owner)
    text = _generate(chance, creation.planned)
    if not is_password:
        return {"result": string(text), "id": string(text)}
    hashed = _hash(text, chance.randbytes(16))
    return {"result": string(text), "id": string(_PASSWORD_ID), "bcrypt_hash": string(hashed)}


def _hash(text: str, salt: bytes) -> str:
    return bcrypt_hash(text.encode()[:LONGEST_BCRYPT_PASSWORD], _BCRYPT_COST, salt)


def _take_over(is_password: bool, world: World, identifier: str) -> Object:
    known: dict[str, Value] = {
        "id": string(_PASSWORD_ID if is_password else identifier),
        "result": string(identifier),
        "length": integer(len(identifier.encode())),
        **dict.fromkeys(("special", "upper", "lower", "number", "numeric"), boolean(True)),
        **dict.fromkeys(_MINIMA, integer(0)),
    }
    return known | {"bcrypt_hash": string(_hash(identifier, world.random_bytes(16)))} if is_password else known


def _upgrade(is_password: bool, world: World, stored: dict[str, Tree]) -> dict[str, Tree]:
    """Fill in what earlier schema versions lacked, or left null after an import."""
    result = stored.get("result")
    text = result if isinstance(result, str) else ""
    number = stored.get("number")
    defaults: dict[str, Tree] = {
        "length": JsonNumber(str(len(text.encode()))),
        **dict.fromkeys(("special", "upper", "lower", "number"), True),
        "numeric": True if number is None else number,
        **dict.fromkeys(_MINIMA, JsonNumber("0")),
    }
    if is_password and stored.get("bcrypt_hash") is None:
        defaults["bcrypt_hash"] = _hash(text, world.random_bytes(16))
    return stored | {name: value for name, value in defaults.items() if stored.get(name) is None}


def _text_type(*, is_password: bool, version: int) -> ResourceType:
    return ResourceType(
        _attributes(is_password=is_password),
        create=partial(_create, is_password),
        take_over=partial(_take_over, is_password),
        check=_check,
        settle=_settle,
        upgrade=partial(_upgrade, is_password),
        version=version,
    )


RANDOM_STRING: Final = _text_type(is_password=False, version=2)
PASSWORD: Final = _text_type(is_password=True, version=3)
