import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as DriveError from "../shared/DriveError.ts"
import { ofError } from "./Answers.ts"
import * as ApiError from "./ApiError.ts"

/** The contract's table: status → codes. */
const table: Readonly<Record<number, ReadonlyArray<string>>> = {
  400: [
    "missing_field",
    "invalid_field",
    "unknown_field",
    "invalid_body",
    "size_mismatch",
    "object_not_found",
    "storage_limit_reached",
    "object_key_taken",
    "image_too_large",
    "request_full"
  ],
  401: ["no_session", "session_expired", "invalid_token"],
  403: [
    "not_allowed",
    "no_plan",
    "not_owner",
    "wrong_app",
    "file_not_found",
    "token_limit",
    "no_images_left",
    "storage_full",
    "pro_only",
    "no_subscription",
    "too_many_forms",
    "archives_full",
    "request_closed",
    "review_closed",
    "password_needed"
  ],
  404: ["not_found", "upload_not_found", "unknown_route"],
  405: ["method_not_allowed"],
  409: ["parts_missing", "parts_invalid"],
  422: ["unreadable", "rate_unknown"],
  429: ["rate_limited"],
  500: ["internal"],
  502: ["storage_unavailable", "fetching_file_failed", "generator_unavailable"],
  503: ["unavailable", "no_space"]
}

const classes = {
  400: ApiError.BadRequest,
  401: ApiError.Unauthorized,
  403: ApiError.Forbidden,
  404: ApiError.NotFound,
  405: ApiError.MethodNotAllowed,
  409: ApiError.Conflict,
  422: ApiError.Unprocessable,
  429: ApiError.TooManyRequests,
  500: ApiError.ServerFault,
  502: ApiError.BadGateway,
  503: ApiError.ServiceUnavailable
}

/** One of every core error and code. */
const errors: ReadonlyArray<DriveError.DriveError> = [
  ...DriveError.InvalidField.fields.code.literals.map((code) =>
    new DriveError.InvalidField({ code, field: "a.b", because: "is wrong." })
  ),
  ...DriveError.Unauthenticated.fields.code.literals.map((code) => new DriveError.Unauthenticated({ code })),
  ...DriveError.Refused.fields.code.literals.map((code) => new DriveError.Refused({ code, because: "No." })),
  new DriveError.NotFound({ resource: "file", id: "7" }),
  new DriveError.Unreadable({ because: "It is cut off." }),
  new DriveError.RateUnknown(),
  new DriveError.UploadNotFound(),
  ...DriveError.PartsMismatch.fields.code.literals.map((code) =>
    new DriveError.PartsMismatch({ code, partNumbers: [2, 3] })
  ),
  ...DriveError.Unavailable.fields.code.literals.map((code) =>
    new DriveError.Unavailable({ code, cause: new Error("secret cause") })
  ),
  ...[true, false].map((isDamaged) =>
    new DriveError.Unavailable({
      code: "storage_unavailable",
      cause: new Error("secret cause"),
      isLost: false,
      isDamaged
    })
  ),
  new DriveError.Unavailable({ code: "unavailable", cause: new Error("secret cause"), retryAfterSeconds: 2 }),
  new DriveError.NotFound({ resource: "link", id: "secret" }),
  new DriveError.NotFound({ resource: "drop token", id: "secret" }),
  new DriveError.RateLimited({ retryAfterSeconds: 6 })
]

const bodyOf = (error: DriveError.DriveError) => {
  const response = ofError(ApiError.fromDriveError(error))!
  const { text } = response.body as unknown as { readonly text: string }
  return { status: response.status, body: JSON.parse(text), headers: response.headers }
}

describe("wire errors", () => {
  it("ERR-10 every code has exactly one status, that of the contract's table", () => {
    for (const [status, Class] of Object.entries(classes)) {
      assert.deepStrictEqual(Class.fields.code.literals, table[Number(status)] as never)
    }
    const codes = Object.values(table).flat()
    assert.strictEqual(new Set(codes).size, codes.length)
    for (const error of errors) {
      const { body, status } = bodyOf(error)
      assert.include(table[status]!, body.code)
      assert.strictEqual(body.code, error.code)
    }
  })

  it("ERR-1 a body is error, code, field?, retryable and what its status adds, and nothing of the cause", () => {
    for (const error of errors) {
      const { body, headers, status } = bodyOf(error)
      const extra = status === 400 ? ["field"] : status === 409 ? ["parts"] : []
      assert.deepStrictEqual(Object.keys(body).sort(), ["error", "code", "retryable", ...extra].sort())
      assert.strictEqual(body.retryable, [429, 500, 502, 503].includes(status))
      assert.notInclude(JSON.stringify(body), "secret")
      assert.strictEqual(headers["cache-control"], "no-store")
    }
  })

  it.effect("ERR-1 each body is what its declaration says", () =>
    Effect.gen(function*() {
      for (const error of errors) {
        const { body, status } = bodyOf(error)
        const Class = classes[status as keyof typeof classes] as unknown as Schema.Codec<unknown>
        yield* Schema.decodeUnknownEffect(Class)(body, { onExcessProperty: "error" })
      }
    }))

  it("READ-19 where too many wait, `Retry-After` says when to come again, and the body is as ever", () => {
    const { body, headers, status } = bodyOf(
      new DriveError.Unavailable({ code: "unavailable", cause: "busy", retryAfterSeconds: 7 })
    )
    assert.deepStrictEqual([status, headers["retry-after"], headers["cache-control"]], [503, "7", "no-store"])
    assert.deepStrictEqual(body, {
      error: "Too many calls wait for their turn; call again in 7 seconds.",
      code: "unavailable",
      retryable: true
    })
    const away = bodyOf(new DriveError.Unavailable({ code: "unavailable", cause: "away" }))
    assert.isUndefined(away.headers["retry-after"])
  })

  it("ERR-27 a full disk says when to call again", () => {
    const answer = ofError(
      ApiError.fromDriveError(new DriveError.Unavailable({ code: "no_space", cause: "secret cause" }))
    )!
    assert.deepStrictEqual([answer.status, answer.headers["retry-after"]], [503, "60"])
  })

  it("ERR-1 lost or damaged bytes are unreadable, whoever found them: another call does not bring them back", () => {
    for (const code of ["storage_unavailable", "fetching_file_failed"] as const) {
      for (const isDamaged of [{}, { isDamaged: true }]) {
        const { body, status } = bodyOf(
          new DriveError.Unavailable({ code, cause: "secret", isLost: true, ...isDamaged })
        )
        assert.deepStrictEqual([status, body], [422, {
          error: "The stored bytes of this file are lost or damaged.",
          code: "unreadable",
          retryable: false
        }])
      }
    }
  })

  it("UP-39 a mismatch of parts names them", () => {
    const { body, status } = bodyOf(new DriveError.PartsMismatch({ code: "parts_missing", partNumbers: [4, 9] }))
    assert.deepStrictEqual([status, body.parts], [409, [4, 9]])
  })
})
