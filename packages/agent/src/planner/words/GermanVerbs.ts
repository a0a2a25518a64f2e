/** German verbs: what people want done, and what others do with files. */
import type { Phrases } from "./Words.ts"

export const GermanVerbs: Phrases = {
  add:
    "beifügen, reinnehmen, reinsetzen, dazupacken, dazutun, eintragen, einfügen, reintun, reinpacken, anhängen, dranhängen, einsetzen, hineinpacken, hineintun, hinzunehmen, hinzufügen, füg hinzu, füge, füg, hinzu, hinzugefügt, aufnehmen, ergänzen, ergänze, dazu, dazulegen, reinpacken, pack, packen, steck, stecken, tu, nimm, setz, setzen, leg, legen",
  answer: "antworten, beantworten, erwidern, antwort",
  change: "ändern, anpassen, setzen, bearbeiten, aktualisieren",
  close:
    "zumachen, dichtmachen, abschalten, deaktivieren, stoppen, schließt, absperren, schließen, schliess, beenden, zumachen, mach zu, sperren, abschließen",
  count: "zählen, zähl",
  create:
    "einrichten, zusammenbauen, aufsetzen, basteln, bastel, bastle, kreieren, aufmachen, generieren, zusammenstellen, anlegen, erstellen, anlegen, leg, lege, leg an, lege an, machen, mach, bauen, bau, erzeugen, einrichten, richte, starten, eröffnen, brauche, stell zusammen, zusammenstellen, stelle zusammen, anfertigen, stell, stelle",
  delete:
    "wegtun, wegmachen, wegräumen, ausmisten, vernichten, wegschaffen, rausnehmen, wegnehmen, wegpacken, runternehmen, raustun, rausmachen, löschen, entfernen, wegwerfen, wirf, wirf weg, werfe, schmeiß, schmeiße, schmeiss, wegschmeißen, rausschmeißen, verwerfen, lösch, weg, beseitigen, tilgen, aussortieren, entsorgen, papierkorb, räum auf, in den papierkorb, in den papierkorb verschieben, in den papierkorb legen, rauswerfen, nimm raus, nimm, rausnehmen, herausnehmen, loswerden",
  describe: "beschreiben, beschrifte, beschriften, dokumentieren",
  draw:
    "skizzieren, gestalten, produzieren, kreieren, zeichnen, malen, generieren, generier, erzeugen, entwerfen, entwirf, erstellen, mal, machen, mach, illustrieren",
  empty:
    "ausräumen, entleeren, leer machen, leerräumen, freiräumen, ausleeren, rausbringen, leeren, leer, ausleeren, leere, leermachen",
  export: "exportieren, exportier, herunterladen",
  find:
    "ich suche, ich finde, ich find, ich vermisse, wo steckt, wo stecken, wo ist denn, wo sind denn, wo hab ich, wo habe ich, hast du, habt ihr, haben sie, such mir, suche mir, such mal, zeigt, nennen, rausfinden, sehen, seh, guck nach, schau nach, finden, finde, suchen, such, suche, zeigen, zeig, zeig mir, zeige mir, auflisten, liste, list, liste auf, listen, gib mir, gib, anzeigen, welche, welcher, welches, wo, wo ist, wo sind, wo liegt, wo liegen, was, nenne, nenn, nenne mir, heraussuchen, raussuchen, such raus, suche heraus, such heraus, hol, hole, sag mir, öffne, wo finde ich, gibt es, hab ich, habe ich, haben wir, was für, aufzählen",
  import:
    "hereinholen, runterziehen, reinholen, ranholen, besorgen, besorg, abholen, hereinladen, herunterholen, runterholen, importieren, herunterladen, lade, lad, lade herunter, hol, hole, holen, einspielen, laden, speichern, speichere, übernehmen, zieh, runterladen, hochladen, reinladen",
  know: "weißt du, sag mir mal, wissen, sagen, sag mir, sag, zeig, zeig mir, zeigen",
  label:
    "taggt, anhängen, anheften, vergeben, vergib, kleben, zuordnen, zuweisen, verpassen, verpass, taggen, tagge, tag, markieren, markier, verschlagworten, kennzeichnen, etikettieren, labeln, versehen, versieh, verseh, auszeichnen, gib, beschriften",
  leave:
    "kommentiert, anmerkt, angemerkt, kommentieren, anmerken, geschrieben hat, hinterlässt, verfasst, hinterlassen, schreiben, schreibt, geschrieben, machen",
  move:
    "hinschieben, rüberschieben, schaffen, befördern, umlagern, einräumen, verstauen, wandern, schmeiß, schmeißen, hinlegen, rübertun, reintun, reinlegen, hineinlegen, hochschieben, abspeichern, einordnen, ordnen, verschieben, verschieb, bewegen, legen, leg, lege, packen, pack, tun, tu, ablegen, verlegen, schieben, schieb, stecken, steck, einsortieren, sortieren, sortier, sortiere, räum, räume, bring, bringe, bringen, speichern, stell, verfrachten, umziehen, hau, ab, ein, sammeln, sammle, sammel, rein",
  notify:
    "gib uns bescheid, gebt bescheid, geben sie mir bescheid, geben sie bescheid, sagt bescheid, sagen sie mir bescheid, sagen sie bescheid, melden sie sich, melde dich bei mir, meld dich bei mir, informier mich, informieren sie mich, benachrichtigen sie mich, benachrichtigen sie uns, schreib mir, ich will wissen, ich möchte wissen, ich wüsste gern, ich wüsste gerne, ich möchte erfahren, lass mich wissen, lass es mich wissen, ping mich an, alarmier mich, halt mich auf dem laufenden, halte mich auf dem laufenden, benachrichtigen mich, informieren mich, sagen, sag, sag mir, sag mir bescheid, gib mir bescheid, bescheid geben, bescheid sagen, benachrichtigen, benachrichtige mich, melden, melde dich, meld dich, informieren, informiere mich, bescheid, gib bescheid, sag bescheid, erinnere mich, mich informieren, mich benachrichtigen, teile mir mit, mir sagen, mir bescheid geben, mir bescheid sagen",
  open:
    "angeschaut, angeguckt, gelesen, liest, lesen, heruntergeladen, angehört, herunterlädt, reinschaut, reinguckt, aufgemacht, aufmacht, aufgerufen, runtergeladen, öffnen, ansehen, anschauen, angucken, aufrufen, angesehen, geöffnet, aufmachen, ansieht, anschaut, anguckt, sieht, anhören, anhört, öffnet, gesehen, aufruft",
  pack: "zippen, zip, packen, pack, archivieren, komprimieren, bündeln, zusammenpacken, verpacken, packe, zipp, zippe",
  publish:
    "online stellen, online setzen, ins netz stellen, ins internet stellen, offenlegen, öffentlich stellen, öffentlich schalten, für alle freigeben, veröffentlichen, publizieren, freigeben, freischalten, öffentlich machen",
  read:
    "durchlesen, vorlies, durchgehen, wiedergeben, anschauen, reinschauen, lesen, lies, vorlesen, lies vor, auslesen, zusammenfassen, fass, prüfen, schau, guck, nachsehen, steht, nachschauen, schau nach, guck nach, sieh nach",
  rename:
    "betiteln, umnennen, heißt, umbenennen, benenne, benenn, nenne, nenn, umtaufen, taufe, bezeichnen, heißen, umbenannt",
  reopen:
    "wiederaufmachen, freischalten, aufsperren, öffnet, öffnen, öffne, wiedereröffnen, aufmachen, wieder öffnen, mach auf, aktivieren",
  reorder: "neu ordnen, sortiert, mischen, sortieren, sortier, ordnen, umsortieren, anordnen, umordnen",
  resolve:
    "abgehakt, klären, als erledigt markieren, abarbeiten, abhaken, erledigen, hak, hake, abschließen, markieren, markier",
  restore:
    "zurückhaben, zurückbekommen, zurückbringen, wiederhaben, rückgängig machen, zurückkriegen, herausholen, rausfischen, retten, holen, wiederherstellen, stell, stelle, stelle wieder her, stell wieder her, zurückholen, hol, hole, hol zurück, retten, rette, zurück, wiederbringen, zurücklegen, her, herstellen, rausholen",
  send:
    "einreicht, einsendet, abschickt, reinschickt, hochgeladen hat, geschickt hat, abgegeben hat, eingereicht hat, einwirft, abliefert, gesendet hat, schicken, senden, hochladen, hochlädt, abgeben, abgibt, einreichen, liefern, schickt, sendet, geschickt, gesendet, hochgeladen, abgegeben, geliefert, einsenden, einschicken, lädt, hoch, ab, ein, reinstellen",
  share:
    "rübergeben, weiterreichen, zukommen lassen, zuschicken, bereitstellen, rausgeben, übermitteln, reichen, teilen, teil, teile, freigeben, gib, gebe, geben, schick, schicke, zeig, zeige, freigib, frei, sende, schicken, senden, weitergeben, zugänglich machen, zeigen",
  take: "aufgenommen, gemacht, gefilmt, fotografiert, geschossen, aufgezeichnet",
  unpublish:
    "offline nehmen, vom netz nehmen, aus dem netz nehmen, nicht öffentlich machen, privat stellen, privat schalten, verbergen, verstecken, privat machen, nicht mehr öffentlich",
  unshare:
    "zurückziehen, sperren, aussperren, nicht mehr zeigen, nicht mehr teilen, entziehen, entzieh, widerrufen, zurücknehmen, beenden, stopp, nicht mehr freigeben, wegnehmen, aufheben",
  use: "nehmen, nimm, benutzen, verwenden, setzen, setz, mach, machen, als",
  wait:
    "warte bis, warten bis, wart bis, behalte im auge, behalt im auge, achte darauf, halt ausschau nach, warten, wart, warte, abwarten, warte auf, auf, beobachten, achte auf, pass auf",
  arrive:
    "eingereicht wird, abgegeben wird, eintrudelt, aufschlägt, angekommen, angekommen ist, eingetroffen, eingetroffen ist, gelandet, gelandet ist, reingekommen ist, hinzugefügt wird, abgelegt werden, hinzugefügt werden, erscheinen, reingelegt wird, dazugekommen ist, drin ist, drin liegt, ankommen, ankommt, kommt, kommen, eintreffen, eintrifft, landen, landet, da, da ist, da sind, eingeht, eingehen, reinkommt, reinkommen, auftaucht, liegt, liegen, hochgeladen, hochgeladen wird, hochgeladen werden, abgelegt, abgelegt wird, neu, hinzukommt, hinzukommen, dazukommt, erscheint, hineingelegt, legt, lädt, reinlegt, an, hineinkommt, ablegt, hochlädt",
  other:
    "kopiere, kopier, kopieren, dupliziere, drucke, verlängere, verlängern, begrenze, begrenzen, schütze, schützen, hebe, entzieh, entziehe, lass, schalte, schalt, brich, trag, trage, versieh, schreib, schreibe, nimm, fisch"
}
