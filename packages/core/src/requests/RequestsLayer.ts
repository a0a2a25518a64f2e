/** Every service of this feature, each made once, from uploads, files, organize, links, the ports, the database and the jobs. */
import { Layer } from "effect"
import { ActiveAccounts } from "../accounts/ActiveAccounts.ts"
import { DropDeletions } from "./DropDeletions.ts"
import { DropEnds } from "./DropEnds.ts"
import { DropRemovals } from "./DropRemovals.ts"
import { DropRules } from "./DropRules.ts"
import { Drops } from "./Drops.ts"
import { DropsRepo } from "./DropsRepo.ts"
import { FoundDrops } from "./FoundDrops.ts"
import { PublicRequests } from "./PublicRequests.ts"
import { RequestLists } from "./RequestLists.ts"
import { Requests } from "./Requests.ts"
import { RequestsRepo } from "./RequestsRepo.ts"
import { SentDrops } from "./SentDrops.ts"
import { SentDropsRepo } from "./SentDropsRepo.ts"

export const RequestsLayer = Layer.mergeAll(
  Requests.layerNoDeps,
  RequestLists.layerNoDeps,
  DropDeletions.layerNoDeps,
  PublicRequests.layerNoDeps,
  Drops.layerNoDeps
).pipe(
  Layer.provideMerge(Layer.merge(DropEnds.layerNoDeps, SentDrops.layerNoDeps)),
  Layer.provide([DropRemovals.layerNoDeps, DropRules.layerNoDeps, FoundDrops.layerNoDeps]),
  Layer.provide([ActiveAccounts.layer, DropsRepo.layer, RequestsRepo.layer, SentDropsRepo.layer])
)
