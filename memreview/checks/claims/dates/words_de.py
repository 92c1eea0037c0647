"""German words of time."""

from __future__ import annotations

from memreview.checks.claims.dates.lexicon import listed, make_lexicon

_ONES = listed(
    """
    null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn
    """
)
_ONES += ["siebzehn", "achtzehn", "neunzehn"]
_TENS = ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]
_FIRSTS = listed(
    """
    erst zweit dritt viert fünft sechst siebt acht neunt zehnt elft zwölft dreizehnt vierzehnt fünfzehnt
    """
)
_FIRSTS += ["sechzehnt", "siebzehnt", "achtzehnt", "neunzehnt"]
_ENDINGS = ("e", "en", "er", "es", "em")


def _spellings(word: str) -> set[str]:
    """The word, and as it is typed without umlauts."""
    plain = word.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue").replace("ß", "ss")
    return {word, plain, word.replace("ß", "ss")}


def _numbers() -> dict[str, int]:
    found = {word: number for number, word in enumerate(_ONES)}
    found |= dict.fromkeys(("eins", "eine", "einen", "einer", "einem", "eines"), 1) | {
        "zwo": 2,
        "zweier": 2,
        "dreier": 3,
    }
    for k, ten in enumerate(_TENS, 2):
        found[ten] = 10 * k
        for one in range(1, 10):
            found[f"{_ONES[one]}und{ten}"] = 10 * k + one
    return found


def _ordinals() -> dict[str, int]:
    stems = {word: number for number, word in enumerate(_FIRSTS, 1)}
    stems["siebent"] = 7
    stems |= {"zwanzigst": 20, "dreißigst": 30, "einunddreißigst": 31}
    stems |= {f"{_ONES[one]}undzwanzigst": 20 + one for one in range(1, 10)}
    return {stem + ending: n for stem, n in stems.items() for ending in _ENDINGS}


_WEEKDAYS = ("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag")
_PARTS = (
    "frühmorgens|frühmorgen|fruehmorgens|früh|frueh|morgens|morgen|vormittags|vormittag|mittags|mittag|"
    "spätnachmittags?|"
    "nachmittags|nachmittag|spätabends|spätabend|spaetabends|abends|abend|nachts|nacht"
)

_WORDS = """
month:1 = januar jänner jaenner januars
month:2 = februar feber
month:3 = märz maerz marz
month:4 = april
month:5 = mai
month:6 = juni juno
month:7 = juli
month:8 = august
month:9 = september
month:10 = oktober
month:11 = november
month:12 = dezember
month:1,abbr = jan jän
month:2,abbr = feb febr
month:3,abbr = mär mrz
month:4,abbr = apr
month:6,abbr = jun
month:7,abbr = jul
month:8,abbr = aug
month:9,abbr = sep sept
month:10,abbr = okt
month:11,abbr = nov
month:12,abbr = dez
weekday:0 = montag
weekday:1 = dienstag
weekday:2 = mittwoch
weekday:3 = donnerstag
weekday:4 = freitag
weekday:5 = samstag sonnabend
weekday:6 = sonntag
weekday:0,plural = montags
weekday:1,plural = dienstags
weekday:2,plural = mittwochs
weekday:3,plural = donnerstags
weekday:4,plural = freitags
weekday:5,plural = samstags sonnabends
weekday:6,plural = sonntags
weekday:0,abbr = mo
weekday:1,abbr = di die
weekday:2,abbr = mi mit mitt
weekday:3,abbr = do don donn
weekday:4,abbr = fr fre frei
weekday:5,abbr = sa sam
weekday:6,abbr = so son sonn
season:0 = frühling fruehling frühjahr fruehjahr frühjahrs
season:1 = sommer sommers
season:2 = herbst herbstes
season:3 = winter winters
unit:second = sekunde sekunden sek
unit:minute = minute minuten min
unit:hour = stunde stunden std
unit:day = tag tage tagen tages tags tg
unit:night = nacht nächte nächten
unit:week = woche wochen wo
unit:month = monat monate monaten monats
unit:quarter = quartal quartale quartalen quartals
weekdays:0-4 = werktags wochentags
unit:half = hälfte halbjahr halbjahre halbjahres halbjahrs
unit:year = jahr jahre jahren jahres jahrs kalenderjahr
unit:decade = jahrzehnt jahrzehnte jahrzehnten jahrzehnts dekade
unit:century = jahrhundert jahrhunderte jahrhunderts jh jhd
unit:weekend = wochenende wochenenden wochenendes
unit:workweek = arbeitswoche arbeitswochen
unit:workday = werktag werktage werktagen arbeitstag arbeitstage arbeitstagen
short:hour = h
short:day = d
dayref:0 = heute heut heutigen
dayref:1 = morgen morgigen
dayref:-1 = gestern gestrigen
dayref:2 = übermorgen uebermorgen
dayref:-2 = vorgestern
dayref:-3 = vorvorgestern
dayref:3 = überübermorgen
attributive = heutigen morgigen gestrigen
now = jetzt
nowphrase = gerade_jetzt jetzt_gerade
rel:-1 = letzt~ vorig~ vorherig~ vorangegangen~ letzthin
rel:-1,past = vergangen~
rel:-2 = vorletzt~
rel:0 = dies~ aktuell~ laufend~ heurig~
rel:1 = nächst~ folgend~ darauffolgend~
rel:1,coming = kommend~
rel:2 = übernächst~
rel:0,same = selb~ gleich~
later = später spaeter danach darauf
earlierin = früher frueher früh
laterin = später spaeter
pod:early-morning = frühmorgens fruehmorgens früh_morgens frueh_morgens morgens_früh früh_am_morgen am_frühen_morgen
    früh frueh
pod:morning = morgen morgens vormittag vormittags morgends
pod:noon = mittag mittags
pod:lunch = mittagszeit
pod:afternoon = nachmittag nachmittags
pod:late-afternoon = spätnachmittag spätnachmittags am_späten_nachmittag
pod:evening = abend abends
pod:late-evening = spätabends spaetabends spätabend spät_abends spaet_abends am_späten_abend
pod:night = nacht nachts
pod:midnight = mitternacht mitternachts
recurpod = morgens abends nachts mittags vormittags nachmittags
edge:0 = anfang beginn
edge:1 = mitte
edge:2 = ende
adjedge:0 = früh~ frueh~
adjedge:2 = spät~ spaet~
rest = rest
of = des der von vom im in dem
in = in im
on = am an
at = um gegen gg
art = der die das den dem des
a = ein eine einer einem einen
and = und
or = oder
to = bis bis_zum bis_zur bis_einschließlich bis_inkl
until = bis bis_zum bis_zur bis_einschließlich bis_inkl
between = zwischen
and,to2 = und
from = von vom ab
since = seit seitdem
before = vor
by = spätestens spätestens_am spätestens_bis bis_spätestens
after = nach
starting = frühestens_am frühestens_ab nicht_vor nicht_vor_dem ab beginnend_am
onwards = an
about = circa ca zirka etwa ungefähr rund gegen gg so_gegen um
agopre = vor
inpre = in binnen
within = innerhalb_von binnen innerhalb_der
every = jed~ alle immer
all = ganz~
few:2-6 = paar ein_paar einige einigen mehrere mehreren wenige wenigen
for = für während über
half = halb halb~
quarterword = viertel
threequarterword = dreiviertel
oclock = uhr h
clockpast = nach
clockto = vor
weekword = kw woche kalenderwoche
yearword = jahr jahre jahres kalenderjahr
centuryword = jahrhundert jahrhunderts jh jhd
halbclock = halb
recur:day = täglich taeglich alltäglich
recur:week = wöchentlich woechentlich
recur:month = monatlich
recur:year = jährlich jaehrlich
recur:quarter = vierteljährlich quartalsweise
recur:hour = stündlich
underweek = unter_der_woche
edgeof:2-month = monatsende
edgeof:2-year = jahresende
edgeof:2-quarter = quartalsende
edgeof:0-month = monatsanfang monatsbeginn
edgeof:0-year = jahresanfang jahresbeginn
edgeof:1-month = monatsmitte
edgeof:1-year = jahresmitte
edgeof:0-week = wochenanfang wochenbeginn
edgeof:1-week = wochenmitte
suffix = ter te ten tes st nd rd th
holiday:christmas = weihnachten weihnacht weihnachtstag weihnachtsfeiertag
holiday:christmas-eve = heiligabend heilig_abend weihnachtsabend
holiday:christmas-1 = erster_weihnachtstag erster_weihnachtsfeiertag ersten_weihnachtstag ersten_weihnachtsfeiertag
    1_._weihnachtstag 1_._weihnachtsfeiertag
holiday:christmas-2 = zweiter_weihnachtstag zweiter_weihnachtsfeiertag zweiten_weihnachtstag
    zweiten_weihnachtsfeiertag 2_._weihnachtstag 2_._weihnachtsfeiertag
holiday:new-year = neujahr neujahrstag
holiday:new-years-eve = silvester
holiday:epiphany = dreikönigstag heilige_drei_könige
holiday:easter = ostern ostersonntag
holiday:easter-monday = ostermontag
holiday:good-friday = karfreitag
holiday:holy-saturday = karsamstag
holiday:maundy-thursday = gründonnerstag
holiday:palm-sunday = palmsonntag
holiday:ascension = christi_himmelfahrt himmelfahrt vatertag
holiday:pentecost = pfingsten pfingstsonntag
holiday:whit-monday = pfingstmontag
holiday:corpus-christi = fronleichnam
holiday:ash-wednesday = aschermittwoch
holiday:rose-monday = rosenmontag
holiday:shrove-tuesday = fastnacht fastnachtsdienstag faschingsdienstag veilchendienstag
holiday:carnival-sunday = fastnachtssonntag faschingssonntag
holiday:carnival-thursday = weiberfastnacht
holiday:labour = tag_der_arbeit maifeiertag
holiday:german-unity = tag_der_deutschen_einheit
holiday:reformation = reformationstag
holiday:all-saints = allerheiligen
holiday:all-souls = allerseelen
holiday:st-martin = martinstag sankt_martin
holiday:st-nicholas = nikolaus nikolaustag
holiday:repentance = buß-_und_bettag buß_-_und_bettag buß_und_bettag
holiday:advent-1 = erster_advent ersten_advent 1_._advent
holiday:advent-2 = zweiter_advent zweiten_advent 2_._advent
holiday:advent-3 = dritter_advent dritten_advent 3_._advent
holiday:advent-4 = vierter_advent vierten_advent 4_._advent
holiday:eternity = totensonntag ewigkeitssonntag
holiday:memorial-de = volkstrauertag
holiday:harvest = erntedankfest erntedank
holiday:assumption = mariä_himmelfahrt maria_himmelfahrt
holiday:augsburg = augsburger_friedensfest friedensfest
holiday:peter-paul = peter_und_paul
holiday:st-barbara = barbaratag
holiday:mothers-day = muttertag
holiday:valentine = valentinstag
holiday:womens-day = weltfrauentag frauentag
holiday:halloween = halloween
holiday:swiss = bundesfeier bundesfeiertag
holiday:austrian = nationalfeiertag
holiday:black-friday = black_friday
holiday:candlemas = lichtmess mariä_lichtmess
holiday:midsummer = johannistag
holiday:immaculate = mariä_empfängnis
"""

_CUES = """
der die das anfang ende mitte und ist nicht ich wir du er sie es am im um den dem des ein eine einen einem auf für
mit von zu bis vom zum zur uhr war wird werden wurde sind hat haben auch noch schon aber oder wenn dass bei aus nach
vor seit hier dann nur bin kann soll wie was wo mein dein sich als an ab gegen kein keine
"""

GERMAN = make_lexicon(
    "de",
    _WORDS,
    _CUES,
    numbers=_numbers(),
    ordinals=_ordinals(),
    dotted=True,
    endings=_ENDINGS,
    spellings=_spellings,
    compound=rf"^({'|'.join(_WEEKDAYS)}|sonnabend|heute|gestern)s?({_PARTS})$",
)
