/** What the log says where files wait for a place to be opened in. The groups that share the places are accounts. */
import type { Causes } from "../shared/FairPlaces.ts"

export const causes: Causes = {
  tooMany: (account) => `Too many files wait to be opened (account ${account})`,
  preempted: (account) => `A file took longer than its turn, and others waited (account ${account})`
}
