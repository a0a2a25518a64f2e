/** The failure of a call to the store, before it becomes the drive's `Unavailable`. */
import { DriveError } from "@filedrive/core"
import { Data } from "effect"

/**
 * Decide by `status`: engines differ in the names they give an error (Ceph
 * answers `NoSuchKey` for an unknown upload), and a HEAD carries no name at all.
 */
export class S3Failure extends Data.TaggedError("S3Failure")<{
  readonly operation: string
  /** None when the store did not answer. */
  readonly status: number | undefined
  readonly code: string
}> {
  override get message() {
    return `S3 ${this.operation}: ${this.status ?? "no answer"} ${this.code}`
  }
}

/** The store can't be used as it is set up. The message says what to change. */
export class S3SetupError extends Data.TaggedError("S3SetupError")<{ readonly message: string }> {}

interface SdkError {
  readonly name?: string
  readonly code?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}

/** Keeps of an SDK error what a log may show; the rest holds requests and their signatures. */
export const failureOf = (operation: string) => (error: unknown): S3Failure => {
  const { $metadata, code, name } = error as SdkError
  return new S3Failure({ operation, status: $metadata?.httpStatusCode, code: code ?? name ?? "UnknownError" })
}

export const storageUnavailable = (cause: unknown) => new DriveError.Unavailable({ code: "storage_unavailable", cause })

export const fetchingFailed = (cause: unknown) => new DriveError.Unavailable({ code: "fetching_file_failed", cause })

/** An object is missing that should exist. */
export const lost = (cause: unknown) =>
  new DriveError.Unavailable({ code: "fetching_file_failed", cause, isLost: true })

/** The object does not exist. A missing bucket is not an answer about its objects. */
export const isMissing = (failure: S3Failure) => failure.status === 404 && failure.code !== "NoSuchBucket"

/** The store has answered, be it by an error. */
export const isAnswer = ({ status }: S3Failure) => status !== undefined
