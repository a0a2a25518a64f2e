/**
 * The German words that the planner knows; verbs and nouns have files of their own. Separable verbs are written joined and apart
 * ("lösch", "leg an" is matched by forms).
 */
import { allowedInGerman, deniedInGerman } from "./Downloading.ts"
import { GermanNouns } from "./GermanNouns.ts"
import { GermanVerbs } from "./GermanVerbs.ts"
import { keepFilesInGerman } from "./KeepingFiles.ts"
import type { Words } from "./Words.ts"

/** verschieben: verschiebe, verschieb, verschiebt, verschiebst; others are written out. */
const verbForms = (verb: string): ReadonlyArray<string> => {
  if (verb.includes(" ") || !/(?:en|rn|ln)$/.test(verb)) return [verb]
  const stem = verb.replace(/(?:en|n)$/, "")
  const e = /[td]$/.test(stem) ? "e" : ""
  return [verb, `${stem}e`, stem, `${stem}${e}t`, `${stem}${e}st`, `${stem}end`]
}

const nounForms = (noun: string): ReadonlyArray<string> => [noun]

export const German: Words = {
  verbs: GermanVerbs,
  nouns: GermanNouns,
  phrases: {
    about: "über, zu, mit, von, zum thema, betreffend, bezüglich, wo es um, vom, zur, zum",
    again: "wieder, erneut, nochmal",
    all: "alle, jede, jedes, jeden, sämtliche, alles, allen, aller, ganze, ganzen, jeder, beide, beiden, die beiden",
    and: "und, sowie, &, plus, und auch",
    as: "als, für, zu",
    at: "bei",
    back: "zurück",
    by: "von, durch",
    called:
      "namens, mit dem namen, genannt, mit dem titel, mit namen, nenne sie, nenn sie, nenne es, mit titel, heißt, die heißt, das heißt, der heißt, heißen, die heißen, nenn es, nenne ihn, nenn ihn",
    can: "kann, können, darf, dürfen",
    contains: "enthalten, enthält, mit dem wort, mit dem text, die enthalten, erwähnt, erwähnen, mit dem begriff",
    due:
      "bis, bis zum, bis zu, gültig bis, mit frist bis, frist, läuft ab am, läuft bis, offen bis, für, endet am, bis zum ende, mit frist, die am, das am, abgabe bis, die bis, läuft ab, befristet bis",
    empty: "leer, leere, leeren",
    except:
      "aber nichts was, aber keine, mit ausnahme, außer, ausgenommen, aber nicht, bis auf, ohne, mit ausnahme von, nur nicht",
    featured: "hervorgehoben, vorne",
    field: "was ist, wie hoch ist, wer ist, wann ist, wo ist, wie lautet, was kostet, wie viel ist",
    first:
      "ganz oben, an erste stelle, auf platz eins, an die spitze, ganz an den anfang, zuerst, an den anfang, nach vorn, nach vorne, an die erste stelle, ganz nach vorne, als erstes",
    forever:
      "für alle zeiten, ganz und gar, restlos, unwiederbringlich, für ewig, endgültig, für immer, dauerhaft, permanent, unwiderruflich, komplett, vollständig, ein für alle mal",
    from: "aus, von, aus der, aus dem, vom, in, im",
    frozen: "erledigt, als erledigt, fertig, abgehakt, als gelöst, gelöst, ab",
    give:
      "gib, gib mir, schick, zeig, zeig mir, brauche, erstell, erstelle, mach, wie ist, was ist, erzeuge, haben, geben, schicken, hol, nenne, nenn mir",
    has: "hat, haben, hatte, habe",
    help:
      "hilfe, hilf mir, was kannst du, was kannst du alles, was geht, wie funktioniert das, befehle, was kann ich dich fragen, wer bist du, was kannst du tun, was kannst du machen",
    howfar: "wie weit, status, stand, fortschritt, wie steht es",
    howlong: "wie lang, wie lange, länge, dauer",
    howmany: "wie viele, wieviele, wie viel, anzahl, die anzahl, anzahl der",
    howmuch: "wie viel, wieviel, wie groß",
    if: "wenn, falls, sofern",
    in:
      "nahe, in der nähe von, rund um, nahe bei, von unserer reise nach, aus unserer reise nach, vom urlaub in, aus dem urlaub in, von der reise nach, vom ausflug nach, aus dem urlaub an, vom urlaub an, aus unserem urlaub in, in, im, aus, unter, von, aus dem, aus der, in dem, in der, innerhalb, vom, unterhalb, auf, die im, die in, das im, der im, welche im, welche in",
    into: "in, nach, zu, ins, im, in den, in die, in das, unter, rein in, hinein, unterm, auf, zum, zur, innerhalb",
    is: "ist, sind, war, waren, wird, werden, wurde, wurden",
    it: "es, das, dies, dieses, ihn, sie, die datei, diese datei, diese, dasselbe, diesen",
    latest:
      "neueste, neuesten, neuste, neusten, letzte, letzten, letztes, aktuellste, jüngste, jüngsten, letzter, neuester, neustes, neuestes, aktuellsten",
    longer: "länger als, über, mehr als, mindestens, länger",
    me: "mir, mich, ich, uns, wir",
    message:
      "und füg die nachricht hinzu, füg die nachricht hinzu, und schreib, und schreibe dazu, schreib dazu, schreibe dazu, und als nachricht, als nachricht, die nachricht lautet, und die nachricht, und dem hinweis, und der nachricht, mit der nachricht, mit nachricht, mit dem text, mit dem hinweis, nachricht, hinweis, mit hinweis, und schreib dazu, mit der bitte",
    moved: "abgelegt, hochgeladen",
    my:
      "mein, meine, meinen, meiner, meinem, meines, der, die, das, den, dem, des, ein, eine, einen, einer, einem, eines, unsere, unser, unseren",
    new: "neu, neue, neuen, neues, neuer, weitere, noch eine, noch ein",
    no:
      "nein, nee, nicht, abbrechen, abbruch, stopp, lass es, lass das, vergiss es, lieber nicht, doch nicht, nö, bloß nicht, auf keinen fall, nein danke, lass mal, lass sie",
    nodownload: [
      ...deniedInGerman,
      "ohne download, kein download, ohne herunterladen, nicht herunterladbar, niemand soll es herunterladen können, niemand soll es herunterladen dürfen, niemand darf es herunterladen, niemand soll sie herunterladen können, niemand darf sie herunterladen, keiner soll es herunterladen können, keiner darf es herunterladen, herunterladen soll niemand können, herunterladen verboten, download verboten, download aus, downloads aus, ohne downloads, ohne downloadmöglichkeit, ohne download-möglichkeit, nicht zum herunterladen, niemand soll das herunterladen können, nur zum ansehen, nur ansehen, herunterladen nicht erlaubt, download nicht erlaubt"
    ].join(", "),
    allowdownload: [
      ...allowedInGerman,
      "mit download, download erlaubt, download erlauben, herunterladbar, mit downloads, download erlauben, und download erlauben, zum herunterladen"
    ].join(", "),
    not: "nicht, kein, keine",
    notin:
      "haben keinen tag, hat keinen tag, haben keine tags, haben noch keinen tag, haben noch keine tags, sind nicht getaggt, sind ungetaggt, noch keinen tag haben, keinen tag haben, ohne tags, ohne tag, ungetaggt, ohne schlagworte, ungetaggte, ungetaggten, die keine tags haben, ohne schlagwort, nicht getaggt, nicht getaggte",
    of: "aus, mit, von, für, über, vom, die enthält, mit allen",
    oldest: "älteste, ältesten, ersten, erste, ältestes",
    or: "oder",
    other: "anderen, andere, restlichen, übrigen",
    out: "aus, aus der, aus dem, raus, heraus, von",
    over:
      "über, mehr als, größer als, mindestens, schneller als, ab, höher als, größer, schwerer als, größer gleich, oberhalb von, und mehr",
    pages: "seiten, seite",
    password:
      "passwort, mit passwort, mit dem passwort, kennwort, mit kennwort, mit dem kennwort, geschützt mit, und passwort, passwortgeschützt mit",
    private: "privat, private, privaten, nicht öffentlich, nicht mehr öffentlich, nicht öffentliche",
    public:
      "für jedermann sichtbar, für alle einsehbar, allgemein zugänglich, für alle offen, für jeden zugänglich, für alle freigegeben, frei zugänglich, für alle lesbar, sichtbar für alle, öffentlich, öffentliche, öffentlichen, für alle sichtbar, für alle, online, für jeden sichtbar, für alle zugänglich, öffentlich zugänglich, frei",
    question: "was, wer, wann, wo, welche, wie, wie viel, warum",
    rest: "der rest, den rest, die anderen, die übrigen",
    shared:
      "geteilt, mit mir geteilt, geteilte, mit mir geteilten, die mit mir geteilt wurden, mit mir geteilte, die mit mir geteilt sind, für mich freigegeben, die andere mit mir geteilt haben, für mich freigegebenen",
    sharedby: "die ich geteilt habe, von mir geteilte",
    since: "seit, nach, ab, von, neuer als, seit dem",
    before: "vor, bis, älter als, vor dem, bis zum",
    someone:
      "jemand, jemanden, irgendwer, wer, man, einer, leute, die leute, sie, er, irgendjemand, der kunde, die kundin",
    something:
      "etwas, was, dateien, eine datei, neue dateien, die dateien, eine neue datei, irgendwas, die ersten dateien, die erste datei, seine dateien, ihre dateien, neues, etwas neues, fotos, bilder, videos, dokumente, ein foto, ein video, ein dokument, neue fotos, neue videos, ein bild, neue bilder, songs, tracks",
    than: "als",
    that: "haben wir, habe ich, hab ich, die, das, der, welche, die ich, das ich, den ich, ich, wir, die wir",
    them:
      "sie, diese, die, ihnen, diese dateien, alle diese, die dateien, alle davon, davon, sie alle, jene, die gefundenen, beide, die beiden, dieselben",
    afterwards: "und dann, dann, danach, anschließend, und danach, schließlich, und anschließend, hinterher, daraufhin",
    should:
      "soll, sollen, sollte, sollten, soll bitte, sollen bitte, sollen jetzt, soll jetzt, muss, müssen, müsste, müssten, kann, können, könnte, könnten, darf, dürfen, mögen",
    havewe:
      "gibt 's, gibt 's denn, gibt 's alles, gibt 's hier, gibt 's schon, habe ich, hab ich, haben wir, gibt es, gibts, existieren, sind da, sind vorhanden, hab ich denn, habe ich denn, gibt es denn, gibts denn, gibt es bei mir, hab ich alles, habe ich alles, gibt es alles, sind angelegt, habe ich schon, gibt es schon, gibt es hier, sind im laufwerk, habe ich bisher, benutze ich, verwende ich",
    notjust:
      "nicht nur in den papierkorb, nicht bloß in den papierkorb, und nicht nur in den papierkorb, nicht in den papierkorb, am papierkorb vorbei, ohne papierkorb",
    unresolved:
      "offen, offene, offenen, unerledigt, unerledigte, unerledigten, ungelöst, nicht erledigt, ausstehend, ausstehende, unbeantwortet, übrig",
    there: "da, es gibt, gibt es",
    drive:
      "irgendwo, irgendwo hier, hier irgendwo, hier drin, bei mir, bei uns, irgendwo im laufwerk, in meinen dateien, unter meinen dateien, auf mein laufwerk, auf meinem laufwerk, ins laufwerk, in mein laufwerk, auf mein drive, auf meinen drive, in den drive, in meinen drive, aufs laufwerk, auf das laufwerk, im laufwerk, in meinem laufwerk, in meiner ablage, in meinem speicher, auf dem drive, in meinem drive, auf meinem drive, im drive, auf dem laufwerk",
    ones: "davon",
    to: "mit, an, für, zu",
    under:
      "unter, weniger als, kleiner als, höchstens, langsamer als, kürzer als, maximal, bis, leichter als, nicht mehr als, kürzer, kleiner, bis zu",
    until: "bis",
    untag:
      "enttaggen, entferne den tag, entferne das tag, lösche den tag, nimm den tag, entferne das schlagwort, entferne tag",
    up: "auf",
    when: "wenn, sobald, sowie, falls, sobald als, nachdem, wann, wann immer, immer wenn",
    where:
      "wo, wo ist, wo sind, wo liegt, wo liegen, in welchem ordner ist, in welchem ordner liegt, in welchem ordner sind, in welchem ordner liegen",
    who: "wer, welche leute, wem, wen",
    yes:
      "ja, jo, jep, jap, klar, ok, okay, mach das, mach es, ja bitte, genau, richtig, sicher, natürlich, gerne, bitte, los, einverstanden, bestätigt, ja klar, unbedingt, nur zu, mach",
    // Times
    ago: "her",
    between: "zwischen",
    day: "tag, tage, tagen, tages",
    hour: "stunde, stunden, std, h",
    last:
      "letzte, letzten, letzter, letztes, letztem, vergangene, vergangenen, vergangenes, vorige, vorigen, voriges, letzen",
    minute: "minute, minuten, min",
    month: "monat, monate, monaten, monats",
    next: "nächste, nächsten, nächster, nächstes, nächstem, kommende, kommenden, kommendes",
    quarter: "quartal, quartale, quartalen",
    season: "frühling, frühjahr, sommer, herbst, winter",
    second: "sekunde, sekunden, sek, s",
    this: "diese, diesen, dieser, dieses, diesem, aktuelle, aktuellen",
    today: "heute, heutigen, heutige, heute morgen, heute früh",
    tomorrow: "morgen",
    week: "woche, wochen",
    weekend: "wochenende, wochenenden",
    year: "jahr, jahre, jahren, jahres",
    yesterday: "gestern, gestrigen",
    lately: "kürzlich, neulich, zuletzt",
    endof: "ende, ende des, ende der, zum ende des",
    uploaded:
      "hochgeladen, hochgeladene, hochgeladenen, hinzugefügt, hinzugekommen, angekommen, bekommen, dazugekommen, erstellt",
    taken: "aufgenommen, gemacht, gefilmt, fotografiert, aufgenommene, aufgenommenen, geschossen",
    tagged:
      "die das schlagwort, die den tag, tragen das schlagwort, trägt das schlagwort, tragen den tag, trägt den tag, haben den tag, hat den tag, haben das schlagwort, hat das schlagwort, mit dem label, mit dem stichwort, mit dem etikett, mit den schlagwörtern, mit der kennzeichnung, verschlagwortet mit, gekennzeichnet mit, gekennzeichnet als, getaggt mit, getaggt, mit dem tag, mit tag, markiert, mit dem schlagwort, markiert als, markiert mit, mit den tags, mit schlagwort, mit tags, getaggten, getaggte, die mit, als, mit der markierung",
    taggedafter:
      "getaggt, getaggt ist, markiert sind, markiert ist, markiert, gekennzeichnet sind, verschlagwortet sind, verschlagwortet, versehen sind, tragen, haben, hat, trägt, getaggt sind, getaggten, getaggte",
    tempo: "bpm, schläge pro minute, beats pro minute",
    withname: "im namen, im titel, deren name enthält, im dateinamen, deren namen enthalten",
    startswith:
      "anfängt mit, die anfängt mit, welche mit beginnen, beginnen mit, beginnt mit, fangen an mit, fängt an mit, beginnend mit, die anfangen mit, die mit, anfangend mit, die beginnen mit, deren name beginnt mit",
    endswith: "endend auf, die enden auf",
    largest: "größte, größten, größtes, größter",
    smallest: "kleinste, kleinsten, kleinstes",
    longest: "längste, längsten, längstes",
    shortest: "kürzeste, kürzesten, kürzestes",
    fastest: "schnellste, schnellsten, schnellstes",
    slowest: "langsamste, langsamsten, langsamstes",
    alphabetical:
      "alphabetisch sortiert, in alphabetischer reihenfolge, nach namen sortiert, nach name sortiert, nach dem namen sortiert, von a bis z, nach dem alphabet, alphabetisch, nach namen, nach name, nach titel, nach dem namen",
    bysize:
      "nach größe sortiert, der größe nach, größte zuerst, nach dateigröße, die größten zuerst, nach größe, nach der größe",
    bydate:
      "nach datum sortiert, dem datum nach, die neuesten zuerst, chronologisch, neuste zuerst, die neusten zuerst, nach datum, neueste zuerst, nach dem datum",
    oldestfirst: "älteste zuerst",
    bytempo:
      "nach tempo sortiert, nach geschwindigkeit sortiert, langsamste zuerst, vom langsamsten zum schnellsten, nach tempo, nach bpm, nach geschwindigkeit",
    byduration: "nach länge sortiert, der länge nach, nach spieldauer, kürzeste zuerst, nach länge, nach dauer",
    reversed: "umgekehrt, rückwärts, absteigend",
    size: "groß, große, großen, schwer",
    views:
      "angesehen, aufgerufen, geöffnet, aufrufe, beliebt, beliebtesten, meistgesehen, meistgesehenen, angeschaut, gesehen",
    nodescription: "ohne beschreibung, ohne beschreibungen",
    nofolder:
      "ohne ordner, in keinem ordner, auf der obersten ebene, im hauptverzeichnis, nicht in einem ordner, ganz oben, die in keinem ordner liegen, lose",
    toplevel:
      "oberster ebene, obersten ordner, die oberste ebene, laufwerksebene, hauptebene, stammverzeichnis, obersten ebene des laufwerks, oberste ebene, hauptordner, hauptverzeichnis, obersten ebene, wurzel, ganz nach oben",
    alsoFiles:
      "mit allem drin, mit allem was drin liegt, samt inhalt, mit inhalt, mit allen dateien, samt dateien, mit allem, mit allem darin, und alles darin, samt allem, mit seinen dateien, inklusive inhalt, und seinen inhalt, mitsamt inhalt, mit allem was drin ist, und alles was drin ist, mit dem inhalt, samt allen dateien, mit allen dateien darin, mit allem inhalt, und alle dateien darin, und den inhalt, inklusive dateien, inklusive aller dateien",
    keepFiles: [
      ...keepFilesInGerman,
      "aber behalte die dateien, aber nicht die dateien, behalte die dateien, ohne die dateien, ohne die dateien zu löschen, aber lass die dateien, aber die dateien behalten, aber nicht den inhalt, die dateien behalten, und behalte die dateien, aber behalt die dateien"
    ].join(", "),
    people:
      "alle leute, jede person, fremde, die ganze welt, jeder beliebige, jeder mensch, allen, alle, jeden, jedermann, die welt, die öffentlichkeit, jeder",
    similar: "ähnlich wie, wie, kopien von, duplikate von, versionen von, andere versionen von, kopien, dubletten von"
  },
  verbForms,
  nounForms,
  singulars:
    "datei, ding, sache, song, lied, track, musikstück, stück, aufnahme, dokument, schriftstück, bild, foto, fotografie, schnappschuss, video, film, clip, pdf, tabelle, präsentation, screenshot, zip, archiv, textdatei",
  fillers:
    "ner, 'n, 'ne, ganz, völlig, ruhig, folgende, folgenden, eigene, eigenen, euch, jeweils, einmal, der, die, das, den, dem, des, ein, eine, einen, einer, einem, eines, mein, meine, meinen, meiner, meinem, meines, unser, unsere, unseren, bitte, mal, mir, doch, eben, kurz, gern, gerne, auch, jetzt, dann, noch, einfach, schnell, alle, uns, neue, neuen, neues, so, sich, dazu, eigentlich, insgesamt, gerade, momentan, derzeit, überhaupt, denn, wohl, halt, schon, bisher, aktuell, ganze, ganzen, ganzes, gesamte, gesamten, komplette, kompletten, kompletter, endlich, rasch, bloß, ne, nen, nem, nich",
  light:
    "ich, wir, du, ihr, mir, mich, uns, dir, will, wollen, möchte, möchten, hätte, hätt, hätten, gern, gerne, soll, sollen, sollte, sollten, kann, kannst, können, könnte, darf, muss, müsste, wäre, wär, schön, mal, ma, doch, halt, eben, eigentlich, denn, schon, noch, ja, wohl, etwa, jetzt, nun, dann, da, hier, einfach, gleich, kurz, schnell, endlich, leider, vielleicht, auch, so, sehr, ganz, hab, habe, haben, hat, sein, werden, wird, bin, ist, sind, is, worden, würde, würd, bitte, nämlich, übrigens, ihm, ihn, ihnen, es, sie",
  openings:
    "brauch, brauche, wir brauchen mal, grüezi, ach herrje, herrje, jetzt, ich hätt, ich hätt gern, ich hätt so gern, ich hätte so gern, wär schön wenn, hallo hier ist, bräuchte, könnt ihr, könntet ihr, könnt ihr bitte, könntet ihr bitte, könnt ihr mir, könnt ihr mal, könnt ihr mir bitte, würdet ihr, würdet ihr bitte, können sie bitte, könnten sie bitte, können sie mir, können sie mir bitte, könnten sie mir, könnten sie mir bitte, würden sie bitte, würden sie mir, würden sie mir bitte, ich bräuchte, wir bräuchten, ich bräuchte mal, ich hätte, wir hätten gern, wir hätten gerne, ich wünsche mir, ich möchte bitte, ich möchte gern, ich möchte gerne, sei so lieb und, seid so gut und, seien sie so gut und, seien sie so nett und, sei doch so gut und, tu mir den gefallen und, tu mir einen gefallen und, ich wollte, ich wollte gern, ich müsste, wir müssten, ich sollte, lass uns mal, ich würd gern, ich würd gerne, kannste, kannste mal, könnteste, magst du, magst du mal, magst du bitte, wäre es möglich, ginge es, guten tag zusammen, grüß dich, grüß gott, tach, na, tja, oh, hm, so jetzt, und jetzt, als nächstes, danach, außerdem, zudem, ferner, noch etwas, noch was, eine sache noch, eins noch, bitte auch, auch bitte, zweitens, erstens, drittens, dann bitte, dann noch, jetzt bitte, nun bitte, bitte jetzt, kurz, schnell, kannst du schnell, kannst du kurz, kannst du noch, könntest du noch, kannst du auch, kannst du bitte auch, könnten wir bitte, dürfte ich, hilf mir, kannst du mir helfen, ich möchte dass du, ich möchte dass ihr, ich möchte dass sie, ich möchte dass du mir, ich möchte dass ihr mir, ich will dass du, ich will dass ihr, ich will dass sie, ich will dass du mir, ich will dass ihr mir, ich würde mir wünschen dass du, ich würde mir wünschen dass ihr, ich würde mir wünschen dass sie, ich würde mir wünschen dass du mir, ich würde mir wünschen dass ihr mir, kannst du dafür sorgen dass du, kannst du dafür sorgen dass ihr, kannst du dafür sorgen dass sie, kannst du dafür sorgen dass du mir, kannst du dafür sorgen dass ihr mir, sorg dafür dass du, sorg dafür dass ihr, sorg dafür dass sie, sorg dafür dass du mir, sorg dafür dass ihr mir, sorge dafür dass du, sorge dafür dass ihr, sorge dafür dass sie, sorge dafür dass du mir, sorge dafür dass ihr mir, bitte sorg dafür dass du, bitte sorg dafür dass ihr, bitte sorg dafür dass sie, bitte sorg dafür dass du mir, bitte sorg dafür dass ihr mir, ist es möglich dass du, ist es möglich dass ihr, ist es möglich dass sie, ist es möglich dass du mir, ist es möglich dass ihr mir, wäre es möglich dass du, wäre es möglich dass ihr, wäre es möglich dass sie, wäre es möglich dass du mir, wäre es möglich dass ihr mir, ich hätte gern dass du, ich hätte gern dass ihr, ich hätte gern dass sie, ich hätte gern dass du mir, ich hätte gern dass ihr mir, es wäre schön wenn du, es wäre schön wenn ihr, es wäre schön wenn sie, es wäre schön wenn du mir, es wäre schön wenn ihr mir, es wäre nett wenn du, es wäre nett wenn ihr, es wäre nett wenn sie, es wäre nett wenn du mir, es wäre nett wenn ihr mir, es wäre toll wenn du, es wäre toll wenn ihr, es wäre toll wenn sie, es wäre toll wenn du mir, es wäre toll wenn ihr mir, schön wäre wenn du, schön wäre wenn ihr, schön wäre wenn sie, schön wäre wenn du mir, schön wäre wenn ihr mir, es wäre super wenn du, es wäre super wenn ihr, es wäre super wenn sie, es wäre super wenn du mir, es wäre super wenn ihr mir, es wäre prima wenn du, es wäre prima wenn ihr, es wäre prima wenn sie, es wäre prima wenn du mir, es wäre prima wenn ihr mir, ich wäre froh wenn du, ich wäre froh wenn ihr, ich wäre froh wenn sie, ich wäre froh wenn du mir, ich wäre froh wenn ihr mir, ich würde mich freuen wenn du, ich würde mich freuen wenn ihr, ich würde mich freuen wenn sie, ich würde mich freuen wenn du mir, ich würde mich freuen wenn ihr mir, hallo, hi, hey, guten morgen, guten tag, guten abend, servus, moin, bitte, kannst du, könntest du, kannst du bitte, könntest du bitte, kannst du mir, kannst du mal, könntest du mir, würdest du, würdest du bitte, könnten sie, können sie, würden sie, ich möchte, ich will, ich hätte gern, ich hätte gerne, ich würde gern, ich würde gerne, ich muss, ich brauche, wir brauchen, sei so gut und, mach mal, also, ok, okay, gut, super, danke, prima, toll, schauen, mal schauen, nachschauen, gucken, mal gucken, nachsehen, schau mal, guck mal, schau mal nach, sag mir mal, ach, ups, hoppla, oje, äh, ähm, mensch, du, hör mal, sag mal, übrigens, nur kurz, kurze frage, mal kurz, hallo zusammen, liebe grüße, wärst du so freundlich und, wäre es möglich, ist es möglich, kannst du bitte mal, könntest du bitte mal, kannst du mir bitte, könntest du mir bitte, würdest du mir, würdest du mir bitte, ich hätte gern dass du, es ist zeit, wir möchten, wir wollen, wir würden gern, wir würden gerne, vergiss nicht, bitte einmal, einmal, und, dann, jetzt, so, bitte mal, kann ich, können wir, könnten wir, du sollst, wir müssen, lass uns, du kannst, wärst du so nett und, wärst du so lieb und, es wäre super wenn du, perfekt, nun, ja, zuerst, könnte ich, darf ich, könntest du mal",
  closings:
    "wäre toll, wäre super, wäre nett, wäre schön, wäre gut, wäre lieb, das wäre toll, das wäre super, das wäre nett, das wäre schön, das wäre lieb, wenn es dir nichts ausmacht, wenn du magst, wenn du zeit hast, wenn du so nett wärst, wenn möglich bitte, kannst du das, könntest du das, geht das, ginge das, ist das möglich, liebe grüße, lg, dankeschön dir, dank dir, tausend dank, herzlichen dank, ganz lieben dank, heute noch, nebenbei, für uns, für mich bitte, gell, mal bitte, bitte mal, mal eben, doch bitte, mal schnell, und zwar schnell, bitte, danke, vielen dank, danke schön, dankeschön, danke dir, wenn möglich, wenn es geht, so schnell wie möglich, jetzt, sofort, für mich, ja, gleich, mal, wenn du kannst, danke im voraus, merci, besten dank, bitte sofort, auch, im moment, gerade, zur zeit, zurzeit, momentan, derzeit, aktuell, bisher, bis jetzt, insgesamt, ab jetzt, ab sofort, in zukunft, künftig, von nun an, fürs erste, vorerst, okay, lieben dank, danke sehr, vielen lieben dank, wenn das geht, falls möglich, sei so gut, noch, denn, aus versehen, versehentlich, irgendwo, schon",
  numbers: {
    "1": "eins, ein einziges, einzige, einzigen",
    "2": "zwei",
    "3": "drei",
    "4": "vier",
    "5": "fünf",
    "6": "sechs",
    "7": "sieben",
    "8": "acht",
    "9": "neun",
    "10": "zehn",
    "12": "zwölf",
    "20": "zwanzig"
  },
  ordinals: {
    "1": "erste, ersten, erstes, erster",
    "2": "zweite, zweiten, zweites, zweiter",
    "3": "dritte, dritten, drittes",
    "4": "vierte, vierten, viertes",
    "5": "fünfte, fünften, fünftes",
    "6": "sechste, sechsten",
    "7": "siebte, siebten",
    "8": "achte, achten",
    "9": "neunte, neunten",
    "10": "zehnte, zehnten",
    "-1": "letzte, letzten, letztes, letzter",
    "-2": "vorletzte, vorletzten"
  }
}
