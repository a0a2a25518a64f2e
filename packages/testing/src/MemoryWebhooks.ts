/** Webhooks in memory, for tests: the test decides which of them answer. */
import { WebhookSender as Port } from "@filedrive/core"
import { Context, DateTime, Effect, Layer } from "effect"

/** An attempt to deliver, with the time at which it began. */
export interface SentWebhook extends Port.WebhookDelivery {
  readonly time: DateTime.Utc
}

export class MemoryWebhooks extends Context.Service<MemoryWebhooks, {
  /** What an attempt at a URL does. Default: it succeeds. */
  readonly answer: (url: string, answer: Effect.Effect<void, Port.WebhookFailed>) => Effect.Effect<void>
  /** All attempts, in order. */
  readonly sent: Effect.Effect<ReadonlyArray<SentWebhook>>
}>()("@filedrive/testing/MemoryWebhooks") {
  static readonly layer: Layer.Layer<Port.WebhookSender | MemoryWebhooks> = Layer.effectContext(Effect.sync(() => {
    const answers = new Map<string, Effect.Effect<void, Port.WebhookFailed>>()
    const sent: Array<SentWebhook> = []
    const sender = Port.WebhookSender.of({
      check: (url) =>
        url.startsWith("https://")
          ? Effect.void
          : Effect.fail(new Port.WebhookFailed({ reason: "url_not_allowed", because: "must be an https URL" })),
      send: (delivery) =>
        Effect.flatMap(DateTime.now, (time) => {
          sent.push({ ...delivery, time })
          return answers.get(delivery.url) ?? Effect.void
        })
    })
    const memory = MemoryWebhooks.of({
      answer: (url, answer) => Effect.sync(() => void answers.set(url, answer)),
      sent: Effect.sync(() => [...sent])
    })
    return Context.make(Port.WebhookSender, sender).pipe(Context.add(MemoryWebhooks, memory))
  }))
}

/** An attempt that fails as by an answer of 500. */
export const webhookFailed = Effect.fail(
  new Port.WebhookFailed({ reason: "server_refused", because: "The server answered 500." })
)
