/** The handlers of every group of {@link "./Api.ts"}, one line a feature. */
import { Layer } from "effect"
import { TokensHandlers } from "../accounts/TokensHandlers.ts"
import { ArchivesHandlers } from "../archives/ArchivesHandlers.ts"
import { EventsHandlers } from "../events/EventsHandlers.ts"
import { FilesHandlers } from "../files/FilesHandlers.ts"
import { ImportsHandlers } from "../imports/ImportsHandlers.ts"
import { LibraryHandlers } from "../library/LibraryHandlers.ts"
import { CoversHandlers } from "../media/CoversHandlers.ts"
import { ReadingHandlers } from "../media/ReadingHandlers.ts"
import { SoundprintsHandlers } from "../media/SoundprintsHandlers.ts"
import { OrganizeHandlers } from "../organize/OrganizeHandlers.ts"
import { SearchHandlers } from "../search/SearchHandlers.ts"
import { SharesHandlers } from "../shares/SharesHandlers.ts"
import { UploadsHandlers } from "../uploads/UploadsHandlers.ts"
import { ViewsHandlers } from "../views/ViewsHandlers.ts"

export const HandlersLayer = Layer.mergeAll(
  TokensHandlers,
  UploadsHandlers,
  ImportsHandlers,
  FilesHandlers,
  ReadingHandlers,
  CoversHandlers,
  SoundprintsHandlers,
  LibraryHandlers,
  SearchHandlers,
  ViewsHandlers,
  SharesHandlers,
  OrganizeHandlers,
  ArchivesHandlers,
  EventsHandlers
)
