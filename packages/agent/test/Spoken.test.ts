import { afterAll, assert, describe, it } from "@effect/vitest"
import { Bench } from "./Bench.ts"
import { changes, stateOf } from "./DriveState.ts"
import { asked, furnish, seeds, spoken } from "./requests/anybody.ts"

const furnished = async (): Promise<Bench> => {
  const bench = await Bench.make({ seeds })
  await furnish(bench)
  return bench
}

interface Row {
  readonly say: string
  readonly wanted: ReadonlyArray<string>
}

const rowsOf = (rule: string): ReadonlyArray<Row> =>
  spoken[rule]!.map(([say, ...wanted]: readonly [string, ...ReadonlyArray<string>]) => ({ say, wanted }))

const options = { timeout: 60_000 }

const changesAsWanted = async ({ say, wanted }: Row) => {
  const bench = await furnished()
  const before = await stateOf(bench)
  for (const message of say.split(" >> ")) await bench.say(message)
  // A tag or a folder that came with what was taken back stays.
  const found = changes(before, await stateOf(bench)).filter((change) =>
    !say.includes(">>") || !/^\+(?:tag|folder) /.test(change)
  )
  await bench.close()
  assert.deepStrictEqual(found, wanted.toSorted())
}

describe("requests as they are spoken", () => {
  it.each(rowsOf("PLAN-101"))("PLAN-101 “$say”", options, changesAsWanted)
  it.each(rowsOf("PLAN-102"))("PLAN-102 “$say”", options, changesAsWanted)
  it.each(rowsOf("PLAN-103"))("PLAN-103 “$say”", options, changesAsWanted)
  it.each(rowsOf("PLAN-104"))("PLAN-104 “$say”", options, changesAsWanted)
  it.each(rowsOf("PLAN-105"))("PLAN-105 “$say”", options, changesAsWanted)
  it.each(rowsOf("PLAN-106"))("PLAN-106 “$say”", options, changesAsWanted)
  it.each(rowsOf("PLAN-107"))("PLAN-107 “$say”", options, changesAsWanted)
})

describe("questions as they are spoken", () => {
  let bench: Bench | null = null
  afterAll(() => bench?.close())

  it.each(asked.map(([say, reply, not]) => ({ say, reply, not })))(
    "PLAN-108 “$say”",
    { timeout: 60_000 },
    async ({ not, reply, say }) => {
      bench ??= await furnished()
      bench.turns.length = 0
      const before = await stateOf(bench)
      const { text } = await bench.say(say)
      assert.match(text, reply)
      if (not !== undefined) assert.notMatch(text, not)
      assert.deepStrictEqual(changes(before, await stateOf(bench)), [])
    }
  )
})
