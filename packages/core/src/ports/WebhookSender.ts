/**
 * Sends a task's changes to addresses that callers chose.
 *
 * Like {@link "./RemoteFile.ts"}: the caller who names the URL may want to reach servers that only this machine can reach, so a layer
 * refuses every address that is not public, when it connects. It follows no redirects and sends no cookies.
 *
 * Spec: "Task push notifications".
 */
import { Context, Effect, Layer, Schema } from "effect"

/** Why a delivery failed, for programs. */
export const WebhookReason = Schema.Literals([
  /** Not an https URL, or one with a user or a password. */
  "url_not_allowed",
  /** Leads to an address that is not public. */
  "address_not_allowed",
  /** Nothing answers there, or not by TLS that can be trusted. */
  "server_unreachable",
  /** The server answered another status than 2xx; a redirect is one. */
  "server_refused",
  /** The attempt took longer than 10 seconds. */
  "server_stalled",
  /** The connection ended before the answer, or the answer is not HTTP. */
  "invalid_answer"
])
export type WebhookReason = typeof WebhookReason.Type

/** A delivery failed. The message is a sentence for people; it holds neither the URL nor anything that was sent. */
export class WebhookFailed extends Schema.TaggedError<WebhookFailed>()("WebhookFailed", {
  reason: WebhookReason,
  because: Schema.String
}) {
  override get message() {
    return this.because
  }
}

export interface WebhookDelivery {
  readonly url: string
  /** Headers besides `Content-Type: application/json`. Their values are secrets: no layer logs them. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly body: string
}

export class WebhookSender extends Context.Service<WebhookSender, {
  /** Refuses what the URL alone shows to be invalid: its form, and an address in it. No server is contacted. */
  readonly check: (url: string) => Effect.Effect<void, WebhookFailed>

  /**
   * One attempt of one delivery, which takes at most 10 seconds. Succeeds when the server answered 2xx. It does not try again: when and
   * how often is the caller's to decide.
   */
  readonly send: (delivery: WebhookDelivery) => Effect.Effect<void, WebhookFailed>
}>()("@filedrive/core/ports/WebhookSender") {}

const never = () =>
  Effect.fail(new WebhookFailed({ reason: "url_not_allowed", because: "Webhooks are disabled on this drive." }))

/** Sends nothing: for a host that disables webhooks. */
export const none: Layer.Layer<WebhookSender> = Layer.succeed(
  WebhookSender,
  WebhookSender.of({ check: never, send: never })
)
