"""Base64, character sets, gzip and URL encoding."""

from __future__ import annotations

import base64
import codecs
import re
import struct
import urllib.parse
import zlib
from functools import cache, partial
from typing import Final

from shared_nodes.flavour import Flavour
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.gunzip import GzipError, gunzip
from shared_nodes.functions.redaction import quote_unless_secret
from shared_nodes.lang.function import ArgumentError, Arguments, Function, FunctionError, Parameter
from shared_nodes.values.refinement import NOT_NULL
from shared_nodes.values.text import quoted
from shared_nodes.values.types import STRING, Type
from shared_nodes.values.value import Value, string, unknown

__all__ = ["decode_base64", "functions"]

_BASE64: Final = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


def decode_base64(text: str) -> bytes | None:
    """Decode standard base64 with required padding, or return None if the text is not base64.

    Line breaks are ignored everywhere, and stray final bits are accepted.
    """
    compact = text.replace("\r", "").replace("\n", "")
    return base64.b64decode(compact) if _BASE64.fullmatch(compact) else None


def _to_bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _base64encode(arguments: Arguments, _type: Type) -> Value:
    return string(base64.b64encode(_to_bytes(arguments[0].payload)).decode())


def _base64decode(flavour: Flavour, arguments: Arguments, _type: Type) -> Value:
    argument = arguments[0]
    if not argument.is_known:
        return unknown(STRING, NOT_NULL).with_marks(argument.marks)
    decoded = _decode_argument(argument, flavour)
    try:
        return string(decoded.decode("utf-8")).with_marks(argument.marks)
    except UnicodeDecodeError:
        raise FunctionError("the result of decoding the provided string is not valid UTF-8") from None


def _decode_argument(argument: Value, flavour: Flavour) -> bytes:
    decoded = decode_base64(argument.payload)
    if decoded is None:
        shown = quote_unless_secret(argument.payload, argument.marks, flavour)
        raise FunctionError(f"failed to decode base64 data {shown}")
    return decoded


_GZIP_HEADER: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
_EMPTY_STORED_BLOCK: Final = b"\x00\x00\x00\xff\xff"
_FINAL_STORED_BLOCK: Final = b"\x01\x00\x00\xff\xff"


def _base64gzip(arguments: Arguments, _type: Type) -> Value:
    """Compress the text.

    The framing matches the original's byte for byte: no file name or time, a flush before the end, an empty final
    block. The compressed block is zlib's; for more than a few bytes the original chooses different, equally valid
    matches and codes.
    """
    data = _to_bytes(arguments[0].payload)
    compressor = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    blocks = compressor.compress(data) + compressor.flush(zlib.Z_SYNC_FLUSH) if data else _EMPTY_STORED_BLOCK
    trailer = struct.pack("<II", zlib.crc32(data), len(data) & 0xFFFFFFFF)
    return string(base64.b64encode(_GZIP_HEADER + blocks + _FINAL_STORED_BLOCK + trailer).decode())


def _base64gunzip(flavour: Flavour, arguments: Arguments, _type: Type) -> Value:
    argument = arguments[0]
    compressed = _decode_argument(argument, flavour)
    try:
        text = gunzip(compressed).decode("utf-8", "replace")
    except GzipError as error:
        failed = "failed to gunzip bytestream" if error.in_header else "failed to read gunzip raw data"
        raise FunctionError(f"{failed}: {error}") from None
    return string(text).with_marks(argument.marks)


# IANA name as errors spell it, Python's codec, and the registered aliases in lower case.
_CHARACTER_SETS: Final = (
    ("US-ASCII", "ascii", "iso-ir-6 ansi_x3.4-1968 ansi_x3.4-1986 iso_646.irv:1991 iso646-us us ibm367 cp367 csascii"),
    ("ISO_8859-1:1987", "latin-1", "iso-ir-100 iso_8859-1 iso-8859-1 latin1 l1 ibm819 cp819 csisolatin1"),
    ("ISO_8859-2:1987", "iso8859-2", "iso-ir-101 iso_8859-2 iso-8859-2 latin2 l2 csisolatin2"),
    ("ISO_8859-3:1988", "iso8859-3", "iso-ir-109 iso_8859-3 iso-8859-3 latin3 l3 csisolatin3"),
    ("ISO_8859-4:1988", "iso8859-4", "iso-ir-110 iso_8859-4 iso-8859-4 latin4 l4 csisolatin4"),
    ("ISO_8859-5:1988", "iso8859-5", "iso-ir-144 iso_8859-5 iso-8859-5 cyrillic csisolatincyrillic"),
    ("ISO_8859-6:1987", "iso8859-6", "iso-ir-127 iso_8859-6 iso-8859-6 ecma-114 asmo-708 arabic csisolatinarabic"),
    ("ISO_8859-7:1987", "iso8859-7", "iso-ir-126 iso_8859-7 iso-8859-7 elot_928 ecma-118 greek greek8 csisolatingreek"),
    ("ISO_8859-8:1988", "iso8859-8", "iso-ir-138 iso_8859-8 iso-8859-8 hebrew csisolatinhebrew"),
    ("ISO_8859-9:1989", "iso8859-9", "iso-ir-148 iso_8859-9 iso-8859-9 latin5 l5 csisolatin5"),
    ("ISO-8859-10", "iso8859-10", "iso-ir-157 l6 iso_8859-10:1992 csisolatin6 latin6"),
    ("ISO-8859-13", "iso8859-13", "csiso885913"),
    ("ISO-8859-14", "iso8859-14", "iso-ir-199 iso_8859-14:1998 iso_8859-14 latin8 iso-celtic l8 csiso885914"),
    ("ISO-8859-15", "iso8859-15", "iso_8859-15 latin-9 csiso885915"),
    ("ISO-8859-16", "iso8859-16", "iso-ir-226 iso_8859-16:2001 iso_8859-16 latin10 l10 csiso885916"),
    ("ISO_8859-6-E", "iso8859-6", "csiso88596e iso-8859-6-e"),
    ("ISO_8859-6-I", "iso8859-6", "csiso88596i iso-8859-6-i"),
    ("ISO_8859-8-E", "iso8859-8", "csiso88598e iso-8859-8-e"),
    ("ISO_8859-8-I", "iso8859-8", "csiso88598i iso-8859-8-i"),
    ("Shift_JIS", "cp932", "ms_kanji csshiftjis"),
    ("Extended_UNIX_Code_Packed_Format_for_Japanese", "euc_jp", "cseucpkdfmtjapanese euc-jp"),
    ("EUC-KR", "cp949", "cseuckr"),
    ("ISO-2022-JP", "iso2022_jp", "csiso2022jp"),
    ("UTF-8", "utf-8", "csutf8"),
    ("UTF-16BE", "utf-16-be", "csutf16be"),
    ("UTF-16LE", "utf-16-le", "csutf16le"),
    ("UTF-16", "utf-16", "csutf16"),
    ("GBK", "gbk", "cp936 ms936 windows-936 csgbk"),
    ("GB18030", "gb18030", "csgb18030"),
    ("HZ-GB-2312", "hz", ""),
    ("Big5", "big5hkscs", "csbig5"),
    ("IBM037", "cp037", "cp037 ebcdic-cp-us ebcdic-cp-ca ebcdic-cp-wt ebcdic-cp-nl csibm037"),
    ("IBM437", "cp437", "cp437 437 cspc8codepage437"),
    ("IBM850", "cp850", "cp850 850 cspc850multilingual"),
    ("IBM852", "cp852", "cp852 852 cspcp852"),
    ("IBM855", "cp855", "cp855 855 csibm855"),
    ("IBM00858", "cp858", "ccsid00858 cp00858 pc-multilingual-850+euro csibm00858"),
    ("IBM860", "cp860", "cp860 860 csibm860"),
    ("IBM862", "cp862", "cp862 862 cspc862latinhebrew"),
    ("IBM863", "cp863", "cp863 863 csibm863"),
    ("IBM865", "cp865", "cp865 865 csibm865"),
    ("IBM866", "cp866", "cp866 866 csibm866"),
    ("IBM1047", "cp1047", "ibm-1047 csibm1047"),
    ("IBM01140", "cp1140", "ccsid01140 cp01140 ebcdic-us-37+euro csibm01140"),
    ("KOI8-R", "koi8-r", "cskoi8r"),
    ("KOI8-U", "koi8-u", "cskoi8u"),
    ("macintosh", "mac-roman", "mac csmacintosh"),
    ("windows-874", "cp874", "cswindows874"),
    *((f"windows-{page}", f"cp{page}", f"cswindows{page}") for page in range(1250, 1259)),
)
_CODECS: Final = {
    alias: (name, codec) for name, codec, aliases in _CHARACTER_SETS for alias in (name.lower(), *aliases.split())
}


def _character_set(name: str, product: str) -> tuple[str, str]:
    found = _CODECS.get(name.strip().lower())
    if found is None:
        problem = f"{quoted(name)} is not a supported IANA encoding name or alias in this {product} version"
        raise ArgumentError(1, problem)
    return found


_BASE64_SYMBOLS: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
_LINE_BREAKS: Final = frozenset(b"\r\n")


def _first_bad_base64(text: str) -> int:
    """The offset that the original's decoder reports for text that is not base64.

    It is that of the first invalid byte, or of what follows the padding. If the text ends inside a group of four, the
    offset is as many bytes before the end as the group has symbols: line breaks among them are not skipped.
    """
    source = _to_bytes(text)
    in_group = 0
    for offset, byte in enumerate(source):
        if byte in _LINE_BREAKS:
            continue
        if byte in _BASE64_SYMBOLS:
            in_group = (in_group + 1) % 4
        elif byte == ord("=") and in_group >= 2:
            return _bad_padding(source, offset + 1, in_group)
        else:
            return offset
    return len(source) - in_group


def _bad_padding(source: bytes, at: int, symbols: int) -> int:
    """The offset of the error after the first `=` of a group with this many symbols."""
    at = _after_line_breaks(source, at)
    if symbols == 2:
        if at == len(source) or source[at] != ord("="):
            return at if at == len(source) else at - 1
        at = _after_line_breaks(source, at + 1)
    return at


def _after_line_breaks(source: bytes, at: int) -> int:
    while at < len(source) and source[at] in _LINE_BREAKS:
        at += 1
    return at


def _query_escape(text: str) -> str:
    return urllib.parse.quote_plus(_to_bytes(text), safe="")


def _urlencode(arguments: Arguments, _type: Type) -> Value:
    return string(_query_escape(arguments[0].payload))


_BAD_ESCAPE: Final = re.compile(r"%(?![0-9a-fA-F]{2}).{0,2}", re.DOTALL)


def _urldecode(arguments: Arguments, _type: Type) -> Value:
    """Decode the text. Quirk: the quotes in the message are always empty."""
    text = arguments[0].payload
    bad = _BAD_ESCAPE.search(text)
    if bad is not None:
        raise FunctionError(f"failed to decode URL '': invalid URL escape {quoted(bad[0])}")
    return string(urllib.parse.unquote_plus(text, errors="replace"))


_UNICODE: Final = frozenset(("utf-8", "utf-16", "utf-16-be", "utf-16-le", "gb18030"))
_EAST_ASIAN: Final = frozenset(("cp932", "euc_jp", "cp949", "iso2022_jp", "gbk", "hz", "big5hkscs"))
_UNDEFINED: Final = "\ufffe"
_CORRECTIONS: Final[dict[str, dict[int, str]]] = {
    "cp1047": {0x5F: "^", 0xAD: "[", 0xB0: "¬", 0xBA: "Ý", 0xBB: "¨", 0xBD: "]"},
    "cp1255": {0xCA: "\u05ba"},
    "koi8-u": {0xAE: "ў", 0xBE: "Ў"},
}
# Six characters for which Python's codecs use other code points than the original.
_JAPANESE: Final = frozenset(("euc_jp", "iso2022_jp"))
_JAPANESE_FROM_PYTHON: Final = str.maketrans("〜‖−¢£¬", "～∥－￠￡￢")
_JAPANESE_TO_PYTHON: Final = str.maketrans("～∥－￠￡￢", "〜‖−¢£¬")
_PRIVATE_USE: Final = re.compile("[\ue000-\uf8ff]")


@cache
def _byte_table(codec: str) -> str:
    """The 256 characters of a one-byte character set: Python's, corrected where the original's differ.

    The original omits the control characters of the upper half from the ISO 8859 sets, except the first and the ninth.
    """
    table = [bytes((byte,)).decode(codec if codec != "cp1047" else "cp037", "replace") for byte in range(256)]
    for byte, character in _CORRECTIONS.get(codec, {}).items():
        table[byte] = character
    if codec.startswith("iso8859") and codec != "iso8859-9":
        table[0x80:0xA0] = [_UNDEFINED] * 32
    return "".join(table).replace("\ufffd", _UNDEFINED)


def _encode(text: str, codec: str) -> bytes | None:
    """Encode the text in a character set, or return None if that is impossible.

    Plain UTF-16 is big-endian with a byte order mark, and text in HZ is left in whatever mode it ends.
    """
    try:
        if codec == "utf-16":
            return b"\xfe\xff" + text.encode("utf-16-be")
        if codec in _UNICODE:
            return text.encode(codec)
        if codec not in _EAST_ASIAN:
            return codecs.charmap_encode(text, "strict", codecs.charmap_build(_byte_table(codec)))[0]
        encoded = text.translate(_JAPANESE_TO_PYTHON if codec in _JAPANESE else {}).encode(codec)
    except UnicodeEncodeError:
        return None
    if _decode(encoded, codec) != text:  # Python's codecs also accept characters that merely look alike
        return None
    return encoded.removesuffix(b"~}") if codec == "hz" and not text[-1:].isascii() else encoded


def _decode(data: bytes, codec: str) -> str | None:
    """Decode bytes, or return None if they are invalid. The replacement character itself counts as invalid."""
    if codec == "utf-16" and data[:2] not in (b"\xfe\xff", b"\xff\xfe"):
        codec = "utf-16-be"
    try:
        if codec not in _UNICODE | _EAST_ASIAN:
            return codecs.charmap_decode(data, "strict", _byte_table(codec))[0]
        text = data.decode(codec).translate(_JAPANESE_FROM_PYTHON if codec in _JAPANESE else {})
    except UnicodeDecodeError:
        return None
    undefined = "\ufffd" in text or (codec == "cp932" and _PRIVATE_USE.search(text))
    return None if undefined else text


def _text_functions(product: str) -> tuple[Function, Function]:
    def textencodebase64(arguments: Arguments, _type: Type) -> Value:
        name, codec = _character_set(arguments[1].payload, product)
        encoded = _encode(arguments[0].payload, codec)
        if encoded is None:
            raise ArgumentError(0, f"the given string contains characters that cannot be represented in {name}")
        return string(base64.b64encode(encoded).decode())

    def textdecodebase64(arguments: Arguments, _type: Type) -> Value:
        name, codec = _character_set(arguments[1].payload, product)
        source = arguments[0].payload
        data = decode_base64(source)
        if data is None:
            offset = _first_bad_base64(source)
            raise ArgumentError(0, f"the given value is has an invalid base64 symbol at offset {offset}")
        text = _decode(data, codec)
        if text is None:
            raise ArgumentError(0, f"the given string contains symbols that are not defined for {name}")
        return string(text)

    encoding = Parameter("encoding", STRING)
    return (
        Function("textdecodebase64", (Parameter("source", STRING), encoding), STRING, textdecodebase64),
        Function("textencodebase64", (Parameter("string", STRING), encoding), STRING, textencodebase64),
    )


def functions(context: FunctionContext) -> tuple[Function, ...]:
    flavour = context.flavour
    text = (Parameter("str", STRING),)
    sees_unknowns = not flavour.unknown_arguments_lose_marks
    marked_text = (Parameter("str", STRING, allow_marked=True, allow_unknown=sees_unknowns),)
    common = (
        Function("base64decode", marked_text, STRING, partial(_base64decode, flavour)),
        Function("base64encode", text, STRING, _base64encode),
        Function("base64gzip", text, STRING, _base64gzip),
        *_text_functions(flavour.product),
        Function("urlencode", text, STRING, _urlencode),
    )
    if not flavour.opentofu_functions:
        return common
    return (
        *common,
        Function("base64gunzip", marked_text, STRING, partial(_base64gunzip, flavour)),
        Function("urldecode", text, STRING, _urldecode),
    )
