/** Which models of `/generate-image` the environment has a key for. */
import { ImageProviders, type ProviderName } from "@filedrive/images"
import type { Variables } from "./DriveVariables.ts"

const names: Readonly<Record<ProviderName, string>> = {
  openai: "OpenAI",
  google: "Google",
  blackForestLabs: "Black Forest Labs",
  fal: "fal"
}

/** For people. No provider is asked, so it is not known whether a key is good. */
export const imageReport = (variables: Variables): string => {
  const models = ImageProviders.availability((provider) => Boolean(variables[ImageProviders.keyVariables[provider]]))
  const lines = models.map(({ model, provider, variables }) =>
    provider === null
      ? `${"no key".padEnd(8)} ${model}: set ${variables.join(" or ")}`
      : `${"ok".padEnd(8)} ${model}: drawn by ${names[provider]} (${ImageProviders.keyVariables[provider]} is set)`
  )
  const hasSamples = !["0", "false"].includes(variables["FILEDRIVE_SAMPLE_IMAGES"] ?? "")
  const sum = models.some(({ provider }) => provider !== null)
    ? "Images of the other models are refused by 502 generator_unavailable."
    : hasSamples
    ? "Without any key the drive draws samples."
    : "Without any key, and with FILEDRIVE_SAMPLE_IMAGES=0, no images are generated."
  const all = models.every(({ provider }) => provider !== null)
  return ["Generated images, by the keys in this environment:", ...lines, ...(all ? [] : [sum]), ""].join("\n")
}
