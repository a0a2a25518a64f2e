/** Logs, traces and metrics of a drive, as a host switches them on. */
import { Cause, Effect, Layer, Logger, References } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpSerialization, OtlpTracer, PrometheusMetrics } from "effect/observability"

/** One thing that happened. Never with a token, a session or a signed link. */
export interface LogEntry {
  readonly level: string
  readonly time: Date
  readonly message: string
  /** What it is about, like `route`, `status` or `reference`. */
  readonly details: Readonly<Record<string, unknown>>
  /** The error with its causes, or undefined. */
  readonly cause: string | undefined
}

export type LogOption = "quiet" | "pretty" | "json" | "off" | ((entry: LogEntry) => void)

export interface TracingOptions {
  /** The collector's address, like `http://127.0.0.1:4318`; traces go to `/v1/traces` below it. */
  readonly url: string
  /** Default `filedrive`. */
  readonly serviceName?: string
  /** Sent along, like an authorization the collector asks for. */
  readonly headers?: Readonly<Record<string, string>>
}

const partsOf = (message: unknown): ReadonlyArray<unknown> => Array.isArray(message) ? message : [message]

/** Errors are told as the cause. */
const plain = (message: unknown): string =>
  partsOf(message).filter((part) => !(part instanceof Error)).map((part) =>
    typeof part === "string" ? part : JSON.stringify(part)
  ).join(" ")

/** The error of an entry: its cause, or errors that are part of its message. */
const causes = (message: unknown, cause: Cause.Cause<unknown>): string | undefined => {
  const errors = partsOf(message).filter((part) => part instanceof Error).map((error) => Cause.fail(error))
  const all = [...errors, ...cause.reasons.length === 0 ? [] : [cause]]
  return all.length === 0 ? undefined : all.map((one) => Cause.pretty(one)).join("\n")
}

const calling = (log: (entry: LogEntry) => void) =>
  Logger.make<unknown, void>(({ cause, date, fiber, logLevel, message }) =>
    log({
      level: logLevel,
      time: date,
      message: plain(message) || partsOf(message).map(String).join(" "),
      details: { ...fiber.getRef(References.CurrentLogAnnotations) },
      cause: causes(message, cause)
    })
  )

/** Logs go to standard error: standard output is the host's. */
const json = Logger.withConsoleError(Logger.formatJson)
const pretty = Logger.withConsoleError(Logger.formatLogFmt)

const atLeast = (level: "Info" | "Warn") => Layer.succeed(References.MinimumLogLevel, level)

export const logs = (option: LogOption): Layer.Layer<never> => {
  if (typeof option === "function") return Layer.merge(Logger.layer([calling(option)]), atLeast("Info"))
  switch (option) {
    case "off":
      return Logger.layer([])
    case "quiet":
      return Layer.merge(Logger.layer([pretty]), atLeast("Warn"))
    case "pretty":
      return Layer.merge(Logger.layer([pretty]), atLeast("Info"))
    case "json":
      return Layer.merge(Logger.layer([json]), atLeast("Info"))
  }
}

/** Spans are sent in batches, the rest when the drive closes. Without options none are made. */
export const tracing = (options: TracingOptions | undefined): Layer.Layer<never> => {
  if (options === undefined) return Layer.succeed(References.TracerEnabled, false)
  const { headers = {}, serviceName = "filedrive", url } = options
  return OtlpTracer.layer({
    url: `${url.replace(/\/+$/, "")}/v1/traces`,
    resource: { serviceName },
    headers,
    shutdownTimeout: "3 seconds"
  }).pipe(Layer.provide([FetchHttpClient.layer, OtlpSerialization.layerJson]))
}

/** Every metric of the drive in Prometheus's text format. */
export const prometheus: Effect.Effect<string> = PrometheusMetrics.format()

/** Logs a warning where no drive runs to do it. */
export const say = (option: LogOption, sentence: string, cause?: unknown): void => {
  const warning = cause === undefined ? Effect.logWarning(sentence) : Effect.logWarning(sentence, Cause.fail(cause))
  Effect.runFork(Effect.provide(warning, logs(option)))
}
