/** Opens PGlite and gives it to the wire; the library is loaded when first used. */
import type * as Pglite from "@electric-sql/pglite"
import { withIdleTimers } from "./IdleTimers.ts"
import { compileParser } from "./ParserTier.ts"
import { PgliteWire, type WireBackend } from "./PgliteWire.ts"

export interface PgliteEngine {
  readonly pglite: Pglite.PGlite
  readonly wire: PgliteWire
}

/** `@electric-sql/pglite`, or an error that names it when it is not installed. */
export const loadPglite = (): Promise<typeof Pglite> =>
  import("@electric-sql/pglite").catch((cause: unknown) => {
    throw new Error(
      "The embedded database needs the package @electric-sql/pglite: npm install @electric-sql/pglite"
        + " (or give the URL of a PostgreSQL server).",
      { cause }
    )
  })

/** Session settings go into the start parameters: PGlite ignores those of a start-up message. */
const settings = [
  "timezone=UTC",
  "jit=off",
  "shared_buffers=16MB",
  // ANALYZE blocks all others, and its time grows with the rows it samples: 300 times this number, and 3,000 are enough.
  "default_statistics_target=10"
].flatMap((setting) => ["-c", setting])

export interface EngineOptions {
  /** Changes PostgreSQL's start parameters. */
  readonly parameters?: (given: ReadonlyArray<string>) => ReadonlyArray<string>
  readonly afterBatch?: WireBackend["afterBatch"]
  /** Called once, when the engine has stopped working. */
  readonly onFail?: (cause: unknown) => void
}

export const openEngine = async (
  options: Pglite.PGliteOptions,
  { afterBatch, onFail = () => {}, parameters = (given) => given }: EngineOptions = {}
): Promise<PgliteEngine> => {
  const { PGlite } = await loadPglite()
  const startParams = [...parameters(PGlite.defaultStartParams), ...settings]
  class WithSmallParser extends PGlite {
    #hasParser = false

    /** Of use for statements by PGlite's own methods alone, and 0.05 s of processor time at each opening. */
    override _initArrayTypes(): Promise<void> {
      return Promise.resolve()
    }

    override execProtocolRawSync(message: Uint8Array): Uint8Array {
      if (!this.#hasParser) {
        this.#hasParser = true
        compileParser((message) => super.execProtocolRawSync(message))
      }
      return super.execProtocolRawSync(message)
    }
  }
  const pglite = new WithSmallParser({ ...options, startParams })
  await pglite.waitReady
  const execute = (message: Uint8Array): Buffer => {
    const answer: Array<Buffer> = []
    // It is finished when it returns: without a sync of the virtual file system nothing is asynchronous.
    withIdleTimers(() =>
      pglite
        .execProtocolRawStream(message, { syncToFs: false, onRawData: (data) => void answer.push(Buffer.from(data)) })
        .catch((cause: unknown) => {
          wire.fail(cause)
          onFail(cause)
        })
    )
    return answer.length === 1 ? answer[0]! : Buffer.concat(answer)
  }
  const wire = new PgliteWire({ execute, inTransaction: () => pglite.isInTransaction(), afterBatch })
  // Opening set an alarm that keeps the process alive; one that is due sooner replaces it.
  execute(query("SET statement_timeout = '1s'; SELECT 1; RESET statement_timeout"))
  return { pglite, wire }
}

/** A simple query as the wire protocol has it. */
const query = (sql: string): Buffer => {
  const text = Buffer.from(`${sql}\0`)
  const head = Buffer.from("Q\0\0\0\0")
  head.writeUInt32BE(text.length + 4, 1)
  return Buffer.concat([head, text])
}
