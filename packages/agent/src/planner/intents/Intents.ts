/** Everything that the planner understands. A new family is a file beside this one and a line here. */
import { Access } from "./Access.ts"
import { Adding } from "./Adding.ts"
import { Archives } from "./Archives.ts"
import { Cannot } from "./Cannot.ts"
import { Corrections } from "./Corrections.ts"
import { Covers } from "./Covers.ts"
import { Describing } from "./Describing.ts"
import { Duplicates } from "./Duplicates.ts"
import { EndingWaits } from "./EndingWaits.ts"
import { Finding } from "./Finding.ts"
import { Folders } from "./Folders.ts"
import { Galleries } from "./Galleries.ts"
import { Help } from "./Help.ts"
import { Images } from "./Images.ts"
import { Imports } from "./Imports.ts"
import type { Family, Intent } from "./Intent.ts"
import { Links } from "./Links.ts"
import { MovingUp } from "./MovingUp.ts"
import { Keeping } from "./Parts.ts"
import { Playlists } from "./Playlists.ts"
import { Reading } from "./Reading.ts"
import { Removing } from "./Removing.ts"
import { Renaming } from "./Renaming.ts"
import { Requests } from "./Requests.ts"
import { Reviews } from "./Reviews.ts"
import { Sharing } from "./Sharing.ts"
import { Tagging } from "./Tagging.ts"
import { TakingAway } from "./TakingAway.ts"
import { Trash } from "./Trash.ts"
import { Undo } from "./Undo.ts"
import { Usage } from "./Usage.ts"
import { Views } from "./Views.ts"

export const families: ReadonlyArray<Family> = [
  Finding,
  Tagging,
  Folders,
  MovingUp,
  Corrections,
  Renaming,
  Describing,
  Playlists,
  Galleries,
  Covers,
  Sharing,
  Access,
  Links,
  Trash,
  Removing,
  TakingAway,
  Adding,
  Requests,
  Reviews,
  Images,
  Archives,
  Imports,
  Reading,
  Usage,
  Views,
  EndingWaits,
  Duplicates,
  Undo,
  Cannot,
  Keeping,
  Help
]

export const intents: ReadonlyArray<Intent> = families.flatMap((family) => family.intents)
