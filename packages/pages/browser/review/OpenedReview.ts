/** The review as whoever has its link sees it. */
import type { AnswerOf } from "@filedrive/client"

export type OpenedReview = AnswerOf<"openFileReview">
export type Note = AnswerOf<"selectReviewNotes">["notes"][number]
export type Reply = Note["replies"][number]
