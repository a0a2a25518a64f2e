/**
 * What is counted of every request, by route and status. Any exporter of
 * Effect's metrics (Prometheus, OTLP) can show it.
 */
import { type Context, Metric } from "effect"

const requests = Metric.counter("filedrive_http_requests_total", {
  description: "Requests answered, by route and status",
  incremental: true
})

const durations = Metric.histogram("filedrive_http_request_duration_seconds", {
  description: "Time from the arrival of a request to its answer, by route",
  boundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
})

/** Counts the requests of one route; series are made once, as requests come by thousands a second. */
export const forRoute = (route: string) => {
  const duration = Metric.withAttributes(durations, { route })
  const byStatus = new Map<number, Metric.Counter<number>>()
  return (context: Context.Context<never>, status: number, seconds: number): void => {
    let counter = byStatus.get(status)
    if (counter === undefined) {
      counter = Metric.withAttributes(requests, { route, status: String(status) }) as Metric.Counter<number>
      byStatus.set(status, counter)
    }
    counter.updateUnsafe(1, context)
    duration.updateUnsafe(seconds, context)
  }
}
