/**
 * The list of all features, and what the drive is made of by it: services, operations, handlers, migrations. Who adds a
 * feature adds a line here, and none elsewhere.
 */
import { Layer } from "effect"
import type { Digest, SecureRandom } from "effect/crypto"
import type { HttpApiGroup } from "effect/http-api"
import { AccountsFeature } from "./accounts/AccountsFeature.ts"
import type { AccountTransaction } from "./accounts/AccountTransaction.ts"
import type { Quota } from "./accounts/Quota.ts"
import { ArchivesFeature } from "./archives/ArchivesFeature.ts"
import { BulkFeature } from "./bulk/BulkFeature.ts"
import { CatalogFeature } from "./catalog/CatalogFeature.ts"
import type { Database } from "./database/Database.ts"
import { DocIndexFeature } from "./docindex/DocIndexFeature.ts"
import { EventsFeature } from "./events/EventsFeature.ts"
import type { AskedBy, Feature, GivenBy, Ordered } from "./Feature.ts"
import { FilesFeature } from "./files/FilesFeature.ts"
import { GenerationsFeature } from "./generations/GenerationsFeature.ts"
import { ImportsFeature } from "./imports/ImportsFeature.ts"
import type * as Job from "./jobs/Job.ts"
import type { Jobs } from "./jobs/Jobs.ts"
import { JobsFeature } from "./jobs/JobsFeature.ts"
import { LibraryFeature } from "./library/LibraryFeature.ts"
import { LinksFeature } from "./links/LinksFeature.ts"
import { MediaFeature } from "./media/MediaFeature.ts"
import { OauthFeature } from "./oauth/OauthFeature.ts"
import type { LiveKeys } from "./objects/LiveKeys.ts"
import { ObjectsFeature } from "./objects/ObjectsFeature.ts"
import { OrganizeFeature } from "./organize/OrganizeFeature.ts"
import type { Accounts } from "./ports/Accounts.ts"
import type { ImageGenerator } from "./ports/ImageGenerator.ts"
import type { MediaKinds } from "./ports/MediaKinds.ts"
import type { MediaTools } from "./ports/MediaTools.ts"
import type { ObjectStore } from "./ports/ObjectStore.ts"
import type { PasswordHasher } from "./ports/PasswordHasher.ts"
import type { RemoteFile } from "./ports/RemoteFile.ts"
import type { SecretBox } from "./ports/SecretBox.ts"
import type { WebhookSender } from "./ports/WebhookSender.ts"
import { RequestsFeature } from "./requests/RequestsFeature.ts"
import { ReviewsFeature } from "./reviews/ReviewsFeature.ts"
import { SearchFeature } from "./search/SearchFeature.ts"
import { SharesFeature } from "./shares/SharesFeature.ts"
import { TasksFeature } from "./tasks/TasksFeature.ts"
import { UploadsFeature } from "./uploads/UploadsFeature.ts"
import { ViewsFeature } from "./views/ViewsFeature.ts"
import { WaitsFeature } from "./waits/WaitsFeature.ts"

const list = [
  AccountsFeature,
  OauthFeature,
  TasksFeature,
  BulkFeature,
  RequestsFeature,
  ReviewsFeature,
  LinksFeature,
  UploadsFeature,
  ImportsFeature,
  GenerationsFeature,
  MediaFeature,
  LibraryFeature,
  SearchFeature,
  SharesFeature,
  ArchivesFeature,
  OrganizeFeature,
  FilesFeature,
  ViewsFeature,
  CatalogFeature,
  DocIndexFeature,
  ObjectsFeature,
  WaitsFeature,
  EventsFeature,
  JobsFeature
] as const

/** What is below the list: the database, the account's transaction, and what a host brings. */
type Ground =
  | Database
  | AccountTransaction
  | Quota
  | Jobs
  | Accounts
  | ImageGenerator
  | MediaKinds
  | MediaTools
  | ObjectStore
  | PasswordHasher
  | RemoteFile
  | SecretBox
  | WebhookSender
  | Digest.Digest
  | SecureRandom.SecureRandom

/** From the top down: each line may use the services of the lines below it. Doesn't compile where one uses those above. */
export const features = list satisfies Ordered<typeof list, Ground>

type Features = typeof features

type GroupsOf<F> = F extends { readonly api: infer Groups extends ReadonlyArray<unknown> } ? Groups[number] : never

type FailedBy<F> = F extends { readonly layer: Layer.Layer<infer _A, infer E, infer _R> } ? E : never
type HandlersOf<F> = F extends { readonly handlers: infer L extends Layer.Any } ? L : never

/** What the layers of a list ask for that no feature below them gives. */
type Asked<List> = List extends readonly [infer Top, ...infer Below]
  ? Exclude<AskedBy<Top>, GivenBy<Below[number]>> | Asked<Below>
  : never

const all: ReadonlyArray<Feature> = features

/** The services of every feature, each made once. Asks for the database, the account's transaction and the ports. */
export const layer = all.reduceRight<Layer.Layer<never, unknown, unknown>>(
  (below, { layer }) => layer === undefined ? below : Layer.provideMerge(layer, below),
  Layer.empty
) as unknown as Layer.Layer<
  GivenBy<Features[number]>,
  FailedBy<Features[number]>,
  Asked<Features>
>

/** The operations, group by group. */
export const groups = all.flatMap(({ api = [] }) => api) as unknown as readonly [
  GroupsOf<Features[number]>,
  ...ReadonlyArray<GroupsOf<Features[number]>>
]

/** The handlers of all {@link groups}: doesn't compile when those of a group are missing. */
export const handlers: Layer.Layer<
  HttpApiGroup.ToService<string, GroupsOf<Features[number]>>,
  Layer.Error<HandlersOf<Features[number]>>,
  Layer.Services<HandlersOf<Features[number]>>
> = all.reduce<Layer.Layer<never, unknown, unknown>>(
  (others, { handlers }) => handlers === undefined ? others : Layer.merge(others, handlers),
  Layer.empty
) as Layer.Layer<
  Layer.Success<HandlersOf<Features[number]>>,
  Layer.Error<HandlersOf<Features[number]>>,
  Layer.Services<HandlersOf<Features[number]>>
>

/** The kinds of jobs of every feature. */
export const jobs: ReadonlyArray<Job.Kind> = all.flatMap(({ jobs = [] }) => jobs)

/** Every feature's word on which stored objects it needs. */
export const liveKeys: Layer.Layer<never, never, Database | LiveKeys> = all.reduce<
  Layer.Layer<never, never, Database | LiveKeys>
>((others, { liveKeys }) => liveKeys === undefined ? others : Layer.merge(others, liveKeys), Layer.empty)
