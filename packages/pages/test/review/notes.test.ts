import { assert, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import { markersOf, nextOf } from "../../browser/review/markers.ts"
import { makeNoteBook } from "../../browser/review/NoteBook.ts"
import type { Note } from "../../browser/review/OpenedReview.ts"
import { neighbour, passedAt } from "../../browser/review/passed.ts"
import { around, grown, start } from "../../browser/review/section.ts"

const noteOf = (id: string, seconds: number | null, more: Partial<Note> = {}): Note => ({
  id,
  seconds,
  endSeconds: null,
  timecode: null,
  reviewer: { name: "Grace" },
  text: id,
  insertTime: "2026-03-01T12:00:00.000Z",
  editTime: null,
  resolved: false,
  replies: [],
  ...more
})

const ids = (notes: ReadonlyArray<Note>) => notes.map(({ id }) => id)

describe("markers of notes", () => {
  const size = { duration: 100, width: 1_000, gapPixels: 26 }

  it("PAGE-64 those that would overlap are one, and each is a gap from the next", () => {
    const notes = [noteOf("whole", null), ...Array.from({ length: 1_000 }, (_, at) => noteOf(String(at), at / 11))]
    const markers = markersOf(notes, size)
    assert.strictEqual(markers.flatMap(({ notes }) => notes).length, 1_000)
    assert.isBelow(markers.length, 40)
    for (const [at, { left }] of markers.entries()) if (at > 0) assert.isAtLeast(left - markers[at - 1]!.left, 26)
    const same = markersOf([noteOf("a", 5), noteOf("b", 5), noteOf("c", 50), noteOf("d", 5_000)], size)
    assert.deepStrictEqual(same.map(({ left, notes }) => [left, ...ids(notes)]), [[50, "a", "b"], [500, "c"], [
      1_000,
      "d"
    ]])
    assert.isEmpty(markersOf(notes, { ...size, duration: 0 }))
  })

  it("PAGE-64 presses lead through all notes of a marker", () => {
    const [marker] = markersOf([noteOf("a", 5), noteOf("b", 5)], size)
    assert.deepStrictEqual([null, "a", "b", "other"].map((id) => nextOf(marker!, id).id), ["a", "b", "a", "a"])
  })
})

describe("where the player is", () => {
  const notes = [noteOf("whole", null), noteOf("a", 2, { endSeconds: 9 }), noteOf("b", 12), noteOf("c", 12)]

  it("PAGE-64 the note of the moment is known, for as long as its span lasts", () => {
    const found = [0, 2, 8, 9.5, 12, 14.9, 15.1].map((position) => passedAt(notes, position))
    assert.deepStrictEqual(found, [null, "a", "a", null, "c", "c", null])
  })

  it("PAGE-61 the next and the previous note are those of the file, one after the other", () => {
    const next = (position: number, selected: string | null, direction: 1 | -1) =>
      neighbour(notes, direction, { position, selected })?.id
    assert.deepStrictEqual([next(0, null, 1), next(2, "a", 1), next(12, "b", 1), next(12, "c", 1)], [
      "a",
      "b",
      "c",
      undefined
    ])
    assert.deepStrictEqual([next(20, null, -1), next(12, "c", -1), next(12, "b", -1), next(2, "a", -1)], [
      "c",
      "b",
      "a",
      undefined
    ])
  })
})

describe("what is shown of a long list", () => {
  it("PAGE-72 is a part of it, around what is gone to, and never all", () => {
    assert.deepStrictEqual(around(start, 40), start)
    assert.deepStrictEqual(around(start, 900), { from: 850, to: 950 })
    let section = start
    for (let time = 0; time < 20; time++) {
      section = grown(section, 1_000, 1)
      assert.isAtMost(section.to - section.from, 300)
    }
    assert.deepStrictEqual(section, { from: 700, to: 1_000 })
    for (let time = 0; time < 20; time++) section = grown(section, 1_000, -1)
    assert.strictEqual(section.from, 0)
  })
})

describe("the notes that the page has", () => {
  const shown = async (book: ReturnType<typeof makeNoteBook>, wanted: ReadonlyArray<string>) => {
    await vi.waitUntil(() => ids(book.list.value).join() === wanted.join())
    return book.list.value
  }

  it("PAGE-65 are in the order of the file, then of time", async () => {
    const book = makeNoteBook()
    book.reading()([noteOf("b", 5), noteOf("a", 5, { insertTime: "2026-03-01T11:00:00.000Z" })])
    book.set(noteOf("whole", null))
    book.set(noteOf("c", 3))
    await shown(book, ["whole", "c", "a", "b"])
  })

  it("PAGE-65 a page that was asked for before news of a note undoes none of them", async () => {
    const book = makeNoteBook()
    book.reading()([noteOf("a", 1), noteOf("b", 2)])
    const take = book.reading()
    book.set(noteOf("a", 1, { text: "edited" }))
    book.remove("b")
    take([noteOf("a", 1), noteOf("b", 2), noteOf("c", 3)])
    const [a] = await shown(book, ["a", "c"])
    assert.strictEqual(a!.text, "edited")
    book.reading()([noteOf("b", 2)])
    await shown(book, ["a", "b", "c"])
  })

  it("PAGE-66 own ones stay known when news do not say whose they are, replies too", async () => {
    const book = makeNoteBook()
    const reply = {
      id: "r",
      author: { name: "Grace", owner: false },
      text: "r",
      insertTime: "2026-03-01T12:00:00.000Z"
    }
    book.reading()([noteOf("a", 1, { mine: true }), noteOf("b", 2)])
    book.reply("b", { ...reply, mine: true })
    book.set(noteOf("a", 1))
    book.set(noteOf("b", 2, { replies: [reply] }))
    book.reply("b", reply)
    assert.deepStrictEqual(["a", "b", "r"].map(book.isOwn), [true, false, true])
    assert.lengthOf(book.get("b")!.replies, 1)
    book.edit("r", "changed", null)
    assert.strictEqual(book.get("b")!.replies[0]!.text, "changed")
    // News of it came before the answer did: it is shown anew, now as one's own.
    const later = { ...reply, id: "s" }
    book.set(noteOf("b", 2, { replies: [reply, later] }))
    const shownReply = () => book.list.value.at(-1)!.replies.find(({ id }) => id === "s")
    await vi.waitUntil(() => shownReply() === later)
    book.reply("b", { ...later, mine: true })
    await vi.waitUntil(() => shownReply() !== later)
    assert.isTrue(book.isOwn("s"))
    assert.lengthOf(book.get("b")!.replies, 2)
    book.remove("s")
    book.remove("r")
    await shown(book, ["a", "b"])
    assert.isEmpty(book.get("b")!.replies)
  })
})
