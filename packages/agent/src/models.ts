/** Language models of providers, as layers of effect's `LanguageModel`. */
export * as AnthropicModel from "./models/AnthropicModel.ts"
export { type ProviderOptions } from "./models/ModelHttp.ts"
export * as OpenAiModel from "./models/OpenAiModel.ts"
