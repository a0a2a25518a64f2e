/**
 * The whole HTTP contract of the file service: one line per feature.
 *
 * A feature joins in three steps:
 * 1. `<Nouns>Api.ts`: an `HttpApiGroup.make("<nouns>")` of
 *    `HttpApiEndpoint.post("trashFiles", "/trash-files", { payload, success, error }).annotateMerge(operation({ … }))`,
 *    ending in `.middleware(Session)`. `operation` of {@link "./Operation.ts"} states what every surface needs: the
 *    description, the permission, what it does to the drive, whether it may be repeated, the words of its tool and an
 *    example, whose values are those of {@link "./Examples.ts"}. `error` names only what is the route's
 *    own (`NotFound`, `Conflict`, `BadGateway`); 400, 401, 403, 429, 500 and
 *    503 come from the middleware below. No `payload` means a route without a
 *    body; `[Body, Schema.Null]` one whose body is optional; a plain array
 *    schema one whose body is an array. A route without an answer of its own has
 *    `success: Acknowledgement`.
 * 2. `<Nouns>Handlers.ts`: `Handlers.group(Api, "<nouns>", Effect.gen(function*() {
 *    const nouns = yield* Nouns; return { trashFiles: ({ payload }) => … } }))`
 *    of {@link "./Handlers.ts"}, each handler one call that ends in
 *    `Effect.mapError(fromDriveError)`.
 * 3. One `.add(…)` here, and the handlers' layer in {@link "./HandlersLayer.ts"}. docs/contributing.md lists
 *    the other files that a feature touches.
 */
import { HttpApi, OpenApi } from "effect/http-api"
import { TokensApi } from "../accounts/TokensApi.ts"
import { ArchivesApi } from "../archives/ArchivesApi.ts"
import { EventsApi } from "../events/EventsApi.ts"
import { FilesApi } from "../files/FilesApi.ts"
import { ImportsApi } from "../imports/ImportsApi.ts"
import { LibraryApi } from "../library/LibraryApi.ts"
import { CoversApi } from "../media/CoversApi.ts"
import { ReadingApi } from "../media/ReadingApi.ts"
import { SoundprintsApi } from "../media/SoundprintsApi.ts"
import { CollectionsApi } from "../organize/CollectionsApi.ts"
import { FoldersApi } from "../organize/FoldersApi.ts"
import { GalleriesApi } from "../organize/GalleriesApi.ts"
import { PlaylistsApi } from "../organize/PlaylistsApi.ts"
import { TagsApi } from "../organize/TagsApi.ts"
import { SearchApi } from "../search/SearchApi.ts"
import { SharesApi } from "../shares/SharesApi.ts"
import { UploadsApi } from "../uploads/UploadsApi.ts"
import { ViewsApi } from "../views/ViewsApi.ts"
import { AppHeader, BodyErrors, Faults } from "./Session.ts"

export class Api extends HttpApi.make("drive")
  .add(TokensApi)
  .add(UploadsApi)
  .add(ImportsApi)
  .add(FilesApi)
  .add(ReadingApi)
  .add(CoversApi)
  .add(SoundprintsApi)
  .add(LibraryApi)
  .add(SearchApi)
  .add(ViewsApi)
  .add(SharesApi)
  .add(CollectionsApi)
  .add(FoldersApi)
  .add(TagsApi)
  .add(PlaylistsApi)
  .add(GalleriesApi)
  .add(ArchivesApi)
  .add(EventsApi)
  .middleware(BodyErrors)
  .middleware(AppHeader)
  .middleware(Faults)
  .annotateMerge(OpenApi.annotations({ title: "File drive", version: "2026.09.28" }))
{}
