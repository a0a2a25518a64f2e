import { assert, layer } from "@effect/vitest"
import { imageFailure, testImage, TestImageGenerator } from "@filedrive/testing"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { asked, checkEnded, eventsOf, generate, look, runJobs, used, user } from "../../test/GenerationsTest.ts"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { codes } from "../../test/UploadsTest.ts"
import { unlimited } from "../accounts/CurrentAccount.ts"
import { Quota } from "../accounts/Quota.ts"
import { Trash } from "../files/Trash.ts"
import type { GenerationId } from "../shared/Ids.ts"
import { Generations } from "./Generations.ts"

const bytes = testImage.bytes.length

layer(TestDrive, { timeout: "60 seconds" })("Generations", (it) => {
  it.effect("GEN-6 a call answers at once; the job saves the image: privately, named and described by the prompt, with one event", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const { id, ...settled } = yield* generate(owner, { prompt: "A tram, on a hill", aspectRatio: "3:2" })
      assert.deepStrictEqual(settled, { model: "gptImage2", aspectRatio: "3:2", quality: "medium" })
      const { insertTime: _, ...working } = yield* look(owner, id)
      assert.deepStrictEqual(working, {
        id,
        status: "working",
        error: null,
        code: null,
        ...settled,
        prompt: "A tram, on a hill",
        image: null
      })
      yield* runJobs
      const { image, ...done } = yield* look(owner, id)
      assert.deepInclude(done, { status: "done", error: null })
      assert.notProperty(done, "trashed")
      assert.deepInclude(image, {
        fileName: "a-tram-on-a-hill.png",
        type: "Image",
        mimeType: "image/png",
        fileSize: bytes,
        isPublic: false,
        downloadUrl: null,
        description: "A tram, on a hill",
        // Its metadata has been extracted.
        metadataStatus: "done"
      })
      assert.strictEqual(image?.folder?.path, "/Generated images")
      const [event, ...others] = yield* eventsOf(owner, ["generation", "file"])
      assert.lengthOf(others, 0)
      assert.deepInclude(event, { kind: "generation", status: "done", error: null, prompt: "A tram, on a hill" })
      assert.strictEqual(event?.kind === "generation" ? event.image?.id : null, image?.id)
      assert.strictEqual(yield* checkEnded(owner), 1)
      assert.deepStrictEqual(yield* asked(id), ["submit"])
    }))

  it.effect("GEN-6 what the provider is asked is what was chosen", () =>
    Effect.gen(function*() {
      const owner = yield* user({ plan: "basic" })
      const { id } = yield* generate(owner, { model: "flux2Pro", aspectRatio: "16:9" })
      yield* runJobs
      const calls = yield* TestImageGenerator.use(({ calls }) => calls)
      assert.deepStrictEqual(calls.find(({ request }) => request.generationId === id)?.request, {
        generationId: id,
        model: "flux2Pro",
        prompt: "A tram",
        aspectRatio: "16:9",
        quality: null
      })
    }))

  it.effect("GEN-5 calls are refused with the field or the code, the first reason first", () =>
    Effect.gen(function*() {
      const users = yield* TestAccounts
      const generations = yield* Generations
      const generator = yield* TestImageGenerator
      const owner = yield* user({ plan: null, monthlyImages: 0, quotaBytes: 0 })
      const refusal = (request: Parameters<typeof generate>[1] = {}, limits = unlimited) =>
        generations.generate({ prompt: "a", model: "nanoBananaPro", ...request }).pipe(
          as(owner, limits),
          Effect.exit,
          Effect.map(codes)
        )
      yield* generator.setUnavailable("nanoBananaPro", "A_KEY is not set")
      assert.deepStrictEqual(yield* refusal({ model: "gptImage2", aspectRatio: "16:9" }), [
        "invalid_field",
        "aspectRatio"
      ])
      assert.deepStrictEqual(yield* refusal({ quality: "low" }), ["invalid_field", "quality"])
      assert.deepStrictEqual(yield* refusal({}, { permissions: ["add"], folderId: null }), ["token_limit", undefined])
      assert.deepStrictEqual(yield* refusal(), ["no_subscription", undefined])
      yield* users.change(owner, { plan: "basic" })
      assert.deepStrictEqual(yield* refusal(), ["pro_only", undefined])
      assert.deepStrictEqual(yield* refusal({ model: "gptImage2", quality: "medium" }), ["pro_only", undefined])
      yield* users.change(owner, { plan: "pro" })
      assert.deepStrictEqual(yield* refusal(), ["generator_unavailable", undefined])
      yield* generator.setUnavailable("nanoBananaPro", null)
      assert.deepStrictEqual(yield* refusal(), ["storage_full", undefined])
      yield* users.change(owner, { quotaBytes: 1_000 })
      assert.deepStrictEqual(yield* refusal(), ["no_images_left", undefined])
      yield* users.change(owner, { monthlyImages: 1 })
      assert.deepStrictEqual(yield* refusal(), ["succeeded"])
      assert.deepStrictEqual(yield* refusal(), ["no_images_left", undefined])
      yield* users.change(owner, { suspended: true })
      assert.deepStrictEqual(yield* refusal(), ["not_allowed", undefined])
    }))

  it.effect("GEN-7 each image is taken from the month it was requested in, and given back to that one", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(new Date("2026-01-31T23:59:00Z").getTime())
      const owner = yield* user({ monthlyImages: 2 })
      const generations = yield* Generations
      const allowance = generations.allowance.pipe(as(owner))
      const first = yield* generate(owner)
      yield* generate(owner)
      assert.deepStrictEqual(codes(yield* Effect.exit(generate(owner))), ["no_images_left", undefined])
      assert.deepStrictEqual(yield* allowance, {
        plan: "pro",
        used: 2,
        limit: 2,
        renewTime: "2026-02-01T00:00:00.000Z"
      })
      yield* TestClock.adjust("1 minute")
      assert.deepInclude(yield* allowance, { used: 0, renewTime: "2026-03-01T00:00:00.000Z" })
      yield* generate(owner)
      // The first of January's comes back to January.
      yield* generations.cancel(first.id).pipe(as(owner))
      assert.strictEqual((yield* allowance).used, 1)
      yield* TestClock.setTime(new Date("2026-01-31T23:59:59Z").getTime())
      assert.strictEqual((yield* allowance).used, 1)
    }))

  it.effect("GEN-7 a null allowance is no limit, and an account without a plan has none", () =>
    Effect.gen(function*() {
      const allowance = Generations.use(({ allowance }) => allowance)
      const free = yield* user({ monthlyImages: null })
      assert.isNull((yield* allowance.pipe(as(free))).limit)
      const none = yield* user({ plan: null, monthlyImages: null })
      assert.deepInclude(yield* allowance.pipe(as(none)), { plan: null, used: 0, limit: 0 })
    }))

  it.effect("GEN-9 a failed image is given back, whatever is done with it; a deleted one is not", () =>
    Effect.gen(function*() {
      const owner = yield* user({ monthlyImages: 2 })
      // What other tests left.
      yield* runJobs
      yield* TestImageGenerator.use(({ submits }) => submits(Effect.fail(imageFailure("moderated"))))
      const failed = yield* generate(owner)
      yield* runJobs
      const item = yield* look(owner, failed.id)
      assert.deepInclude(item, { status: "failed", code: "moderated", image: null })
      assert.match(item.error!, /rules/)
      assert.notInclude(item.error, "scripted")
      assert.strictEqual(yield* used(owner), 0)
      const cancelled = yield* Generations.use(({ cancel }) => cancel(failed.id)).pipe(as(owner))
      assert.isFalse(cancelled)
      const done = yield* generate(owner)
      yield* runJobs
      yield* Trash.use((trash) => Effect.flatMap(look(owner, done.id), ({ image }) => trash.delete([image!.id]))).pipe(
        as(owner)
      )
      assert.strictEqual(yield* used(owner), 1)
      assert.strictEqual(yield* checkEnded(owner), 1)
    }))

  it.effect("GEN-14 an image in trash is told with its generation; deleted, it is failed from 15 minutes after it succeeded", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const [early, late] = [yield* generate(owner), yield* generate(owner)]
      yield* runJobs
      const trash = yield* Trash
      const imageOf = (id: GenerationId) => Effect.map(look(owner, id), ({ image }) => image!.id)
      yield* trash.put([yield* imageOf(early.id)]).pipe(as(owner))
      const trashed = yield* look(owner, early.id)
      assert.deepInclude(trashed, { status: "done", trashed: true })
      assert.isNull(trashed.image?.downloadUrl)
      yield* trash.restore([yield* imageOf(early.id)]).pipe(as(owner))
      assert.notProperty(yield* look(owner, early.id), "trashed")
      yield* trash.delete([yield* imageOf(early.id)]).pipe(as(owner))
      yield* TestClock.adjust("899 seconds")
      assert.deepInclude(yield* look(owner, early.id), { status: "done", image: null })
      yield* TestClock.adjust("1 second")
      assert.deepInclude(yield* look(owner, early.id), { status: "failed", code: "image_deleted", image: null })
      yield* trash.delete([yield* imageOf(late.id)]).pipe(as(owner))
      assert.deepInclude(yield* look(owner, late.id), { status: "failed", code: "image_deleted", image: null })
      assert.strictEqual((yield* eventsOf(owner, ["generation"])).length, 2)
    }))

  it.effect("GEN-19 100 are under way at most", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const started = yield* Effect.replicateEffect(generate(owner), 100)
      assert.deepStrictEqual(codes(yield* Effect.exit(generate(owner))), ["not_allowed", undefined])
      yield* Generations.use(({ cancel }) => cancel(started[0]!.id)).pipe(as(owner))
      yield* generate(owner)
      yield* Effect.forEach(started, ({ id }) => Generations.use(({ cancel }) => cancel(id)).pipe(as(owner)))
      yield* runJobs
      assert.strictEqual(yield* checkEnded(owner), 1)
    }))

  it.effect("OPS-7 generateImage makes another image when it is sent again", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const [once, twice] = [yield* generate(owner), yield* generate(owner)]
      assert.notStrictEqual(once.id, twice.id)
      assert.strictEqual(yield* used(owner), 2)
    }))

  it.effect("OPS-7 cancelGeneration leaves the drive as one call does", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const { id } = yield* generate(owner)
      const cancel = Generations.use((generations) => generations.cancel(id)).pipe(as(owner))
      assert.deepStrictEqual([yield* cancel, yield* cancel], [true, false])
      assert.strictEqual(yield* used(owner), 0)
      assert.lengthOf(yield* eventsOf(owner, ["generation"]), 1)
    }))

  it.effect("GEN-22 one that ended without an image is forgotten after 30 days, one with an image is not", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const generations = yield* Generations
      const done = yield* generate(owner)
      yield* runJobs
      const cancelled = yield* generate(owner)
      yield* generations.cancel(cancelled.id).pipe(as(owner))
      const count = Effect.map(generations.history({}).pipe(as(owner)), ({ generations }) => generations.length)
      yield* TestClock.adjust("29 days")
      yield* generations.forget
      assert.strictEqual(yield* count, 2)
      yield* TestClock.adjust("1 day")
      yield* generations.forget
      assert.strictEqual(yield* count, 1)
      const balance = yield* Quota.use((quota) => quota.balance(owner))
      assert.deepStrictEqual(balance, { usedBytes: bytes, heldBytes: 0 })
      yield* Effect.flatMap(
        look(owner, done.id),
        ({ image }) => Trash.use((trash) => trash.delete([image!.id])).pipe(as(owner))
      )
      yield* generations.forget
      assert.strictEqual(yield* count, 0)
    }))
})
