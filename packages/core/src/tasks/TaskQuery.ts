/** What a list of tasks is asked for. */
import type { AccountId, ApiTokenId } from "../shared/Ids.ts"
import type { Phase } from "./TaskState.ts"

/** Which tasks are listed: of one credential, or of all of an account. */
export interface TaskQuery {
  readonly accountId: AccountId
  readonly credentialId: ApiTokenId
  readonly contextId: string | null
  readonly phases: ReadonlyArray<Phase> | null
  readonly after: Date | null
}
