/** What a failed call means to the reader. */
import { DriveError } from "@filedrive/client"
import { common } from "./common.ts"

export const codeOf = (error: unknown): string => error instanceof DriveError ? error.code : ""

/** A sentence for whoever reads the page: the drive's own sentences are for programs. */
export const sentenceOf = (error: unknown): string => {
  const code = codeOf(error)
  if (code === "network" || code === "timeout") return common("common.unreachable")
  return common(code === "rate_limited" ? "common.tooManyCalls" : "common.failed")
}
