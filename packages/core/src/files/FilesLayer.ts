/** Every service of this feature, each made once, from views, the catalog, the objects and the ports. */
import { Layer } from "effect"
import { BucketSwitch } from "./BucketSwitch.ts"
import { BucketTransfers } from "./BucketTransfers.ts"
import { BucketTransfersRepo } from "./BucketTransfersRepo.ts"
import { Derivatives } from "./Derivatives.ts"
import { DerivativesRepo } from "./DerivativesRepo.ts"
import { Downloads } from "./Downloads.ts"
import { FileAccess } from "./FileAccess.ts"
import { FileBatches } from "./FileBatches.ts"
import { FileBatchesRepo } from "./FileBatchesRepo.ts"
import { FileCopies } from "./FileCopies.ts"
import { FileDetails } from "./FileDetails.ts"
import { FileMetadata } from "./FileMetadata.ts"
import { FileRecords } from "./FileRecords.ts"
import { Files } from "./Files.ts"
import { FilesLiveKeys } from "./FilesLiveKeys.ts"
import { FilesRepo } from "./FilesRepo.ts"
import { LastingLinks } from "./LastingLinks.ts"
import { MediaFacts } from "./MediaFacts.ts"
import { MediaFactsRepo } from "./MediaFactsRepo.ts"
import { MovedBytes } from "./MovedBytes.ts"
import { PublicHeaders } from "./PublicHeaders.ts"
import { Scrub } from "./Scrub.ts"
import { ScrubRepo } from "./ScrubRepo.ts"
import { Trash } from "./Trash.ts"
import { TrashRepo } from "./TrashRepo.ts"
import { VisibleFiles } from "./VisibleFiles.ts"

const Repos = Layer.mergeAll(
  FilesRepo.layer,
  FileBatchesRepo.layer,
  MediaFactsRepo.layer,
  BucketTransfersRepo.layer,
  DerivativesRepo.layer,
  TrashRepo.layer
)

export const FilesLayer = Layer.mergeAll(
  Files.layerNoDeps.pipe(Layer.provideMerge(FileBatches.layerNoDeps)),
  Derivatives.layerNoDeps,
  FilesLiveKeys,
  MovedBytes.registration.pipe(Layer.provide(MovedBytes.layerNoDeps)),
  Scrub.layerNoDeps.pipe(Layer.provide(ScrubRepo.layer)),
  Downloads.layerNoDeps,
  Layer.mergeAll(FileDetails.layerNoDeps, FileAccess.layerNoDeps, FileMetadata.layerNoDeps, Trash.layerNoDeps).pipe(
    Layer.provide(LastingLinks.layerNoDeps),
    Layer.provide(FileCopies.layerNoDeps),
    Layer.provideMerge(Layer.mergeAll(BucketTransfers.layerNoDeps, PublicHeaders.layerNoDeps, MediaFacts.layerNoDeps)),
    Layer.provide(BucketSwitch.layerNoDeps)
  )
).pipe(
  Layer.provideMerge(Layer.mergeAll(FileRecords.layer, VisibleFiles.layerNoDeps)),
  Layer.provide(Repos)
)
