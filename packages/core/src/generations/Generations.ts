/** Images generated from prompts. Spec: "Images"; contract: "Image generation". */
import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { fits } from "../accounts/Balance.ts"
import { allowed, credentialOf, type CurrentAccount, mayEnd } from "../accounts/CurrentAccount.ts"
import * as Pipeline from "../database/Pipeline.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import type { FileRecord } from "../files/FileRecord.ts"
import { FileRecords } from "../files/FileRecords.ts"
import * as Job from "../jobs/Job.ts"
import * as Limits from "../limits/Limits.ts"
import { type Destination, Folders } from "../organize/Folders.ts"
import { Accounts, type Plan } from "../ports/Accounts.ts"
import { ImageGenerator, type ImageModel, imageModels } from "../ports/ImageGenerator.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { InvalidField, type NotFound, Refused, Unavailable } from "../shared/DriveError.ts"
import { AccountId, GenerationId, onceEach } from "../shared/Ids.ts"
import { constructorOf, type Writable } from "../shared/PlainObject.ts"
import * as Generation from "./Generation.ts"
import { makeRun } from "./GenerationRun.ts"
import { GenerationsLiveKeys } from "./GenerationsLiveKeys.ts"
import { GenerationsRepo } from "./GenerationsRepo.ts"
import * as GenerationState from "./GenerationState.ts"
import { makeSteps } from "./GenerationSteps.ts"

export interface GenerationRequest extends Generation.Choice {
  /** Its folder; missing folders are made at once. Default: `/Generated images`, or the folder the call is limited to. */
  readonly to?: Destination | undefined
}

/** A generation that was begun. */
export interface StartedGeneration extends Pick<Generation.Settled, "model" | "aspectRatio" | "quality"> {
  readonly id: GenerationId
}

/** The state of a generation. */
export interface GenerationItem extends Generation.Settled {
  readonly id: GenerationId
  readonly status: GenerationState.Shown["status"]
  /** There and true when its image is in trash. */
  readonly trashed?: true
  /** Why it failed, as a sentence and for programs; null unless it has. */
  readonly error: string | null
  readonly code: Generation.FailureCode | null
  /** Null before it is done, and when it was deleted or the call may not see it. */
  readonly image: FileRecord | null
  readonly insertTime: string
}

export interface GenerationHistory {
  /** Newest first. */
  readonly generations: ReadonlyArray<GenerationItem>
  /** The cursor of the next page; null when nothing follows. */
  readonly nextCursor: string | null
}

/** The images of the current calendar month in UTC. */
export interface ImageAllowance {
  readonly plan: Plan | null
  /** Those of it that were not given back. */
  readonly used: number
  /** Null for no limit. */
  readonly limit: number | null
  /** When the next month begins. */
  readonly renewTime: string
}

export interface HistoryQuery {
  /** 1 to 100; default 50. */
  readonly limit?: number | undefined
  /** A `nextCursor`. */
  readonly cursor?: string | undefined
}

const imageJobOf = (model: ImageModel) =>
  Job.define(`image.generate.${model}`, {
    description: `Generates an image by ${model}, or looks how far its provider is.`,
    when: "when requested, and when the provider's job is to be looked at again",
    key: Job.key({ accountId: AccountId, id: GenerationId }),
    concurrency: 16,
    concurrencyOfAccount: 4
  })

/**
 * A kind for each model: a provider that stalls keeps its jobs' places for minutes, and these are places of its own models alone. An
 * account has few of them, so that it leaves room for others' images of the same model. Each holds an image at most.
 */
export const imageJobs = imageModels.map((model) => ({ model, job: imageJobOf(model) }))

export const generationForgetJob = Job.every("generations.forget", {
  description: "Forgets generations without an image that ended 30 days ago.",
  interval: Duration.days(1)
})

export class Generations extends Context.Service<Generations, {
  /**
   * Begins to generate an image and returns at once; a job asks the model's provider. Each call is an image of its own, taken
   * from the month's allowance, and given back when it fails or is cancelled.
   *
   * Fails with `InvalidField` naming what the model does not do, or the folder; with `NotFound` for a folder that is not the caller's;
   * with `Unavailable` (`generator_unavailable`) for a model that can't be asked; with `Refused`: `token_limit`, `no_subscription`,
   * `pro_only`, `storage_full`, `no_images_left`, and `not_allowed` with 100 under way. Spec: `/generate-image`.
   */
  readonly generate: (
    request: GenerationRequest
  ) => Effect.Effect<StartedGeneration, InvalidField | NotFound | Refused | Unavailable, CurrentAccount>

  /**
   * The caller's generations with these ids, each once, in the order asked; others are left out, as are those that are saved
   * outside a limited call's folder. It takes the permission `generate` or `read`. Spec: `/select-generations`.
   */
  readonly select: (
    ids: ReadonlyArray<GenerationId>
  ) => Effect.Effect<ReadonlyArray<GenerationItem>, Refused, CurrentAccount>

  /** The caller's generations, newest first. Fails with `InvalidField` naming `cursor`. It takes the permission `generate` or `read`. */
  readonly history: (query: HistoryQuery) => Effect.Effect<GenerationHistory, InvalidField | Refused, CurrentAccount>

  /**
   * Ends a generation of the caller's that is under way, gives its image back, and ends its provider's job. False when the caller has no
   * generation with this id, or it has ended. Fails with `Refused` (`token_limit`) for a token that may not delete and has not begun it.
   */
  readonly cancel: (id: GenerationId) => Effect.Effect<boolean, Refused, CurrentAccount>

  /** The allowance of the current month. It takes the permission `generate` or `read`. */
  readonly allowance: Effect.Effect<ImageAllowance, Refused | Unavailable, CurrentAccount>

  /** Forgets generations without an image that ended 30 days ago. A job does it daily. */
  readonly forget: Effect.Effect<void>
}>()("@filedrive/core/generations/Generations") {
  static readonly layerNoDeps = Layer.effect(
    Generations,
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const folders = yield* Folders
      const generator = yield* ImageGenerator
      const queues = new Map(
        yield* Effect.forEach(imageJobs, ({ job, model }) => Effect.map(job.queue, (queue) => [model, queue] as const))
      )
      const enqueue = (model: ImageModel, key: { readonly accountId: AccountId; readonly id: GenerationId }) =>
        queues.get(model)!.enqueue(key)
      const random = yield* SecureRandom.SecureRandom
      const records = yield* FileRecords
      const repo = yield* GenerationsRepo
      const steps = yield* makeSteps
      const store = yield* ObjectStore
      const transaction = yield* AccountTransaction
      const run = yield* makeRun(steps)

      /** The calling account, when its plan generates images. */
      const subscribed = Effect.fnUntraced(function*(accountId: AccountId) {
        const account = Option.getOrUndefined(yield* accounts.find(accountId))
        if (account === undefined || account.suspended) return yield* notAllowed
        return account.plan === null ? yield* noSubscription : { ...account, plan: account.plan }
      })

      const mayRead = Effect.catch(allowed("generate"), () => allowed("read"))

      const generate = Effect.fn("Generations.generate")(function*({ to, ...choice }: GenerationRequest) {
        const flaw = Generation.flaw(choice)
        if (flaw !== undefined) return yield* new InvalidField({ code: "invalid_field", ...flaw })
        const caller = yield* allowed("generate")
        const { id: accountId, limits } = caller
        const { monthlyImages, plan, quotaBytes } = yield* subscribed(accountId)
        const settled = Generation.settle(choice, plan)
        if (plan !== "pro" && Generation.isProOnly(settled)) return yield* proOnly
        const why = yield* generator.unavailable(settled.model)
        if (why !== null) {
          yield* Effect.logWarning(`Images of ${settled.model} can't be generated: ${why}.`)
          return yield* new Unavailable({ code: "generator_unavailable", cause: new Error(why) })
        }
        yield* store.room(1)
        const id = GenerationId.make(yield* random.uuidV7())
        const credential = credentialOf(caller)
        return yield* transaction.share(accountId, (balance) =>
          Effect.gen(function*() {
            const insertTime = yield* DateTime.now
            const month = Generation.monthOf(insertTime)
            const isIn = to === undefined && limits.folderId !== null
            const [folder, { underWay, used }] = yield* Effect.all([
              isIn ? Effect.succeed(null) : folders.destination(to ?? defaultDestination),
              repo.counts(accountId, month)
            ], { concurrency: "unbounded" })
            if (!fits(balance, quotaBytes, 1)) return yield* storageFull
            if (monthlyImages !== null && used >= monthlyImages) return yield* noImagesLeft
            if (underWay >= Limits.generationsAtOnce) return yield* tooMany
            const folderId = isIn ? limits.folderId : folder?.id ?? null
            yield* Pipeline.unawaited(
              repo.insert({
                id,
                accountId,
                ...settled,
                folderId,
                limitId: limits.folderId,
                credential,
                month,
                insertTime
              })
            )
            const { aspectRatio, model, quality } = settled
            yield* Pipeline.unawaited(enqueue(model, { accountId, id }))
            return { id, model, aspectRatio, quality }
          }))
      })

      const items = Effect.fnUntraced(function*(generations: ReadonlyArray<Generation.ShownGeneration>) {
        const now = yield* DateTime.now
        const seen = yield* records.of(
          generations.flatMap(({ image, isWithin }) => isWithin ? image! : []),
          () => "owner"
        )
        let next = 0
        return generations.map((one) => {
          const presence = one.image === null ? "none" : one.image.trashTime === null ? "there" : "trashed"
          return new Item(one, GenerationState.shown(one, presence, now), one.isWithin ? seen[next++]! : null)
        })
      })

      const select = Effect.fn("Generations.select")(function*(ids: ReadonlyArray<GenerationId>) {
        const { id: accountId, limits } = yield* mayRead
        const asked = onceEach(ids)
        const found = yield* items(yield* repo.select(accountId, limits, asked))
        const byId = new Map(found.map((item) => [item.id, item]))
        return asked.flatMap((id) => byId.get(id) ?? [])
      })

      const history = Effect.fn("Generations.history")(
        function*({ cursor, limit = Limits.generationsPage.byDefault }: HistoryQuery) {
          const { id: accountId, limits } = yield* mayRead
          if (cursor !== undefined && !isGenerationId(cursor)) return yield* wrongCursor
          const found = yield* repo.page(accountId, limits, cursor ?? null, limit + 1)
          const generations = yield* items(found.slice(0, limit))
          return { generations, nextCursor: found.length > limit ? generations.at(-1)!.id : null }
        }
      )

      const cancel = Effect.fn("Generations.cancel")(function*(id: GenerationId) {
        const caller = yield* allowed("generate")
        const { id: accountId, limits } = caller
        return yield* transaction.share(accountId, () =>
          Effect.gen(function*() {
            const found = Option.getOrUndefined(yield* repo.findSeen(accountId, limits, id))
            if (found === undefined) return false
            if (!mayEnd(caller, found.credential)) return yield* anothers
            if (!(yield* steps.cancel(found))) return false
            // The job ends what its provider does.
            yield* enqueue(found.model, { accountId, id: found.id })
            return true
          }))
      }, WritePurpose.freeing)

      const allowance = Effect.gen(function*() {
        const { id: accountId } = yield* mayRead
        const account = Option.getOrUndefined(yield* accounts.find(accountId))
        if (account === undefined || account.suspended) return yield* notAllowed
        const now = yield* DateTime.now
        const { used } = yield* repo.counts(accountId, Generation.monthOf(now))
        return {
          plan: account.plan,
          used,
          limit: account.plan === null ? 0 : account.monthlyImages,
          renewTime: DateTime.formatIso(Generation.renewTime(now))
        }
      }).pipe(Effect.withSpan("Generations.allowance"))

      for (const { job } of imageJobs) yield* job.handle(({ accountId, id }) => run(accountId, id))

      const forget = Effect.gen(function*() {
        yield* repo.forgetEnded(DateTime.subtractDuration(yield* DateTime.now, Limits.generationRecordLifetime))
      }).pipe(Effect.withSpan("Generations.forget"))
      yield* generationForgetJob.handle(forget)

      return Generations.of({ generate, select, history, cancel, allowance, forget })
    })
  )

  static readonly layer = Layer.merge(this.layerNoDeps, GenerationsLiveKeys).pipe(Layer.provide(GenerationsRepo.layer))
}

const Item = constructorOf(
  function(
    this: Writable<GenerationItem>,
    one: Generation.ShownGeneration,
    { code, isTrashed, status }: GenerationState.Shown,
    image: FileRecord | null
  ) {
    this.id = one.id
    this.status = status
    if (isTrashed && image !== null) this.trashed = true
    this.error = code === null ? null : Generation.sentenceOf(code)
    this.code = code
    this.model = one.model
    this.aspectRatio = one.aspectRatio
    this.quality = one.quality
    this.prompt = one.prompt
    this.image = image
    this.insertTime = one.insertTime.toISOString()
  }
)

const defaultDestination: Destination = { path: Generation.defaultFolder, field: "folder" }

const isGenerationId = Schema.is(GenerationId)

const wrongCursor = new InvalidField({
  code: "invalid_field",
  field: "cursor",
  because: "must be a `nextCursor` as it was answered"
})

const refused = (code: Refused["code"], because: string) => new Refused({ code, because })

const notAllowed = refused("not_allowed", "This account may not use the drive.")
const noSubscription = refused("no_subscription", "This account has no plan, so it cannot generate images.")
const proOnly = refused(
  "pro_only",
  "This choice needs the pro plan: nanoBananaPro, and gptImage2 with the quality medium or high."
)
const storageFull = refused("storage_full", "The account has no room for an image.")
const anothers = refused("token_limit", "This token may not delete, and the image was asked for by another.")
const noImagesLeft = refused("no_images_left", "This month's images are used up.")
const tooMany = refused(
  "not_allowed",
  `${Limits.generationsAtOnce} images of this account are under way, and more may begin when one has ended.`
)
