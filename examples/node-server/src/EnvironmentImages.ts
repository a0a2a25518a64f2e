/** The part of the environment that says who draws the images of `/generate-image`. */
import { apiAddressOf, apiKeyOf, type Variables, yesNo } from "./Variables.ts"

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

/** An address without a key has no effect. */
export const imagesOf = (variables: Variables): ImageSettings => {
  const providers = Object.entries(prefixes).flatMap(([provider, prefix]) => {
    const baseUrl = apiAddressOf(variables, `${prefix}_BASE_URL`)
    const apiKey = apiKeyOf(variables, `${prefix}_API_KEY`)
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
