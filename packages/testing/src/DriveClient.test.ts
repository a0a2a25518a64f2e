import { assert, describe, it } from "@effect/vitest"
import type { AnswerOf, DriveClient } from "./DriveClient.ts"
import { memoryDrive } from "./MemoryDrive.ts"

describe("DriveClient", () => {
  it("HOST-92 takes and answers what Api declares: a wrong field does not compile", () => {
    // Never run: the compiler reads it.
    const calls = (client: DriveClient) => [
      client.ok("/search-files"),
      client.ok("/search-files", { text: "a", types: ["Audio"] }),
      // @ts-expect-error no route has this path
      client.ok("/search-filez", {}),
      // @ts-expect-error searches have no field `words`
      client.ok("/search-files", { words: "a" }),
      // @ts-expect-error a limit is a number
      client.ok("/search-files", { limit: "1" }),
      // @ts-expect-error a tag's text is needed
      client.ok("/rename-tag", { tagId: "a" }),
      // @ts-expect-error the request is needed
      client.ok("/rename-tag"),
      // @ts-expect-error the route takes nothing
      client.ok("/select-user-files", {}),
      // A suite may send anything, by the other methods.
      client.call("/search-filez", { words: 7 })
    ]
    // @ts-expect-error the answer has no field `file`
    const answer = ({ file }: AnswerOf<"/search-files">) => file
    assert.isFunction(calls)
    assert.isFunction(answer)
  })

  it("HOST-92 sends anything else as it is, and answers what came", async () => {
    const drive = await memoryDrive()
    try {
      const ada = await drive.user()
      assert.deepInclude((await ada.call("/search-files", { limit: "1" })).body, {
        code: "invalid_field",
        field: "limit"
      })
      assert.strictEqual((await ada.call("/search-filez")).status, 404)
      const { files } = await ada.ok("/search-files", { limit: 1 })
      assert.deepStrictEqual(files, [])
    } finally {
      await drive.close()
    }
  })
})
