/** Conformance suites for a host's own layers; they need `@effect/vitest`. */
export { DataPlane, objectStoreSuite, type ObjectStoreSuiteOptions } from "./ObjectStoreSuite.ts"
