/** A client of the suites that makes its calls by something else than bare requests: `@filedrive/client`, `drive.as(user)`. */
import { type Answer, DriveClient, type DriveClientOptions, type NewFile } from "./DriveClient.ts"

/** Operations by their ids. A refusal is an error with the fields of the API's own: `status`, `code`, `message`, `retryable` … */
export interface Caller {
  readonly operations: Readonly<Record<string, ((request?: never) => Promise<unknown>) | unknown>>
  /** Uploads a file and returns its id. Default: bare requests. */
  readonly upload?: (file: NewFile) => Promise<string>
  /** A file's bytes. Default: a bare request. */
  readonly download?: (id: string) => Promise<Uint8Array>
}

interface Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly retryable: boolean
  readonly field?: string
  readonly parts?: ReadonlyArray<number>
  readonly reference?: string
  readonly retryAfterSeconds?: number
}

const camel = (route: string): string =>
  route.slice(1).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

const answerOf = (
  { code, field, message, parts, reference, retryAfterSeconds, retryable, status }: Refusal
): Answer => ({
  status,
  headers: new Headers(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
  body: {
    error: message,
    code,
    retryable,
    ...field !== undefined && { field },
    ...parts !== undefined && { parts },
    ...reference !== undefined && { reference }
  }
})

/** Calls with headers of their own, and raw ones, stay bare requests: they are about these. */
export class CallerClient extends DriveClient {
  readonly #callerOf: () => Promise<Caller | Answer>

  /** `callerOf` is asked at each call; an answer instead of a caller is that of the call. */
  constructor(options: DriveClientOptions, callerOf: (bare: DriveClient) => Promise<Caller | Answer>) {
    super(options)
    const bare = new DriveClient(options)
    this.#callerOf = () => callerOf(bare)
  }

  override async call(route: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const id = camel(route)
    if (Object.keys(headers).length > 0) return super.call(route, body, headers)
    const caller = await this.#callerOf()
    if ("status" in caller) return caller
    const operation = caller.operations[id] as ((request: unknown) => Promise<unknown>) | undefined
    if (typeof operation !== "function") return super.call(route, body)
    try {
      return { status: 200, headers: new Headers(), body: await operation(body) }
    } catch (error) {
      if ((error as Partial<Refusal>).status === undefined) throw error
      return answerOf(error as Refusal)
    }
  }

  override async upload(file: NewFile): Promise<string> {
    const caller = await this.#callerOf()
    return "status" in caller || caller.upload === undefined ? super.upload(file) : caller.upload(file)
  }

  override async download(id: string): Promise<Uint8Array> {
    const caller = await this.#callerOf()
    return "status" in caller || caller.download === undefined ? super.download(id) : caller.download(id)
  }
}
