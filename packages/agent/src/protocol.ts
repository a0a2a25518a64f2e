/** The drive's agent over A2A 1.0: its methods, its HTTP side and its card. */
export * as A2aHttp from "./protocol/A2aHttp.ts"
export { agentCard, type AgentCardOptions, type OAuthEndpoints } from "./protocol/AgentCard.ts"
export { cardPath } from "./protocol/CardHttp.ts"
