import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { readRequest } from "../src/planner/Request.ts"

const moment = { now: DateTime.makeUnsafe("2026-03-18T12:00:00Z"), zone: DateTime.zoneMakeNamedUnsafe("UTC") }

const intentsOf = (text: string): ReadonlyArray<string> => {
  const { clauses, unknown } = readRequest(text, moment, "en")
  assert.deepStrictEqual(unknown, [])
  return clauses.filter(({ kind }) => kind !== "remark").map(({ parsed }) => parsed.intent.name)
}

describe("one request in many wordings", () => {
  it.each([
    ["the photos should be moved to /A", "move files"],
    ["can the videos be moved to /Clips?", "move files"],
    ["I want the photos moved to /Pics", "move files"],
    ["could the invoices be tagged 2026?", "tag files"],
    ["report.pdf should no longer be tagged draft", "untag files"],
    ["every photo in /Trips should get the tag summer", "tag files"],
    ["I'd like draft.txt to be called final.txt", "rename a file"],
    ["can the trash be emptied?", "empty the trash"],
    ["old.txt can go", "trash files"],
    ["the playlist Old can go, the songs stay", "delete a playlist"],
    ["the request Essay should take no more files", "close a request"],
    ["logo.png shouldn't be public", "make files private"],
    ["everybody should be able to download flyer.pdf", "make files public"],
    ["bob should get report.pdf", "share files"],
    ["beach.jpg belongs in the gallery Summer", "add to a gallery"],
    ["river.mp3 should be in the playlist Party", "add to a playlist"]
  ])("PLAN-260 “%s”", (text, wanted) => assert.deepStrictEqual(intentsOf(text), [wanted]))

  it.each([
    ["Leg mir bitte drei Ordner an: Mathe, Physik und Chemie", "create folders"],
    ["Richte einen Ordner für die Steuer ein", "create folders"],
    ["Im Ordner Arbeit bitte einen Unterordner Berichte anlegen", "create a folder in another"],
    ["Können die Videos nach /Clips verschoben werden?", "move files"],
    ["alt.txt kann gelöscht werden", "trash files"],
    ["Ich möchte, dass du alle Fotos nach /Bilder verschiebst", "move files"],
    ["Zeigen Sie mir bitte alle Dokumente vom letzten Monat", "find files"],
    ["Entferne bei allen Videos das Tag Rohschnitt", "untag files"],
    ["Nimm bei vertrag.pdf den Tag Entwurf weg", "untag files"],
    ["Lad mal https://example.com/a.pdf runter", "import a link"],
    ["Mach die Anfrage Belege wieder auf", "reopen a request"],
    ["Mach den Papierkorb leer", "empty the trash"],
    ["Ich brauche alt.txt nicht mehr", "trash files"],
    ["Lösch den Ordner Temp, die Dateien sollen aber bleiben", "delete a folder without its files"]
  ])("PLAN-261 “%s”", (text, wanted) => assert.deepStrictEqual(intentsOf(text), [wanted]))

  it.each([
    ["I need a folder for the tax stuff", "create folders"],
    ["I'd like a playlist with all songs over 120 bpm", "create a playlist"],
    ["Can I get a public link to press-photo.jpg?", "make files public with a link"],
    ["I want contract.pdf in /Legal", "move files"],
    ["I need a picture of an old tram in the rain, portrait format 2:3", "generate an image"],
    ["I'd like feedback on mix.mp3 until 1 March 2027", "create a review"],
    ["Ich hätte gern eine Playlist namens Abend mit den Liedern unter 90 bpm", "create a playlist"],
    ["Ich brauche einen öffentlichen Link zu flyer.pdf", "make files public with a link"],
    ["Ich brauche ein Bild von einer alten Straßenbahn im Regen", "generate an image"],
    ["Ich brauche die Fotos aus /Reise als ZIP", "pack files"]
  ])("PLAN-262 “%s”", (text, wanted) => assert.deepStrictEqual(intentsOf(text), [wanted]))

  it.each([
    ["which files did Grace send for Receipts?", "what somebody has sent"],
    ["Welche Dateien hat Frau Lang für die Anfrage Klassenfotos geschickt?", "what somebody has sent"],
    ["tag everything Grace sent for Receipts with grace", "tag what somebody has sent"],
    ["move Grace's files from the request Receipts to /Tax", "move what somebody has sent"],
    ["until when is Receipts open?", "how a request is"],
    ["what's the link of the request Receipts", "how a request is"]
  ])("PLAN-263 “%s”", (text, wanted) => assert.deepStrictEqual(intentsOf(text), [wanted]))

  it.each([
    ["what does the description of roof.jpg say?", "read a description"],
    ["Welche Beschreibung hat dach.jpg?", "read a description"],
    ["Which of my files can everybody see?", "what is public"],
    ["Was ist bei mir alles öffentlich?", "what is public"],
    ["what files did I share with bob", "shared with somebody"],
    ["Wie viel ist denn noch frei?", "storage usage"],
    ["is my drive nearly full?", "storage usage"],
    ["which notes on scene3.mp4 are still open?", "show open notes"],
    ["Zeig mir die offenen Kommentare zu szene3.mp4", "show open notes"],
    ["how many videos and how many photos do I own?", "count two kinds of files"],
    ["Welches Rechnungsdatum steht auf stadtwerke.pdf?", "ask a file"],
    ["who signed contract.pdf?", "ask a file by its name"]
  ])("PLAN-264 “%s”", (text, wanted) => assert.deepStrictEqual(intentsOf(text), [wanted]))

  it.each([
    ["zip /Trip and tell me when it's ready", ["do pack files", "wait an image"]],
    ["make an image of a red kite and when it's finished add it to the gallery Kites", [
      "do generate an image",
      "wait an image",
      "do add to a gallery"
    ]],
    ["when files arrive in /Inbox move them to /Sorted", ["wait files in a folder", "do move files"]],
    ["Warte, bis die erste Datei bei der Anfrage Essay ankommt, und schließ sie dann", [
      "wait files at a request",
      "do close a request"
    ]]
  ])("PLAN-265 “%s”", (text, wanted) => {
    const { clauses } = readRequest(text, moment, "en")
    assert.deepStrictEqual(clauses.map(({ kind, parsed }) => `${kind} ${parsed.intent.name}`), wanted)
  })

  it.each([
    "Could I have it back, please?",
    "can I get",
    "Could I have",
    "files should go to /Photos",
    "I don't need it any more"
  ])("PLAN-266 “%s” is read without a fault and deletes nothing", (text) => {
    const { clauses } = readRequest(text, moment, "en")
    assert.isFalse(clauses.some(({ parsed }) => /^(?:trash|delete|empty)/.test(parsed.intent.name)))
  })
})
