"""From an `encryption` block to something that encrypts and decrypts files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Final

from shared_nodes.config.blocks.encryption import EncryptionSettings, NamedBlock, TargetSettings, reference_names
from shared_nodes.config.static_evaluation import StaticEvaluator
from shared_nodes.config.syntax.content import ContentSchema, read_content
from shared_nodes.config.syntax.static_reference import static_reference
from shared_nodes.encryption.keys import (
    KeyMetadata,
    Passphrase,
    derive_key,
    metadata_from_text,
    metadata_to_text,
)
from shared_nodes.encryption.payload import (
    DecryptionError,
    Payload,
    is_encrypted,
    open_sealed,
    payload_to_text,
    read_payload,
    seal,
)
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors, warning
from shared_nodes.lang.tree import Expression
from shared_nodes.record import record
from shared_nodes.values.json import Tree, dumps, loads
from shared_nodes.values.number import is_whole, to_int
from shared_nodes.values.types import NUMBER
from shared_nodes.values.value import Value
from shared_nodes.world import World

__all__ = ["NO_ENCRYPTION", "DecryptionError", "Encryption", "Target", "build_encryption", "is_encrypted"]

_UNENCRYPTED: Final = "unencrypted"
_AES_GCM: Final = "aes_gcm"
_PBKDF2: Final = "pbkdf2"
_KEY_LENGTHS: Final = (16, 24, 32)
_NONCE_LENGTH: Final = 12
_ELSEWHERE: Final = frozenset({"aws_kms", "gcp_kms", "azure_vault", "openbao", "external"})
"""Key providers and methods of OpenTofu that need another program or a service."""

_PBKDF2_ARGUMENTS: Final = ContentSchema(
    arguments=frozenset(("passphrase", "chain", "key_length", "iterations", "hash_function", "salt_length"))
)
_AES_GCM_ARGUMENTS: Final = ContentSchema(arguments=frozenset(("aad",)), required=("keys",))


@record
class Method:
    """A method with the source of its key. Without one it leaves everything as it is."""

    passphrase: Passphrase | None = None
    metadata_name: str = ""
    associated: bytes = b""


@record(frozen=False)
class Target:
    """Encrypts and decrypts one kind of file. New content always gets the same key, and a nonce of its own."""

    name: str
    methods: tuple[Method, ...]
    world: World
    _new: tuple[bytes, KeyMetadata] | None = field(default=None, init=False)

    @property
    def encrypts(self) -> bool:
        return self.methods[0].passphrase is not None

    def encrypt(self, plain: bytes, readable: Mapping[str, Tree] | None = None) -> str:
        """Return the encrypted form. `readable` are fields that stay readable."""
        method = self.methods[0]
        assert method.passphrase is not None, "only called for a target that encrypts"
        if self._new is None:
            metadata = method.passphrase.metadata(self.world.random_bytes(method.passphrase.salt_length))
            self._new = derive_key(method.passphrase, metadata), metadata
        key, metadata = self._new
        data = seal(plain, key, self.world.random_bytes(_NONCE_LENGTH), method.associated)
        return payload_to_text(Payload(data, {method.metadata_name: metadata_to_text(metadata)}), readable)

    def decrypt(self, text: str) -> bytes:
        """Return the content of an encrypted text. DecryptionError if no method can decrypt it."""
        payload = read_payload(text)
        failures: list[str] = []
        for method in self.methods:
            if method.passphrase is None:
                continue
            metadata = metadata_from_text(payload.metadata.get(method.metadata_name, ""))
            try:
                if metadata is None:
                    raise DecryptionError("no decryption key available")
                return open_sealed(payload.data, derive_key(method.passphrase, metadata), method.associated)
            except DecryptionError as failure:
                failures.append(f"attempted decryption failed for {self.name}: {failure}")
        raise DecryptionError("\n".join(["decryption failed for all provided methods", *failures]))

    def require_plain(self) -> None:
        """Check that a text that is not encrypted may be used. DecryptionError if it may not."""
        if all(method.passphrase is not None for method in self.methods):
            raise DecryptionError("encountered unencrypted payload without unencrypted method configured")


@record
class Encryption:
    state: Target | None = None
    plan: Target | None = None

    @property
    def encrypts_states(self) -> bool:
        return self.state is not None and self.state.encrypts

    def state_to_text(self, plain: str) -> str:
        """Return the text of a state file. Serial and lineage stay readable. As in the original, what is encrypted has
        no white space."""
        if self.state is None or not self.encrypts_states:
            return plain
        tree = loads(plain)
        assert isinstance(tree, dict), "a state file is an object"
        readable = {name: tree[name] for name in ("serial", "lineage")}
        return self.state.encrypt(dumps(tree).encode("utf-8", "surrogateescape"), readable)

    def state_from_text(self, text: str) -> str:
        """Return the plain text of a state file. DecryptionError if it cannot be had, or may not be plain."""
        if not is_encrypted(text):
            if text and self.state is not None:
                self.state.require_plain()
            return text
        if self.state is None:
            raise DecryptionError(
                "Unsupported state file format: This state file is encrypted and can not be read without an encryption "
                "configuration"
            )
        return self.state.decrypt(text).decode("utf-8", "surrogateescape")

    def plan_to_bytes(self, plain: bytes) -> bytes:
        if self.plan is None or not self.plan.encrypts:
            return plain
        return self.plan.encrypt(plain).encode()

    def plan_from_bytes(self, content: bytes) -> bytes:
        text = content.decode("utf-8", "replace")
        if not is_encrypted(text):
            if self.plan is not None:
                self.plan.require_plain()
            return content
        if self.plan is None:
            raise DecryptionError(
                "the given plan file is encrypted and requires a valid encryption configuration to decrypt"
            )
        return self.plan.decrypt(text)


NO_ENCRYPTION: Final = Encryption()


def build_encryption(
    settings: EncryptionSettings | None, evaluator: StaticEvaluator
) -> tuple[Encryption, list[Diagnostic]]:
    """Build what the settings ask for. With errors, nothing can be read or written."""
    if settings is None:
        return NO_ENCRYPTION, []
    problems: list[Diagnostic] = []
    builder = _Builder(settings, evaluator)
    detail = (
        "Method unencrypted is present in configuration. This is a security risk and should only be enabled during "
        "migrations."
    )
    for method in settings.methods:
        if method.type == _UNENCRYPTED:
            problems.append(warning("Unencrypted method configured", detail, settings.range))
    state, plan = builder.target("state", settings.state), builder.target("plan", settings.plan)
    for name, remote in settings.remotes.items():
        builder.target(f"remote.remote_state_datasource.{name}" if name else "remote.default", remote)
    problems.extend(builder.problems)
    return (NO_ENCRYPTION if has_errors(problems) else Encryption(state, plan)), problems


@record(frozen=False)
class _Builder:
    settings: EncryptionSettings
    evaluator: StaticEvaluator
    problems: list[Diagnostic] = field(default_factory=list)

    def target(self, name: str, settings: TargetSettings | None) -> Target | None:
        if settings is None:
            return None
        blocks = self._referenced_methods(settings)
        if settings.is_enforced and any(block.type == _UNENCRYPTED for block in blocks):
            detail = "Unable to use unencrypted method since the enforced flag is set."
            self.problems.append(error("Unencrypted method is forbidden", detail, self.settings.range))
            return None
        if len(blocks) != len(settings.methods) or not blocks:
            return None
        methods = [self._method(block) for block in blocks]
        built = tuple(method for method in methods if method is not None)
        return Target(name, built, self.evaluator.inputs.world) if len(built) == len(methods) else None

    def _referenced_methods(self, settings: TargetSettings) -> list[NamedBlock]:
        """Return the methods of a target that are declared. After a reference to something else, no more are looked
        at."""
        blocks: list[NamedBlock] = []
        for expression in settings.methods:
            reference = static_reference(expression)
            if isinstance(reference, Diagnostic):
                self.problems.append(reference)
                continue
            names = reference_names(expression)
            if names is None or len(names) != 3 or names[0] != "method":
                detail = "Expected method of form method.<type>.<name>"
                self.problems.append(error("Invalid encryption method identifier", detail, expression.range))
                break
            block = self.settings.method(*names[1:])
            if block is None:
                detail = f'There is no method "{names[1]}" "{names[2]}" block declared in the encryption block.'
                self.problems.append(error("Reference to undeclared encryption method", detail, expression.range))
                continue
            blocks.append(block)
        return blocks

    def _method(self, block: NamedBlock) -> Method | None:
        if block.type == _UNENCRYPTED:
            return Method()
        if block.type != _AES_GCM:
            self._refuse_type("encryption method", block)
            return None
        content, found = read_content(block.body, _AES_GCM_ARGUMENTS)
        self.problems.extend(found)
        if has_errors(found):
            return None
        method = self._keys(content.attributes["keys"].expression)
        if method is None or "aad" not in content.attributes:
            return method
        value = self._value(content.attributes["aad"].expression, f"method.{block.type}.{block.name}")
        octets = value.payload if value is not None and isinstance(value.payload, tuple) else ()
        return replace(method, associated=bytes(_whole_number(each, 0) for each in octets))

    def _keys(self, expression: Expression) -> Method | None:
        names = reference_names(expression)
        if names is None or len(names) != 3 or names[0] != "key_provider":
            detail = "Expected a key_provider compatible value"
            self.problems.append(error("Expected key_provider value", detail, expression.range))
            return None
        block = self.settings.key_provider(*names[1:])
        if block is None:
            detail = f'There is no key_provider "{names[1]}" "{names[2]}" block declared in the encryption block.'
            self.problems.append(error("Reference to undeclared key provider", detail, expression.range))
            return None
        address = f"key_provider.{block.type}.{block.name}"
        name = block.alias or address
        passphrase = self._passphrase(block, address)
        if passphrase is None:
            return None
        if (reason := passphrase.problem()) is not None:
            detail = f"{name} failed with error: {reason}"
            self.problems.append(error("Unable to build encryption key data", detail))
            return None
        if passphrase.key_length not in _KEY_LENGTHS:
            detail = (
                "invalid method configuration: AES-GCM requires the key length to be one of: 16, 24, 32, received "
                f"{passphrase.key_length} bytes in the encryption key"
            )
            self.problems.append(error("Invalid method configuration", detail))
            return None
        return Method(passphrase, name)

    def _passphrase(self, block: NamedBlock, address: str) -> Passphrase | None:
        if block.type != _PBKDF2:
            self._refuse_type("key_provider", block)
            return None
        content, found = read_content(block.body, _PBKDF2_ARGUMENTS)
        self.problems.extend(found)
        values = {name: self._value(each.expression, address) for name, each in content.attributes.items()}
        if has_errors(self.problems):
            return None
        if "chain" in values:
            detail = f"{address} takes its passphrase from another key provider, which is not available here."
            self.problems.append(error("Unable to build encryption key data", detail))
            return None
        default = Passphrase(b"")
        return Passphrase(
            _text(values.get("passphrase"), "").encode(),
            _whole_number(values.get("key_length"), default.key_length),
            _whole_number(values.get("iterations"), default.iterations),
            _text(values.get("hash_function"), default.hash_function),
            _whole_number(values.get("salt_length"), default.salt_length),
        )

    def _refuse_type(self, kind: str, block: NamedBlock) -> None:
        if block.type in _ELSEWHERE:
            detail = f"{block.type} needs another program or a service, which is not available here."
        elif kind == "key_provider":
            detail = f"key provider with ID {block.type} not found"
        else:
            detail = f"encryption method with ID {block.type} not found"
        self.problems.append(error(f'Error fetching {kind} "{block.type}"', detail))

    def _value(self, expression: Expression, address: str) -> Value | None:
        """Return the plain value of an argument. Everything in the block counts as a secret, so marks do not matter."""
        value, found = self.evaluator.evaluate(
            expression, self.evaluator.use(f"encryption.{address}", self.settings.range)
        )
        self.problems.extend(found)
        return None if has_errors(found) else value.unmark_deep()[0]


def _text(value: Value | None, default: str) -> str:
    return value.payload if value is not None and isinstance(value.payload, str) else default


def _whole_number(value: Value | None, default: int) -> int:
    """Return a number; the default where nothing is given, and for a fraction, as the original does."""
    if value is None or value.type != NUMBER or value.is_null or not is_whole(value.payload):
        return default
    return to_int(value.payload)
