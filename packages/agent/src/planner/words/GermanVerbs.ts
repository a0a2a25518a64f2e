/** German verbs: what people want done, and what others do with files. */
import type { Phrases } from "./Words.ts"

export const GermanVerbs: Phrases = {
  add:
    "hinzufügen, füg hinzu, füge, füg, hinzu, hinzugefügt, aufnehmen, ergänzen, ergänze, dazu, dazulegen, reinpacken, pack, packen, steck, stecken, tu, nimm, setz, setzen, leg, legen",
  answer: "antworten, beantworten, erwidern, antwort",
  change: "ändern, anpassen, setzen, bearbeiten, aktualisieren",
  close: "schließen, schliess, beenden, zumachen, mach zu, sperren, abschließen",
  count: "zählen, zähl",
  create:
    "erstellen, anlegen, leg, lege, leg an, lege an, machen, mach, bauen, bau, erzeugen, einrichten, richte, starten, eröffnen, brauche, stell zusammen, zusammenstellen, stelle zusammen, anfertigen, stell, stelle",
  delete:
    "löschen, entfernen, wegwerfen, wirf, wirf weg, werfe, schmeiß, schmeiße, schmeiss, wegschmeißen, rausschmeißen, verwerfen, lösch, weg, beseitigen, tilgen, aussortieren, entsorgen, papierkorb, räum auf, in den papierkorb, in den papierkorb verschieben, in den papierkorb legen, rauswerfen, nimm raus, nimm, rausnehmen, herausnehmen, loswerden",
  describe: "beschreiben, beschrifte, beschriften, dokumentieren",
  draw:
    "zeichnen, malen, generieren, generier, erzeugen, entwerfen, entwirf, erstellen, mal, machen, mach, illustrieren",
  empty: "leeren, leer, ausleeren, leere, leermachen",
  export: "exportieren, exportier, herunterladen",
  find:
    "finden, finde, suchen, such, suche, zeigen, zeig, zeig mir, zeige mir, auflisten, liste, list, liste auf, listen, gib mir, gib, anzeigen, welche, welcher, welches, wo, wo ist, wo sind, wo liegt, wo liegen, was, nenne, nenn, nenne mir, heraussuchen, raussuchen, such raus, suche heraus, such heraus, hol, hole, sag mir, öffne, wo finde ich, gibt es, hab ich, habe ich, haben wir, was für, aufzählen",
  import:
    "importieren, herunterladen, lade, lad, lade herunter, hol, hole, holen, einspielen, laden, speichern, speichere, übernehmen, zieh, runterladen, hochladen, reinladen",
  know: "weißt du, sag mir mal, wissen, sagen, sag mir, sag, zeig, zeig mir, zeigen",
  label:
    "taggen, tagge, tag, markieren, markier, verschlagworten, kennzeichnen, etikettieren, labeln, versehen, versieh, verseh, auszeichnen, gib, beschriften",
  leave: "hinterlassen, schreiben, schreibt, geschrieben, machen",
  move:
    "verschieben, verschieb, bewegen, legen, leg, lege, packen, pack, tun, tu, ablegen, verlegen, schieben, schieb, stecken, steck, einsortieren, sortieren, sortier, sortiere, räum, räume, bring, bringe, bringen, speichern, stell, verfrachten, umziehen, hau, ab, ein, sammeln, sammle, sammel, rein",
  notify:
    "sagen, sag, sag mir, sag mir bescheid, gib mir bescheid, bescheid geben, bescheid sagen, benachrichtigen, benachrichtige mich, melden, melde dich, meld dich, informieren, informiere mich, bescheid, gib bescheid, sag bescheid, erinnere mich, mich informieren, mich benachrichtigen, teile mir mit, mir sagen, mir bescheid geben, mir bescheid sagen",
  open:
    "öffnen, ansehen, anschauen, angucken, aufrufen, angesehen, geöffnet, aufmachen, ansieht, anschaut, anguckt, sieht, anhören, anhört, öffnet, gesehen, aufruft",
  pack: "zippen, zip, packen, pack, archivieren, komprimieren, bündeln, zusammenpacken, verpacken, packe, zipp, zippe",
  publish: "veröffentlichen, publizieren, freigeben, freischalten, öffentlich machen",
  read:
    "lesen, lies, vorlesen, lies vor, auslesen, zusammenfassen, fass, prüfen, schau, guck, nachsehen, steht, nachschauen, schau nach, guck nach, sieh nach",
  rename: "umbenennen, benenne, benenn, nenne, nenn, umtaufen, taufe, bezeichnen, heißen, umbenannt",
  reopen: "öffnen, öffne, wiedereröffnen, aufmachen, wieder öffnen, mach auf, aktivieren",
  reorder: "sortieren, sortier, ordnen, umsortieren, anordnen, umordnen",
  resolve: "abhaken, erledigen, hak, hake, abschließen, markieren, markier",
  restore:
    "wiederherstellen, stell, stelle, stelle wieder her, stell wieder her, zurückholen, hol, hole, hol zurück, retten, rette, zurück, wiederbringen, zurücklegen, her, herstellen, rausholen",
  send:
    "schicken, senden, hochladen, hochlädt, abgeben, abgibt, einreichen, liefern, schickt, sendet, geschickt, gesendet, hochgeladen, abgegeben, geliefert, einsenden, einschicken, lädt, hoch, ab, ein, reinstellen",
  share:
    "teilen, teil, teile, freigeben, gib, gebe, geben, schick, schicke, zeig, zeige, freigib, frei, sende, schicken, senden, weitergeben, zugänglich machen, zeigen",
  take: "aufgenommen, gemacht, gefilmt, fotografiert, geschossen, aufgezeichnet",
  unpublish: "verbergen, verstecken, privat machen, nicht mehr öffentlich",
  unshare:
    "nicht mehr teilen, entziehen, entzieh, widerrufen, zurücknehmen, beenden, stopp, nicht mehr freigeben, wegnehmen, aufheben",
  use: "nehmen, nimm, benutzen, verwenden, setzen, setz, mach, machen, als",
  wait: "warten, wart, warte, abwarten, warte auf, auf, beobachten, achte auf, pass auf",
  arrive:
    "ankommen, ankommt, kommt, kommen, eintreffen, eintrifft, landen, landet, da, da ist, da sind, eingeht, eingehen, reinkommt, reinkommen, auftaucht, liegt, liegen, hochgeladen, hochgeladen wird, hochgeladen werden, abgelegt, abgelegt wird, neu, hinzukommt, hinzukommen, dazukommt, erscheint, hineingelegt, legt, lädt, reinlegt, an, hineinkommt, ablegt, hochlädt",
  other:
    "kopiere, kopier, kopieren, dupliziere, drucke, verlängere, verlängern, begrenze, begrenzen, schütze, schützen, hebe, entzieh, entziehe, lass, schalte, schalt, brich, trag, trage, versieh, schreib, schreibe, nimm, fisch"
}
