/**
 * The whole HTTP contract of the file service: the groups of every feature in the list of {@link "../Features.ts"}.
 *
 * A feature joins in two steps:
 * 1. `<Nouns>Api.ts`: an `HttpApiGroup.make("<nouns>")` of
 *    `HttpApiEndpoint.post("trashFiles", "/trash-files", { payload, success, error }).annotateMerge(operation({ … }))`,
 *    ending in `.middleware(Session)`. `operation` of {@link "./Operation.ts"} states what every surface needs: the
 *    description, the permission, what it does to the drive, whether it may be repeated, the words of its tool and an
 *    example, whose values are those of {@link "./Examples.ts"}. `error` names only what is the route's
 *    own (`NotFound`, `Conflict`, `BadGateway`); 400, 401, 403, 429, 500 and
 *    503 come from the middleware below. No `payload` means a route without a
 *    body; `[Body, Schema.Null]` one whose body is optional; a plain array
 *    schema one whose body is an array. A route without an answer of its own has
 *    `success: Acknowledgement`.
 * 2. `<Nouns>Handlers.ts`: `Handlers.group(NounsApi, Effect.gen(function*() {
 *    const nouns = yield* Nouns; return { trashFiles: ({ payload }) => … } }))`
 *    of {@link "./Handlers.ts"}, each handler one call that ends in
 *    `Effect.mapError(fromDriveError)`.
 *
 * Its `<Nouns>Feature.ts` names both. docs/contributing.md lists what else a feature takes.
 */
import { HttpApi, OpenApi } from "effect/http-api"
import * as Features from "../Features.ts"
import { AppHeader, BodyErrors, Faults } from "./Session.ts"

/** Of the API, and of the agent that works with it. Contract: "Names and mounts". */
export const apiVersion = "2026.09.28"

export class Api extends HttpApi.make("drive")
  .add(...Features.groups)
  .middleware(BodyErrors)
  .middleware(AppHeader)
  .middleware(Faults)
  .annotateMerge(OpenApi.annotations({ title: "File drive", version: apiVersion }))
{}
