/** Long texts of which the first bytes do not show the encoding, read over HTTP piece by piece and from the middle. */
import { DriveClient } from "@filedrive/testing"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { fetchOf, temporaryDrive, userOf } from "../hosts/hosts.ts"

const latin1 = (text: string) => Buffer.from(text, "latin1")
const plain = (bytes: number) =>
  Buffer.from("id;name;row of plain words\n".repeat(Math.ceil(bytes / 27)).slice(0, bytes))

/** In an encoding of one byte a character, by asking its decoder about every byte. */
const inEncoding = (text: string, encoding: string): Buffer => {
  const decoder = new TextDecoder(encoding)
  const byteOf = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]))
  return Buffer.from(Uint8Array.from(text, (one) => byteOf.get(one) ?? assert.fail(`${encoding} has no ${one}`)))
}

const french = "9001;café;rôle;élève à Nîmes\n"
const russian = "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему.\n"
const german = "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich.\n"
/** 東京、日本 */
const japanese = Buffer.concat([Buffer.from("\u001b$BEl5~!\"F|K\\\u001b(B\n", "latin1")])

describe("long texts over HTTP", () => {
  let host: Awaited<ReturnType<typeof temporaryDrive>>
  let client: DriveClient
  beforeAll(async () => {
    host = await temporaryDrive({ url: "http://drive.test" })
    const { apiToken } = await userOf(host.drive)()
    client = new DriveClient({ url: "http://drive.test", apiToken, fetch: fetchOf(host.drive) })
  }, 120_000)
  afterAll(() => host.close())

  let files = 0
  const add = (...parts: ReadonlyArray<Uint8Array>) =>
    client.upload({
      fileName: `late ${++files}.csv`,
      mimeType: "text/csv",
      bytes: new Uint8Array(Buffer.concat(parts))
    })

  const pieces = async (fileId: string) => {
    const all: Array<{ readonly text: string; readonly note: string; readonly offset: number }> = []
    let offset: number | undefined = 0
    while (offset !== undefined) {
      const answer: { text?: string; note: string; nextOffset?: number } = await client.ok("/read-file", {
        fileId,
        offset
      })
      all.push({ text: answer.text!, note: answer.note, offset })
      offset = answer.nextOffset
    }
    return all
  }

  const whole = async (fileId: string) => (await pieces(fileId)).map(({ text }) => text).join("")

  it.each([
    { what: "Latin-1 late", text: french, bytes: latin1(french), after: 135_000 },
    { what: "Latin-1 just past the first 64 KB", text: french, bytes: latin1(french), after: 66_000 },
    { what: "Latin-1 where a piece ends", text: french, bytes: latin1(french), after: 102_390 },
    { what: "a few letters of Latin-1 at the end", text: "café\n", bytes: latin1("café\n"), after: 220_000, times: 1 },
    { what: "Cyrillic of Windows", text: russian, bytes: inEncoding(russian, "windows-1251"), after: 150_000 },
    {
      what: "Cyrillic of DOS within the first 64 KB",
      text: russian,
      bytes: inEncoding(russian, "ibm866"),
      after: 40_000
    },
    {
      what: "Cyrillic of Windows within the first 64 KB",
      text: russian,
      bytes: inEncoding(russian, "windows-1251"),
      after: 40_000
    },
    { what: "ISO-2022-JP", text: "東京、日本\n", bytes: japanese, after: 120_000 },
    { what: "UTF-8", text: russian, bytes: Buffer.from(russian), after: 120_000 },
    { what: "UTF-8 where a piece ends inside a character", text: russian, bytes: Buffer.from(russian), after: 102_399 }
  ])("READ-66 $what is read in its own encoding after plain ASCII", async ({ after, bytes, text, times = 3000 }) => {
    const head = plain(after)
    const fileId = await add(head, ...Array.from({ length: times }, () => bytes))
    assert.strictEqual(await whole(fileId), head.toString() + text.repeat(times))
  }, 120_000)

  it("READ-66 from whichever offset it is read, a piece is in the same encoding", async () => {
    const bytes = Buffer.concat([plain(200_000), ...Array.from({ length: 20_000 }, () => latin1(french))])
    const fileId = await add(bytes)
    for (const offset of [0, 60_000, 97_654, 150_001, 199_990, 200_007, 300_000, bytes.length - 31, bytes.length - 4]) {
      const { nextOffset = bytes.length, text } = await client.ok("/read-file", { fileId, offset })
      assert.strictEqual(text, bytes.subarray(offset, nextOffset).toString("latin1"), `from ${offset}`)
    }
  }, 120_000)

  it("READ-66 UTF-8 with a few damaged bytes stays UTF-8, wherever they are", async () => {
    const head = Buffer.from(german.repeat(1500))
    const damaged = Buffer.concat([latin1("na\u00efve\n"), Buffer.from(german.repeat(1200))])
    const fileId = await add(head, plain(150_000), damaged)
    const read = await whole(fileId)
    assert.strictEqual(read.split("\ufffd").length, 2)
    assert.include(read, `na\ufffdve\n${german}`)
  }, 120_000)

  it("READ-66 another encoding after UTF-8 is read as such, and so is UTF-8 after another encoding", async () => {
    const [first, second] = [german.repeat(2000), french.repeat(6000)]
    assert.include(await whole(await add(Buffer.from(first), plain(120_000), latin1(second))), second)
    const lettered = await whole(await add(latin1(first), plain(120_000), Buffer.from(russian.repeat(2000))))
    assert.include(lettered, russian.repeat(2000))
    assert.isTrue(lettered.startsWith(first))
  }, 120_000)
})
