/** Times in requests and answers: ISO 8601 with a zone, answered in UTC with milliseconds. */
import { DateTime, Effect, Option, Schema, SchemaIssue, SchemaTransformation } from "effect"

/** Hours to 23: `Date` would take 24:00 for the next day. */
const pattern = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i

const message = "must be an ISO 8601 time like 2026-09-28T12:00:00.000Z"

/** The day of a time, in UTC. */
export const dayOf = (time: DateTime.Utc): string => DateTime.formatIso(time).slice(0, 10)

/** Whether a text is a day of the calendar: with four digits for the year, and there is no year 0. */
export const isDay = (text: string): boolean =>
  /^(?!0000)\d{4}-\d\d-\d\d$/.test(text)
  && Option.exists(DateTime.make(`${text}T00:00:00Z`), (time) => dayOf(DateTime.toUtc(time)) === text)

/** Parses a time; none when the text is not ISO 8601 with a zone, or names a day that no calendar has (`Date` takes 30 February for 2 March). */
export const parse = (text: string): Option.Option<DateTime.Utc> => {
  const day = pattern.exec(text)?.[1]
  if (day === undefined || !isDay(day)) return Option.none()
  // In UTC it may be another day, which must be one too: it is answered, and taken back.
  return Option.filter(Option.map(DateTime.make(text), DateTime.toUtc), (time) => isDay(dayOf(time)))
}

/** A calendar day like `2026-09-28`, and no time of it. */
export const Day = Schema.String.annotate({ format: "date" }).check(
  Schema.makeFilter<string>((text) => isDay(text) ? undefined : "must be an ISO 8601 date like 2026-09-28")
)

/** A time in a request or an answer. */
export const Time = Schema.String.annotate({ format: "date-time" }).pipe(
  Schema.decodeTo(
    Schema.DateTimeUtc,
    SchemaTransformation.transformEffect({
      decode: (text: string) =>
        Effect.mapError(Effect.fromOption(parse(text)), () => new SchemaIssue.InvalidValue({ message })),
      encode: (time: DateTime.Utc) => Effect.succeed(DateTime.formatIso(time))
    })
  )
)
