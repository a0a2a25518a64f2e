/** What becomes of programs that take forever, when nobody waits for them any longer. */
import { describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Ffmpeg from "../src/ffmpeg/Ffmpeg.ts"
import { make as blocksOf } from "../src/SourceBlocks.ts"
import { numbered } from "./NumberedSource.ts"
import { gone } from "./Processes.ts"
import { inDirectory, script, version } from "./Scripts.ts"

/** One that tells its process and then takes forever. */
const endless = Effect.fnUntraced(function*(directory: string) {
  const told = join(directory, "pid")
  const body = `${version}; echo $$ > ${told}.new; mv ${told}.new ${told}; exec sleep 1000`
  return { path: yield* script(directory, "ffmpeg", body), told }
})

const pidIn = Effect.fnUntraced(function*(told: string) {
  while (!existsSync(told)) yield* Effect.sleep(20)
  return Number(yield* Effect.promise(() => readFile(told, "utf8")))
})

describe.skipIf(process.platform !== "linux")("a program that takes for ever (needs Linux)", () => {
  it.live(
    "HOSTILE-44 is ended when nobody waits for it any longer",
    () =>
      inDirectory((directory) =>
        Effect.gen(function*() {
          const { path, told } = yield* endless(directory)
          const ffmpeg = yield* Ffmpeg.make({ ffmpegPath: path, processes: 1, memoryMaxBytes: 1e9 })
          const blocks = yield* blocksOf(numbered(1_000).source, { readMaxBytes: 1e9, keepMaxBytes: 1e6 })
          const fiber = yield* Effect.forkChild(ffmpeg.run("ffmpeg", blocks, () => []))
          const pid = yield* pidIn(told)
          yield* Fiber.interrupt(fiber)
          yield* gone([pid])
        })
      ).pipe(Effect.scoped),
    60_000
  )

  it.live("HOSTILE-44 is ended with a drive that is killed", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const { path, told } = yield* endless(directory)
        const script = fileURLToPath(new URL("./FfmpegHost.ts", import.meta.url))
        const host = spawn(process.execPath, ["--conditions=@filedrive/source", script, path], { stdio: "inherit" })
        const pid = yield* pidIn(told)
        host.kill("SIGKILL")
        yield* gone([pid])
      })
    ), 60_000)
})
