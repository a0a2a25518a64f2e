/**
 * A feature of the drive as one value: all that the rest of the core takes of it. Each is written in its own folder
 * (`<folder>/<Folder>Feature.ts`) and named in the list of {@link "./Features.ts"}.
 */
import type { Effect, Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import type { Database, TableName } from "./database/Database.ts"
import type * as Job from "./jobs/Job.ts"
import type { LiveKeys } from "./objects/LiveKeys.ts"

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
