/** The part of the environment that chooses the agent's language model, and the keys of its secrets. */
import { apiAddressOf, apiKeyOf, listOf, type Variables, WrongVariable } from "./Variables.ts"

export interface AgentSettings {
  /** Null: rules, without a key. */
  readonly model: {
    readonly provider: "openai" | "anthropic"
    readonly model: string
    readonly apiKey?: string
    readonly baseUrl?: string
  } | null
  /** Base64 of 32 bytes each, newest first; empty: one is made and kept in the data directory. */
  readonly secretKeys: ReadonlyArray<string>
}

/** What is asked for when only a key is set. */
const defaultModels = { openai: "gpt-5-mini", anthropic: "claude-sonnet-4-5" }

/** With both keys the model's name decides; a model without any key is one of a server that asks for none. */
const providerOf = (variables: Variables): "openai" | "anthropic" | null => {
  const { ANTHROPIC_API_KEY: anthropic, FILEDRIVE_MODEL: model, OPENAI_API_KEY: openai } = variables
  if (openai && anthropic) return model?.startsWith("claude") ? "anthropic" : "openai"
  if (anthropic) return "anthropic"
  return openai || model ? "openai" : null
}

const modelOf = (variables: Variables): AgentSettings["model"] => {
  const provider = providerOf(variables)
  if (provider === null) return null
  const name = provider === "openai" ? "OPENAI" : "ANTHROPIC"
  const apiKey = apiKeyOf(variables, `${name}_API_KEY`)
  const baseUrl = apiAddressOf(variables, `${name}_BASE_URL`)
  if (apiKey === null && baseUrl === null) {
    throw new WrongVariable(
      "FILEDRIVE_MODEL",
      "needs OPENAI_API_KEY or ANTHROPIC_API_KEY, or the OPENAI_BASE_URL of a server that asks for no key."
    )
  }
  return {
    provider,
    model: variables["FILEDRIVE_MODEL"] || defaultModels[provider],
    ...(apiKey === null ? {} : { apiKey }),
    ...(baseUrl === null ? {} : { baseUrl })
  }
}

const isKey = (text: string) => /^[\w+/-]{43}=?$/.test(text)

const secretKeysOf = (variables: Variables): ReadonlyArray<string> => {
  const keys = listOf(variables, "FILEDRIVE_SECRET_KEY")
  if (!keys.every(isKey)) {
    throw new WrongVariable(
      "FILEDRIVE_SECRET_KEY",
      "must be 32 bytes in base64, or several of that with commas, newest first."
    )
  }
  return keys
}

/** What decides for the agent, in words. */
export const decidedBy = ({ model }: AgentSettings): string =>
  model === null ?
    "decides by rules, for want of a model's key" :
    `asks ${model.model} at ${model.baseUrl ?? (model.provider === "openai" ? "OpenAI" : "Anthropic")}`

export const agentOf = (variables: Variables): AgentSettings => ({
  model: modelOf(variables),
  secretKeys: secretKeysOf(variables)
})
