/** Connections that stay open between requests: the last one used is used again first. */
import * as http from "node:http"
import * as https from "node:https"

/**
 * A connection that nothing uses is kept for a minute. Node leaves it sooner where the server says so, but only with a time of the agent's
 * own; while a request is under way this time ends nothing.
 */
const options = { keepAlive: true, scheduling: "lifo", timeout: 60_000 } as const

export const agents = { "http:": new http.Agent(options), "https:": new https.Agent(options) }
