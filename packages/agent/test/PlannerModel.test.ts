import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { LanguageModel, Prompt, Tool, Toolkit } from "effect/ai"
import { PlannerModel } from "../src/index.ts"

const SearchFiles = Tool.make("search_files", {
  description: "Finds files.",
  parameters: Schema.Record(Schema.String, Schema.Any),
  success: Schema.Any
})
const toolkit = Toolkit.make(SearchFiles)
const handlers = toolkit.toLayer({ search_files: () => Effect.succeed({ files: [], nextOffset: null }) })

describe("the planner as a model", () => {
  it.effect("PLAN-17 a prompt gives the next calls, and their results the answer", () =>
    Effect.gen(function*() {
      const asked = Prompt.make("find all photos")
      const first = yield* LanguageModel.generateText({ prompt: asked, toolkit, disableToolCallResolution: true })
      const [call] = first.toolCalls
      assert.strictEqual(call?.name, "search_files")
      assert.deepInclude(call?.params, { types: ["Image"] })

      const made = Prompt.concat(
        Prompt.concat(asked, Prompt.fromResponseParts(first.content)),
        Prompt.make([{
          role: "tool",
          content: [
            Prompt.toolResultPart({
              id: call!.id,
              name: "search_files",
              isFailure: true,
              result: { error: "The drive is away.", code: "internal" },
              providerExecuted: false
            })
          ]
        }])
      )
      const second = yield* LanguageModel.generateText({ prompt: made, toolkit, disableToolCallResolution: true })
      assert.lengthOf(second.toolCalls, 0)
      assert.match(second.text, /The drive is away\./)
      const text = second.content.find((part) => part.type === "text")
      assert.deepStrictEqual(text?.metadata["filedrive"], { isQuestion: false, choices: [], links: [] })
    }).pipe(Effect.provide([PlannerModel.layer({}), handlers])))

  it("PLAN-300 what happens after other messages were answered goes on with the request that waits for it", () => {
    const asked = { name: "wait_for", args: { kind: "folder_files", folder: "/Inbox" } }
    const call = (id: string) =>
      Prompt.makePart("tool-call", { id, name: asked.name, params: asked.args, providerExecuted: false })
    const result = (id: string, value: object) =>
      Prompt.makeMessage("tool", {
        content: [
          Prompt.toolResultPart({ id, name: "wait_for", isFailure: false, result: value, providerExecuted: false })
        ]
      })
    const { earlier, present } = PlannerModel.transcriptOf(Prompt.make([
      { role: "user", content: "tell me when files land in /Inbox" },
      { role: "assistant", content: [call("1")] },
      result("1", { waiting: true, note: "" }),
      { role: "user", content: "thanks" },
      { role: "assistant", content: [{ type: "text", text: "You are welcome." }] },
      { role: "assistant", content: [call("2")] },
      result("2", { woken: true, reason: "happened", event: {} })
    ]))
    assert.deepStrictEqual(earlier.map(({ calls, reply, userText }) => [userText, calls.length, reply]), [
      ["thanks", 0, "You are welcome."]
    ])
    assert.strictEqual(present.userText, "tell me when files land in /Inbox")
    assert.deepStrictEqual(present.calls, [{ ...asked, result: { woken: true, reason: "happened", event: {} } }])
  })

  it.effect.each([["hello", /did not use the data/], ["hallo, danke", /Daten in der Nachricht/]] as const)(
    "PLAN-301 data beside other parts is said to be unused: %s",
    ([text, says]) =>
      Effect.gen(function*() {
        const data = Prompt.makePart("text", {
          text: JSON.stringify({ tool: "create_folder", args: { path: "/A" } }),
          options: { filedrive: { part: { kind: "data", index: 1 } } }
        })
        const user = Prompt.makeMessage("user", { content: [Prompt.makePart("text", { text }), data] })
        const answer = yield* LanguageModel.generateText({ prompt: Prompt.fromMessages([user]) })
        assert.match(answer.text, says)
      }).pipe(Effect.provide(PlannerModel.layer()))
  )

  it.effect("PLAN-4 PLAN-17 a tool that isn't offered is named", () =>
    Effect.gen(function*() {
      const answer = yield* LanguageModel.generateText({ prompt: "empty the trash" })
      assert.match(answer.text, /may not do that \(select_trashed_files\)/)
    }).pipe(Effect.provide(PlannerModel.layer())))
})
