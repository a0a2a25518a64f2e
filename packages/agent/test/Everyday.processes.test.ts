import { afterAll, assert, describe, it } from "@effect/vitest"
import { Bench } from "./Bench.ts"
import { changes, stateOf } from "./DriveState.ts"
import { band } from "./requests/band.ts"
import { family } from "./requests/family.ts"
import { film } from "./requests/film.ts"
import { architect, law } from "./requests/office.ts"
import type { Everyday, Persona } from "./requests/Request.ts"
import { german, photographer, teacher } from "./requests/school.ts"

const personas: ReadonlyArray<Persona> = [band, family, film, architect, law, teacher, photographer, german]

/** What a drive without media tools can't do. */
const fakes = { set_cover: () => ({}), set_video_thumbnail: () => ({ success: true }) }

/** `a|b` is one of both, `*` any text. */
const fits = (change: string, wanted: string): boolean =>
  wanted.split(/\|(?=\+)/).some((one) =>
    new RegExp(`^${one.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}`).test(change) &&
    (one.includes("*") || change === one)
  )

/** What is wrong with how a request ended; null when it ended right. */
const flaw = async (
  bench: Bench,
  { asks, changes: wanted = [], not, reply, say }: Everyday
): Promise<string | null> => {
  const before = await stateOf(bench)
  let text = ""
  let isAsked = false
  for (const message of [say].flat()) {
    const answered = await bench.say(message)
    text = answered.text
    isAsked = answered.decision._tag === "Ask"
  }
  const found = changes(before, await stateOf(bench))
  const isSame = found.every((change) => wanted.some((one) => fits(change, one))) &&
    wanted.every((one) => found.some((change) => fits(change, one)))
  if (
    !isSame &&
    !(wanted.some((one) => one.endsWith("*")) && found.length > 0 &&
      wanted.every((one) => found.some((change) => fits(change, one))))
  ) {
    return `changed ${JSON.stringify(found)}, answered: ${text}`
  }
  if (reply !== undefined && !reply.test(text)) return `answered: ${text}`
  if (not !== undefined && not.test(text)) return `answered too much: ${text}`
  if (asks === true && !isAsked) return `did not ask: ${text}`
  if (asks === undefined && isAsked) return `asked: ${text}`
  return null
}

const results: Array<{ readonly family: string; readonly isRight: boolean }> = []

describe("everyday requests", () => {
  for (const { name, requests, seeds } of personas) {
    it(`PLAN-1 of ${name} end in the right state of the drive`, { timeout: 600_000 }, async () => {
      let bench = await Bench.make({ seeds, fakes })
      const wrong: Array<string> = []
      for (const request of requests) {
        if (
          bench.turns.length > 0 && (request.changes ?? []).length + bench.turns.length > 0 &&
          results.at(-1)?.isRight !== undefined
        ) {
          // A drive that was only read serves again.
          bench.turns.length = 0
        }
        const found = await flaw(bench, request).catch((error: unknown) =>
          `threw ${String(error instanceof Error ? error.stack : error)}`
        )
        results.push({ family: request.family, isRight: found === null })
        if (found !== null) wrong.push(`${JSON.stringify(request.say)}: ${found}`)
        if (found !== null || (request.changes ?? []).length > 0 || [request.say].flat().length > 1) {
          await bench.close()
          bench = await Bench.make({ seeds, fakes })
        }
      }
      await bench.close()
      if (wrong.length > 0) console.log(wrong.join("\n\n"))
      assert.isAtMost(wrong.length / requests.length, 0.05, wrong.join("\n"))
    })
  }

  afterAll(() => {
    const right = results.filter(({ isRight }) => isRight).length
    console.log(`${right} of ${results.length} end right`)
    for (const name of new Set(results.map((one) => one.family))) {
      const own = results.filter((one) => one.family === name)
      console.log(`  ${name}: ${own.filter(({ isRight }) => isRight).length} of ${own.length}`)
    }
  })
})
