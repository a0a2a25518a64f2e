/** A statement of the drive on a connection of the host's pool. The host's own parsers and settings have no effect on it. */
import type { Submittable, WireConnection, WireEvents } from "./HostPool.ts"
import { type Encoded, readerOf } from "./PoolValues.ts"

export interface Answer {
  /** The first word of the server's command tag, like `ROLLBACK`. */
  readonly command: string
  readonly rowCount: number
  readonly fields: ReadonlyArray<{ readonly name: string; readonly dataTypeId: number }>
  readonly values: ReadonlyArray<ReadonlyArray<unknown>>
}

/** How a statement ended: with an answer, with the server's refusal, or with the connection. */
export type Ending =
  | { readonly tag: "answered"; readonly answer: Answer }
  | { readonly tag: "refused"; readonly error: Error & { readonly code: string; readonly constraint?: string } }
  | { readonly tag: "lost"; readonly error: Error }

interface Column {
  readonly name: string
  readonly dataTypeID: number
}

const isRefusal = (error: Error): error is Extract<Ending, { tag: "refused" }>["error"] =>
  "severity" in error && "code" in error && /^[0-9A-Z]{5}$/.test(String(error.code))

export class PoolStatement implements Submittable {
  /** node-postgres sets it when the host has set `query_timeout`. */
  callback: ((error: Error | null) => void) | undefined
  isEnded = false
  isSent = false
  private readonly text: string
  private readonly params: Encoded
  private readonly onEnd: (ending: Ending) => void
  private command = ""
  private fields: ReadonlyArray<Column> = []
  private read: ReadonlyArray<(text: string) => unknown> = []
  private values: Array<ReadonlyArray<unknown>> = []
  private failure: Error | undefined

  /** A text without parameters may contain several statements; the rows of the last one are the answer. */
  constructor(text: string, params: Encoded, onEnd: (ending: Ending) => void) {
    this.text = text
    this.params = params
    this.onEnd = onEnd
  }

  submit(given: unknown): void {
    const connection = given as WireConnection
    this.isSent = true
    const { types, values } = this.params
    if (values.length === 0) return connection.query(this.text)
    // Without a name: a pooler may send the next statement to another session, and nothing of the drive stays in the host's session.
    connection.parse({ name: "", text: this.text, types })
    connection.bind({ portal: "", statement: "", values, binary: false })
    connection.describe({ type: "P", name: "" })
    connection.execute({ portal: "", rows: 0 })
    connection.sync()
  }

  handleRowDescription({ fields }: { readonly fields: ReadonlyArray<Column> }): void {
    this.fields = fields
    this.read = fields.map(({ dataTypeID }) => readerOf(dataTypeID))
    this.values = []
  }

  handleDataRow({ fields }: { readonly fields: ReadonlyArray<string | null> }): void {
    try {
      this.values.push(fields.map((text, at) => text === null ? null : this.read[at]!(text)))
    } catch (error) {
      this.failure ??= error as Error
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.command = text
  }

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}

  handleCopyInResponse(connection: WireConnection): void {
    connection.sendCopyFail("The drive copies nothing.")
  }

  handleCopyData(): void {}

  handleReadyForQuery(): void {
    if (this.failure !== undefined) return this.end({ tag: "lost", error: this.failure })
    const words = this.command.split(" ")
    const count = Number(words.at(-1))
    this.end({
      tag: "answered",
      answer: {
        command: words[0]!,
        rowCount: Number.isInteger(count) ? count : this.values.length,
        fields: this.fields.map(({ dataTypeID, name }) => ({ name, dataTypeId: dataTypeID })),
        values: this.values
      }
    })
  }

  /** The server refused the statement, and the connection can still be used. Any other error ends the connection. */
  handleError(error: Error, connection: WireEvents): void {
    if (!isRefusal(error)) return this.end({ tag: "lost", error })
    // The server is ready for the next statement only after one more message, which node-postgres does not pass to statements.
    const ready = () => {
      connection.removeListener("readyForQuery", ready)
      connection.removeListener("end", ready)
      this.end({ tag: "refused", error })
    }
    connection.on("readyForQuery", ready)
    connection.on("end", ready)
  }

  /** Ends it before it was sent. */
  refuse(error: Error): void {
    this.end({ tag: "lost", error })
  }

  private end(ending: Ending): void {
    if (this.isEnded) return
    this.isEnded = true
    this.callback?.(null)
    this.onEnd(ending)
  }
}

/** Rows as objects. */
export const rowsOf = ({ fields, values }: Answer): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  values.map((row) => Object.fromEntries(fields.map(({ name }, at) => [name, row[at]])))
