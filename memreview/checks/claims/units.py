"""Units of numbers: each brought to a base unit of its dimension."""

from __future__ import annotations

from decimal import Decimal

from memreview.checks.claims.language import stem

_TIME = {
    "0.000000001": "ns nanosecond nanosekunde",
    "0.000001": "µs us microsecond mikrosekunde",
    "0.001": "ms msec millisecond millisekunde milliseconde milisegundo",
    "1": "s sec secs second sekunde seconde segundo sek 秒",
    "60": "min mins minute minuto 分 分钟",
    "3600": "h hr hrs hour stunde std heure hora 時間 小时",
    "86400": "d day tag jour día 日間 天",
    "604800": "week wk woche semaine semana 週間 周",
    "2592000": "month monat mois mes ヶ月 か月 个月",
    "31536000": "year yr jahr année año 年間",
}
_PLURALS = {
    "tage": "tag",
    "tagen": "tag",
    "wochen": "woche",
    "monate": "monat",
    "monaten": "monat",
    "jahre": "jahr",
    "jahren": "jahr",
    "stunden": "stunde",
    "minuten": "minute",
    "sekunden": "sekunde",
    "millisekunden": "millisekunde",
    "meses": "mes",
    "ans": "année",
}
_BYTES = {
    "1": "byte octet",
    "1000": "kb kilobyte",
    "1024": "kib",
    "1000000": "mb megabyte megaoctet",
    "1048576": "mib",
    "1000000000": "gb gigabyte gigaoctet gig",
    "1073741824": "gib",
    "1000000000000": "tb terabyte",
    "1099511627776": "tib",
}
_MONEY = {
    "eur": "€ eur euro",
    "usd": "$ usd dollar",
    "gbp": "£ gbp pound pfund",
    "jpy": "¥ jpy yen 円 日元",
    "chf": "chf franken",
    "cny": "cny rmb yuan 元 人民币",
}
_PERCENT = frozenset(
    {"%", "％", "percent", "prozent", "pct", "pourcent", "porciento", "per cent", "pour cent", "por ciento"}
)
_LONG = {
    "m": "meter metre mètre metro",
    "g": "gram gramm gramme gramo",
    "W": "watt vatio",
    "V": "volt voltio",
    "A": "ampere amp amperio",
    "Hz": "hertz",
    "l": "liter litre litro",
    "t": "tonne ton tonelada",
    "°": "celsius degree grad degré grado",
}
_SYMBOLS = ("m", "g", "W", "V", "Hz", "l", "Pa", "J", "Wh", "bit/s", "B/s", "bps")
_PREFIXES = {
    "n": "0.000000001",
    "µ": "0.000001",
    "m": "0.001",
    "c": "0.01",
    "k": "1000",
    "M": "1000000",
    "G": "1000000000",
}
_LONG_PREFIXES = {
    "milli": "0.001",
    "centi": "0.01",
    "zenti": "0.01",
    "kilo": "1000",
    "mega": "1000000",
    "giga": "1000000000",
}
_EXTRA = {
    "t": ("mass", "1000000"),
    **dict.fromkeys(("°C", "°F", "°", "度"), ("degree", "1")),
    "rpm": ("rpm", "1"),
    "vCPU": ("cpu", "1"),
    "vcpu": ("cpu", "1"),
    "bar": ("bar", "1"),
    "px": ("px", "1"),
    "Mbit": ("bit/s", "1000000"),
    "Gbit": ("bit/s", "1000000000"),
    "Mbps": ("bit/s", "1000000"),
    "Gbps": ("bit/s", "1000000000"),
    "kWh": ("Wh", "1000"),
    "kn": ("knot", "1"),
    "dB": ("dB", "1"),
}


def _table() -> dict[str, tuple[str, Decimal]]:
    """Long and lower-case forms."""
    found: dict[str, tuple[str, Decimal]] = {}
    for factor, names in _TIME.items():
        found.update({name: ("time", Decimal(factor)) for name in names.split()})
    for factor, names in _BYTES.items():
        found.update({name: ("bytes", Decimal(factor)) for name in names.split()})
    for code, names in _MONEY.items():
        found.update({name: (f"money:{code}", Decimal(1)) for name in names.split()})
    for symbol, names in _LONG.items():
        dimension, factor = _EXTRA.get(symbol, ("mass" if symbol == "g" else symbol, "1"))
        for name in names.split():
            found[name] = (dimension, Decimal(factor))
            for prefix, size in _LONG_PREFIXES.items():
                found[prefix + name] = (dimension, Decimal(factor) * Decimal(size))
    return found


def _symbols() -> dict[str, tuple[str, Decimal]]:
    """Forms in which case matters."""
    found = {name: (dimension, Decimal(factor)) for name, (dimension, factor) in _EXTRA.items()}
    for symbol in _SYMBOLS:
        dimension = "mass" if symbol == "g" else symbol
        found[symbol] = (dimension, Decimal(1))
        found.update({prefix + symbol: (dimension, Decimal(size)) for prefix, size in _PREFIXES.items()})
    found["A"] = ("A", Decimal(1))
    for name, size in (("Ko", "1000"), ("Mo", "1000000"), ("Go", "1000000000"), ("To", "1000000000000")):
        found[name] = ("bytes", Decimal(size))
    for name in ("B", "kB", "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB"):
        found[name] = ("bytes", _NAMES[name.lower()][1] if len(name) > 1 else Decimal(1))
    return found


_NAMES = _table()
_SIGNS = _symbols()


def unit(word: str) -> tuple[str, Decimal, str]:
    """(dimension, factor to its base unit, stem of the noun) of the word after a number; no dimension for a noun."""
    bare = word.strip(" -\u00a0\u202f").rstrip(".")
    if bare in _SIGNS and not (len(bare) == 1 and bare.isupper() and bare not in "WVAB"):
        dimension, factor = _SIGNS[bare]
        return dimension, factor, ""
    low = bare.lower()
    if low in _PERCENT:
        return "percent", Decimal(1), ""
    endings = (low[: -len(end)] for end in ("s", "n", "en", "es") if low.endswith(end) and len(low) > len(end) + 2)
    for form in (low, _PLURALS.get(low, ""), *endings):
        if form in _NAMES and not (len(form) == 1 and bare != form):
            dimension, factor = _NAMES[form]
            return dimension, factor, ""
    return "", Decimal(1), stem(low) if low.isalpha() else ""


def symbol(dimension: str) -> str:
    """How an amount in the base unit of a dimension is written."""
    if dimension.startswith("money:"):
        return " " + dimension[6:].upper()
    fixed = {"": "", "time": " s", "bytes": " B", "percent": " %", "mass": " g", "degree": "°", "cpu": " vCPU"}
    return fixed.get(dimension, f" {dimension}")
