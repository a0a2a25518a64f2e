/** Answers of many megabytes: how many are held at once, and that others have their turn while one is decoded. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import { largeFrom, Places } from "../src/http/Places.ts"
import { imageOfBase64 } from "../src/ImageBytes.ts"
import { picture } from "./ProviderServers.ts"
import { providers, request, status } from "./ProvidersTest.ts"

describe("large answers", () => {
  it.effect(
    "IMG-15 a provider has two of them at a time until their scopes close; small ones and other providers' go on",
    () =>
      Effect.gen(function*() {
        const { answer, generator } = yield* providers()
        const large = Buffer.concat([picture, Buffer.alloc(largeFrom)]).toString("base64")
        answer("POST /openai/", status(200, { data: [{ b64_json: large }] }))
        answer("POST /google/", status(200, { predictions: [{ bytesBase64Encoded: large }] }))
        const [first, second] = [yield* Scope.make(), yield* Scope.make()]
        const submit = generator.submit(request("gptImage2"))
        yield* Scope.provide(submit, first)
        yield* Scope.provide(submit, second)
        const third = yield* Effect.forkChild(Effect.scoped(submit), { startImmediately: true })
        assert.strictEqual((yield* Effect.scoped(generator.submit(request("imagen4Fast"))))._tag, "Finished")
        answer("POST /openai/", status(200, { data: [{ b64_json: picture.toString("base64") }] }))
        assert.strictEqual((yield* Effect.scoped(submit))._tag, "Finished")
        assert.isUndefined(third.pollUnsafe())
        yield* Scope.close(first, Exit.void)
        assert.strictEqual((yield* Fiber.join(third))._tag, "Finished")
        yield* Scope.close(second, Exit.void)
      }),
    30_000
  )

  it("IMG-15 places are taken in the order of the calls, and given back once", () => {
    const places = new Places()
    const begun: Array<string> = []
    const take = (name: string) => places.take(() => void begun.push(name))
    const [a, , c] = [take("a"), take("b"), take("c")]
    take("d")
    c()
    a()
    a()
    assert.deepStrictEqual(begun, ["a", "b", "d"])
    take("e")
    assert.deepStrictEqual(begun, ["a", "b", "d"])
  })

  it.effect("IMG-16 base64 is decoded as Buffer does it, and others have their turn meanwhile", () =>
    Effect.gen(function*() {
      const bytes = Buffer.concat([picture, Buffer.alloc(5_000_000, "any bytes"), Buffer.from([251, 255, 190])])
      const plain = bytes.toString("base64")
      const lines = plain.replaceAll(/.{76}/g, "$&\r\n")
      for (const text of [plain, lines, bytes.toString("base64url"), `${plain}=trailing`, `${plain.slice(0, -2)}`]) {
        let turns = 0
        const turn = () => {
          turns++
          next = setImmediate(turn)
        }
        let next = setImmediate(turn)
        const image = yield* imageOfBase64(text)
        clearImmediate(next)
        assert.isTrue(Buffer.from(text, "base64").equals(image.bytes))
        assert.isAtLeast(turns, 5)
      }
    }))
})
