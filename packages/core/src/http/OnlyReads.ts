/** What becomes of a route's work when its caller hangs up. */
import { Context } from "effect"

/**
 * Annotates an endpoint that changes nothing a caller waits for: it is interrupted where it stands as soon as its caller
 * hangs up. Every other endpoint is interrupted until its body is read and its session is found; what it has begun then
 * is finished, but for what its services let go themselves ({@link "../media/Covers.ts"}).
 */
export const OnlyReads = Context.Reference<boolean>("@filedrive/core/http/OnlyReads", { defaultValue: () => false })
