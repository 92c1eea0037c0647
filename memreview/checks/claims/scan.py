"""Values of one kind in a text: addresses, paths, hosts, hashes, versions, identifiers, ratios, code spans.

Each finder returns places in the text as it stands. The finders know nothing of each other: who owns a character is
decided by the order in which :mod:`extract` asks them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from memreview.checks.claims.folding import CJK, W


@dataclass(frozen=True, slots=True)
class Place:
    """A value in a text: code points ``start`` to ``end``, the characters there, and the normal form."""

    start: int
    end: int
    text: str
    value: str


_URL = re.compile(rf"\b[a-z][a-z0-9+.-]{{1,12}}://[^\s<>\"'`|\\^{{}}{CJK}。、「」（），；]+", re.IGNORECASE | re.ASCII)
_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)(.{1,2000}?)(?<!`)\1(?!`)")
_SEGMENT = rf"(?:{W}|[@%+.{{}}$*~-])+"
EXTENSIONS = (
    "py|pyi|js|mjs|cjs|ts|tsx|jsx|json|jsonl|ya?ml|toml|ini|cfg|conf|md|mdx|rst|txt|sh|bash|zsh|rb|go|rs|c|h|cc|cpp|"
    "hpp|java|kt|"
    "swift|cs|php|sql|html?|css|scss|less|vue|svelte|csv|tsv|xml|lock|log|env|dockerfile|tf|proto|graphql|ipynb|pdf|"
    "png|svg|jpe?g|"
    "gif|zip|gz|tgz|tar|db|sqlite3?|pem|key|service|timer|tex|lua|ex|exs|erl|hs|ml|r|jl|gradle|cmake|mk|bat|ps1|"
    "plist|po|wasm|nix|zig"
)
_PLACE = r"(?::\d+(?:[:-]\d+)?)?"
_PATH = re.compile(
    rf"(?<!{W})(?<![/.~@:%+{{}}$*-])(?:~|\.{{1,2}}|[A-Za-z]:)?/?(?:{_SEGMENT}/)+(?:{_SEGMENT})?{_PLACE}"
    rf"|(?<!{W})(?<![/~@\[<-])/(?:{_SEGMENT}/)*{_SEGMENT}/?"
    rf"|(?<!{W})(?<![/.@-])(?:{W}|-)+(?:\.(?:{W}|-)+)*\.(?:{EXTENSIONS}){_PLACE}(?!{W}|/)"
    rf"|(?<!{W})(?<![/.@\w])\.[a-z](?:{W}|[.-])+(?!{W}|/)",
    re.IGNORECASE,
)
_PATHLIKE = re.compile(r"(?<!\S)[^\s/.]*+[/.]\S*")
"""What stands between blanks and may hold a path, which has none."""
_IPV4 = re.compile(rf"(?<!{W})(?<!\.)(\d{{1,3}}(?:\.\d{{1,3}}){{3}})(/\d{{1,2}})?(?::(\d{{1,5}}))?(?!{W}|\.\d)")
_IPV6 = re.compile(
    r"(?<![\w:.])(?=[0-9a-f:]*::|(?:[0-9a-f]{1,4}:){7})(?=[0-9a-f:]*[0-9a-f])[0-9a-f:]{3,39}(?:/\d{1,3})?(?![\w:])",
    re.IGNORECASE,
)
_TLD = (
    "com|org|net|io|dev|app|ai|co|de|fr|es|uk|eu|ch|at|jp|cn|nl|fi|pl|edu|gov|info|me|cloud|local|internal|lan|"
    "example|test|invalid|"
    "localhost|home|corp|intern|site|online|tech|xyz"
)
_HOST = re.compile(
    rf"(?<!{W})(?<![./@-])((?:[a-z0-9](?:[a-z0-9-]{{0,62}}[a-z0-9])?\.)+(?:{_TLD})|"
    rf"localhost)(?::(\d{{1,5}}))?(?!{W}|-|\.\w)",
    re.IGNORECASE,
)
_HOST_PORT = re.compile(rf"(?<!{W})(?<![./@:-])([a-z][a-z0-9-]{{1,40}}):(\d{{2,5}})(?!{W}|[:-]|\.\w)")
_UUID = re.compile(
    r"(?<![0-9a-zA-Z])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-zA-Z])", re.IGNORECASE
)
_HASH = re.compile(
    rf"(?<!{W})(?<![#/.-])(?:sha\d{{1,3}}:)?((?:(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{{7,64}}|"
    rf"(?=[0-9A-F]*[A-F])(?=[0-9A-F]*\d)[0-9A-F]{{7,64}}))(?!{W}|-)"
)
_VERSION = re.compile(
    rf"(?<!{W})(?<![.-])(?P<range>[\^~]|[<>=]=?\s?)?(?:v(?=\d))?(?P<core>\d{{1,4}}(?:\.\d{{1,5}}){{1,3}}(?:\.x)?)"
    rf"(?P<tail>(?:-(?:alpha|beta|rc|dev|pre|next|canary|snapshot|nightly)[\w.]*|(?:a|b|rc)\d+|\+[\w.]+|\.(?:post|"
    rf"dev)\d+)?)(?!{W}|\.\d|-\d)",
    re.IGNORECASE,
)
_DOTTED = re.compile(r"\d\.\d")
_BEFORE_DOT: Final = 7
"""Characters before the first dot's digit with which a version may begin: three digits, a v, a sign and a blank."""
_V_NUMBER = re.compile(rf"v(?<!{W}.)(?<![.-].)(\d{{1,4}})(?!{W}|\.\d)")
_IDENTIFIER = re.compile(
    rf"(?<!{W})(?<!-)(?:"
    r"--?[a-zA-Z][\w-]*(?:=[^\s`,;)]+)?"
    r"|[A-Z][A-Z0-9]+-\d+"
    r"|#\d+"
    r"|#[a-z][a-z0-9]*(?:-[a-z0-9]+)+"
    r"|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?:=[^\s`,;)]+)?"
    r"|[A-Z][A-Z0-9]{2,}=[^\s`,;)]+"
    r"|_*[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+(?:\(\))?"
    r"|[a-z][a-z0-9]*(?:[A-Z][a-z0-9]+)+(?:\(\))?"
    r"|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+(?:\(\))?"
    r"|[a-z][a-z0-9]*(?:-[a-z0-9]+)*-\d+[a-z]?"
    r"|[A-Za-z_][A-Za-z0-9_.]*\(\)"
    r"|@[a-z][\w-]*/[\w.-]+"
    rf")(?!{W}|-)",
    re.ASCII,
)
_RATIO = re.compile(rf"(?<!{W})(?<![./-])(\d{{1,9}})\s?/\s?(\d{{1,9}})(?!{W}|/|\.\d)")
_TRAILING = ".,;:!?)]}>'\"’”*_~"


def find_urls(text: str) -> Iterator[Place]:
    """Addresses with a scheme; a trailing slash, the scheme's and host's case and a final full stop are nothing."""
    for match in _URL.finditer(text):
        raw = match.group().rstrip(_TRAILING)
        if raw.count("(") > raw.count(")") and match.group()[len(raw) : len(raw) + 1] == ")":
            raw += ")"
        yield Place(match.start(), match.start() + len(raw), raw, normal_url(raw))


def normal_url(raw: str) -> str:
    """Scheme and host folded, percent escapes resolved, ``www.`` kept, trailing slash and empty fragment dropped."""
    scheme, _, rest = raw.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme.lower()}://{host.lower()}{slash}{unquote(path)}".rstrip("/#")


def find_code(text: str) -> Iterator[Place]:
    """Code spans of one line: the place is what stands between the back-ticks."""
    for match in _CODE.finditer(text):
        inner = match.group(2)
        left = len(inner) - len(inner.lstrip())
        start = match.start(2) + left
        body = inner.strip()
        if body:
            yield Place(start, start + len(body), body, body)


def found_near(pattern: re.Pattern[str], text: str, mark: re.Pattern[str], before: int) -> Iterator[re.Match[str]]:
    """What ``finditer`` finds, of a pattern whose matches all begin at most ``before`` characters before a mark that is
    the first one in them. It is sought there only."""
    at = end = 0
    while (hint := mark.search(text, at)) is not None:
        at = hint.start()
        for start in range(max(end, at - before), at + 1):
            match = pattern.match(text, start)
            if match is not None:
                yield match
                end = match.end()
                break
        at = max(at + 1, end)


def _paths_in(text: str) -> Iterator[re.Match[str]]:
    for part in _PATHLIKE.finditer(text):
        yield from _PATH.finditer(text, part.start(), part.end())


def find_paths(text: str) -> Iterator[Place]:
    """Paths and file names, with a place in the file (``:88``) if one follows."""
    for match in _paths_in(text):
        raw = match.group().rstrip(".,;")
        bare = raw.rstrip("/")
        if (
            len(bare) < 2
            or raw.startswith("@")
            or not any(c.isalpha() for c in bare)
            or re.match(r"[\d.,]+/[a-z]+$", raw)
            or re.fullmatch(r"[a-zA-Z]{1,3}/[a-zA-Z]{1,3}", bare)
        ):
            continue
        if ("/" in bare.strip("/") or bare.startswith(("/", "~", ".")) or "." in bare) and not _is_word_pair(raw):
            yield Place(match.start(), match.start() + len(raw), raw, normal_path(raw))


_FOLDERS = frozenset(
    """
    src lib libs app apps bin build cmd conf config configs core data db dist doc docs etc examples fixtures
    home include infra internal log logs maps migrations modules node_modules opt out package packages pkg
    plugins public resources scripts server share site spec specs src static styles system templates test tests
    tmp tools usr utils var vendor views web www assets bench benchmarks client components deploy env services
    tasks types
    """.split()
)


def _is_word_pair(raw: str) -> bool:
    """``and/or``: two plain words with a slash between are prose, unless the first is a usual folder."""
    pair = re.fullmatch(r"([^\W\d_]+)/([^\W\d_]+)", raw)
    return bool(pair) and raw.split("/")[0].lower() not in _FOLDERS


def normal_path(raw: str) -> str:
    """``./`` in front, a trailing slash and back-slashes are nothing; the home folder is written ``~``."""
    path = raw.replace("\\", "/")
    path = re.sub(r"^(?:/home/[^/]+|/Users/[^/]+|/root|[A-Za-z]:/Users/[^/]+|\$HOME)(?=/|$)", "~", path)
    while path.startswith("./"):
        path = path[2:]
    return path.rstrip("/")


def find_hosts(text: str) -> Iterator[Place]:
    """Addresses, domain names and ``host:port``; the value is ``host`` or ``host:port``, in lower case."""
    seen: list[tuple[int, int]] = []
    for match in _IPV4.finditer(text):
        if all(int(part) < 256 for part in match.group(1).split(".")):
            seen.append(match.span())
            value = match.group(1) + (match.group(2) or "") + (f":{match.group(3)}" if match.group(3) else "")
            yield Place(match.start(), match.end(), match.group(), value)
    for match in _IPV6.finditer(text) if "::" in text or text.count(":") > 6 else ():
        seen.append(match.span())
        yield Place(match.start(), match.end(), match.group(), match.group().lower())
    for pattern in (_HOST, _HOST_PORT):
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in seen):
                continue
            if pattern is _HOST_PORT and match.group(1) in _NO_HOST:
                continue
            seen.append(match.span())
            value = match.group(1).lower() + (f":{match.group(2)}" if match.group(2) else "")
            yield Place(match.start(), match.end(), match.group(), value)


_NO_HOST = frozenset(
    "port ports line lines http https at zeile ligne pid id size step page row issue pr exit code status".split()
)


def find_hashes(text: str) -> Iterator[Place]:
    """Commit hashes and uuids, in lower case."""
    taken = []
    for match in _UUID.finditer(text):
        taken.append(match.span())
        yield Place(match.start(), match.end(), match.group(), match.group().lower())
    for match in _HASH.finditer(text):
        if not any(s <= match.start() < e for s, e in taken):
            yield Place(match.start(1), match.end(1), match.group(1), match.group(1).lower())


def find_versions(text: str) -> Iterator[Place]:
    """Dotted versions and ``v2``; the value has no leading v and no range sign. One dot alone needs more to be one."""
    for match in found_near(_VERSION, text, _DOTTED, _BEFORE_DOT):
        core = match["core"]
        if core.count(".") == 1 and not (_looks_like_version(text, match)):
            continue
        if core.count(".") == 3 and all(int(p) < 256 for p in core.split(".") if p.isdigit()):
            continue
        if re.fullmatch(r"\d{1,2}\.\d{1,2}\.(?:19|20)\d\d", core):
            continue
        start = match.start("range") if match["range"] else match.start()
        yield Place(start, match.end(), text[start : match.end()], core + (match["tail"] or "").lower())
    for match in _V_NUMBER.finditer(text):
        yield Place(match.start(), match.end(), match.group(), match.group(1))
    for match in _MAJOR.finditer(text) if _MAJOR_DIGIT.search(text) else ():
        yield Place(match.start("major"), match.end("major"), match["major"], match["major"])


_KNOWN = (
    "python|node(?:js)?|node\\.js|java|php|ruby|kotlin|scala|perl|gcc|clang|llvm|cuda|django|rails|vue|angular|nuxt|"
    "vite|webpack|"
    "typescript|kubernetes|k8s|docker|alpine|ubuntu|debian|fedora|macos|ios|android|postgres(?:ql)?|mysql|mariadb|"
    "redis|mongo(?:db)?|"
    "elasticsearch|kafka|nginx|terraform|ansible|helm|gradle|maven|cmake|npm|pnpm|yarn|poetry|deno|bun|torch|"
    "pytorch|numpy|pandas|"
    "tensorflow|openssl|openapi|claude|gpt|opus|sonnet|haiku|blender|unity|godot|windows|jdk|chrome|firefox|safari|"
    "grafana|prometheus"
)
_PRODUCT = re.compile(
    rf"(?:\b(?:version|release|firmware|{_KNOWN}|go|rust|swift|flask|react|next|pip|uv|http|tls|ssl|api)|"
    r"\b(?!(?:About|Around|Roughly|Only|Nearly|Almost|Exactly|Costs?|Takes?|Over|Under|The|From|Until|Between|"
    r"Average|Mean|Median|"
    r"Factor|Score|Rate|Ratio|Threshold|Coverage|Price|Etwa|Rund|Approximately|Currently|Now)\b)[A-Z][A-Za-z+#.-]{2,}|"
    r"[A-Za-z][\w.-]*[-_@/][\w.-]*)[\s\"'`:=@)(-]{1,4}$",
)
_MAJOR = re.compile(
    rf"(?<!{W})(?:{_KNOWN})[ @-]v?(?P<major>\d{{1,3}})(?!{W}|[.,:/]\d|[%-]|\s?(?:ms|s|h|min|GB|MB|KB)\b|\s[a-z]+s\b)",
    re.IGNORECASE,
)
_MAJOR_DIGIT = re.compile(r"[a-zA-Z8][ @-]v?\d{1,3}(?!\d)", re.IGNORECASE)
"""What every major version of a product ends with."""


def _looks_like_version(text: str, match: re.Match[str]) -> bool:
    if match["range"] and match["range"].strip() in ("^", "=="):
        return True
    if match["tail"] or text[match.start()] in "vV":
        return True
    after = text[match.end() : match.end() + 14]
    if re.match(
        r"\s?(?:%|°|[a-zµ]{1,3}\b(?!\s+(?:is|on|in|to|or|as|at)\b)|[KMGT]i?B\b|€|\$|EUR|USD)", after
    ) and not re.match(r"\s(?:is|on|in|to|or|as|at|and|with|for)\b", after):
        return False
    before = text[max(0, match.start() - 24) : match.start()]
    return bool(_PRODUCT.search(before)) and not re.search(
        r"\b(?:about|around|cost|costs|price|coverage)\s*$", before, re.IGNORECASE
    )


def find_identifiers(text: str) -> Iterator[Place]:
    """Snake, camel and upper-case names, flags, tickets, ``#12``, ``NAME=value``; exact case matters."""
    for match in _IDENTIFIER.finditer(text):
        raw = match.group().rstrip(".,;:")
        if re.fullmatch(r"-[a-zA-Z]", raw) and not text[: match.start()].rstrip().endswith(("`", "'")):
            continue
        yield Place(match.start(), match.start() + len(raw), raw, raw.removesuffix("()"))


def find_ratios(text: str) -> Iterator[Place]:
    """``a/b`` of two numbers; the value is ``a/b``."""
    for match in _RATIO.finditer(text):
        yield Place(match.start(), match.end(), match.group(), f"{int(match.group(1))}/{int(match.group(2))}")
