/** German nouns: kinds of files, and everything else that a drive has. */
import type { Phrases } from "./Words.ts"

export const GermanNouns: Phrases = {
  access: "zugriff, zugang",
  allowance: "bildkontingent, bilderkontingent, bildguthaben, kontingent",
  any:
    "datei, dateien, ding, dinge, sachen, sache, zeug, inhalt, inhalte, daten, alles, etwas, material, files, file, unterlagen",
  archivefile: "zip-datei, zip-dateien, archiv, archive, zips, zip",
  archive:
    "zip-ordner, zip-paket, zip-archivs, zip-files, zip, zip-datei, zipdatei, archiv, zip-archiv, paket, archive, zips, zip-archive, bündel",
  audio:
    "stücken, musiktitel, sounddateien, musikstücken, song, songs, lied, lieder, track, tracks, musik, musikstück, musikstücke, aufnahme, aufnahmen, audio, audios, audiodatei, audiodateien, stück, stücke, tonaufnahme, tonaufnahmen, sprachmemo, sprachmemos, liedern, musikdateien, sprachnotizen, tondateien",
  copy: "kopie, kopien, duplikat, duplikate, dublette, dubletten, doppelte, version, versionen",
  cover: "cover, albumcover, titelbild, coverbild, hülle",
  description: "beschreibung, beschreibungen, bildunterschrift, text",
  document: "dokument, dokumente, dokumenten, schriftstück, schriftstücke",
  delivery: "lieferung, lieferungen, abgabe, abgaben, einsendung, einsendungen, zusendung",
  event: "aktivität, aktivitäten, ereignis, ereignisse, neuigkeiten, neues",
  folder:
    "unterverzeichnis, unterordnern, unterordners, verzeichnissen, ordner, ordners, ordnern, verzeichnis, verzeichnisse, unterordner, mappe, mappen",
  gallery:
    "bilderalbum, bildgalerie, foto-album, foto-galerie, galerie, galerien, album, alben, fotoalbum, fotogalerie, bildergalerie, fotoalben",
  image:
    "bild, bilder, bildern, foto, fotos, photo, photos, aufnahme, fotografie, fotografien, schnappschuss, bilddatei, bilddateien",
  import: "import, importe, download, downloads",
  key: "tonart",
  link: "link, links, url, adresse, downloadlink, öffentlicher link, öffentlichen link, freigabelink",
  name: "name, namen, titel, dateiname, dateinamen",
  note:
    "review-notiz, review-notizen, notiz, notizen, kommentar, kommentare, anmerkung, anmerkungen, feedback, bemerkung, bemerkungen, rückmeldung, rückmeldungen, kommentaren",
  other: "sonstige",
  page: "seite, seiten",
  person: "person, personen, leute, jemand, jemandem, jemanden",
  playlist: "playlist, playlists, wiedergabeliste, wiedergabelisten, abspielliste, setliste, playliste, setlist",
  poster: "vorschaubild, standbild, thumbnail, posterbild, miniaturbild",
  reply: "antwort, antworten",
  request:
    "upload-formular, uploadformular, abgabeordner, sammelanfrage, hochladeseite, uploadseite, abgabe-link, sammelstelle, einreichseite, dateianfrage, dateianfragen, anfrage, anfragen, upload-link, uploadlink, upload-seite, sammelseite, dateianforderung, anforderung, upload-anfrage, abgabelink, sammellink, abgabeseite, hochladelink, briefkasten",
  review:
    "feedback-runde, korrekturrunde, review-link, reviewlink, freigaberunde, sichtungslink, review, reviews, feedback-link, feedbacklink, prüfung, sichtung, durchsicht, feedbackrunde, abnahme, besprechung, bewertung",
  share: "freigabe, freigaben",
  storage:
    "speicherbelegung, speichers, plattenplatz, stauraum, speicherkontingent, speicherstand, speicherplatzes, speicher, speicherplatz, platz, kontingent, speicherverbrauch",
  tag: "tag, tags, schlagwort, schlagworte, schlagwörter, etikett, label, stichwort, stichwörter",
  text: "textdatei, textdateien",
  trash: "papierkorbs, abfalleimer, mistkübel, abfallkorb, papierkorb, müll, mülleimer, tonne, müllkorb, abfall",
  video:
    "video, videos, film, filme, clip, clips, filmdatei, videodatei, videodateien, videoclip, filmen, videoclips, filmaufnahmen, filmmaterial",
  view: "aufruf, aufrufe, ansicht, öffnung"
}
