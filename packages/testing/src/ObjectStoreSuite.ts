/**
 * What every layer of the core's `ObjectStore` port must do. Run it on each:
 *
 * ```ts
 * objectStoreSuite("disk", Layer.merge(diskLayer, DataPlane.layerHttp), { refusesReplay: true })
 * ```
 *
 * Signed forms, parts and links travel as a client sends them, through
 * `DataPlane`: over HTTP, or into a layer that plays its own server. The clock
 * is the real one, since a server of its own knows no other.
 */
import { layer as withLayer } from "@effect/vitest"
import type { ObjectStore as Port } from "@filedrive/core"
import type { Layer } from "effect"
import type { DataPlane } from "./objectstore/DataPlane.ts"
import { formsSuite } from "./objectstore/FormsSuite.ts"
import { keepingSuite } from "./objectstore/KeepingSuite.ts"
import { partsSuite } from "./objectstore/PartsSuite.ts"
import { readingSuite } from "./objectstore/ReadingSuite.ts"
import type { ObjectStoreSuiteOptions } from "./objectstore/SuiteOptions.ts"

export { DataPlane } from "./objectstore/DataPlane.ts"

export const objectStoreSuite = <E>(
  name: string,
  layer: Layer.Layer<Port.ObjectStore | DataPlane, E>,
  options: ObjectStoreSuiteOptions
): void =>
  withLayer(layer, { timeout: "60 seconds", excludeTestServices: true })(`ObjectStore (${name})`, (it) => {
    if (options.withoutForms !== true) formsSuite(it, options)
    partsSuite(it, options)
    readingSuite(it, options)
    keepingSuite(it)
  })
