"""French words of time, in their common forms."""

from __future__ import annotations

from memreview.checks.claims.dates.lexicon import listed, make_lexicon

_ONES = listed(
    """
    zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept
    """
)
_ONES += ["dix-huit", "dix-neuf"]
_TENS = {20: "vingt", 30: "trente", 40: "quarante", 50: "cinquante"}


def _numbers() -> dict[str, int]:
    found: dict[str, int] = {"une": 1}
    for number, word in enumerate(_ONES):
        found[word.replace("-", "_-_")] = found[word.replace("-", "_")] = number
    for base, ten in _TENS.items():
        found[ten] = base
        found[f"{ten}_et_un"] = found[f"{ten}_et_une"] = found[f"{ten}_-_et_-_un"] = base + 1
        for one in range(2, 10):
            found[f"{ten}_-_{_ONES[one]}"] = found[f"{ten}_{_ONES[one]}"] = base + one
    return found


_WORDS = """
month:1 = janvier
month:2 = février
month:3,soft = mars
month:4 = avril
month:5 = mai
month:6 = juin
month:7 = juillet
month:8 = août
month:9 = septembre
month:10 = octobre
month:11 = novembre
month:12 = décembre
month:1,abbr = janv jan
month:2,abbr = févr fév
month:4,abbr = avr
month:7,abbr = juil
month:9,abbr = sept sep
month:10,abbr = oct
month:11,abbr = nov
month:12,abbr = déc
weekday:0 = lundi
weekday:1 = mardi
weekday:2 = mercredi
weekday:3 = jeudi
weekday:4 = vendredi
weekday:5 = samedi
weekday:6 = dimanche
weekday:0,plural = lundis
weekday:1,plural = mardis
weekday:2,plural = mercredis
weekday:3,plural = jeudis
weekday:4,plural = vendredis
weekday:5,plural = samedis
weekday:6,plural = dimanches
weekday:0,abbr = lun
weekday:1,abbr = mar
weekday:2,abbr = mer
weekday:3,abbr = jeu
weekday:4,abbr = ven
weekday:5,abbr = sam
weekday:6,abbr = dim
season:0 = printemps
season:1 = été
season:2 = automne
season:3 = hiver
unit:second = seconde secondes
unit:minute = minute minutes min mn
unit:hour = heure heures
unit:day = jour jours journée
unit:night = nuit nuits
unit:week = semaine semaines
unit:fortnight = quinzaine
unit:month = mois
unit:quarter = trimestre trimestres
unit:half = semestre semestres
unit:year = année années an ans
unit:decade = décennie décennies
unit:century = siècle siècles
unit:weekend = weekend weekends week-end week-ends week_-_end fin_de_semaine
unit:workday = jours_ouvrés jours_ouvrables jour_ouvré
short:hour = h
short:day = j
dayref:0 = aujourd'hui aujourd_'_hui aujourd’hui aujourd_’_hui
dayref:1 = demain lendemain
dayref:-1 = hier
dayref:2 = après-demain après_-_demain après_demain
dayref:-2 = avant-hier avant_-_hier avant_hier
now = maintenant
nowphrase = en_ce_moment_même
tonight = ce_soir
todaypart:morning = ce_matin
todaypart:afternoon = cet_après_-_midi cet_après-midi cet_après_midi
todaypart:night = cette_nuit
rel:-1 = dernier dernière derniers dernières passé passée passés passées précédent précédente précédentes précédents
rel:0 = ce cet cette ces
rel:1 = prochain prochaine prochains prochaines suivant suivante suivants suivantes
rel:1,coming = à_venir qui_vient
rel:-2 = avant-dernière avant-dernier avant_-_dernier avant_-_dernière
later = plus_tard après
pod:morning = matin matinée matins
pod:noon = midi
pod:midnight = minuit
pod:afternoon = après-midi après_-_midi après_midi
pod:evening = soir soirée
pod:night = nuit
edge:0 = début commencement
edge:1 = mi mi_- milieu
edge:2 = fin
rest = reste
of = de du des d' d_' de_l' de_l_' de_la de_l’ en
in = en dans
on = le
at = à a vers
art = le la les l' l_' l’ l_’
a = un une
and = et
or = ou
to = à a au jusqu_'_à jusqu_'_au jusqu_’_au jusqu_’_à jusqu_'_a
until = jusqu_'_à jusqu_'_au jusqu_’_au jusqu_’_à jusqu_'_en jusqu_'_a
from = de du depuis dès d'
between = entre
since = depuis depuis_le dès
before = avant
by = d_'_ici d_’_ici d'ici
after = après
starting = à_partir_du à_partir_de à_compter_du dès
about = environ vers autour_de autour_du
agopre = il_y_a il_ya y_a
inpre = dans d_'_ici
within = dans_les dans_la
every = chaque tous_les toutes_les
all = tout toute
few:2-6 = quelques plusieurs
for = pour pendant durant
half = demi demie
halfpast = et_demie et_demi
quarterpast = et_quart
quarterto = moins_le_quart moins_quart
quarterword = quart
minus = moins
oclock = heure heures h
weekword = semaine
yearword = année an
centuryword = siècle
decadeof = les_années années
ampmafter:am = du_matin
ampmafter:pm = de_l_'_après_-_midi de_l'après-midi du_soir de_l_’_après_-_midi
suffix = er ère e ème eme
ampm:am = am
ampm:pm = pm
recur:day = quotidien quotidiennement
recur:week = hebdomadaire
recur:month = mensuel mensuellement
recur:year = annuel annuellement
holiday:christmas = noël jour_de_noël
holiday:christmas-eve = veille_de_noël réveillon_de_noël
holiday:new-year = jour_de_l_'_an nouvel_an premier_de_l_'_an
holiday:new-years-eve = saint-sylvestre saint_-_sylvestre réveillon
holiday:easter = pâques
holiday:easter-monday = lundi_de_pâques
holiday:pentecost,soft = pentecôte
holiday:whit-monday = lundi_de_pentecôte
holiday:ascension,soft = ascension
holiday:assumption,soft = assomption
holiday:all-saints = toussaint
holiday:armistice,soft = armistice
holiday:labour = fête_du_travail
holiday:bastille = fête_nationale
holiday:epiphany,soft = épiphanie
holiday:good-friday = vendredi_saint
holiday:valentine = saint-valentin saint_-_valentin
holiday:halloween = halloween
holiday:black-friday = black_friday
"""

_CUES = """
depuis avant après jusqu début fin mi le la les des est et je tu du une dans pour au aux il elle nous vous ils que
qui ne pas sur avec ce cette sera été avait a à par plus mais ou où de d l j c qu on sont mon ma mes son sa ses suis
"""

_ORDINALS = {
    "premier": 1,
    "première": 1,
    "deuxième": 2,
    "second": 2,
    "seconde": 2,
    "troisième": 3,
    "quatrième": 4,
    "cinquième": 5,
}

FRENCH = make_lexicon("fr", _WORDS, _CUES, folded=True, numbers=_numbers(), ordinals=_ORDINALS)
