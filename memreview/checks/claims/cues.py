"""Words that say how a statement is meant: denied, limited, asked, planned, guessed, taken back, failed.

English and German at full width, French, Spanish, Japanese and Chinese in their common forms. All patterns are for
folded text.
"""

from __future__ import annotations

import re

from memreview.checks.claims.folding import W


def words(*alternatives: str, wide: str = "") -> re.Pattern[str]:
    """A pattern of whole words (alternatives separated by ``|``), and of ``wide`` for scripts without blanks."""
    inner = "|".join(alternative for alternative in alternatives if alternative)
    pattern = rf"(?<!{W})(?:{inner})(?!{W})"
    return re.compile(f"{pattern}|{wide}" if wide else pattern, re.IGNORECASE)


def in_plain(pattern: re.Pattern[str]) -> re.Pattern[str]:
    """A pattern of :func:`words` for text of ASCII in lower case, which it goes through in a third of the time."""
    border = rf"(?!{W})"
    end = pattern.pattern.rindex(border) + len(border)
    return re.compile(pattern.pattern[:end])


NEGATION = words(
    r"not|never|no longer|no more|cannot|without|nobody|nothing|none|neither|nor|\w+n't|isnt|dont|doesnt|didnt|wont|"
    r"cant",
    r"no(?! (?:doubt|problem|wonder|matter|later|earlier)\b)(?= ?[\w`'\"])|stopped|stop(?= \w+ing)|gone|removed|"
    r"dropped",
    r"nicht|nie|niemals|kein(?:e[nmrs]?)?|ohne|nichts|niemand|weg|abgeschafft|nirgends",
    r"n['e] ?\w+(?: \w+)? (?:pas|plus|jamais)|jamais|sans|pas de|aucune?|ne \w+ (?:pas|plus)|pas",
    r"nunca|jamás|sin|ya no|no(?= \w+)|ningun[oa]?|ningún|tampoco",
    wide=r"ない(?!と|か)|ません|なく(?!て)|ず(?:に|、)|禁止|不(?!同|久|断|过|错|仅|但|管|少|妨|如)(?=[\u4e00-\u9fff])|没有?(?!问题)|别(?=[用把让在再])|"
    r"无(?:法|需)|未",
)
"""A word that denies what its clause says."""

NEGATIVE = words(
    r"off|disabled?|disables|gone|removed?|removes|deleted?|cancel+ed|forbid(?:s|den)?|bans?|banned|prohibit\w*|"
    r"missing|absent",
    r"lacks?|lacking|fail(?:s|ed|ing|ure)?|refus\w+|exclud\w+|reject\w*|avoid\w*|skip\w*|stop\w*|drop\w*|retired?|"
    r"broken|"
    r"out of (?:date|use|order|service)|deprecated|obsolete|unused|unsupported|unavailable|inactive|dislik\w+|"
    r"hates?|rarely|hardly|barely|"
    r"un(?:needed|necessary|known|changed|safe|able|like(?:ly)?|less|til)|im(?:possible|proper)|in(?:valid|correct|"
    r"complete|compatible|sufficient)|"
    r"instead|rather|except|only|free of|nobody|just",
    r"aus|deaktiviert|entfernt|entfällt|gestrichen|verboten|untersagt|fehlt|fehlen|scheitert|kaputt|veraltet|"
    r"überflüssig|unnötig|"
    r"statt|außer|nur|selten|kaum|bis auf|vermeide\w*|tabu|unter\w*lassen|verzichtet",
    r"désactivée?s?|supprimée?s?|interdite?s?|manque|absente?s?|inutile|sauf|seulement|rarement|désactivado|"
    r"prohibid[oa]|falta|salvo|excepto|apagad[oa]",
    wide=r"無|禁|停止|廃止|不要|未|無効|禁|停|关闭|废|取消|なし|だけ|のみ|只|仅",
)
"""A word that may carry a denial without a "not": where one stands, two clauses are not said to be opposites."""

LIMIT = words(
    r"for now|for the moment|at the moment|for the time being|temporar(?:y|ily)|until further notice|"
    r"provisional(?:ly)?|interim|"
    r"as an experiment|for today|this week only|while we|for the trial|in the meantime|as a stopgap",
    r"vorerst|vorläufig|momentan|im moment|einstweilen|zurzeit|derzeit|übergangsweise|fürs erste|bis auf weiteres|"
    r"zur probe",
    r"pour l'instant|pour le moment|provisoirement|temporairement|por ahora|de momento|temporalmente|por el momento|"
    r"provisionalmente",
    wide=r"当面|今のところ|とりあえず|一時的|暫定|暂时|目前|临时|暂且",
)
"""A word that says that something holds for a while only."""

LIMIT_TOLD = words(
    r"currently|now|presently|today|still|so far|aktuell|derzeit|zurzeit|jetzt|noch|heute|actuellement|maintenant|"
    r"encore|actualmente|ahora|todavía",
    wide=r"現在|今|まだ|现在|当前|仍",
)
"""A note that speaks of the present only: enough to keep a limit."""

TAKES_BACK = words(
    r"actually|instead(?: of)?|no longer|not any ?more|anymore|rather than|correction|i was wrong|my mistake|sorry|"
    r"scratch that|"
    r"changed? (?:it )?(?:to|from|my mind)|switched (?:to|from)|replaced|moved (?:off|away|from)|used to|got rid of|"
    r"gave up|"
    r"from now on|as of (?:now|today)|since then|now|on second thought|turns out|forget (?:that|what)|retired",
    r"eigentlich|stattdessen|statt|nicht mehr|doch nicht|korrektur|ab jetzt|ab sofort|ich habe mich geirrt|falsch|"
    r"inzwischen|neuerdings|jetzt",
    r"en fait|plutôt|ne \w+ plus|finalement|désormais|correction|dorénavant|en realidad|ya no|corrección|finalmente|"
    r"a partir de ahora|ahora",
    wide=r"じゃなくて|ではなく|やっぱり|訂正|変更|今は|不是|改成|改为|更正|其实|不再|现在",
)
"""A word with which a speaker corrects what was said before. A "no," at the beginning does too, see OPENS_WITH_NO."""

OPENS_WITH_NO = words(
    r"^\s*(?:no|nope|nein|non|wrong|falsch|nah|nee)(?=\s*[,.!:;—–-]|\s+(?:it|that|the))",
    wide=r"^\s*(?:いや|違|不对|不，)",
)

QUESTION = re.compile(
    r"\?\s*[\"'”’)]*\s*$|か。?$|吗[？?]?$|呢[？?]?$|"
    r"^\s*(?:should|shall|do|does|did|is|are|was|were|what|which|how|why|when|where|who|can|could|would|"
    r"sollen|sollten|ist|sind|warum|wann|wer|wie|welche[rsn]?|est-ce que|faut-il|qui|quand|por qué|cuándo|cuál|"
    r"quién)\b[^.!]*\?",
    re.IGNORECASE,
)
DIRECTIVE = re.compile(
    r"^\s*(?:and |so |ok,? |please |hey,? )*(?:can|could|would|will) (?:you|we) |"
    r"^\s*(?:kannst|könntest|würdest) du |^\s*(?:peux|pourrais)-tu |^\s*(?:puedes|podrías) ",
    re.IGNORECASE,
)
"""A request in the form of a question: what it names is wanted."""

DECISION = words(
    r"let'?s|we'?ll|i'?ll|please|from now on|we will|lass uns|wir werden|ab jetzt|bitte|on va|nous allons|vamos a",
)
"""What in the user's mouth decides and in the assistant's only announces."""

PLAN = words(
    r"(?:am|are|is|was|were|'re|'m|be) going to|gonna|plan(?:s|ned|ning)? (?:to|on|for)|the plan is|wants? to|"
    r"would like to|"
    r"intend(?:s|ed|ing)? to|aim(?:s|ing)? to|hop(?:e|es|ing) to|todo|to do:|next steps?|i'?d like|"
    r"(?:it )?would be nice|"
    r"thinking (?:about|of)|consider(?:ing)?|suggest(?:s|ed|ion)?|propos(?:e|es|ed|al)|"
    r"(?:i|we|it|they|he|she)(?: will|'ll) (?:probably |then |soon |finally |also )?(?:move|migrate|switch|upgrade|"
    r"replace|launch|ship|"
    r"release|buy|hire|drop|remove|retire|introduce|rewrite|port|rename|split|merge|add|install|try|test|look|start|"
    r"change|raise|lower)|"
    r"will be (?:moved|migrated|switched|upgraded|replaced|launched|shipped|released|dropped|removed|retired|"
    r"introduced|rewritten|added|raised|lowered)|"
    r"about to|supposed to|scheduled to|soon",
    r"geplant|(?:wir |ich )?(?:wollen|will|möchte\w*|vorhaben|vorhabe)|soll(?:en)? (?:bald|demnächst)|demnächst|"
    r"der plan ist|"
    r"werden? (?:bald|demnächst|später)|überlegen|vorschlag|(?:ich|wir) würden?|als nächstes|haben wir vor|"
    r"habe ich vor",
    r"prévoi\w+|envisage\w*|compt(?:e|ons) \w+er|aimerai\w*|voudrai\w*|bientôt|proposition|planea\w*|pensamos|"
    r"quer(?:emos|ría|ríamos)|pronto|propuesta|tenemos previsto",
    wide=r"つもり|予定|したい|検討|提案|打算|准备|计划|想要|考虑|建议|将要",
)
"""An intention: it is no fact that it happened."""

ANNOUNCES = words(
    r"i'?ll|we'?ll|i will|we will|let me|let'?s|i'?m (?:now )?(?:going to|about to)|i can|i could|shall i|ich werde|"
    r"ich kann|lass mich|je vais|voy a",
    wide=r"します(?:ね|よ)?$|しましょう|我会|我来|我将",
)
"""In the assistant's mouth: about to be done."""

GUESS = words(
    r"maybe|perhaps|possibly|probably|presumably|might|may(?= (?:be|have)\b)|i think|i guess|i suspect|i believe|"
    r"i assume|not sure|could be|"
    r"could have|must be(?= \w+ing| the)|seems?(?: to)?|looks like|if i remember|iirc|afaik|apparently|supposedly|"
    r"my guess|hunch|likely|suspect(?:s|ed)?|we could|one could|i wonder",
    r"vielleicht|vermutlich|wahrscheinlich|eventuell|könnten?|ich glaube|ich denke|scheint|anscheinend|"
    r"möglicherweise|womöglich|ich vermute|vermute|wohl",
    r"peut-être|probablement|sans doute|je crois|je pense|il me semble|semble|quizás?|tal vez|a lo mejor|"
    r"probablemente|creo que|podría|puede que|pourrai\w*",
    wide=r"かもしれ|たぶん|おそらく|と思う|と思います|だろう|でしょう|也许|可能|大概|应该是|我想|恐怕|或许",
)
"""A guess."""

IRREAL = re.compile(
    r"\bwhat if\b|\b(?:if|falls|wenn|si)\b[^.!?]*\b(?:were|was|had|would|could|wäre\w*|hätte\w*|würde\w*|könnte\w*|"
    r"serait|aurait|était|fuera|tuviera|sería)\b"
    r"|\b(?:suppose|supposing|assuming|imagine|angenommen|supposons|supongamos)\b",
    re.IGNORECASE,
)
"""A condition contrary to fact, or a supposition."""
IF_CLAUSE = re.compile(
    r"(?:^|[,;:.!] *|\b(?:and|but|or|so|und|aber) )(?:if|unless|falls|wenn|sofern|si|à moins que|a menos que)\b",
    re.IGNORECASE,
)

TOLD_AS_SUCH = words(
    r"suspect(?:s|ed)?|plan|plans|planned|planning|proposals?|proposed|proposes?|ideas?|maybe|might|possibl[ey]|"
    r"wants?|wanted|wish(?:es)?|asks?|asked|considering|"
    r"consider(?:s|ed)?|open questions?|tbd|todo|to do|hypothes[ie]s|unconfirmed|unclear|unverified|whether|likely|"
    r"probably|perhaps|thinks?|would like|would|intends?|intend|"
    r"intention|suggest(?:s|ed|ion)?|suspicion|assumption|assumed|assumes?|guess(?:es)?|hopes?|could|going to|will|"
    r"next|later|upcoming|under discussion|hunch|if",
    r"vermutet|vermutung|verdacht|geplant|plant|plan|vorschlag|idee|vielleicht|möchte|will|offen|offene|frage|fragt|"
    r"vermutlich|wahrscheinlich|überlegt|wunsch|soll|sollen|könnte|angedacht|annahme",
    r"soupçonne|prévue?s?|souhaite|envisage|hypothèse|idée|à faire|peut-être|veut|question|proposition|sospecha|"
    r"planeado|quiere|idea|hipótesis|propuesta|quizás?|pendiente|previst[oa]",
    wide=r"\?|？|予定|計画|検討|案|推測|かも|打算|计划|可能|猜测|待办|建议|考虑",
)
"""A note that presents its words as a plan, a wish, a guess or a question."""

FAILURE = words(
    r"fail(?:s|ed|ing|ures?)?|errors?|errored|broken|breaks?|crash(?:es|ed)?|does(?: not|n't) work|did(?: not|"
    r"n't) (?:work|run)|not work(?:ing)?|refus(?:es|ed)|reject(?:s|ed)|denied|"
    r"exit(?:s|ed)? (?:code|with|status)|abort(?:s|ed)?|times? out|timed out|timeout|stopped|cancel+ed|never ran|"
    r"not found|unavailable|held by|locked|conflicts?|blocked",
    r"schlägt fehl|fehlgeschlagen|fehlschlag|fehler|scheitert\w*|kaputt|abgebrochen|bricht ab|geht nicht|"
    r"funktioniert nicht|läuft nicht|abgelehnt",
    r"échou\w+|erreur|plante|falla\w*|falló|errores?|refusée?|rechazad[oa]|rompe",
    wide=r"失敗|エラー|落ちる|失败|错误|报错",
)
"""A text that tells of something that did not work."""

CHANGE = words(
    r"rais\w+|lower\w*|increas\w+|decreas\w+|reduc\w+|chang\w+|mov\w+|switch\w*|upgrad\w+|downgrad\w+|bump\w*|"
    r"migrat\w+|went|going|go|goes|cut|cutting|extend\w*|"
    r"renam\w+|updat\w+|shorten\w*|grew|grow\w*|rose|ris\w+|fell|fall\w*|dropp\w+|improv\w+|shr[aiu]nk\w*|set|"
    r"convert\w*|replac\w+|transition\w*|came down|down|up",
    r"erhöh\w+|gesenkt|senk\w+|geänder\w*|änder\w+|umgestellt|umgestiegen|gewechselt|wechsel\w*|angehoben|"
    r"aktualisiert|umbenannt|verlängert|verkürzt|reduziert|gestiegen|gefallen|"
    r"verschoben|umgezogen|ersetzt|migriert|hochgesetzt|runtergesetzt|herabgesetzt|hochgestuft",
    r"pass[ée]\w*|augment\w+|baiss\w+|chang\w+|migr\w+|relev\w+|rédui\w+|subi\w+|baj\w+|cambi\w+|pas[aóé]\w*|"
    r"aument\w+|reduj\w+|actualiz\w+|mont[ée]\w*|descend\w*",
    wide="から",
)
"""A verb of change: what comes after its "from" no longer holds."""
