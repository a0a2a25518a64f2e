/** The services of the folder, complete. */
import { Layer } from "effect"
import { LiveNotes } from "./LiveNotes.ts"
import { NoteChanges } from "./NoteChanges.ts"
import { NoteList } from "./NoteList.ts"
import { NoteRemovals } from "./NoteRemovals.ts"
import { NoteSweep } from "./NoteSweep.ts"
import { OwnedNotes } from "./OwnedNotes.ts"
import { PublicReviews } from "./PublicReviews.ts"
import { ReviewedMedia } from "./ReviewedMedia.ts"
import { ReviewersNotes } from "./ReviewersNotes.ts"
import { ReviewNetworksRepo } from "./ReviewNetworksRepo.ts"
import { ReviewNotesRepo } from "./ReviewNotesRepo.ts"
import { Reviews } from "./Reviews.ts"
import { ReviewsRepo } from "./ReviewsRepo.ts"

export const ReviewsLayer = Layer.mergeAll(
  Reviews.layerNoDeps,
  OwnedNotes.layerNoDeps,
  PublicReviews.layerNoDeps,
  ReviewersNotes.layerNoDeps,
  NoteSweep.layerNoDeps
).pipe(
  Layer.provide([
    NoteList.layerNoDeps,
    NoteChanges.layerNoDeps,
    NoteRemovals.layerNoDeps,
    LiveNotes.layerNoDeps,
    ReviewedMedia.layer
  ]),
  Layer.provide([ReviewsRepo.layer, ReviewNetworksRepo.layer, ReviewNotesRepo.layer])
)
