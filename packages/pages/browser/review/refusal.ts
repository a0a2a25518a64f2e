/** What a refusal means to somebody who leaves notes. */
import { DriveError } from "@filedrive/client"
import { codeOf, sentenceOf } from "../foundation/failure.ts"
import { t } from "./texts.ts"

/** What became of the note that is answered, changed or deleted: it is there no more. */
export const isGone = (error: unknown): boolean => codeOf(error) === "not_found"

/** The link itself is over, or asks for its password again. */
export const endsLink = (error: unknown): boolean => ["review_closed", "password_needed"].includes(codeOf(error))

/** The same of a note or a reply that is left: what is missing then is the link. */
export const endsLeaving = (error: unknown): boolean => endsLink(error) || isGone(error)

const ofField = (field: string | undefined): string | null => {
  if (field === "replyTo") return t("review.failed.replies")
  if (field === "reviewId") return t("review.failed.full")
  if (field === "reviewer") return t("review.nameNeeded")
  if (field === "text") return t("review.failed.text")
  return null
}

/** Why a note or a reply was not taken. */
export const refusalOf = (error: unknown): string => {
  const field = error instanceof DriveError && codeOf(error) === "invalid_field" ? error.field : undefined
  if (isGone(error)) return t("review.failed.gone")
  return ofField(field) ?? sentenceOf(error)
}

/** Whether the key to a reviewer's notes is no key: it is of another drive, or was changed. */
export const isWrongToken = (error: unknown): boolean =>
  error instanceof DriveError && error.code === "invalid_field" && error.field === "reviewerToken"
