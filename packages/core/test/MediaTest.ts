/** Files to extract, in tests. */
import { assert } from "@effect/vitest"
import { MemoryObjectStore, testPicture } from "@filedrive/testing"
import { Effect, Exit, Option, Stream } from "effect"
import { unlimited } from "../src/accounts/CurrentAccount.ts"
import { Database } from "../src/database/Database.ts"
import { Derivatives } from "../src/files/Derivatives.ts"
import { metadataJob } from "../src/files/MetadataJob.ts"
import type { NewFile } from "../src/files/NewFile.ts"
import { Library } from "../src/library/Library.ts"
import { Search } from "../src/search/Search.ts"
import type { AccountId, FileId } from "../src/shared/Ids.ts"
import * as Checked from "./Checked.ts"
import { addFile, as } from "./FilesTest.ts"
import { ManualJobs } from "./ManualJobs.ts"

export const image = { type: "Image", mimeType: "image/png" } as const
export const video = { type: "Video", mimeType: "video/mp4" } as const
export const track = { type: "Audio", mimeType: "audio/mpeg" } as const

/** A file of this name, whose extraction is pending. */
export const add = (me: AccountId, fileName: string, file: Partial<NewFile>) => addFile(me, { fileName, ...file })

/** Runs the waiting jobs, once. Returns the exits of those that extracted files. */
export const extractDue = Effect.gen(function*() {
  const ran = yield* (yield* ManualJobs).runDue
  return ran.filter(({ kind }) => kind === metadataJob.kind).map(({ exit }) => exit)
})

/** The same, and all of them succeed. */
export const extracted = Effect.map(extractDue, (exits) => {
  for (const exit of exits) assert.isTrue(Exit.isSuccess(exit))
})

/** The owner's record of a file outside trash. */
export const recordOf = Effect.fnUntraced(function*(me: AccountId, id: FileId) {
  const files = yield* (yield* Library).list("files").pipe(as(me, unlimited), Effect.flatMap(Stream.runCollect))
  return Option.getOrThrow(Option.fromUndefinedOr(files.flat().find((file) => file.id === id)))
})

/** An extracted file. */
export const addExtracted = Effect.fnUntraced(function*(me: AccountId, fileName: string, file: Partial<NewFile>) {
  const id = yield* add(me, fileName, file)
  yield* extracted
  return yield* recordOf(me, id)
})

/** Ids of what a search finds. */
export const search = (me: AccountId, query: Checked.Search) =>
  Effect.flatMap(Search, (search) => search.search(Checked.search(query))).pipe(
    as(me, unlimited),
    Effect.map(({ files }) => files.map(({ id }) => id))
  )

/** The text that a link leads to. */
export const textAt = Effect.fnUntraced(function*(url: string | null) {
  assert.isNotNull(url)
  const memory = yield* MemoryObjectStore
  const response = yield* Effect.promise(() => memory.fetch(url!))
  return response.status === 200 ? yield* Effect.promise(() => response.text()) : response.status
})

/** A picture that is this text. */
export const jpeg = (text: string) => ({ jpeg: testPicture(text).jpeg })

/** A track that is shown by the text `art`. */
export const withCover = Effect.fnUntraced(function*(me: AccountId, given: Partial<NewFile> = {}) {
  const id = yield* addFile(me, { ...track, ...given })
  const { id: cover } = yield* (yield* Derivatives).replace(me, id, jpeg("art"))
  return { id, cover }
})

/** How many pictures are recorded for a file. */
export const pictureCount = Effect.fnUntraced(function*(of: FileId) {
  const { sql, tables: t } = yield* Database
  return (yield* sql`SELECT 1 FROM ${t.files} WHERE derivative_of = ${of}`).length
})
