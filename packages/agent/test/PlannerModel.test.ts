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

  it.effect("PLAN-4 PLAN-17 a tool that isn't offered is named", () =>
    Effect.gen(function*() {
      const answer = yield* LanguageModel.generateText({ prompt: "empty the trash" })
      assert.match(answer.text, /may not do that \(select_trashed_files\)/)
    }).pipe(Effect.provide(PlannerModel.layer())))
})
