/** Processes whose clocks are wrong go by the clock of the database that they share. */
import { assert, describe, it } from "@effect/vitest"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"
import { start } from "./ChildProcess.ts"

const script = fileURLToPath(new URL("./SkewedHost.ts", import.meta.url))

const skewed = async (secondsAhead: number) => {
  const directory = await fs.mkdtemp(path.join(os.tmpdir(), "filedrive-skewed-"))
  const schema = `skewed_${process.pid}_${Math.abs(secondsAhead)}_${secondsAhead < 0 ? "behind" : "ahead"}`
  const child = start([await postgresUrl(), schema, directory, String(secondsAhead)], [], script)
  try {
    assert.strictEqual(await child.ended, 0, child.errors())
    return { ...JSON.parse(child.lines.at(-1)!), log: child.lines.join("\n") + child.errors() }
  } finally {
    await child.kill()
    await fs.rm(directory, { recursive: true })
  }
}

describe("a process whose clock is wrong", () => {
  for (const [secondsAhead, where] of [[75, "ahead of"], [-7_200, "behind"]] as const) {
    it(
      `DB-131 HOST-200 takes no lease that lasts and writes the database's time, with a clock ${secondsAhead} s ahead`,
      async () => {
        const { body, isHeld, log, seconds, status } = await skewed(secondsAhead)
        assert.isTrue(isHeld)
        assert.isBelow(Math.abs(seconds), 30)
        assert.strictEqual(status, 503)
        assert.match(body.error, new RegExp(`^Not ready: this machine's clock is \\d+ s ${where} the database's\\.$`))
        assert.include(log, `s ${where} the database's.`)
      },
      120_000
    )
  }
})
