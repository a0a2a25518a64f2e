/** Why a model did not decide, as a sentence for people. Nothing of what the provider wrote is in it. Pure. */
import type { Cause } from "effect"
import type { AiError } from "effect/ai"

const later = "Try again later."

/** The sentence that a task ends with. */
export const sentenceOf = (error: AiError.AiError | Cause.TimeoutError): string => {
  if (error._tag === "TimeoutError") return `The model that the agent uses did not answer in time. ${later}`
  switch (error.reason._tag) {
    case "RateLimitError":
      return `The model that the agent uses does not accept calls at the moment, because it is overloaded or was called too often. ${later}`
    case "QuotaExhaustedError":
      return "The account that pays for the agent's model has nothing left to spend. Whoever runs this drive can change that."
    case "AuthenticationError":
      return "The model's provider refused the key that the agent has. Whoever runs this drive can change that."
    case "ContentPolicyError":
      return "The model that the agent uses refused this conversation because of its content."
    case "InvalidRequestError":
      return error.reason.parameter === "model"
        ? "The model that the agent uses was not found at its address. Whoever runs this drive can change that."
        : "The model that the agent uses refused this conversation; it may be too long. Begin a new one."
    case "InvalidOutputError":
    case "InvalidResponseError":
    case "StructuredOutputError":
      return `The model that the agent uses gave an answer that could not be read. ${later}`
    default:
      return `The model that the agent uses could not be reached. ${later}`
  }
}
