/** Requests that are answered before their bodies have arrived: the time for the rest is limited. */
import { Duration, Effect, type Fiber } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"

/** What is left of a body must end within this time once its request is answered; then its connection is destroyed. */
export const restLifetime = Duration.seconds(10)

/** Destroys a request's connection unless its body ends within a time of its answer, {@link restLifetime} by default. */
export const boundRest = (
  request: IncomingMessage,
  response: ServerResponse,
  runFork: (effect: Effect.Effect<void>) => Fiber.Fiber<void>,
  lifetime: Duration.Duration = restLifetime
): void => {
  const { socket } = request
  const answered = () => {
    if (request.complete || socket.destroyed) return
    const cut = Effect.sync(() => {
      if (!request.complete) socket.destroy()
    })
    const fiber = runFork(Effect.delay(cut, lifetime))
    const stop = () => fiber.interruptUnsafe()
    request.once("close", stop)
    socket.once("close", stop)
  }
  response.once("finish", answered)
}
