/** The part of the environment that says who draws the images of `/generate-image`. */
import { type Variables, webAddress, WrongVariable, yesNo } from "./Variables.ts"

interface Access {
  readonly apiKey: string
  /** The API's address with its version; left out: the provider's own. */
  readonly baseUrl?: string
}

export interface ImageSettings {
  readonly openai?: Access
  readonly google?: Access
  readonly blackForestLabs?: Access
  readonly fal?: Access
  /** Whether samples are drawn: never beside a key. */
  readonly samples: boolean
}

/** The variables' names begin with these. */
const prefixes = {
  openai: "OPENAI",
  google: "GOOGLE_GENERATIVE_AI",
  blackForestLabs: "BFL",
  fal: "FAL"
} as const

/** A key, which no message repeats. */
const keyOf = (variables: Variables, name: string): string | null => {
  const key = variables[name]
  if (!key) return null
  if (/^[\x21-\x7e]{1,4096}$/.test(key)) return key
  throw new WrongVariable(name, "must be a key: printable ASCII characters without spaces.")
}

/** Who may have mixed up address and key is not told the value. */
const addressOf = (variables: Variables, name: string): string | null => {
  const text = variables[name]
  if (text && !URL.canParse(text)) {
    throw new WrongVariable(name, "must be the address of an API with its version, like https://api.example.com/v1.")
  }
  return webAddress(variables, name, { path: true })
}

/** An address without a key has no effect. */
export const imagesOf = (variables: Variables): ImageSettings => {
  const providers = Object.entries(prefixes).flatMap(([provider, prefix]) => {
    const baseUrl = addressOf(variables, `${prefix}_BASE_URL`)
    const apiKey = keyOf(variables, `${prefix}_API_KEY`)
    return apiKey === null ? [] : [[provider, { apiKey, ...(baseUrl === null ? {} : { baseUrl }) }] as const]
  })
  const samples = yesNo(variables, "FILEDRIVE_SAMPLE_IMAGES", true)
  return { ...Object.fromEntries(providers), samples: samples && providers.length === 0 }
}

/** Who draws, for people. */
export const drawnBy = ({ blackForestLabs, fal, google, openai, samples }: ImageSettings): string => {
  const names = [
    ...(openai === undefined ? [] : ["OpenAI"]),
    ...(google === undefined ? [] : ["Google"]),
    ...(blackForestLabs === undefined ? [] : ["Black Forest Labs"]),
    ...(fal === undefined ? [] : ["fal"])
  ]
  if (names.length > 0) return `by ${names.join(", ")}`
  return samples ? "samples, for want of a provider's key" : "not available"
}
