"""Expressions of time in German, French, Spanish, Japanese and Chinese."""

from __future__ import annotations

from datetime import datetime

import pytest

from memreview.checks.claims.dates import find_dates, value

WEDNESDAY = datetime(2026, 11, 4, 10, 2)

GERMAN = [
    ("die Wartung ist am 3. November 2026", "2026-11-03/2026-11-04"),
    ("Wartung: 03.11.2026, 14:00 Uhr", "2026-11-03T14:00/2026-11-03T14:01"),
    ("am 24.12. um 14 Uhr", "2026-12-24T14:00/2026-12-24T14:01"),
    ("Di., 03.11.2026, halb neun", "2026-11-03T08:30/2026-11-03T08:31"),
    ("vom 3. bis zum 5. November 2026", "2026-11-03/2026-11-06"),
    ("3.–5.11.2026", "2026-11-03/2026-11-06"),
    ("zwischen dem 3. und dem 12. September 2026", "2026-09-03/2026-09-13"),
    ("am siebten vierten 2016", "2016-04-07/2016-04-08"),
    ("vorgestern abgeschaltet", "2026-11-02/2026-11-03"),
    ("heute Abend gegen 22 Uhr", "2026-11-04T22:00/2026-11-04T22:01"),
    ("morgen früh", "2026-11-05T05:00/2026-11-05T09:00"),
    ("Montagmorgen geht es weiter", "2026-11-09T05:00/2026-11-09T12:00"),
    ("gilt ab übermorgen", "2026-11-06/"),
    ("seit gestern", "2026-11-03/"),
    ("seit drei Tagen", "2026-11-01/"),
    ("bis Ende November", "/2026-12-01"),
    ("bis Monatsende", "/2026-12-01"),
    ("letzte Woche umgestiegen", "2026-10-26/2026-11-02"),
    ("nächste Woche Montag", "2026-11-09/2026-11-10"),
    ("übernächste Woche", "2026-11-16/2026-11-23"),
    ("vorletztes Jahr", "2024-01-01/2025-01-01"),
    ("vor drei Wochen", "2026-10-14/2026-10-15"),
    ("in 14 Tagen", "2026-11-18/2026-11-19"),
    ("am 15. des nächsten Monats", "2026-12-15/2026-12-16"),
    ("im März nächsten Jahres", "2027-03-01/2027-04-01"),
    ("Ende Oktober 2026", "2026-10-21/2026-11-01"),
    ("Anfang nächster Woche", "2026-11-09/2026-11-12"),
    ("3. Quartal 2026", "2026-07-01/2026-10-01"),
    ("in KW 45", "2026-11-02/2026-11-09"),
    ("in der 45. Kalenderwoche", "2026-11-02/2026-11-09"),
    ("im Frühjahr 2027", "2027-03-01/2027-06-01"),
    ("in den 90er Jahren", "1990-01-01/2000-01-01"),
    ("an Heiligabend", "2026-12-24/2026-12-25"),
    ("am Buß- und Bettag 2026", "2026-11-18/2026-11-19"),
    ("die letzte Woche im Juli 2026", "2026-07-27/2026-08-03"),
    ("naechsten Maerz", "2027-03-01/2027-04-01"),
]
FRENCH = [
    ("la fermeture est prévue le 14 juillet 2026", "2026-07-14/2026-07-15"),
    ("c'était hier soir à 22h", "2026-11-03T22:00/2026-11-03T22:01"),
    ("avant-hier", "2026-11-02/2026-11-03"),
    ("on est passé la semaine dernière", "2026-10-26/2026-11-02"),
    ("lundi prochain", "2026-11-09/2026-11-10"),
    ("passage fin octobre 2026", "2026-10-21/2026-11-01"),
    ("il y a trois semaines", "2026-10-14/2026-10-15"),
    ("du 3 au 5 novembre 2026", "2026-11-03/2026-11-06"),
    ("jusqu'au 12 novembre 2026", "/2026-11-13"),
    ("à partir du 1er décembre 2026", "2026-12-01/"),
    ("le 15 du mois prochain", "2026-12-15/2026-12-16"),
    ("mi-décembre 2026", "2026-12-11/2026-12-21"),
    ("les années 80", "1980-01-01/1990-01-01"),
]
SPANISH = [
    ("desde el 5 de mayo de 2026 pasan las pruebas", "2026-05-05/"),
    ("anteayer rehicimos el índice", "2026-11-02/2026-11-03"),
    ("la semana pasada", "2026-10-26/2026-11-02"),
    ("el viernes que viene", "2026-11-06/2026-11-07"),
    ("mañana por la mañana", "2026-11-05T05:00/2026-11-05T12:00"),
    ("hace tres semanas", "2026-10-14/2026-10-15"),
    ("del 3 al 5 de noviembre de 2026", "2026-11-03/2026-11-06"),
    ("a finales de octubre de 2026", "2026-10-21/2026-11-01"),
    ("el tercer trimestre de 2026", "2026-07-01/2026-10-01"),
    ("el veintitrés de abril de dos mil veinte", "2020-04-23/2020-04-24"),
    ("el primer lunes de noviembre", "2026-11-02/2026-11-03"),
]
JAPANESE = [
    ("リリースは2026年11月12日です", "2026-11-12/2026-11-13"),
    ("2026年10月下旬に移行", "2026-10-21/2026-11-01"),
    ("先週GitLabに移行しました", "2026-10-26/2026-11-02"),
    ("明後日の午前10時", "2026-11-06T10:00/2026-11-06T10:01"),
    ("来週の月曜日まで", "/2026-11-10"),
    ("第3四半期", "2026-07-01/2026-10-01"),
    ("令和8年11月3日", "2026-11-03/2026-11-04"),
    ("11月3日から5日まで", "2026-11-03/2026-11-06"),
    ("3日前に直した", "2026-11-01/2026-11-02"),
    ("去年の10月", "2025-10-01/2025-11-01"),
]
CHINESE = [
    ("新服务器2026年11月7日上线", "2026-11-07/2026-11-08"),
    ("新服务器三天后上线", "2026-11-07/2026-11-08"),
    ("昨天部署了", "2026-11-03/2026-11-04"),
    ("上周五修好", "2026-10-30/2026-10-31"),
    ("下个月初", "2026-12-01/2026-12-11"),
    ("2026年第三季度", "2026-07-01/2026-10-01"),
    ("11月3日下午2点半", "2026-11-03T14:30/2026-11-03T14:31"),
    ("二〇二六年十一月三日", "2026-11-03/2026-11-04"),
]


@pytest.mark.parametrize(("text", "days"), [*GERMAN, *FRENCH, *SPANISH, *JAPANESE, *CHINESE])
def test_first_reading(text: str, days: str) -> None:
    found = [m for m in find_dates(text, WEDNESDAY) if m.kind == "date"]
    assert [value(m).split("|")[0] for m in found] == [days]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("halb zehn", "09:30"),
        ("viertel nach acht", "08:15"),
        ("dreiviertel acht", "07:45"),
        ("15 Uhr", "3pm"),
        ("18.12 Uhr", "18:12"),
        ("5 Uhr nachmittags", "17:00"),
        ("sept heures et demie", "07:30"),
        ("huit heures moins le quart", "07:45"),
        ("a las siete y media", "07:30"),
        ("午後3時", "15:00"),
        ("下午3点", "15:00"),
        ("montags", "every Monday"),
        ("jeden Montag", "Mondays"),
        ("tous les mardis", "Tuesdays"),
        ("cada lunes", "Mondays"),
        ("毎週火曜日", "Tuesdays"),
        ("每周二", "Tuesdays"),
        ("alle zwei Wochen", "every two weeks"),
    ],
)
def test_the_same_in_another_language(text: str, same: str) -> None:
    (one,), (other,) = find_dates(text, WEDNESDAY), find_dates(same, WEDNESDAY)
    assert one.kind == other.kind
    assert set(one.readings) & set(other.readings)


@pytest.mark.parametrize(
    "text",
    [
        "hier liegen die Vorlagen",
        "Guten Morgen zusammen",
        "das ist so, und die Mitte der Tabelle",
        "Kapitel 4.2. lesen",
        "Faktor 1.5. reicht",
        "Version 3.11. ist da",
        "im Mai-Zweig",
        "Fr. Müller und So. Kim",
        "letzte Zeile, nächster Schritt",
        "vor dem Test und nach der Prüfung",
        "le dernier argument, après le test",
        "la próxima línea, el último parámetro",
        "la segunda vez",
        "次の行、前のバージョン、最後の引数",
        "最后一行，下一个参数，三点建议",
    ],
)
def test_everyday_words(text: str) -> None:
    assert [m.text for m in find_dates(text, WEDNESDAY) if m.kind != "duration"] == []


def test_the_language_may_be_given() -> None:
    assert [value(m) for m in find_dates("hier", WEDNESDAY, lang="fr")] == ["2026-11-03/2026-11-04"]
    assert find_dates("hier", WEDNESDAY, lang="de") == ()


def test_a_word_of_another_language_is_read_beside_the_first() -> None:
    found = find_dates("The release moved from Montag to the day it was gestern planned for.", WEDNESDAY)
    assert [m.text for m in found] == ["Montag", "gestern"]
