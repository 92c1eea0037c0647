"""Spanish words of time, in their common forms."""

from __future__ import annotations

from memreview.checks.claims.dates.lexicon import listed, make_lexicon

_ONES = listed(
    """
    cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis
    """
)
_ONES += listed(
    """
    diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco
    """
)
_ONES += ["veintiséis", "veintisiete", "veintiocho", "veintinueve", "treinta"]
_TENS = {30: "treinta", 40: "cuarenta", 50: "cincuenta", 60: "sesenta", 70: "setenta", 80: "ochenta", 90: "noventa"}
_FIRSTS = listed(
    """
    primer segundo tercer cuarto quinto sexto séptimo octavo noveno décimo undécimo duodécimo
    """
)


def _numbers() -> dict[str, int]:
    found = {word: number for number, word in enumerate(_ONES)}
    found |= {"un": 1, "una": 1, "veintiún": 21, "veintiuna": 21, "cien": 100, "ciento": 100}
    for base, ten in _TENS.items():
        found[ten] = base
        for one in range(1, 10):
            found[f"{ten}_y_{_ONES[one]}"] = base + one
        found[f"{ten}_y_un"] = found[f"{ten}_y_una"] = base + 1
    return found


def _ordinals() -> dict[str, int]:
    found = {word: number for number, word in enumerate(_FIRSTS, 1)}
    for word, number in list(found.items()):
        stem = word[:-1] if word.endswith("o") else word
        for ending in ("o", "a", "os", "as"):
            found[stem + ending] = number
    return found


_WORDS = """
month:1 = enero
month:2 = febrero
month:3 = marzo
month:4 = abril
month:5 = mayo
month:6 = junio
month:7 = julio
month:8 = agosto
month:9 = septiembre setiembre
month:10 = octubre
month:11 = noviembre
month:12 = diciembre
month:1,abbr = ene
month:2,abbr = feb
month:3,abbr = mar
month:4,abbr = abr
month:5,abbr = may
month:6,abbr = jun
month:7,abbr = jul
month:8,abbr = ago
month:9,abbr = sept sep set
month:10,abbr = oct
month:11,abbr = nov
month:12,abbr = dic
weekday:0 = lunes
weekday:1 = martes
weekday:2 = miércoles
weekday:3 = jueves
weekday:4 = viernes
weekday:5 = sábado
weekday:6 = domingo
weekday:5,plural = sábados
weekday:6,plural = domingos
weekday:0,abbr = lun
weekday:1,abbr = mar
weekday:2,abbr = mié mier
weekday:3,abbr = jue
weekday:4,abbr = vie
weekday:5,abbr = sáb
weekday:6,abbr = dom
season:0 = primavera
season:1 = verano
season:2 = otoño
season:3 = invierno
unit:second = segundo segundos seg segs
unit:minute = minuto minutos min mins
unit:hour = hora horas hra hras hrs
unit:day = día días
unit:night = noche noches
unit:week = semana semanas
unit:fortnight = quincena quincenas
unit:month = mes meses
unit:quarter = trimestre trimestres
unit:half = semestre semestres
unit:year = año años
unit:decade = decenio década décadas
unit:century = siglo siglos
unit:weekend = fin_de_semana fines_de_semana
unit:workday = días_laborables días_hábiles día_hábil día_laborable
short:hour = h
short:day = d
dayref:0 = hoy
dayref:1 = mañana
dayref:-1 = ayer
dayref:2 = pasado_mañana
dayref:-2 = anteayer antes_de_ayer antier
now = ahora
nowphrase = ahora_mismo
tonight = esta_noche
todaypart:morning = esta_mañana
todaypart:afternoon = esta_tarde
lastnight = anoche
rel:-1 = último última últimos últimas pasado pasada pasados pasadas anterior anteriores previo previa
rel:0 = este esta estos estas actual
rel:0,same = mismo misma ese esa
rel:1 = próximo próxima próximos próximas siguiente siguientes
rel:1,coming = que_viene venidero venidera entrante
later = más_tarde después
laterin = más_tarde
earlierin = más_temprano
pod:morning = mañana mañanas madrugada
pod:noon = mediodía medio_día
pod:midnight = medianoche media_noche
pod:afternoon = tarde tardes
pod:evening = noche
pod:night = noches
edge:0 = principio principios inicio inicios comienzo comienzos primeros
edge:1 = mediados mitad
edge:2 = fin final finales fines
rest = resto
of = de del de_la de_los de_las el en
in = en
on = el los
at,clockat = a_las a_la
at = a sobre_las hacia_las las la
art = el la los las lo día
a = un una
and = y e
or = o
to = a al a_las a_la hasta hasta_las hasta_la hasta_el y_las y_la hacia
until = hasta hasta_el
from = de del desde desde_las desde_la desde_el de_las de_la
between = entre entre_las entre_la entre_el
since = desde desde_el
before = antes_de antes_del
by = a_más_tardar
after = después_de después_del luego_de más_tarde_que
starting = a_partir_de a_partir_del
onwards = en_adelante o_más_tarde y_más_tarde y_después
about = alrededor_de alrededor_del cerca_de cerca_del sobre hacia aproximadamente
agopre = hace
inpre = en dentro_de
every = cada todos_los todas_las
all = todo toda
few:2-6 = unos unas algunos algunas varios varias
for = por durante
half = medio media
halfpast = y_media
quarterpast = y_cuarto
quarterto = menos_cuarto
quarterword = cuarto
minus = menos
clockpast = y
clockto = menos
oclock = horas hs h hrs
ampm:am = am
ampm:pm = pm
ampmafter:am = de_la_mañana de_la_madrugada
ampmafter:pm = de_la_tarde de_la_noche
weekword = semana
yearword = año
centuryword = siglo
decadeof = los_años años década_de la_década_de
suffix = o a er ro do to ra º ª
hw:90 = noventa
hw:80 = ochenta
hw:70 = setenta
hw:60 = sesenta
hw:50 = cincuenta
hw:20 = veinte
recur:day = diario diariamente a_diario
recur:week = semanal semanalmente
recur:month = mensual mensualmente
recur:year = anual anualmente
recur:quarter = trimestral
holiday:christmas = navidad día_de_navidad
holiday:christmas-eve = nochebuena noche_buena
holiday:new-year = año_nuevo
holiday:new-years-eve = nochevieja noche_vieja fin_de_año
holiday:epiphany = día_de_reyes
holiday:easter = pascua domingo_de_pascua domingo_de_resurrección
holiday:good-friday = viernes_santo
holiday:maundy-thursday = jueves_santo
holiday:holy-saturday = sábado_santo
holiday:palm-sunday = domingo_de_ramos
holiday:ash-wednesday = miércoles_de_ceniza
holiday:labour = día_del_trabajador día_del_trabajo
holiday:us-independence = día_de_la_independencia día_de_independencia
holiday:all-saints = día_de_todos_los_santos
holiday:all-souls = día_de_los_muertos día_de_muertos
holiday:valentine = día_de_san_valentín san_valentín
holiday:womens-day = día_de_la_mujer
holiday:hispanic = día_de_la_hispanidad
holiday:thanksgiving = acción_de_gracias día_de_acción_de_gracias
holiday:halloween = halloween
holiday:black-friday = viernes_negro black_friday
holiday:assumption = día_de_la_asunción
holiday:immaculate = inmaculada_concepción
"""

_CUES = """
antes después principios finales mediados el la los las es y de del en que un una por con para se no está son lo su
al como más pero fue ha he mi me te nos está qué cuándo desde hasta hay era ser
"""

SPANISH = make_lexicon("es", _WORDS, _CUES, folded=True, numbers=_numbers(), ordinals=_ordinals())
