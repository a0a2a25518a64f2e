/** An archive that is done and kept. */
import type { AccountId, ArchiveId } from "../shared/Ids.ts"

export interface KeptArchive {
  readonly id: ArchiveId
  readonly accountId: AccountId
  readonly storeKey: string
  readonly bytes: number
}
