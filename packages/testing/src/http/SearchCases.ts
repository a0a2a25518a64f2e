/** Search over HTTP. Every rule of it is tested in the core; here bodies, answers and errors are. */
import { assert, it } from "@effect/vitest"
import { content, type CurrentHost, newClient } from "./HttpHost.ts"

interface Found {
  readonly files: ReadonlyArray<{ readonly id: string; readonly fileName: string }>
  readonly nextOffset: number | null
}

const names = ({ files }: Found) => files.map(({ fileName }) => fileName)

export const searchCases = (host: CurrentHost): void => {
  it("SRCH-2 SRCH-16 HOST-2 files are found by words, or all without a body", async () => {
    const client = await newClient(host())
    const bytes = new TextEncoder().encode("text")
    for (const fileName of ["vacation_2024.txt", "Straße 漢字.txt"]) {
      await client.upload({ fileName, bytes, type: "Text", mimeType: "text/plain" })
    }
    const all: Found = await client.ok("/search-files")
    assert.deepStrictEqual(names(all).sort(), ["Straße 漢字.txt", "vacation_2024.txt"])
    assert.isNull(all.nextOffset)
    assert.deepStrictEqual(await client.ok("/search-files", {}), all)
    for (const query of [{ text: "VACA" }, { text: "vacation_2024.txt" }]) {
      assert.deepStrictEqual(names(await client.ok("/search-files", query)), ["vacation_2024.txt"])
    }
    assert.deepStrictEqual(names(await client.ok("/search-files", { text: "字 strasse", type: "Text" })), [
      "Straße 漢字.txt"
    ])
    assert.lengthOf(names(await client.ok("/search-files", { text: "-'\"&|!*", types: ["Text"], folder: "/" })), 2)
    assert.lengthOf(names(await client.ok("/search-files", { type: "Video" })), 0)
    const [record] = (await client.ok("/search-files", { text: "vacation" })).files
    assert.deepStrictEqual(
      (await client.ok("/select-user-files")).find(({ id }: { id: string }) => id === record!.id),
      record
    )
    await client.ok("/trash-files", [{ id: record!.id }])
    assert.deepStrictEqual(names(await client.ok("/search-files", { text: "vacation" })), [])
  })

  it("SRCH-18 HOST-2 pages follow each other by nextOffset", async () => {
    const client = await newClient(host())
    for (const fileName of ["b2.bin", "b10.bin", "a.bin"]) await client.upload({ fileName, bytes: content(3) })
    const page = (offset: number): Promise<Found> => client.ok("/search-files", { sort: "name", limit: 2, offset })
    const first = await page(0)
    assert.deepStrictEqual([names(first), first.nextOffset], [["a.bin", "b2.bin"], 2])
    const second = await page(first.nextOffset!)
    assert.deepStrictEqual([names(second), second.nextOffset], [["b10.bin"], null])
  })

  it("SRCH-20 HOST-2 what is wrong is named", async () => {
    const client = await newClient(host())
    const within = { south: 0, west: 0, north: 0, east: 0 }
    const wrong: ReadonlyArray<readonly [body: object, field: string, code?: string]> = [
      [{ text: "x".repeat(1_001) }, "text"],
      [{ tags: Array.from({ length: 1_001 }, (_, at) => `tag ${at}`) }, "tags"],
      [{ types: ["Image", "Nonsense"] }, "types[1]"],
      [{ types: "Image" }, "types"],
      [{ type: "Nonsense" }, "type"],
      [{ tags: ["a", 1] }, "tags[1]"],
      [{ folder: "A" }, "folder"],
      [{ isPublic: "yes" }, "isPublic"],
      [{ uploadedAfter: "yesterday" }, "uploadedAfter"],
      [{ takenBefore: 5 }, "takenBefore"],
      [{ minDuration: -1 }, "minDuration"],
      [{ minSize: 1.5 }, "minSize"],
      [{ key: "H" }, "key"],
      [{ within: { ...within, south: -91 } }, "within.south"],
      [{ within: { ...within, east: 181 } }, "within.east"],
      [{ within: { south: 0, west: 0, north: 0 } }, "within.east", "missing_field"],
      [{ sort: "random" }, "sort"],
      [{ limit: 0 }, "limit"],
      [{ limit: 201 }, "limit"],
      [{ offset: -1 }, "offset"]
    ]
    for (const [body, field, code = "invalid_field"] of wrong) {
      const answer = await client.call("/search-files", body)
      assert.deepInclude(answer.body, { code, field, retryable: false }, JSON.stringify(body))
      assert.strictEqual(answer.status, 400)
    }
    const fine = { text: "x".repeat(1_000), maxSize: 2 ** 63, minTempo: 5, maxTempo: 4, within }
    assert.strictEqual((await client.call("/search-files", fine)).status, 200)
  })
}
