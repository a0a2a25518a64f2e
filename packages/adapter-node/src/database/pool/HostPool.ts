/**
 * What the drive uses of a host's node-postgres, version 8 (`pg.Pool`, `pg.PoolClient`), by its shape: the drive itself neither
 * loads nor needs that package.
 */

/** The part of the wire protocol by which the drive sends a statement. */
export interface WireConnection {
  readonly query: (text: string) => void
  readonly parse: (of: { readonly name: string; readonly text: string; readonly types: ReadonlyArray<number> }) => void
  readonly bind: (of: {
    readonly portal: string
    readonly statement: string
    readonly values: ReadonlyArray<string | Buffer | null>
    readonly binary: boolean
  }) => void
  readonly describe: (of: { readonly type: "P"; readonly name: string }) => void
  readonly execute: (of: { readonly portal: string; readonly rows: number }) => void
  readonly sync: () => void
  readonly sendCopyFail: (because: string) => void
}

/** The events of a connection, besides the answers to its statement. */
export interface WireEvents {
  readonly on: (event: "readyForQuery" | "end", listener: () => void) => unknown
  readonly removeListener: (event: "readyForQuery" | "end", listener: () => void) => unknown
}

/** What node-postgres calls a submittable: a statement that speaks the protocol by itself, as those of `pg-cursor` do. */
export interface Submittable {
  submit(connection: unknown): void
}

/** A client of the host's pool, as `pool.connect()` gives it. */
export interface HostClient {
  query(statement: Submittable): unknown
}

/** A client that the drive itself has taken from the pool. */
export interface TakenClient extends HostClient {
  /** As the server told it at the beginning; a pooler tells a number of its own. */
  readonly processID?: number | null
  on(event: string, listener: (value: unknown) => void): unknown
  removeListener(event: string, listener: (value: unknown) => void): unknown
  release(destroy?: boolean): void
  end(): Promise<void>
  ref?(): void
  unref?(): void
}

/** A host's `pg.Pool`. */
export interface HostPool {
  connect(): Promise<TakenClient>
  readonly options: { readonly max?: number | undefined }
}
