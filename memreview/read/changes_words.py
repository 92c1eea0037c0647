"""The words by which people and models point at a line, in many languages.

The lists are open: a transcript's name followed by an unknown word and a number is understood without them where the
shape of the text leaves no doubt. They matter for "line 9" on its own, which means the transcript named before it.
"""

from __future__ import annotations

import re
from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.casefold().split())


LINE: Final = _words(
    """
    line ln lnum lineno linenumber line_number line-number line_no start_line line_start
    zeile zeilennummer zln ligne línea linea linha liña línia riga rij rad raden rads
    linje linjen linia linii linię linijka linijce linijki wiersz wierszu wiersza wierszem řádek řádku řádce řádka
    riadok riadku vrstica vrstici redak retku linija liniji строка строке строку строкой рядок рядку рядка ред реда
    линија линији линия линията радок γραμμή γραμμής γραμμη sor sorban sora sorában sorát rivi rivillä riviltä rivin
    rivistä rida reas rinda rindā rindiņa rindiņā eilutė eilutėje satır satırı satırda satırında satırındaki rând
    rândul rândului linie lerro lerroa linio mstari linya dòng baris سطر السطر بالسطر خط שורה בשורה השורה पंक्ति लाइन
    লাইন வரி ხაზი сап տող
    """
)
LINES: Final = _words(
    """
    lines lns ll zeilen zz lignes líneas lineas linhas liñas línies righe linee regels rader raderna radene linjer
    linjerne linjene wiersze wierszy wierszach wierszami linijkach liniach řádky řádků řádcích riadky riadkov riadkoch
    vrstice vrsticah retci redci retcima linije linijama строки строк строках строками рядки рядків рядках редове
    редовете линии линиите γραμμές γραμμών γραμμες sorok sorokban sorai rivit riveillä riveiltä rivien read rindas
    eilutės eilutėse satırlar satırları satırlarında rânduri rândurile liniile lerroak linioj السطور الأسطر أسطر سطور
    שורות בשורות पंक्तियाँ पंक्तियों
    """
) - {"read"}
WEAK: Final = _words(
    """
    record records rec recs entry entries row rows regel rivi eintrag einträge datensatz datensätze enregistrement
    enregistrements entrée entrées registro registros entrada entradas voce voci rekord rekordy wpis wpisy запись
    записи записях rekordban post poster kayıt message messages msg turn event nachricht position pos
    """
)
"""Words that mean a line only directly behind a transcript's name."""

LINE_SHORT: Final = _words("l z lin lig lg ř в w")
NUMBER_WORD: Final = _words(
    "º ª ° n.º n.ª n.o no nr num number nummer numéro numero número № n s n° номер číslo numer nº sz"
)
AND: Final = _words(
    """
    and und et y e i en och og ja ve és și si και и та й oraz sowie puis then or oder ou o plus also as well auch
    resp und/oder and/or juga dan và eta kaj ir un ning w و או וגם और a poi dann sitten sen daha i/lub
    """
)
TO: Final = _words(
    """
    to through thru until till up bis zum à a au aux al alla allo hasta até ate fino tot t/m tm tem til do až az ilâ
    ila по до έως ως μέχρι hingga sampai đến tới إلى حتى עד -ig arti asti gĩ līdz iki
    """
)
FROM: Final = _words(
    "from von vom de des da dal dalla du fra fra od z ze с со із з van från desde από dari từ من between"
)
ARTICLE: Final = _words("the la le les el los las il lo gli i der die den dem o os as a de")
A_MEANS_AND: Final = _words("řádek řádku řádky řádků řádcích řádce riadok riadku riadky riadkov riadkoch")
"""Languages in which "a" joins two lines; elsewhere it leads from one to the other."""
BETWEEN: Final = _words(
    "between zwischen entre tra fra między между між mezi medzi mellan mellem mellom tussen arasında"
)
OF: Final = _words(
    """
    of in from within inside at on under von vom der des dem den aus im zu de du d dans l la le les del della dello dell
    di dal dalla nel nella da do dos das no na nas nos en em van uit het i av från fra af ur z ze w we v ve ze zo iz u
    из в во файла файле від із у з του της στο στη από ng sa dari dalam pada của trong من في של ב מתוך के में का की
    pliku souboru súboru datoteke fájl tiedoston dosyasının inside per par file the
    """
)
SESSION: Final = _words(
    """
    session sessions sess sessionid session-id session_id sid transcript transcripts transcription conversation chat
    sitzung sitzungen gespräch transkript transkripts protokoll mitschrift unterhaltung séance conversación sesión
    sesion transcripción transcripcion sessão sessao transcrição transcricao conversa sessione trascrizione
    conversazione sessie transcriptie gesprek sessionen samtal samtale økt sesja sesji sesję transkrypt transkrypcja
    rozmowa rozmowie sezení relace přepis сессия сессии сессию сеанс сеансе сеанса транскрипт разговор сесія сесії
    розмова oturum oturumu döküm istunto istunnon munkamenet munkamenetben sesiune sesiunea συνεδρία phiên sesi جلسة
    الجلسة שיחה सत्र
    """
)
RECORD: Final = _words(
    """
    record records rec uuid uuids recorduuid record-uuid message msg entry event turn datensatz eintrag nachricht
    enregistrement message entrée registro mensaje entrada mensagem registrazione messaggio bericht post meddelande
    besked rekord wpis wiadomość zápis zpráva запись сообщение запис повідомлення kayıt mesaj tietue viesti rekord
    üzenet
    """
)
COMMIT: Final = _words("commit commits sha sha1 rev revision revisions hash changeset git коммит коммите commitu")
PORT: Final = _words("port ports listen listens listening bind binds bound localhost host порт porta puerto")
OF_A_NOTE: Final = _words(
    """
    note notes memory index old file's notiz index alte alten alter ancienne vieja vecchia note's
    """
)
FILE_NOUN: Final = _words(
    """
    file note notes memory index source script code readme makefile config datei notiz fichier archivo fichero nota
    arquivo ficheiro bestand notitie fil plik plikach notatka soubor файл заметка dosya tiedosto fájl
    """
)
SAME: Final = _words(
    """
    ibid ibidem ebd ebenda ditto dito idem ídem tamtéž tamże
    """
)
SAME_DENSE: Final = re.compile(r"同上|同前|前掲|上記と同|同じ(?:セッション|ファイル)|同一(?:会话|文件)|위와 ?같")
CALLED: Final = _words("as hereafter called below alias kurz genannt ci-après dit nachfolgend als id")
SAME_ONE: Final = _words("same selben gleichen derselben même misma mismo stessa stesso mesma mesmo zelfde samma samme")
LOG_NOUN: Final = SESSION | _words("file log datei fichier archivo fil bestand")
NOT_A_LINE: Final = _words(
    """
    jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august september
    october november december januar jänner februar märz mai juni juli oktober dezember janvier février mars avril
    juin juillet août septembre octobre novembre décembre enero febrero marzo abril mayo junio julio agosto
    septiembre octubre noviembre diciembre gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
    januari februari maart mei augustus port version v ver step issue pr ticket page seite p pp test tests chapter
    commit task phase day week year tag woche jahr rule regel size count total about only day section
    """
)


def _numbered(*lists: str) -> dict[str, int]:
    return {word: value for line in lists for value, word in enumerate(line.casefold().split(), 1)}


NUMERALS: Final = _numbered(
    "one two three four five six seven eight nine ten eleven twelve",
    "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "un deux trois quatre cinq six sept huit neuf dix onze douze",
    "uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
    "um dois três quatro cinco seis sete oito nove dez onze doze",
    "uno due tre quattro cinque sei sette otto nove dieci undici dodici",
    "een twee drie vier vijf zes zeven acht negen tien elf twaalf",
)
ORDINALS: Final = _numbered(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
    "erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte elfte zwölfte",
    "ersten zweiten dritten vierten fünften sechsten siebten achten neunten zehnten elften zwölften",
    "première deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième",
    "primera segunda tercera cuarta quinta sexta séptima octava novena décima",
    "primeira segunda terceira quarta quinta sexta sétima oitava nona décima",
    "prima seconda terza quarta quinta sesta settima ottava nona decima",
)
"""Words for numbers up to about a dozen, which are not written in digits."""

JOINS: Final = AND | TO
"""Words between two numbers."""

CJK_LINE_AFTER: Final = re.compile(r"(?:行目|行|列目|번째줄|번째|번|줄|라인|행|บรรทัด)")
CJK_ORDINAL_AFTER: Final = re.compile(r"(?:行目|번째|번 ?줄)")
CJK_LINE_BEFORE: Final = re.compile(r"(?:行|行番号|行号|行號|行数|ライン|줄|라인|행|บรรทัด|บรรทัดที่)$")
CJK_NTH: Final = re.compile(r"第$")
CJK_POSSESSIVE: Final = re.compile(r"^(?:[のの的之]|에서|의|中|文件|內|内|里|裡|,)*(?:第|行|줄|행|ライン)?$")
CJK_TO: Final = re.compile(r"^(?:行目|行|줄|행|라인)?(?:から|より|到|至|迄|에서|부터|ถึง)(?:第)?$")
CJK_AND: Final = re.compile(r"^(?:行目|行|줄|행|라인)?(?:と|和|及び|および|及|与|與|跟|ならびに|와|과|및|และ)?(?:第)?$")
CJK_SESSION: Final = re.compile(
    r"(?:セッション|会话|會話|会話|对话|對話|세션|대화|記録|记录|トランスクリプト|เซสชัน)(?:id|ID)?$"
)
CJK_RECORD: Final = re.compile(r"(?:レコード|记录|記錄|消息|訊息|メッセージ|레코드|메시지)$")
