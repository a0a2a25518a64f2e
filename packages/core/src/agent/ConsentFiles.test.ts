import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { addFile } from "../../test/FilesTest.ts"
import { assertState, Brain, call, doTask, drive, newCredential, said, TestAgent } from "../../test/TasksTest.ts"
import type { Credential } from "../accounts/Credential.ts"
import * as Consent from "./Consent.ts"
import { isOfNamed, othersThan } from "./ConsentFiles.ts"

describe("files by their names", () => {
  it("TASK-336 a message that names files is about these; one that speaks of several, of a range or of an exception is not held to names", () => {
    const named: ReadonlyArray<readonly [text: string, ...files: ReadonlyArray<string>]> = [
      ["make logo.png public", "logo.png"],
      ["make LOGO.png and flyer.pdf public", "logo.png", "Flyer.PDF"],
      ["publish the file \"Annual report 2024.pdf\"", "Annual report 2024.pdf"],
      ["share report.pdf with bob", "report.pdf"],
      ["mach bitte Übersicht.pdf öffentlich", "Übersicht.pdf"],
      ["publish the report, I mean reprot.pdf", "report.pdf"]
    ]
    for (const [text, ...files] of named) {
      assert.isTrue(isOfNamed(text), text)
      assert.deepStrictEqual(othersThan(text, [...files, "salaries.xlsx"]), ["salaries.xlsx"], text)
    }
    for (
      const text of [
        "make the logo public",
        "make cover.jpg and all tracks public",
        "make everything public except secret.txt",
        "make IMG_1.jpg to IMG_5.jpg public",
        "mach die PDFs öffentlich, nicht geheim.pdf",
        "share the site of example.com with bob",
        "publish what bob@example.com sent"
      ]
    ) assert.isFalse(isOfNamed(text), text)
  })
})

layer(TestAgent, { timeout: "60 seconds" })("Consent for a file", (it) => {
  const isPublic = (owner: Credential, id: string) =>
    Effect.map(drive(owner, "searchFiles", {}), ({ files }) => files.find((file: any) => file.id === id).isPublic)

  it.effect("TASK-336 who asks for a file by its name allows no other; a yes to that one does", () =>
    Effect.gen(function*() {
      const owner = yield* newCredential()
      const logo = yield* addFile(owner.accountId, { fileName: "logo.png" })
      const secret = yield* addFile(owner.accountId, { fileName: "salaries.xlsx" })
      const toggles = (text: string, id: string) =>
        Brain.use((brain) =>
          brain.when(text, ({ results }) =>
            results.length === 0
              ? call("toggle_file_access", { id })
              : Effect.succeed(JSON.stringify(results[0]!.result)))
        )
      yield* toggles("make logo.png public", secret)
      yield* toggles("publish logo.png", logo)
      yield* toggles("yes", secret)
      const misled = yield* doTask(owner, "make logo.png public", { contextId: "c" })
      assertState(misled, "completed")
      assert.deepInclude(JSON.parse(said(misled)), { code: Consent.notAskedFor })
      assert.include(said(misled), "salaries.xlsx")
      assert.isFalse(yield* isPublic(owner, secret))
      yield* doTask(owner, "yes", { contextId: "c" })
      assert.isTrue(yield* isPublic(owner, secret))
      yield* doTask(owner, "publish logo.png", { contextId: "d" })
      assert.isTrue(yield* isPublic(owner, logo))
    }))
})
