/**
 * Binds the endpoints of a group to functions. Compiles only when every
 * endpoint has one, with the answer and the errors it declares, that asks for
 * nothing but what the endpoint's middleware provides.
 */
import { Context, Effect, Layer, type Schema, type Scope, type Stream, type Types } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import type { AppHeader, BodyErrors, Faults } from "./Session.ts"

/** An answer that is JSON as it stands: encoding it by its schema would only check it. */
export class Plain<A> {
  readonly value: A
  constructor(value: A) {
    this.value = value
  }
}

/** An answer that is a list of any length, as JSON as it stands, page by page. */
export class Listed<A> {
  readonly pages: Stream.Stream<ReadonlyArray<A>, unknown>
  constructor(pages: Stream.Stream<ReadonlyArray<A>, unknown>) {
    this.pages = pages
  }
}

export const plain = <A>(value: A): Plain<A> => new Plain(value)

export const listed = <A>(pages: Stream.Stream<ReadonlyArray<A>, unknown>): Listed<A> => new Listed(pages)

/** The documented JSON of a schema that an endpoint declares, as a plain type. */
export type JsonOf<S> = S extends Schema.toCodecJson<infer Declared> ? Declared["Encoded"] : never

type ItemOf<A> = A extends ReadonlyArray<infer Item> ? Item : never

/** What every route may fail with, by the middleware that `Api` puts before all of them. */
type EveryRouteError = HttpApiMiddleware.Error<AppHeader | BodyErrors | Faults>

/** A handler of each endpoint, by its identifier. A whole response is sent as it is. */
export type Of<Group> = {
  readonly [E in HttpApiGroup.Endpoints<Group> as E["identifier"]]: (
    call: Types.Simplify<E["~Request"]>
  ) => Effect.Effect<
    | E["~Success"]["Type"]
    | Plain<JsonOf<E["~Success"]>>
    | Listed<ItemOf<JsonOf<E["~Success"]>>>
    | HttpServerResponse.HttpServerResponse,
    E["~Error"]["Type"] | HttpApiEndpoint.MiddlewareError<E> | EveryRouteError,
    HttpApiEndpoint.MiddlewareProvides<E>
  >
}

/** A handler as the dispatcher runs it. */
export type Handler = (call: unknown) => Effect.Effect<unknown, unknown>

/** The same, run to its end once it has begun, even if the caller disconnects. */
export const finished = (handler: Handler): Handler => (call) => Effect.uninterruptible(handler(call))

type Bound = Readonly<Record<string, Handler>>

/** Where the handlers of a group are found in a context. */
export const key = (group: { readonly key: string }): Context.Key<never, Bound> =>
  Context.Service<never, Bound>(group.key)

/** The handlers of a group, made once from the services `build` asks for. */
export const group = <Group extends HttpApiGroup.Constraint, E, R>(
  group: Group,
  build: Effect.Effect<Of<Group>, E, R>
): Layer.Layer<HttpApiGroup.ToService<string, Group>, E, Exclude<R, Scope.Scope>> =>
  Layer.effect(key(group), build as unknown as Effect.Effect<Bound, E, R>) as never
