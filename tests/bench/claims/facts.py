"""What is said in the invented transcripts and how notes tell it: sentences with a subject and a value, in two banks.

The rules were made with the first banks in view (``TUNED``, ``MORE``); ``KEPT`` was not looked at while they were.
``said`` are words of a user, ``shown`` lines of a tool's output, ``noted`` lines of a note; ``{s}`` is the subject and
``{v}`` the value.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Topic:
    """One sort of fact."""

    kind: str
    subjects: tuple[str, ...]
    said: tuple[str, ...]
    noted: tuple[str, ...]
    shown: tuple[str, ...] = ()
    language: str = "en"


def _topic(kind: str, subjects: str, said: str, noted: str, shown: str = "", language: str = "en") -> Topic:
    def parts(text: str) -> tuple[str, ...]:
        return tuple(part.strip() for part in text.split("|") if part.strip())

    return Topic(kind, parts(subjects), parts(said), parts(noted), parts(shown), language)


TUNED = (
    _topic(
        "port",
        "the gateway|the tile server|the admin page|the metrics endpoint|the mail relay",
        "{s} listens on {v}|{s} is on port {v}|port {v} is for {s}",
        "{S} listens on {v}.|{S}: port {v}|- {S} is on port {v}",
        "{s}: listening on :{v}|{s} bound to 0.0.0.0:{v}",
    ),
    _topic(
        "count",
        "the archive|the nightly export|the customer table|the chart index|the parts list",
        "{s} holds {v} records|there are {v} records in {s}",
        "{S} holds {v} records.|{S}: {v} records|- {v} records in {s}",
        "{s}: {v} records",
    ),
    _topic(
        "worded",
        "the choir|the night crew|the review board|the sailing club",
        "{s} has {v} members|there are {v} members in {s}",
        "{S} has {v} members.|- {v} members in {s}",
    ),
    _topic(
        "version",
        "esbuild|numpy|the linter|terraform|the base image",
        "{s} is pinned to {v}|we are on {s} {v}|stay on {v} of {s}",
        "{S} is pinned to {v}.|- {S} {v}",
        "{s}@{v}|{s} {v}",
    ),
    _topic(
        "duration",
        "the full build|the import|a restore|the soak test|the reindex",
        "{s} takes {v}|{s} needs {v}",
        "{S} takes {v}.|- {S}: {v}",
        "{s} finished in {v}",
    ),
    _topic(
        "size",
        "a worker|the cache|the indexer|a preview",
        "{s} may use {v}|{s} gets {v} of memory",
        "{S} may use {v}.|- Memory of {s}: {v}",
        "{s} memory limit {v}",
    ),
    _topic(
        "percent",
        "branch coverage|the cache hit rate|the retry rate|disk usage",
        "{s} is at {v}|{s} is {v} now",
        "{S} is at {v}.|- {S}: {v}",
        "{s}: {v}",
    ),
    _topic(
        "money",
        "a berth|the licence|a seat|the backup plan",
        "{s} costs {v} a month|{s} is {v} a month",
        "{S} costs {v} a month.|- {S}: {v} a month",
    ),
    _topic(
        "path",
        "the fixtures|the feature flags|the retry rules|the seed data",
        "{s} live in {v}|you find {s} in {v}",
        "{S} live in {v}.|- {S}: {v}",
        "{v}: {s}",
    ),
    _topic(
        "command",
        "the smoke tests|the docs|the release|the seed job",
        "for {s} run {v}|{s} is {v} from now on",
        "Run {v} for {s}.|- {S}: {v}",
    ),
    _topic(
        "identifier",
        "the retry limit|the feature switch|the batch size|the job queue",
        "{s} is called {v}|{s} is {v} in the config",
        "{S} is called {v}.|- {S}: {v}",
        "{v}  # {s}",
    ),
    _topic(
        "ticket",
        "the flaky login|the slow search|the broken export",
        "{s} is tracked in {v}|{v} is about {s}",
        "{S} is tracked in {v}.|- {S}: {v}",
    ),
    _topic(
        "commit",
        "the ring buffer|the parser fix|the rename|the cache rewrite",
        "{s} came with {v}|{s} is in {v}",
        "{S} came with {v}.|- {S}: commit {v}",
        "{v} Add {s}",
    ),
    _topic(
        "host",
        "the standby|the build agent|the print server|the gauge",
        "{s} is {v}|{s} runs on {v}",
        "{S} is {v}.|- {S}: {v}",
        "{s} -> {v}",
    ),
    _topic(
        "url",
        "the runbook|the status page|the dashboard|the user guide",
        "{s} is {v}|{s} is at {v}",
        "{S}: {v}|- {S} is at {v}",
    ),
    _topic(
        "person",
        "the billing code|the maps module|the release notes|the night shift",
        "{v} owns {s}|{s} belongs to {v}",
        "{v} owns {s}.|- {S}: owned by {v}",
    ),
    _topic(
        "product",
        "the session store|the job queue|the reverse proxy|error reporting",
        "{s} runs on {v}|we use {v} for {s}",
        "{S} runs on {v}.|- {S}: {v}",
    ),
    _topic(
        "clock",
        "the backup|the stand-up|the report|the sync",
        "{s} starts at {v}|{s} is at {v}",
        "{S} starts at {v}.|- {S}: {v}",
        "{v} {s} started",
    ),
    _topic(
        "day",
        "the code freeze|the demo|the audit|the move",
        "{s} is on {v}|{s} begins on {v}",
        "{S} is on {v}.|- {S}: {v}",
    ),
    _topic(
        "port",
        "der Proxy|die Suche|das Archiv",
        "{s} läuft auf Port {v}|{s} hört auf {v}",
        "{S} läuft auf Port {v}.|- {S}: Port {v}",
        language="de",
    ),
    _topic(
        "count",
        "das Lager|die Kartei|der Index",
        "{s} hat {v} Einträge|in {s} sind {v} Einträge",
        "{S} hat {v} Einträge.|- {S}: {v} Einträge",
        language="de",
    ),
    _topic(
        "person",
        "die Abnahme|die Kasse|die Wartung",
        "{v} macht {s}|für {s} ist {v} zuständig",
        "Für {s} ist {v} zuständig.",
        language="de",
    ),
    _topic(
        "port",
        "le relais|la recherche|le cache",
        "{s} écoute sur le port {v}",
        "{S} écoute sur le port {v}.|- {S} : port {v}",
        language="fr",
    ),
    _topic(
        "count", "le stock|l'archive|la liste", "{s} contient {v} fiches", "{S} contient {v} fiches.", language="fr"
    ),
    _topic(
        "port",
        "el proxy|la búsqueda|el archivo",
        "{s} escucha en el puerto {v}",
        "{S} escucha en el puerto {v}.",
        language="es",
    ),
    _topic(
        "count", "el almacén|la lista|el índice", "{s} tiene {v} registros", "{S} tiene {v} registros.", language="es"
    ),
    _topic("port", "監視サーバー|検索|管理画面", "{s}のポートは{v}です", "{s}のポートは{v}。", language="ja"),
    _topic("port", "监控|搜索服务|管理页面", "{s}的端口是{v}", "{s}的端口是{v}。", language="zh"),
)

MORE = (
    _topic(
        "port",
        "the checkout service|the thumbnailer|the auth proxy|the sync daemon",
        "after the outage we moved {s} to port {v}, and it stays there|since the outage {s} is the one on {v}",
        "- {S} → port {v} (since the outage)|{S} uses port {v}; it was moved after the outage.",
        "  {s}:\n    port: {v}",
    ),
    _topic(
        "count",
        "shard one|the spring batch|the staging bucket|the blue queue",
        "according to the dashboard there were exactly {v} objects in {s} when I looked|"
        "we counted, {s} has {v} objects",
        "{S}: {v} objects as counted.|There are {v} objects in {s}.",
        '{"name": "{s}", "objects": {v}}',
    ),
    _topic(
        "version",
        "the ORM|our fork of the parser|the CLI|the runtime",
        "don't upgrade {s} because of the plugin, keep it at {v}|{s} has to stay at {v} because of the plugin",
        "- Keep {s} at {v} (plugin).|{S} stays at {v} because of the plugin.",
    ),
    _topic(
        "duration",
        "the invoice job|a failover|the smoke run",
        "expect {s} to take {v}, give or take|{s} took {v} when I tried",
        "{S} takes {v}.|- Expect {v} for {s}",
        "[info] {s} completed, elapsed {v}",
    ),
    _topic(
        "money",
        "the CDN|the second region|support",
        "{s} is billed at {v} per month|we're charged {v} a month for {s}",
        "{S} is billed at {v} per month.|- {S} – {v}/month",
    ),
    _topic(
        "percent",
        "the conversion rate|packet loss|CPU load",
        "{s} climbed to {v}|right now {s} is around {v}",
        "{S} is around {v}.|- {S} climbed to {v}",
        "{s}\t{v}",
    ),
    _topic(
        "path",
        "the migration scripts|the e2e helpers|the brand assets",
        "everything for {s} sits under {v}|put {s} in {v} please",
        "{S} go in {v}.|- Put {s} in {v}",
    ),
    _topic(
        "command",
        "the storybook|a dry run|the codegen",
        "I always start {s} with {v}|if you need {s}, it's {v}",
        "{S} is started with {v}.|- Need {s}? {v}",
    ),
    _topic(
        "identifier",
        "the kill switch|the tenant column|the worker pool",
        "the name of {s} is {v}|in the code {s} is {v}",
        "In the code {s} is {v}.|- {S} = {v}",
        "{v}: enabled  ({s})",
    ),
    _topic(
        "host",
        "the bastion|the license server|the staging database",
        "to get to {s} use {v}|{s} moved to {v} on Monday",
        "{S} moved to {v}.|- Use {v} for {s}",
        "Host {s}\n  HostName {v}",
    ),
    _topic(
        "person",
        "procurement|the Android app|data protection|the intern programme",
        "{v} is responsible for {s}|for {s} talk to {v}, nobody else",
        "{v} is responsible for {s}.|- {S} → {v}",
    ),
    _topic(
        "product",
        "CI|logging|the message bus|the data warehouse",
        "{s} is on {v}|we settled on {v} for {s}",
        "{S} is on {v}.|- {S}: settled on {v}",
    ),
    _topic(
        "clock",
        "maintenance|the digest mail|the cron sweep",
        "{s} kicks off at {v} every night|every night {s} goes out at {v}",
        "{S} kicks off at {v} every night.|- {V} – {s}",
    ),
    _topic(
        "day",
        "the beta|the vendor contract|the offsite",
        "we promised {s} for {v}|{s} expires {v}",
        "{S} is promised for {v}.|- {S} expires on {v}",
    ),
    _topic(
        "ticket",
        "the double charge|the login loop|the missing avatars",
        "{v} covers {s}|work on {s} happens in {v}",
        "{V} covers {s}.|- {S} – {v}",
    ),
    _topic(
        "commit",
        "the hotfix|the revert|the schema change",
        "{s} is commit {v}|I pushed {s} as {v}",
        "{S} is commit {v}.|- {V}: {s}",
        "* {v} (HEAD -> main) {s}",
    ),
    _topic(
        "url",
        "the staging app|the design file|the API docs",
        "{s} can be found at {v}|bookmark {v} for {s}",
        "{S} can be found at {v}.|- [{s}]({v})",
    ),
    _topic(
        "size",
        "the lambda|the node pool|the video upload",
        "{s} is capped at {v}|we raised {s} so it now has {v}",
        "{S} is capped at {v}.|- {S}: {v}",
        "{s}: {v}",
    ),
    _topic(
        "command",
        "die Migration|der Testlauf|das Deployment",
        "{s} startet man mit {v}|für {s} nimm {v}",
        "{S} startet man mit {v}.|- {S}: {v}",
        language="de",
    ),
    _topic(
        "money",
        "der Stellplatz|die Lizenz|der Vertrag",
        "{s} kostet {v} im Monat",
        "{S} kostet {v} im Monat.|- {S}: {v} im Monat",
        language="de",
    ),
    _topic(
        "product",
        "die Suche|das Monitoring|der Speicher",
        "{s} läuft über {v}|für {s} nehmen wir {v}",
        "{S} läuft über {v}.|- {S}: {v}",
        language="de",
    ),
    _topic(
        "path", "les modèles|les clés|les relevés", "{s} sont dans {v}", "{S} sont dans {v}.|- {S} : {v}", language="fr"
    ),
    _topic("clock", "la relève|la réunion|la synchro", "{s} commence à {v}", "{S} commence à {v}.", language="fr"),
    _topic(
        "path",
        "las plantillas|las claves|los registros",
        "{s} están en {v}",
        "{S} están en {v}.|- {S}: {v}",
        language="es",
    ),
    _topic("clock", "el relevo|la reunión|la copia", "{s} empieza a las {v}", "{S} empieza a las {v}.", language="es"),
    _topic("version", "ドライバー|拡張機能|カーネル", "{s}はバージョン{v}です", "{s}はバージョン{v}。", language="ja"),
    _topic("version", "驱动|插件|内核", "{s}是{v}版本", "{s}是{v}版本。", language="zh"),
    _topic("product", "認証|監視|配信", "{s}は{v}を使っています", "{s}は{v}を使用。", language="ja"),
    _topic("product", "登录|监控|缓存", "{s}用的是{v}", "{s}使用{v}。", language="zh"),
)

KEPT = (
    _topic(
        "port",
        "the websocket bridge|the ledger service|the kiosk|the debug console|the broker",
        "you reach {s} on {v}|{s} answers on {v}|we put {s} on port {v}",
        "{S} answers on port {v}.|- Port of {s}: {v}|{S} is reached on {v}.",
        "{s} up on port {v}",
    ),
    _topic(
        "count",
        "the herd register|the sensor log|the photo library|the tariff table",
        "{s} has {v} rows|I count {v} rows in {s}",
        "{S} has {v} rows.|- {S} ({v} rows)",
        "rows in {s}: {v}",
    ),
    _topic(
        "worded",
        "the rowing team|the parish council|the test panel",
        "{v} people are in {s}|{s} consists of {v} people",
        "{S} consists of {v} people.|- {S}: {v} people",
    ),
    _topic(
        "version",
        "the Go toolchain|sqlite|the scanner firmware|webpack",
        "{s} was bumped to {v}|use {s} {v}",
        "Use {s} {v}.|- {S}: {v}",
        "installed {s} {v}",
    ),
    _topic(
        "duration",
        "the nightly sweep|a cold start|the migration|the calibration",
        "{s} runs for {v}|{s} lasted {v}",
        "{S} lasts {v}.|- Length of {s}: {v}",
        "{s}: done after {v}",
    ),
    _topic(
        "size",
        "an upload|the heap|a snapshot",
        "{s} can be {v} at most|limit for {s}: {v}",
        "{S} can be at most {v}.|- Limit of {s}: {v}",
        "{s} limit={v}",
    ),
    _topic(
        "percent",
        "the drop-out rate|battery charge|the error budget",
        "{s} stands at {v}|we measured {s} at {v}",
        "{S} stands at {v}.|- {S} {v}",
        "{s} = {v}",
    ),
    _topic(
        "money",
        "the mooring|the map licence|one probe",
        "we pay {v} for {s}|{s} sets us back {v}",
        "{S} costs {v}.|- Price of {s}: {v}",
    ),
    _topic(
        "path",
        "the translations|the wiring plans|the golden files",
        "{s} are kept in {v}|look for {s} in {v}",
        "{S} are kept in {v}.|- {S} → {v}",
        "found {s} in {v}",
    ),
    _topic(
        "command",
        "the linter|a clean install|the load test",
        "{s}: {v}|use {v} for {s}",
        "Use {v} for {s}.|- {S} with {v}",
    ),
    _topic(
        "identifier",
        "the lock file key|the audit table|the stall counter",
        "{s} is stored as {v}|look for {v}, that's {s}",
        "{S} is stored as {v}.|- {v} is {s}",
    ),
    _topic(
        "ticket",
        "the memory leak|the wrong totals|the odd timestamps",
        "I filed {v} for {s}|{s}: see {v}",
        "{S}: see {v}.|- {v}: {s}",
    ),
    _topic(
        "commit",
        "the fallback|the new scheduler|the typo fix",
        "{v} brought {s}|{s} landed as {v}",
        "{S} landed as {v}.|- {v}: {s}",
        "{v} {s}",
    ),
    _topic(
        "host",
        "the sandbox|the time server|the camera",
        "{s} sits at {v}|ssh to {v} for {s}",
        "{S} sits at {v}.|- Address of {s}: {v}",
        "{s} {v} up",
    ),
    _topic(
        "url",
        "the wiki|the playground|the incident form",
        "{s} lives at {v}|open {v}, that's {s}",
        "{S}: {v}|- Open {v} for {s}",
    ),
    _topic(
        "person",
        "the firmware|on-call this winter|the invoices|the training",
        "ask {v} about {s}|{v} takes care of {s}",
        "{v} takes care of {s}.|- Ask {v} about {s}",
    ),
    _topic(
        "product",
        "the feature flags|tracing|the artefacts|secrets",
        "{s} went to {v}|{v} is what we use for {s}",
        "{V} is used for {s}.|- {S} with {v}",
    ),
    _topic(
        "clock",
        "the night train|the handover|the batch window",
        "{s} opens at {v}|at {v} comes {s}",
        "{S} opens at {v}.|- At {v}: {s}",
        "{s} {v}",
    ),
    _topic(
        "day", "the dry dock|the contract|the relaunch", "{s} ends {v}|we agreed on {v} for {s}", "{S}: {v}|- {v}: {s}"
    ),
    _topic(
        "version",
        "der Treiber|die Firmware|das Plugin",
        "{s} ist auf {v}|{s} steht bei {v}",
        "{S} ist auf {v}.|- {S}: {v}",
        language="de",
    ),
    _topic(
        "path",
        "die Vorlagen|die Schlüssel|die Messwerte",
        "{s} liegen in {v}",
        "{S} liegen in {v}.|- {S}: {v}",
        language="de",
    ),
    _topic(
        "clock",
        "die Übergabe|der Abgleich|das Treffen",
        "{s} beginnt um {v} Uhr",
        "{S} beginnt um {v} Uhr.|- {S}: {v} Uhr",
        language="de",
    ),
    _topic(
        "version", "le pilote|l'extension|le noyau", "{s} est en version {v}", "{S} est en version {v}.", language="fr"
    ),
    _topic("person", "la caisse|la relève|le phare", "c'est {v} qui gère {s}", "{v} gère {s}.", language="fr"),
    _topic(
        "version",
        "el controlador|el complemento|el núcleo",
        "{s} está en la versión {v}",
        "{S} está en la versión {v}.",
        language="es",
    ),
    _topic("person", "la caja|el faro|el relevo", "de {s} se encarga {v}", "{v} se encarga de {s}.", language="es"),
    _topic("count", "部品表|台帳|名簿", "{s}は{v}件あります", "{s}は{v}件。", language="ja"),
    _topic("count", "零件表|台账|名单", "{s}有{v}条", "{s}有{v}条。", language="zh"),
)
