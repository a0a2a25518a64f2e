import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { readRequest } from "../src/planner/Request.ts"

const moment = { now: DateTime.makeUnsafe("2026-03-18T12:00:00Z"), zone: DateTime.zoneMakeNamedUnsafe("UTC") }

const intentsOf = (text: string): ReadonlyArray<string> => {
  const { clauses, unknown } = readRequest(text, moment, "en")
  assert.deepStrictEqual(unknown, [])
  return clauses.filter(({ kind }) => kind !== "remark").map(({ parsed }) => parsed.intent.name)
}

describe("what is said beside a request", () => {
  it.each([
    ["Hope you had a nice weekend! Please move all the PDFs to /Reports", ["move files"]],
    ["My phone is full - put all videos into /Backup", ["move files"]],
    ["Time's up - close the request for Homework 3.", ["close a request"]],
    ["chapter-3.txt is finished, so remove the tag draft from it", ["untag files"]],
    ["I misspelled a client: rename the folder /Clients/Smyth to Smith", ["rename a folder"]],
    ["Just a quick one: how many photos do I have?", ["count files"]],
    ["Guten Morgen! Ich hoffe, dir geht es gut. Verschieb bitte alle PDFs nach /Berichte", ["move files"]],
    ["Die Zeit ist um - schließ die Anfrage Hausaufgabe 3", ["close a request"]],
    ["Ich hab mich vertippt: benenne den Ordner /Kunden/Smyth in Smith um", ["rename a folder"]],
    ["Der Song hit.mp3 passt nicht mehr, nimm ihn aus der Playlist Samstag raus", ["remove from a playlist"]]
  ])("PLAN-201 “%s”", (text, wanted) => {
    assert.deepStrictEqual(intentsOf(text), wanted)
  })

  it.each([
    "Delete the old invoices, but bob must still see the ones from March.",
    "Lösche die alten Rechnungen. Aber erst frag Anna.",
    "if nobody objects, delete report.pdf"
  ])("PLAN-202 “%s” is not half understood", (text) => {
    assert.isNotEmpty(readRequest(text, moment, "en").unknown)
  })

  it.each([
    ["What's in my trash at the moment?", "list what is in trash"],
    ["Liegt noch was im Papierkorb?", "list what is in trash"],
    ["what have other people shared with me?", "shared with me"],
    ["Was haben andere mit mir geteilt?", "shared with me"],
    ["Who has sent me something for Wedding photos so far?", "who has sent something"],
    ["Hat schon jemand etwas für die Hausaufgabe 4 abgegeben?", "who has sent something"]
  ])("PLAN-203 the question “%s” changes nothing", (text, wanted) => {
    assert.deepStrictEqual(intentsOf(text), [wanted])
  })
})
