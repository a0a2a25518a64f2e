/**
 * A feature of the drive as one value: all that the rest of the core takes of it. Each is written in its own folder
 * (`<folder>/<Folder>Feature.ts`) and named in the list of {@link "./Features.ts"}.
 */
import type { Effect, Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import type { Database, TableName } from "./database/Database.ts"
import type * as Job from "./jobs/Job.ts"
import type { LiveKeys } from "./objects/LiveKeys.ts"

/** The services of a feature's layer. */
export type GivenBy<F> = F extends { readonly layer: Layer.Layer<infer Services, infer _E, infer _R> } ? Services
  : never

/** The services that a feature's layer asks for. */
export type AskedBy<F> = F extends { readonly layer: Layer.Layer<infer _A, infer _E, infer Services> } ? Services
  : never

type NameOf<F> = F extends { readonly name: infer Name extends string } ? Name : never

type KeyOf<Service> = Service extends { readonly key: infer Key extends string } ? Key : "a service"

/** The names of those features of a list that give one of these services. */
type Givers<Services, List extends ReadonlyArray<unknown>> = {
  readonly [I in keyof List]: [Extract<Services, GivenBy<List[I]>>] extends [never] ? never : NameOf<List[I]>
}[number]

type Placed<F, Above extends ReadonlyArray<unknown>, Others extends ReadonlyArray<unknown>, Ground> =
  [Givers<AskedBy<F>, Above>] extends [never]
    ? [Exclude<AskedBy<F>, GivenBy<Others[number]> | Ground>] extends [never] ? unknown
    : {
      readonly name: `${NameOf<F>} asks for ${KeyOf<
        Exclude<AskedBy<F>, GivenBy<Others[number]> | Ground>
      >}, which no feature gives`
    }
    : {
      readonly name: `${NameOf<F>} uses services of ${Givers<AskedBy<F>, Above>}, so it belongs above it in the list`
    }

/**
 * A list of features from the top down, on a `Ground` of services that it is given. A list doesn't satisfy it where a feature
 * asks for a service of one above it, or for one that nobody gives: the compiler then says which in the place of the
 * feature's `name`.
 */
export type Ordered<
  List extends ReadonlyArray<unknown>,
  Ground,
  Above extends ReadonlyArray<unknown> = readonly []
> = List extends readonly [infer Top, ...infer Below]
  ? readonly [Placed<Top, Above, Below, Ground>, ...Ordered<Below, Ground, readonly [...Above, Top]>]
  : readonly []

/** Changes the tables; run once on each database. */
export type Migration = Effect.Effect<void, unknown, Database>

export interface Feature {
  /** The name of its folder. */
  readonly name: string
  /** Its services. They may ask for those of features below it in the list, for ports and for the {@link Database}. */
  readonly layer?: Layer.Layer<never, unknown, unknown>
  /** Its operations. Each needs a description, an example and a permission: see `http/Operation.ts`. */
  readonly api?: readonly [HttpApiGroup.Constraint, ...ReadonlyArray<HttpApiGroup.Constraint>]
  /** The handlers of every group of `api`. */
  readonly handlers?: Layer.Layer<never, unknown, unknown>
  /** Says which stored objects it needs ({@link "./objects/LiveKeys.ts"}), from the database alone; a part of `layer`, too. */
  readonly liveKeys?: Layer.Layer<never, never, Database | LiveKeys>
  /** The kinds of its jobs. Its `layer` handles them. */
  readonly jobs?: ReadonlyArray<Job.Kind>
  /** The tables it owns: no other feature writes them. */
  readonly tables?: ReadonlyArray<TableName>
  /**
   * The steps that make its tables, by number and name (`0031_notes`). Numbers count through all features: take the next
   * one that none has. A step that was released is never changed.
   */
  readonly migrations?: { readonly [name: `${number}_${string}`]: Migration }
}
