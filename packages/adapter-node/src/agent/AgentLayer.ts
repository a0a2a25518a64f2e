/**
 * What a drive's agent needs of this process: a language model, webhooks, sealed secrets, and its place below the mount. Its modules are
 * loaded when the drive starts, and only those of the model that is chosen.
 */
import type { SecretBox, WebhookSender } from "@filedrive/core"
import { Effect, Layer, Redacted, Stream } from "effect"
import { LanguageModel } from "effect/ai"
import { join, resolve } from "node:path"
import { dataDirectory } from "../dataDirectory.ts"
import type { DriveOptions } from "../DriveOptions.ts"
import * as NodeWebhookSender from "../remote/NodeWebhookSender.ts"
import * as SealedSecrets from "../secrets/SealedSecrets.ts"
import type { ProviderOptions } from "./AgentOptions.ts"

const isLayer = <A>(value: A): value is Extract<A, Layer.Any> => Layer.isLayer(value)

const baseUrls = { openai: "https://api.openai.com/v1", anthropic: "https://api.anthropic.com/v1" }

const provided = ({ apiKey, baseUrl, maxTokens, model, provider, timeoutMillis }: ProviderOptions) =>
  Layer.unwrap(Effect.map(
    Effect.promise(() => import("@filedrive/agent/models")),
    ({ AnthropicModel, OpenAiModel }): Layer.Layer<LanguageModel.LanguageModel> => {
      const options = {
        baseUrl: baseUrl ?? baseUrls[provider],
        apiKey: apiKey === undefined ? null : Redacted.make(apiKey),
        model,
        ...timeoutMillis === undefined ? {} : { timeout: timeoutMillis }
      }
      return provider === "openai"
        ? OpenAiModel.layer(options)
        : AnthropicModel.layer({ ...options, ...maxTokens === undefined ? {} : { maxTokens } })
    }
  ))

/**
 * Decides by rules, without a key and without a network. Its words are loaded with the first decision: at every start that would be a
 * sixth of a second and some memory, also where nobody talks to the agent.
 */
const planner = (siteUrl: string) => {
  const provider = Effect.map(
    Effect.promise(() => import("@filedrive/agent")),
    ({ PlannerModel }) => PlannerModel.provider({ siteUrl })
  )
  return Layer.effect(
    LanguageModel.LanguageModel,
    LanguageModel.make({
      generateText: (given) => Effect.flatMap(provider, ({ generateText }) => generateText(given)),
      streamText: (given) => Stream.unwrap(Effect.map(provider, ({ streamText }) => streamText(given)))
    })
  )
}

/** The language model that decides what is done about a task: the host's, or rules. */
export const model = (
  { agent }: DriveOptions,
  siteUrl: string
): Layer.Layer<LanguageModel.LanguageModel, unknown> => {
  const chosen = agent === false ? undefined : agent?.model
  return chosen === undefined ? planner(siteUrl) : isLayer(chosen) ? chosen : provided(chosen)
}

const secrets = (options: DriveOptions): Layer.Layer<SecretBox.SecretBox, unknown> => {
  const { agent, database, storage = "disk" } = options
  const keys = agent === false ? [] : agent?.secretKeys ?? []
  const fileIn = (directory: string) => ({ keys, keyFile: join(directory, "secret-key") })
  // Where nothing else is in the data directory, the key is made there when it is needed.
  if (database !== undefined && storage !== "disk") {
    return SealedSecrets.layer(fileIn(resolve(options.dataDirectory ?? "./.filedrive")))
  }
  return Layer.unwrap(Effect.gen(function*() {
    const given = fileIn(yield* dataDirectory(options))
    if (keys.length === 0) yield* SealedSecrets.keysOf(given)
    return SealedSecrets.layer(given)
  }))
}

/** The ports that tasks need. */
export const ports = (
  options: DriveOptions
): Layer.Layer<SecretBox.SecretBox | WebhookSender.WebhookSender, unknown> => {
  const { allowPrivateAddresses = false } = options
  return Layer.mergeAll(NodeWebhookSender.layer({ allowPrivateAddresses }), secrets(options))
}
