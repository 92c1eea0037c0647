"""What untrusted text looks like, how wide it is, and which secrets are masked."""

from __future__ import annotations

import re
import subprocess
import sys
import time
import unicodedata

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from memreview import text

ANYTHING = st.text(st.characters(codec=None), max_size=60)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain", "plain"),
        ("a\x1b[31mred", "a␛[31mred"),
        ("\x00\x07\r\n\x7f", "␀␇␍␊␡"),
        ("tab\tstays", "tab\tstays"),
        ("c1 \x9b2J nel \x85", "c1 \\u009b2J nel \\u0085"),
        ("lines\u2028and\u2029paragraphs", "lines\\u2028and\\u2029paragraphs"),
        ("user\u202etxt.exe", "user\\u202etxt.exe"),
        ("\u2066isolate\u2069 mark\u200f arabic\u061c", "\\u2066isolate\\u2069 mark\\u200f arabic\\u061c"),
        ("zero\u200bwidth\u200d\u2060\ufeff soft\u00ad", "zero\\u200bwidth\\u200d\\u2060\\ufeff soft\\u00ad"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("private \ue000 \U000f0000", "private \\ue000 \\U000f0000"),
        ("filler \u3164 \u115f \uffa0", "filler \\u3164 \\u115f \\uffa0"),
        (text.decode(b"latin \xe9"), "latin \\xe9"),
        ("half \ud83d", "half \\ud83d"),
        ("noncharacter \ufffe \U0001ffff", "noncharacter \\ufffe \\U0001ffff"),
        ("cafe\u0301 日本 é ❤\ufe0f ß", "cafe\u0301 日本 é ❤\ufe0f ß"),
        ("\ufe0f", "\\ufe0f"),
        ("a\ufe0f\ufe0f\ufe0f", "a\ufe0f\\ufe0f\\ufe0f"),
        ("\u0301first", "◌\u0301first"),
        ("اللغة עברית", "اللغة עברית"),
    ],
)
def test_visible(raw: str, shown: str) -> None:
    assert text.visible(raw) == shown


@given(ANYTHING)
@settings(max_examples=200)
def test_visible_leaves_nothing_that_steers_a_terminal(raw: str) -> None:
    shown = text.visible(raw)
    assert not [char for char in shown if unicodedata.category(char) in {"Cc", "Cs", "Co", "Zl", "Zp"} and char != "\t"]
    assert not re.search("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u061c]", shown)
    assert "\n" not in shown


@given(ANYTHING)
@settings(max_examples=200)
def test_offsets_lead_to_the_same_characters(raw: str) -> None:
    shown, offsets = text.visible(raw), text.visible_offsets(raw)
    assert len(offsets) == len(raw) + 1
    assert offsets[-1] == len(shown)
    for index, char in enumerate(raw):
        piece = shown[offsets[index] : offsets[index + 1]]
        assert piece == char or piece[0] in "\\␛" or 0x2400 <= ord(piece[0]) <= 0x2421


@given(st.binary(max_size=60))
@settings(max_examples=100)
def test_decoding_loses_no_byte(data: bytes) -> None:
    assert text.encode(text.decode(data)) == data


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40), st.integers(-1, 30))
@settings(max_examples=200)
def test_clipped_text_fits(raw: str, width: int) -> None:
    shown = text.visible(raw)
    clipped = text.clip(shown, width)
    assert text.cells(clipped) <= max(width, 0)
    if text.cells(shown) <= width and width > 0:
        assert clipped == shown


def test_clip_cuts_between_wide_characters() -> None:
    assert text.clip("日本語の文", 6) == "日本…"
    assert text.clip("abcdef", 4) == "abc…"
    assert text.clip("e\u0301e\u0301e\u0301", 2) == "e\u0301…"
    assert text.clip("abcdef", 1) == "…"
    assert text.clip("abcdef", 0) == ""


SECRETS = [
    "sk-ant-" + "api03-aB3dE5gH7jK9mN1pQ3sT5vW7yZ",
    "ghp_" + "aB3d" * 9,
    "github_" + "pat_11ABCDEFG0123456789_abcdefghij",
    "AKIA" + "IOSFODNN7EXAMPLE",
    "AKIA" + "ABCDEFGHIJKLMNOP",
    "xoxb-" + "123456789012-abcdefABCDEF123",
    "glpat-" + "aB3dE5gH7jK9mN1pQ3sT",
    "AIza" + "SyA1234567890abcdefghijklmnopqrstuv",
    "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0" + ".SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJVadQssw5c",
    "sk_" + "live_aB3dE5gH7jK9mN1pQ3sT5vW7",
    "SG." + "aB3dE5gH7jK9mN1pQ3sT5v" + "." + "aB3dE5gH7jK9mN1pQ3sT5vW7yZaB3dE5gH7jK9mN1pQ",
]


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("frame", ["{}", "the key is `{}`, keep it", "TOKEN={} # ci", 'x: "{}"', "({})."])
def test_tokens_are_masked(secret: str, frame: str) -> None:
    raw = frame.format(secret)
    masked = text.mask_secrets(raw)
    assert len(masked) == len(raw)
    assert masked == frame.format("*" * len(secret))


def test_values_of_secret_names_and_addresses_are_masked() -> None:
    assert text.mask_secrets('password = "hunter2"') == 'password = "*******"'
    assert text.mask_secrets("db_pass: 'hunter2'") == "db_pass: '*******'"
    assert text.mask_secrets("postgres://app:s3cret@db:5432/x") == "postgres://app:******@db:5432/x"
    assert text.mask_secrets("AccountKey=" + "aB3/" * 22) == "*" * 99


def test_a_private_key_is_masked_over_its_lines() -> None:
    body = ["-----BEGIN RSA PRIVATE KEY-----", "MIIEpAIBAAKCAQEA7bqX", "abc=", "-----END RSA PRIVATE KEY-----"]
    lines = ["before", *body, "after"]
    assert text.mask_lines(lines) == ("before", *("*" * len(line) for line in body), "after")
    cut = ["-----BEGIN OPENSSH PRIVATE KEY-----", "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ", "then prose"]
    assert text.mask_lines(cut)[2] == "then prose"
    assert set("".join(text.mask_lines(cut)[:2])) == {"*"}
    assert text.mask_lines([]) == ()


@pytest.mark.parametrize(
    "harmless",
    [
        "commit 3fa9c2d1e4b5a6978877665544332211ffeeddcc fixed it",
        "12345678:3fa9c2d1e4b5a6978877665544332211ffeeddcc",
        "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "c5bda39b-1b04-44a5-b6d9-c0e47fa839f5.jsonl:3",
        "The password is kept in 1Password, ask the user.",
        "password: see the vault",
        'password = "<your password here>"',
        "Tokens expire after 2026-11-01T10:15:00.000Z",
        "Run `pnpm test --filter=@lantern/session-store` before a release",
        "APARTMENTS BUILDER APACHECONFIG",
        "https://example.com/a/b@c?d=e:f@g",
        "src/components/SessionStoreProvider.tsx:42",
    ],
)
def test_prose_hashes_and_ids_stay(harmless: str) -> None:
    assert text.mask_secrets(harmless) == harmless


@given(st.data())
@settings(max_examples=8, phases=[Phase.generate], suppress_health_check=[HealthCheck.too_slow])
def test_everything_a_detector_matches_reaches_it(data: st.DataObject) -> None:
    """The cheap question before the detectors are loaded must never be stricter than the detectors."""
    for detector in text._detectors():
        pattern = re.compile(detector.pattern.pattern, detector.pattern.flags & ~re.UNICODE | re.ASCII)
        sample = data.draw(st.from_regex(pattern)).replace("\n", " ")
        for start, end in detector.spans(sample):
            secret = sample[start:end]
            generated = len(secret) >= 20 and len(set(secret)) > 6 and sum(map(str.isdigit, secret)) > 2
            if generated or "://" in sample:
                assert text.mask_secrets(sample) != sample, (detector.pattern.pattern, sample)


def test_secrets_are_found_anywhere_in_long_text() -> None:
    secret = SECRETS[1]
    for before in (0, 10, 3_050, 4_080, 9_000):
        raw = f"{'word ' * (before // 5)} {secret} {'more ' * 2_000}\nnext line {secret}"
        assert text.mask_secrets(raw) == raw.replace(secret, "*" * len(secret))


TOKENS = ["eyJhbGciOiJIUzI1NiJ9.", "AKIA" + "IOSFODNN7EXAMPLE"]


@pytest.mark.parametrize("piece", TOKENS)
def test_a_long_run_of_tokens_is_masked_in_time(piece: str) -> None:
    started = time.process_time()
    masked = text.mask_secrets(piece * (400_000 // len(piece)))
    assert time.process_time() - started < 3
    assert set(masked) == {"*"}


@pytest.mark.parametrize(
    "piece", ["eyJ", "=", "a-", "A1", "key ", "://a:", "-----BEGIN PRIVATE KEY-----", "\u202e", "sk-"]
)
def test_hostile_text_is_masked_in_time(piece: str) -> None:
    started = time.process_time()
    text.mask_secrets(piece * (100_000 // len(piece)))
    text.visible(piece * (100_000 // len(piece)))
    assert time.process_time() - started < 3


def test_importing_text_is_cheap() -> None:
    code = "import sys, memreview.text; print([m for m in ('rich', 'detect_secrets', 'wcwidth') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
