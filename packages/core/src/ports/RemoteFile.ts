/**
 * Fetches files from servers of strangers.
 *
 * The caller who names the URL may want to reach servers that only this machine can reach: so a layer refuses every address that is not
 * public, when it connects and again on each redirect, and does not trust what the server
 * states. It sends no cookies, no credentials and nothing that another server told it.
 */
import { Context, Effect, Layer, Schema, type Scope, type Stream } from "effect"

/** Why a fetch failed, for programs. */
export const RemoteReason = Schema.Literals([
  /** Not an http or https URL, or one with a user, a password or a port that is not for files. */
  "url_not_allowed",
  /** Leads to an address that is not public. */
  "address_not_allowed",
  "too_many_redirects",
  /** Nothing answers there, or not by TLS that can be trusted. */
  "server_unreachable",
  /** The server answered that it does not give the file. */
  "server_refused",
  /** The server answered that it cannot, for now. */
  "server_failed",
  /** No answer in time, or the answer stalled. */
  "server_stalled",
  /** The connection ended before the end of the file. */
  "connection_lost",
  /** The answer contradicts HTTP or its own headers. */
  "invalid_answer"
])
export type RemoteReason = typeof RemoteReason.Type

/** A file could not be fetched. The message is a sentence for people, without the URL. */
export class RemoteFailed extends Schema.TaggedError<RemoteFailed>()("RemoteFailed", {
  reason: RemoteReason,
  because: Schema.String,
  /** Whether the same fetch could work later. */
  retryable: Schema.Boolean
}) {
  override get message() {
    return this.because
  }
}

/** The part of a file that is stored already, and the validator by which its server can tell that the file is the same. */
export interface ResumePoint {
  /** The first byte that is wanted; above 0. */
  readonly startBytes: number
  /** The `validator` of the answer that the bytes before came from. */
  readonly validator: string
}

export interface RemoteAnswer {
  /** Where the last redirect led. */
  readonly finalUrl: string
  /** First byte of {@link body} within the file: that of the resume point, or 0 when the server begins anew. */
  readonly startBytes: number
  /** Bytes of the whole file as the server states them, or null when it doesn't. */
  readonly sizeBytes: number | null
  /** `Content-Disposition` as it came, each character a byte. */
  readonly disposition: string | null
  /** `Content-Type` as it came. */
  readonly mimeType: string | null
  /** What changes whenever the bytes do (a strong ETag, or else a time of change that is old enough); null without one. */
  readonly validator: string | null
  /** Whether the server says that it gives parts of the file. */
  readonly acceptsRanges: boolean
  /** `Cache-Control` as it came. */
  readonly cacheControl: string | null
  /**
   * The bytes, as fast as they are pulled. Fails when the server stalls, closes the connection, or sends more or less than it
   * stated. To be run once.
   */
  readonly body: Stream.Stream<Uint8Array, RemoteFailed>
}

export class RemoteFile extends Context.Service<RemoteFile, {
  /** Refuses what the URL alone shows to be invalid: its form, and an address in it. No server is contacted. */
  readonly check: (url: string) => Effect.Effect<void, RemoteFailed>

  /** Requests a file, from its start or from a resume point. The connection closes with the scope. */
  readonly open: (url: string, resume: ResumePoint | null) => Effect.Effect<RemoteAnswer, RemoteFailed, Scope.Scope>
}>()("@filedrive/core/ports/RemoteFile") {}

const never = () =>
  Effect.fail(
    new RemoteFailed({
      reason: "url_not_allowed",
      because: "Importing from URLs is disabled on this drive.",
      retryable: false
    })
  )

/** Fetches nothing: for a host that disables imports from URLs. */
export const none: Layer.Layer<RemoteFile> = Layer.succeed(RemoteFile, RemoteFile.of({ check: never, open: never }))
