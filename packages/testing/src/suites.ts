/** Conformance suites for a host's own layers; they need `@effect/vitest`. */
export { databaseSuite, type DatabaseSuiteOptions } from "./DatabaseSuite.ts"
export { type BadCall, badCalls } from "./http/ErrorCases.ts"
export { type HttpHost, httpSuite } from "./HttpSuite.ts"
export { jobsSuite } from "./JobsSuite.ts"
export { type ObjectStoreSuiteOptions } from "./objectstore/SuiteOptions.ts"
export { DataPlane, objectStoreSuite } from "./ObjectStoreSuite.ts"
export { passwordHasherSuite } from "./PasswordHasherSuite.ts"
