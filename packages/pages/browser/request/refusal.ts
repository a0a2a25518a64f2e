/** What a refusal means to somebody who sends files. */
import { codeOf } from "../foundation/failure.ts"
import type { RequestText } from "./texts.ts"

/** The end of the whole delivery, and what has become of it is to be asked. */
export const endsDelivery = (error: unknown): boolean =>
  ["not_allowed", "not_found", "request_closed"].includes(codeOf(error))

const texts: Readonly<Record<string, RequestText>> = {
  request_full: "request.failed.full",
  storage_limit_reached: "request.failed.full",
  no_space: "request.failed.full",
  too_many_forms: "request.failed.tooMany",
  source_changed: "request.failed.changed",
  source_unreadable: "request.failed.unreadable",
  size_mismatch: "request.failed.changed",
  invalid_field: "request.failed.refused",
  network: "request.failed.network",
  timeout: "request.failed.network"
}

/** Why a file was not sent. */
export const refusalOf = (error: unknown): RequestText => texts[codeOf(error)] ?? "request.failed.unknown"

/** Whether the same file can't be sent again: it has to be chosen anew. */
export const needsFile = (error: unknown): boolean => ["source_changed", "source_unreadable"].includes(codeOf(error))
