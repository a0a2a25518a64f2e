/** Remote servers in memory, for tests: the test decides what is at a URL. */
import { RemoteFile as Port } from "@filedrive/core"
import { Context, Effect, Layer, type Scope, Stream } from "effect"

type Answering = (resume: Port.ResumePoint | null) => Effect.Effect<Port.RemoteAnswer, Port.RemoteFailed, Scope.Scope>

/** A file as a server serves it. */
export interface RemoteContent {
  readonly bytes: Uint8Array
  /** The length that the server states. Default: the true one; null: it states none. */
  readonly sizeBytes?: number | null
  readonly disposition?: string
  readonly mimeType?: string
  /** With an ETag, the server serves parts of the file. */
  readonly validator?: string
  /** The connection breaks after so many bytes of an answer. */
  readonly breaksAfter?: number
}

export class MemoryRemoteFile extends Context.Service<MemoryRemoteFile, {
  /** Puts a file, or the script `answering`, at a URL. */
  readonly serve: (url: string, answering: RemoteContent | Answering) => Effect.Effect<void>
  /** The requests, in order. */
  readonly asked: Effect.Effect<ReadonlyArray<{ readonly url: string; readonly resume: Port.ResumePoint | null }>>
}>()("@filedrive/testing/MemoryRemoteFile") {
  static readonly layer: Layer.Layer<Port.RemoteFile | MemoryRemoteFile> = Layer.effectContext(Effect.sync(() => {
    const served = new Map<string, Answering>()
    const asked: Array<{ readonly url: string; readonly resume: Port.ResumePoint | null }> = []
    const remote = Port.RemoteFile.of({
      check: (url) =>
        /^https?:\/\//.test(url)
          ? Effect.void
          : Effect.fail(remoteFailed("url_not_allowed", "Only http and https links are fetched.")),
      open: (url, resume) =>
        Effect.suspend(() => {
          asked.push({ url, resume })
          return served.get(url)?.(resume) ?? Effect.fail(remoteFailed("server_refused", "The server answered 404."))
        })
    })
    const memory = MemoryRemoteFile.of({
      serve: (url, answering) =>
        Effect.sync(() =>
          void served.set(url, typeof answering === "function" ? answering : answerWith(url, answering))
        ),
      asked: Effect.sync(() => [...asked])
    })
    return Context.make(Port.RemoteFile, remote).pipe(Context.add(MemoryRemoteFile, memory))
  }))
}

/** A failure for a script. */
export const remoteFailed = (reason: Port.RemoteReason, because: string, retryable = false): Port.RemoteFailed =>
  new Port.RemoteFailed({ reason, because, retryable })

const blockBytes = 64 * 1024

/** Plays a server with one file, which is correct except for the faults of `content`. */
const answerWith = (url: string, content: RemoteContent): Answering => (resume) =>
  Effect.sync(() => {
    const { breaksAfter, bytes, disposition = null, mimeType = null, sizeBytes = bytes.length, validator = null } =
      content
    const startBytes = resume !== null && resume.validator === validator ? resume.startBytes : 0
    const end = Math.min(bytes.length, startBytes + (breaksAfter ?? Number.POSITIVE_INFINITY))
    function* blocks() {
      for (let at = startBytes; at < end; at += blockBytes) yield bytes.subarray(at, Math.min(end, at + blockBytes))
    }
    const whole: Stream.Stream<Uint8Array, Port.RemoteFailed> = Stream.fromIterable(
      { [Symbol.iterator]: blocks },
      { chunkSize: 4 }
    )
    const body = end < bytes.length
      ? Stream.concat(whole, Stream.fail(remoteFailed("connection_lost", "The connection was lost.", true)))
      : whole
    return {
      finalUrl: url,
      startBytes,
      sizeBytes,
      disposition,
      mimeType,
      validator,
      acceptsRanges: validator !== null,
      cacheControl: null,
      body
    }
  })
