import { assert, layer } from "@effect/vitest"
import { TestImageGenerator } from "@filedrive/testing"
import { Effect, Layer, Option } from "effect"
import { AccountsAdmin } from "../src/accounts/AccountsAdmin.ts"
import { PlanImages } from "../src/accounts/PlanImages.ts"
import { Sessions } from "../src/accounts/Sessions.ts"
import { ManualJobs } from "./ManualJobs.ts"
import { call, newUser, signedIn, testHttp, TestLog } from "./TestHttp.ts"

const prompt = "a tram"

const refusal = Effect.fnUntraced(function*(token: string, body: unknown) {
  const { body: answer, status } = yield* call(token, "/generate-image", body)
  return [status, answer.code, answer.field]
})

layer(testHttp(), { timeout: "60 seconds" })("Generations over HTTP", (it) => {
  it.effect("GEN-26 a generation from the call to the image", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const jobs = yield* ManualJobs
      const { body: started } = yield* call(token, "/generate-image", { prompt, folder: "/Art", unknown: 1 })
      assert.hasAllKeys(started, ["id", "model", "aspectRatio", "quality"])
      const { id } = started
      yield* jobs.runDue
      const { body } = yield* call(token, "/select-generations", { ids: [id] })
      assert.deepInclude(body.generations[0], { id, status: "done", error: null, model: "gptImage2", prompt })
      assert.strictEqual(body.generations[0].image.folder.path, "/Art")
      const { body: events } = yield* call(token, "/select-drive-events", { generationId: id })
      assert.lengthOf(events.events, 1)
      assert.deepInclude(events.events[0], { kind: "generation", status: "done", error: null, prompt })
      assert.strictEqual(events.events[0].image.id, body.generations[0].image.id)
      const { body: history } = yield* call(token, "/select-generation-history", { limit: 1 })
      assert.deepStrictEqual([history.generations[0].id, history.nextCursor], [id, null])
      assert.strictEqual((yield* call(token, "/select-generation-history")).status, 200)
      assert.deepStrictEqual((yield* call(token, "/cancel-generation", { id })).body, { cancelled: false })
      const { body: allowance } = yield* call(token, "/get-image-allowance")
      assert.deepStrictEqual(allowance, { plan: "pro", used: 1, limit: 500, renewTime: "1970-02-01T00:00:00.000Z" })
    }))

  it.effect("GEN-26 what is wrong names its field with 400, refusals are 403, an unavailable model is 502 and retryable", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      assert.deepStrictEqual(yield* refusal(token, {}), [400, "missing_field", "prompt"])
      for (
        const [field, value] of Object.entries({ prompt: "", model: "dallE", aspectRatio: "5:4", quality: "best" })
      ) {
        assert.deepStrictEqual(yield* refusal(token, { prompt, [field]: value }), [400, "invalid_field", field])
      }
      assert.deepStrictEqual(
        yield* refusal(token, { prompt, aspectRatio: "16:9" }),
        [400, "invalid_field", "aspectRatio"]
      )
      assert.deepStrictEqual(
        yield* refusal(token, { prompt, model: "seedream4", quality: "low" }),
        [400, "invalid_field", "quality"]
      )
      assert.deepStrictEqual(
        yield* refusal(token, { prompt, folder: "/a", folderId: null }),
        [400, "invalid_field", "folderId"]
      )
      const ids = (count: number) => Array.from({ length: count }, () => "019845e1-682f-7b02-a706-3b2422d13aff")
      for (const count of [0, 21]) {
        const { body, status } = yield* call(token, "/select-generations", { ids: ids(count) })
        assert.deepStrictEqual([status, body.field], [400, "ids"])
      }
      const basic = yield* Sessions.use((sessions) => Effect.flatMap(newUser({ plan: "basic" }), sessions.open))
      assert.deepStrictEqual(
        yield* refusal(basic.token, { prompt, quality: "high" }),
        [403, "pro_only", undefined]
      )
      const none = yield* Sessions.use((sessions) => Effect.flatMap(newUser({ plan: null }), sessions.open))
      assert.deepStrictEqual(yield* refusal(none.token, { prompt }), [403, "no_subscription", undefined])
      yield* TestImageGenerator.use((generator) => generator.setUnavailable("imagen4Fast", "A_KEY is not set"))
      const away = yield* call(token, "/generate-image", { prompt, model: "imagen4Fast" })
      assert.deepStrictEqual([away.status, away.body.code, away.body.retryable], [502, "generator_unavailable", true])
      assert.notInclude(JSON.stringify(away.body), "KEY")
      assert.isTrue((yield* TestLog).some((line) => line.includes("A_KEY is not set")))
    }))

  it.effect("GEN-27 a user has its plan's allowance, its own, or no limit", () =>
    Effect.gen(function*() {
      const admin = yield* AccountsAdmin
      const basic = Option.getOrThrow(yield* admin.create({ plan: "basic" }))
      const images = (account: Effect.Success<ReturnType<typeof admin.find>>) =>
        Option.getOrThrow(account).monthlyImages
      assert.strictEqual(basic.monthlyImages, 50)
      assert.strictEqual(images(yield* admin.setPlan(basic.id, "pro")), 500)
      // As many as the plan's, and nevertheless its own.
      assert.strictEqual(images(yield* admin.setMonthlyImages(basic.id, 500)), 500)
      assert.strictEqual(images(yield* admin.setPlan(basic.id, "basic")), 500)
      assert.isNull(images(yield* admin.setMonthlyImages(basic.id, null)))
      assert.isNull(images(yield* admin.find(basic.id)))
      assert.strictEqual(images(yield* admin.setMonthlyImages(basic.id, 0)), 0)
      assert.strictEqual(images(yield* admin.setMonthlyImages(basic.id, "plan")), 50)
      assert.isNull(Option.getOrThrow(yield* admin.create({ monthlyImages: null })).monthlyImages)
      assert.strictEqual(Option.getOrThrow(yield* admin.create({ plan: null })).monthlyImages, 0)
    }))
})

layer(testHttp().pipe(Layer.provide(Layer.succeed(PlanImages, { basic: 3, pro: null }))), { timeout: "60 seconds" })(
  "Allowances of a host",
  (it) => {
    it.effect("GEN-27 a host sets the allowances of the plans", () =>
      Effect.gen(function*() {
        const admin = yield* AccountsAdmin
        assert.strictEqual(Option.getOrThrow(yield* admin.create({ plan: "basic" })).monthlyImages, 3)
        assert.isNull(Option.getOrThrow(yield* admin.create({ plan: "pro" })).monthlyImages)
      }))
  }
)
