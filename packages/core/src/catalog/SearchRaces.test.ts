import { layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect } from "effect"
import * as fc from "fast-check"
import * as Checked from "../../test/Checked.ts"
import { checkSearch } from "../../test/checkSearch.ts"
import { addFile, addFolder, as, asTimePasses, layer, newAccount } from "../../test/FilesTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { FileAccess } from "../files/FileAccess.ts"
import { FileDetails } from "../files/FileDetails.ts"
import { Files } from "../files/Files.ts"
import { MediaFacts } from "../files/MediaFacts.ts"
import { Trash } from "../files/Trash.ts"
import { Search } from "../search/Search.ts"
import { Catalog } from "./Catalog.ts"

/** PGlite has one session and hides every race, so these run on a server whatever the environment says. */
testLayer(layer(TestDatabase.layerPostgres), { timeout: "60 seconds" })("SearchIndex under races", (it) => {
  it.effect("SRCH-6 whatever is done at once, what files are found by is what is recorded", () =>
    Effect.gen(function*() {
      const [access, catalog, details, trash] = [
        yield* FileAccess,
        yield* Catalog,
        yield* FileDetails,
        yield* Trash
      ]
      const [facts, files, jobs, transaction] = [
        yield* MediaFacts,
        yield* Files,
        yield* ManualJobs,
        yield* AccountTransaction
      ]
      const { search } = yield* Search
      const me = yield* newAccount
      const folders = [null, yield* addFolder(me, "/A"), yield* addFolder(me, "/A/B")]
      const ids = yield* Effect.forEach(Array.from({ length: 8 }), (_, n) => addFile(me, { fileName: `file ${n}.txt` }))
      const steps = fc.sample(fc.tuple(fc.nat(6), fc.nat(ids.length - 1), fc.nat(2), fc.nat(99)), {
        numRuns: 80,
        seed: 5
      })
      yield* asTimePasses(Effect.forEach(steps, ([kind, at, folder, n]) => {
        const id = ids[at]!
        const change: ReadonlyArray<Effect.Effect<unknown, unknown, never>> = [
          details.rename(id, Checked.fileName(`näme ${n}.txt`)).pipe(as(me)),
          details.describe(id, Checked.description(`words ${n}`)).pipe(as(me)),
          access.toggle(id).pipe(as(me)),
          trash.put([id]).pipe(as(me)),
          trash.restore([id, ids[(at + 1) % ids.length]!]).pipe(as(me)),
          transaction.run(me, () => files.move(me, [id, ids[n % ids.length]!], folders[folder]!)),
          transaction.run(me, () =>
            Effect.andThen(
              facts.replace(me, [{ fileId: id, title: `title ${n}`, tempo: n }]),
              catalog.onEdited(me, ids)
            ))
        ]
        // A toggle that meets another one is told so, and a file in trash can't be toggled: neither matters here.
        return Effect.andThen(
          Effect.ignore(change[kind]!),
          search(Checked.search({ text: "words", folder: "/A" })).pipe(as(me))
        )
      }, { concurrency: 8 }))
      yield* jobs.runDue
      yield* checkSearch(me)
    }))
})
