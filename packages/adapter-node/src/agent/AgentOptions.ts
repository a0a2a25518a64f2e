/** The option `agent`: who answers tasks, and how secrets are kept. */
import { Schema } from "effect"
import type { LanguageModel } from "effect/ai"
import { fields, millisFrom, must, orLayer, text, webUrl, whole } from "../OptionSchema.ts"
import { parseKey } from "../secrets/SecretKey.ts"

const optional = Schema.optionalKey

const provider = fields({
  /** `openai`: any endpoint that speaks OpenAI's chat completions; `anthropic`: Anthropic's messages. */
  provider: must<"openai" | "anthropic">(
    "must be \"openai\" or \"anthropic\"",
    (value) => value === "openai" || value === "anthropic"
  ),
  /** Like `gpt-5-mini`. */
  model: text,
  /** Left out for a server that asks for none. */
  apiKey: optional(text),
  /** With the path of the version. Default: the provider's own, `https://api.openai.com/v1` or `https://api.anthropic.com/v1`. */
  baseUrl: optional(webUrl),
  /** The longest that one attempt of a call may take, in milliseconds. Default 120,000. */
  timeoutMillis: optional(millisFrom(1)),
  /** The most tokens of one answer, for `anthropic`. Default 8,192. */
  maxTokens: optional(whole(1, 10_000_000))
}, "{ provider, model, … } or a layer")

const isKey = (value: unknown) => typeof value === "string" && parseKey(value) !== null

export const agentOptions = fields({
  /** A language model of a provider, or a layer with effect's `LanguageModel`. Default: rules, without a key and without a network. */
  model: optional(orLayer<LanguageModel.LanguageModel>()(provider)),
  /**
   * Keys that encrypt the secrets of webhooks, each 32 bytes in base64, newest first: older ones only decrypt. Several servers need
   * the same. Default: one that is made once and kept in the data directory.
   */
  secretKeys: optional(must<ReadonlyArray<string>>(
    "must be a list of keys, each 32 bytes in base64",
    (value) => Array.isArray(value) && value.length > 0 && value.every(isKey)
  )),
  /** The agent's name on its card. Default `filedrive`. */
  name: optional(text)
})

export interface ProviderOptions extends Schema.Schema.Type<typeof provider> {}
