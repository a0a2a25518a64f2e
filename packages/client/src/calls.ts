/** The calls alone, without uploads and downloads. */
export {
  type AnswerOf,
  type Calls,
  createCalls,
  createPublicCalls,
  type PagedOperation,
  type RequestOf
} from "./createCalls.ts"
export { DriveError } from "./DriveError.ts"
export type * from "./generated/DriveCalls.ts"
export type { CallOptions, ClientOptions, Fetch, PublicCallOptions, PublicClientOptions, Store } from "./Options.ts"
