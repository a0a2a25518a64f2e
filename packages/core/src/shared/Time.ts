/** Times as they are sent: ISO 8601 with a zone, answered in UTC with milliseconds. */
import { DateTime, Effect, Option, Schema, SchemaIssue, SchemaTransformation } from "effect"

const pattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i

const message = "must be an ISO 8601 time like 2026-09-28T12:00:00.000Z"

/** A time in a request or an answer. */
export const Time = Schema.String.annotate({ format: "date-time" }).pipe(
  Schema.decodeTo(
    Schema.DateTimeUtc,
    SchemaTransformation.transformEffect({
      decode: (text: string) =>
        Effect.fromOption(
          Option.filter(DateTime.make(text), () => pattern.test(text))
        ).pipe(Effect.mapBoth({
          onSuccess: DateTime.toUtc,
          onFailure: () => new SchemaIssue.InvalidValue({ message })
        })),
      encode: (time: DateTime.Utc) => Effect.succeed(DateTime.formatIso(time))
    })
  )
)
