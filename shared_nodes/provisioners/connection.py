"""The schema of `connection` blocks: the settings of all kinds of connection.

Which settings a connection uses depends on its type, which may be unknown until it is made. So only names that no kind
of connection has are errors.
"""

from __future__ import annotations

from typing import Final

from shared_nodes.providers.schema import SchemaAttribute, SchemaBlock
from shared_nodes.values.types import BOOL, NUMBER, STRING

__all__ = ["CONNECTION_BLOCK"]

_STRINGS: Final = (
    "agent_identity",
    "bastion_certificate",
    "bastion_host",
    "bastion_host_key",
    "bastion_password",
    "bastion_private_key",
    "bastion_user",
    "cacert",
    "certificate",
    "host_key",
    "password",
    "private_key",
    "proxy_host",
    "proxy_scheme",
    "proxy_user_name",
    "proxy_user_password",
    "script_path",
    "target_platform",
    "timeout",
    "type",
    "user",
)

CONNECTION_BLOCK: Final = SchemaBlock(
    {
        "host": SchemaAttribute(STRING, required=True),
        **{name: SchemaAttribute(STRING, optional=True) for name in _STRINGS},
        **{name: SchemaAttribute(NUMBER, optional=True) for name in ("bastion_port", "port", "proxy_port")},
        **{name: SchemaAttribute(BOOL, optional=True) for name in ("agent", "https", "insecure", "use_ntlm")},
    }
)
