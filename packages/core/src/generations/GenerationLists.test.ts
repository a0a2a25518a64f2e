import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import { checkEnded, generate, look, runJobs, user } from "../../test/GenerationsTest.ts"
import { as } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { codes } from "../../test/UploadsTest.ts"
import { CurrentAccount } from "../accounts/CurrentAccount.ts"
import { Folders } from "../organize/Folders.ts"
import { FolderTree } from "../organize/FolderTree.ts"
import { ApiTokenId, FolderId, GenerationId } from "../shared/Ids.ts"
import { Generations } from "./Generations.ts"

layer(TestDrive, { timeout: "60 seconds" })("Where generations are, and who sees them", (it) => {
  it.effect("GEN-15 images go where the call says, to their own folder, and to the default one when that was deleted meanwhile", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const inPath = yield* generate(owner, { to: { path: Checked.path("/Art/New"), field: "folder" } })
      const atTop = yield* generate(owner, { to: { id: null } })
      const unknown = FolderId.make("019845e1-682f-7b02-a706-3b2422d13aff")
      assert.deepStrictEqual(codes(yield* Effect.exit(generate(owner, { to: { id: unknown } }))), [
        "not_found",
        undefined
      ])
      const gone = yield* generate(owner, { to: { path: Checked.path("/Gone"), field: "folder" } })
      const folder = yield* Folders.use((folders) => folders.ensure(owner, Checked.path("/Gone"), "folder"))
      yield* FolderTree.use((tree) => tree.delete(folder!.id, "parent")).pipe(as(owner))
      yield* runJobs
      const places = yield* Effect.forEach([inPath, atTop, gone], ({ id }) => look(owner, id))
      assert.deepStrictEqual(places.map(({ image }) => image?.folder?.path ?? null), [
        "/Art/New",
        null,
        "/Generated images"
      ])
      assert.strictEqual(yield* checkEnded(owner), 3)
    }))

  it.effect("GEN-16 a call limited to a folder makes, sees and cancels those of its folder alone", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const generations = yield* Generations
      const [mine, other] = yield* Effect.forEach(
        ["/Mine", "/Other"],
        (path) => Folders.use((folders) => folders.ensure(owner, Checked.path(path), "folder"))
      )
      const limited = { permissions: ["generate" as const], folderId: mine!.id }
      const request = { prompt: "a" }
      const outside = generations.generate({ ...request, to: { id: other!.id } }).pipe(as(owner, limited))
      assert.deepStrictEqual(codes(yield* Effect.exit(outside)), ["not_found", undefined])
      const path = { path: Checked.path("/Other"), field: "folder" }
      const byPath = generations.generate({ ...request, to: path }).pipe(as(owner, limited))
      assert.deepStrictEqual(codes(yield* Effect.exit(byPath)), ["token_limit", undefined])
      const inside = yield* generations.generate(request).pipe(as(owner, limited))
      const others = yield* generate(owner, { to: { id: other!.id } })
      const seen = generations.select([others.id, inside.id]).pipe(as(owner, limited))
      assert.deepStrictEqual((yield* seen).map(({ id }) => id), [inside.id])
      const listed = yield* generations.history({}).pipe(as(owner, limited))
      assert.deepStrictEqual(listed.generations.map(({ id }) => id), [inside.id])
      assert.isFalse(yield* generations.cancel(others.id).pipe(as(owner, limited)))
      yield* runJobs
      assert.strictEqual((yield* seen)[0]?.image?.folder?.path, "/Mine")
      // Moved out of the folder, the image is no longer seen; its generation is.
      yield* FolderTree.use((tree) => tree.delete(mine!.id, "parent")).pipe(as(owner))
      assert.deepStrictEqual(yield* seen, [])
      for (const permission of ["generate", "read"] as const) {
        const items = yield* generations.select([inside.id]).pipe(
          as(owner, { permissions: [permission], folderId: null })
        )
        assert.lengthOf(items, 1)
      }
      const refused = generations.select([inside.id]).pipe(as(owner, { permissions: ["add"], folderId: null }))
      assert.deepStrictEqual(codes(yield* Effect.exit(refused)), ["token_limit", undefined])
    }))

  it.effect("GEN-39 a token that may not delete cancels what it began itself, and nothing of another's", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const generations = yield* Generations
      const random = yield* SecureRandom.SecureRandom
      const limits = { permissions: ["generate" as const], folderId: null }
      const asToken = Effect.map(
        random.uuidV7(),
        (id) => Effect.provideService(CurrentAccount, { id: owner, tokenId: ApiTokenId.make(id), limits })
      )
      const [one, other] = [yield* asToken, yield* asToken]
      const begin = generations.generate({ prompt: "a" })
      const [ones, others, owners, hosts] = [
        yield* begin.pipe(one),
        yield* begin.pipe(other),
        yield* generate(owner),
        yield* begin.pipe(as(owner, limits))
      ]
      for (const { id } of [others, owners, hosts]) {
        assert.deepStrictEqual(codes(yield* Effect.exit(generations.cancel(id).pipe(one))), ["token_limit", undefined])
      }
      assert.isTrue(yield* generations.cancel(ones.id).pipe(one))
      assert.isTrue(yield* generations.cancel(hosts.id).pipe(as(owner, limits)))
      const deleting = { permissions: ["generate" as const, "delete" as const], folderId: null }
      for (const { id } of [others, owners]) assert.isTrue(yield* generations.cancel(id).pipe(as(owner, deleting)))
    }))

  it.effect("GEN-32 an image of a limited token, whose folder was deleted meanwhile, is in the token's folder and seen", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const generations = yield* Generations
      const [mine, inner] = yield* Effect.forEach(
        ["/Mine", "/Mine/Inner"],
        (path) => Folders.use((folders) => folders.ensure(owner, Checked.path(path), "folder"))
      )
      const limited = { permissions: ["generate" as const], folderId: mine!.id }
      const { id } = yield* generations.generate({ prompt: "a", to: { id: inner!.id } }).pipe(as(owner, limited))
      yield* FolderTree.use((tree) => tree.delete(inner!.id, "parent")).pipe(as(owner))
      const seen = generations.select([id]).pipe(as(owner, limited))
      assert.deepStrictEqual((yield* seen).map(({ status }) => status), ["working"])
      yield* runJobs
      assert.deepStrictEqual((yield* seen).map(({ image }) => image?.folder?.path), ["/Mine"])
      assert.strictEqual(yield* checkEnded(owner), 1)
    }))

  it.effect("GEN-17 generations are told once each, in the order asked; others' and unknown ones are left out", () =>
    Effect.gen(function*() {
      const [owner, stranger] = yield* Effect.all([user(), user()])
      const generations = yield* Generations
      const [a, b] = [yield* generate(owner), yield* generate(owner)]
      const unknown = GenerationId.make("019845e1-682f-7b02-a706-3b2422d13aff")
      const ids = [b.id, unknown, a.id, GenerationId.make(b.id.toUpperCase())]
      assert.deepStrictEqual((yield* generations.select(ids).pipe(as(owner))).map(({ id }) => id), [b.id, a.id])
      assert.deepStrictEqual(yield* generations.select(ids).pipe(as(stranger)), [])
      assert.isFalse(yield* generations.cancel(a.id).pipe(as(stranger)))
      assert.deepStrictEqual((yield* generations.history({}).pipe(as(stranger))).generations, [])
    }))

  it.effect("GEN-18 the history has every generation once, newest first, page by page", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const generations = yield* Generations
      const made: Array<GenerationId> = []
      for (let n = 0; n < 7; n++) {
        yield* TestClock.adjust("1 second")
        made.unshift((yield* generate(owner)).id)
      }
      const seen: Array<GenerationId> = []
      let cursor: string | undefined
      do {
        const page = yield* generations.history({ limit: 3, ...cursor !== undefined && { cursor } }).pipe(as(owner))
        seen.push(...page.generations.map(({ id }) => id))
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      assert.deepStrictEqual(seen, made)
      const wrong = generations.history({ cursor: "x" }).pipe(as(owner))
      assert.deepStrictEqual(codes(yield* Effect.exit(wrong)), ["invalid_field", "cursor"])
    }))

  it.effect("GEN-41 twenty generations and their images, or a page of the history, are one statement", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const generations = yield* Generations
      const ids = yield* Effect.replicateEffect(Effect.map(generate(owner), ({ id }) => id), 3)
      yield* runJobs
      let count = 0
      const counting = Effect.provideService(Statement.CurrentTransformer, (statement) =>
        Effect.sync(() => {
          count++
          return statement
        }))
      const selected = yield* counting(generations.select(ids)).pipe(as(owner))
      const { generations: listed } = yield* counting(generations.history({})).pipe(as(owner))
      assert.strictEqual(count, 2)
      assert.deepStrictEqual(selected.map(({ id }) => id), ids)
      assert.isTrue(selected.every(({ image }) => image !== null))
      assert.deepStrictEqual(listed, selected.toReversed())
    }))
})
