/** Which pages may call, as browsers ask it (the Fetch standard, "CORS protocol"). */
import type { Effect } from "effect"
import { HttpMiddleware, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { accessHeader } from "./PublicLink.ts"

type App = Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>

/** What programs on pages send. The `mcp-` ones are those of MCP's revisions. */
const allowedHeaders = [
  "authorization",
  "content-type",
  "x-service-app",
  "a2a-version",
  "mcp-protocol-version",
  "mcp-session-id",
  "mcp-method",
  "mcp-name",
  accessHeader,
  "idempotency-key",
  "last-event-id",
  "prefer"
]

/** Lets pages of these origins call; `*`: of every one; none: no page of another origin. */
export const forOrigins = (allowedOrigins: ReadonlyArray<string>): (app: App) => App =>
  allowedOrigins.length === 0 ? (app) => app : HttpMiddleware.cors({
    allowedOrigins: allowedOrigins.includes("*") ? ["*"] : allowedOrigins,
    allowedMethods: ["GET", "HEAD", "POST"],
    allowedHeaders,
    exposedHeaders: ["retry-after", "www-authenticate"],
    maxAge: 86_400
  })
