/** What a failed call means to the reader. */
import { DriveError } from "@filedrive/client"
import type { KeyOf } from "../../src/texts/PageTexts.ts"
import type { signedInTexts } from "../../src/texts/signedInTexts.ts"
import { common } from "./common.ts"
import { span } from "./format.ts"
import { textsOf } from "./texts.ts"

/** Limits are by the minute. */
const minuteSeconds = 60

/** On pages of people who are signed in alone. */
const signedOut = textsOf<KeyOf<typeof signedInTexts>>()

export const codeOf = (error: unknown): string => error instanceof DriveError ? error.code : ""

/** A sentence for whoever reads the page: the drive's own sentences are for programs. */
export const sentenceOf = (error: unknown): string => {
  const code = codeOf(error)
  if (code === "no_space") return common("common.noSpace")
  if (code === "not_signed_in") return signedOut("signedIn.typed")
  if (code === "network" || code === "timeout") return common("common.unreachable")
  return code === "rate_limited"
    ? common("common.tooManyCalls", { time: span((error as DriveError).retryAfterSeconds ?? minuteSeconds) })
    : common("common.failed")
}
