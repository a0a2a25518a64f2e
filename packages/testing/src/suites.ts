/** Conformance suites for a host's own layers; they need `@effect/vitest`. */
export { type HttpHost, httpSuite } from "./HttpSuite.ts"
export { jobsSuite } from "./JobsSuite.ts"
export { DataPlane, objectStoreSuite, type ObjectStoreSuiteOptions } from "./ObjectStoreSuite.ts"
