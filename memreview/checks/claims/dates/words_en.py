"""English words of time."""

from __future__ import annotations

from memreview.checks.claims.dates.lexicon import listed, make_lexicon

_ONES = listed(
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    """
)
_ONES += ["seventeen", "eighteen", "nineteen"]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_FIRSTS = listed(
    """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
    """
)
_FIRSTS += ["fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"]


def _numbers() -> dict[str, int]:
    found = {word: number for number, word in enumerate(_ONES)}
    for k, ten in enumerate(_TENS, 2):
        found[ten] = 10 * k
        for one in range(1, 10):
            found[f"{ten}_{_ONES[one]}"] = found[f"{ten}_-_{_ONES[one]}"] = 10 * k + one
    found["a_dozen"] = 12
    return found


def _ordinals() -> dict[str, int]:
    found = {word: number for number, word in enumerate(_FIRSTS, 1)}
    for k, ten in ((2, "twenty"), (3, "thirty")):
        found[f"{ten[:-1]}ieth"] = 10 * k
        for one in range(1, 10):
            found[f"{ten}_{_FIRSTS[one - 1]}"] = found[f"{ten}_-_{_FIRSTS[one - 1]}"] = 10 * k + one
    return found


_WORDS = """
month:1 = january
month:2 = february
month:4 = april
month:6 = june
month:7 = july
month:8 = august
month:9 = september
month:10 = october
month:11 = november
month:12 = december
month:3,soft = march
month:5,soft = may
month:1,abbr = jan
month:2,abbr = feb febr
month:3,abbr = mar
month:4,abbr = apr
month:6,abbr = jun
month:7,abbr = jul
month:8,abbr = aug
month:9,abbr = sep sept
month:10,abbr = oct
month:11,abbr = nov
month:12,abbr = dec
weekday:0 = monday
weekday:1 = tuesday
weekday:2 = wednesday
weekday:3 = thursday
weekday:4 = friday
weekday:5 = saturday
weekday:6 = sunday
weekday:0,abbr = mon
weekday:1,abbr = tue tues
weekday:2,abbr = wed weds
weekday:3,abbr = thu thur thurs
weekday:4,abbr = fri
weekday:5,abbr = sat
weekday:6,abbr = sun
weekday:0,plural = mondays
weekday:1,plural = tuesdays
weekday:2,plural = wednesdays
weekday:3,plural = thursdays
weekday:4,plural = fridays
weekday:5,plural = saturdays
weekday:6,plural = sundays
season:0,soft = spring springtime
season:1 = summer summertime
season:2 = autumn
season:2,soft = fall
season:3 = winter wintertime
unit:second = second seconds sec secs
unit:minute = minute minutes min mins
unit:hour = hour hours hr hrs
unit:day = day days
unit:night = night nights
unit:week = week weeks wk wks
unit:fortnight = fortnight fortnights
unit:month = month months
unit:quarter = quarter quarters
unit:year = year years yr yrs calendar_year
unit:decade = decade decades
unit:century = century centuries
unit:weekend = weekend week_end
weekdays:0-4 = weekdays
weekdays:5-6 = weekends
unit:half = half-year half_year half_-_year
unit:workday = business_days working_days work_days workdays business_day working_day work_day workday
unit:workweek = working_week work_week workweek business_week
short:second = s
short:minute = m
short:hour = h
short:day = d
short:week = w
short:year = y
dayref:0 = today
dayref:1 = tomorrow tmrw tmr tomorow
dayref:-1 = yesterday
dayref:2 = day_after_tomorrow overmorrow
dayref:-2 = day_before_yesterday
tonight = tonight tonite
now = now
nowphrase = right_now
rel:-1 = last previous prior preceding
rel:-1,past = past
rel:0 = this current
rel:0,same = same that
rel:1 = next following upcoming
rel:1,coming = coming
earlierin = earlier
laterin,later = later
later = from_now hence afterwards
pod:morning = morning mornings
pod:noon = noon midday
pod:lunch = lunchtime lunch_time
pod:midnight = midnight
pod:afternoon = afternoon afternoons
pod:evening = evening evenings
pod:night = night nighttime night_-_time
pod:daytime = daytime
edge:0 = early beginning start
edge:1 = mid middle
edge:2 = late end
adjedge:0 = early
adjedge:1 = mid
adjedge:2 = late
rest = rest remainder remaining
of = of
in = in
on = on due dated
at = at
at, = @
art = the
a = a an
and = and
or = or
to = to through thru
to,until = until till til up_to
from = from
between = between
since = since
before = before prior_to ahead_of earlier_than
by = by no_later_than not_after at_the_latest_by
after = after later_than or_later_than
starting = not_before no_earlier_than starting starting_on starting_from starting_in beginning_on beginning_in
    beginning_from as_of effective
onwards = on onwards onward and_later or_later and_after and_onwards
about = about around approximately approx circa ca roughly nearly almost
ago = ago back earlier
within = within
every = every each
other = other
all = all whole entire
few:2-6 = few a_few some several
few:2-3 = couple a_couple couple_of a_couple_of
for = for over during
half = half
quarterword = quarter
halfword = half
oclock = o'clock oclock o_'_clock
past = past
clockpast = past after
clockto = to before till of
ampm:am = am
ampm:pm = pm
weekword = week wk kw
yearword = year cy calendar_year
centuryword = century
decadeword = nineties
daily = day
recur:day = daily everyday every_day
recur:week = weekly
recur:month = monthly
recur:year = yearly annually
recur:quarter = quarterly
recur:fortnight = biweekly fortnightly
recur:hour = hourly
edgeof:2-month = eom month_-_end
edgeof:2-year = eoy year_-_end year_end
edgeof:2-quarter = eoq quarter_-_end
edgeof:2-week = eow
suffix = st nd rd th
hw:70 = seventies
hw:80 = eighties
hw:90 = nineties
hw:60 = sixties
hw:50 = fifties
hw:20 = twenties
holiday:christmas = christmas xmas christmas_day xmas_day
holiday:christmas-eve = christmas_eve xmas_eve
holiday:new-year = new_year new_years new_year's_day new_year_'_s_day new_years_day new_year_day
holiday:new-years-eve = new_year's_eve new_year_'_s_eve new_years_eve
holiday:boxing-day = boxing_day
holiday:easter = easter easter_sunday
holiday:easter-monday = easter_monday
holiday:good-friday = good_friday
holiday:ash-wednesday = ash_wednesday
holiday:palm-sunday = palm_sunday
holiday:pentecost = pentecost whitsunday
holiday:whit-monday = whit_monday
holiday:ascension = ascension_day
holiday:corpus-christi = corpus_christi
holiday:halloween = halloween
holiday:all-saints = all_saints_day all_saints'_day all_saints_'_day
holiday:valentine = valentine's_day valentine_'_s_day valentines_day valentines
holiday:thanksgiving = thanksgiving thanksgiving_day
holiday:black-friday = black_friday
holiday:cyber-monday = cyber_monday
holiday:us-independence = independence_day
holiday:us-labor = labor_day
holiday:labour = labour_day workers'_day workers_'_day international_workers_'_day may_day
holiday:us-memorial = memorial_day
holiday:mlk = mlk_day martin_luther_king_day
holiday:us-presidents = presidents_day
holiday:columbus = columbus_day
holiday:us-veterans = veterans_day
holiday:juneteenth = juneteenth
holiday:st-patrick = st_patrick's_day st_._patrick_'_s_day st_patrick_'_s_day st_patricks_day
holiday:april-fools = april_fools april_fool_'_s_day april_fools_day april_fools_'_day
holiday:mothers-day = mother_'_s_day mothers_day
holiday:fathers-day = father_'_s_day fathers_day
holiday:earth-day = earth_day
holiday:groundhog = groundhog_day
holiday:womens-day = women_'_s_day womens_day
holiday:epiphany,soft = epiphany
"""

_CUES = """
the and is of was will with for that it we i you not be have has are this but as from your my can what which they he
she our their do does did been would should could when where how there then than if an were had its so by on at a
let go back out up me us him her them after before about all any each more most some new also only use used using
see add added run ran runs set get got make made just still now who why because over into very please here again
same other first until since during between no yes done next last too clock o
"""

ENGLISH = make_lexicon("en", _WORDS, _CUES, numbers=_numbers(), ordinals=_ordinals(), month_first=True)
