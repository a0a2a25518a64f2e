/**
 * The generation of an image: what may be asked for, what is kept of it, and what callers are told. Its life is in
 * {@link "./GenerationState.ts"}. Spec: "Images"; contract: "Image generation".
 */
import { DateTime, Schema } from "effect"
import { type Description, FileName } from "../files/FileDetail.ts"
import type { FileRecord } from "../files/FileRecord.ts"
import type { StoredFile } from "../files/StoredFile.ts"
import * as Limits from "../limits/Limits.ts"
import type { Plan } from "../ports/Accounts.ts"
import {
  AspectRatio,
  type GeneratedImage,
  ImageModel,
  imageModels,
  ImageQuality,
  type ProviderJob
} from "../ports/ImageGenerator.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import type { AccountId, FileId, FolderId, GenerationId } from "../shared/Ids.ts"
import { Text } from "../shared/Text.ts"

declare module "../events/DriveEvent.ts" {
  interface EventImage extends FileRecord {}
}

export const Prompt = Text.check(Schema.isBetweenLength(Limits.promptLength.min, Limits.promptLength.max))

/** Where images are saved unless the call says otherwise. Contract: "Image generation". */
export const defaultFolder = FolderPath.Path.make("/Generated images")

/** The aspect ratios of each model. Spec: `/generate-image`. */
export const aspectRatiosOf = (model: ImageModel): ReadonlyArray<AspectRatio> =>
  model === "gptImage2" ? ["1:1", "3:2", "2:3"] : AspectRatio.literals

/** What is asked for, as it comes in: checked for what a model does not do. */
export const Choice = Schema.Struct({
  prompt: Prompt,
  model: Schema.optionalKey(ImageModel),
  aspectRatio: Schema.optionalKey(AspectRatio),
  quality: Schema.optionalKey(ImageQuality)
})
export type Choice = typeof Choice.Type

/** The choice with its defaults. */
export interface Settled {
  readonly prompt: string
  readonly model: ImageModel
  readonly aspectRatio: AspectRatio
  readonly quality: ImageQuality | null
}

export interface Flaw {
  readonly field: "aspectRatio" | "quality"
  readonly because: string
}

/** Why a model does not do what is chosen; undefined when it does. */
export const flaw = ({ aspectRatio = "1:1", model = imageModels[0], quality }: Choice): Flaw | undefined => {
  const ratios = aspectRatiosOf(model)
  if (!ratios.includes(aspectRatio)) {
    return { field: "aspectRatio", because: `must be one of ${ratios.join(", ")} for ${model}` }
  }
  return quality !== undefined && model !== "gptImage2"
    ? { field: "quality", because: "must be left out for every model but gptImage2" }
    : undefined
}

/** The choice of an account with this plan: `quality` is low by default on the basic plan, medium on the pro plan. */
export const settle = (
  { aspectRatio = "1:1", model = imageModels[0], prompt, quality }: Choice,
  plan: Plan
): Settled => ({
  prompt,
  model,
  aspectRatio,
  quality: model === "gptImage2" ? quality ?? (plan === "pro" ? "medium" : "low") : null
})

/** Whether the pro plan alone has this choice. */
export const isProOnly = ({ model, quality }: Pick<Settled, "model" | "quality">): boolean =>
  model === "nanoBananaPro" || (model === "gptImage2" && quality !== "low")

/**
 * - `waiting`: to be asked for.
 * - `asking`: recorded before the provider is asked, so that a crash can't lead to a second time.
 * - `submitted`: the provider's job is recorded, and looked at until it is over.
 * - `storing`: the image is here, and its key in storage is recorded.
 */
export const underWay = ["waiting", "asking", "submitted", "storing"] as const
export const states = [...underWay, "done", "failed", "cancelled"] as const
export type GenerationState = typeof states[number]

export const isUnderWay = (state: GenerationState): boolean =>
  (underWay as ReadonlyArray<GenerationState>).includes(state)

/** Why a generation failed, for programs. */
export const failureCodes = [
  "moderated",
  "rejected",
  "generator_unavailable",
  "busy",
  "unavailable",
  "invalid",
  "lost",
  "timed_out",
  "interrupted",
  "storage_full",
  "not_saved",
  "not_allowed",
  "cancelled",
  "image_deleted"
] as const
export type FailureCode = typeof failureCodes[number]

/** The image in storage. */
export interface StoredImage {
  readonly storeKey: string
  readonly mimeType: string
  readonly sizeBytes: number
}

export interface Generation extends Settled {
  readonly id: GenerationId
  readonly accountId: AccountId
  /** Where its image is saved. */
  readonly folderId: FolderId | null
  /** The folder that the token is limited to which asked; null without such a limit. */
  readonly limitId: FolderId | null
  /** That began it; null where nothing is known of it. */
  readonly credential: string | null
  /** First day of the month whose allowance it is taken from, as `2026-01-01`. */
  readonly month: string
  readonly state: GenerationState
  readonly job: ProviderJob | null
  /** Failures of the provider since it last made progress, and when the first of them was. */
  readonly failures: number
  readonly failTime: DateTime.Utc | null
  /** Counts its runs: of two, only the later one may change it. */
  readonly run: number
  readonly submitTime: DateTime.Utc | null
  /** When the provider had made the image. */
  readonly successTime: DateTime.Utc | null
  readonly stored: StoredImage | null
  readonly fileId: FileId | null
  readonly code: FailureCode | null
  readonly insertTime: DateTime.Utc
  readonly endTime: DateTime.Utc | null
}

/** What is shown of a generation, and its image. */
export interface ShownGeneration extends Settled, Pick<Generation, "id" | "state" | "code" | "successTime"> {
  readonly insertTime: Date
  /** Null when there is none, in trash or not. */
  readonly image: StoredFile | null
  /** Whether the call sees the image. */
  readonly isWithin: boolean
}

/** A new generation. */
export type NewGeneration = Pick<
  Generation,
  | "id"
  | "accountId"
  | "model"
  | "prompt"
  | "aspectRatio"
  | "quality"
  | "folderId"
  | "limitId"
  | "credential"
  | "month"
  | "insertTime"
>

/** The first day of a time's month in UTC. */
export const monthOf = (time: DateTime.Utc): string => `${DateTime.formatIso(time).slice(0, 7)}-01`

/** When the month after a time's begins, in UTC. */
export const renewTime = (time: DateTime.Utc): DateTime.Utc =>
  DateTime.add(DateTime.startOf(time, "month"), { months: 1 })

const sentences: Readonly<Record<FailureCode, string>> = {
  moderated: "The model's rules do not allow this prompt or its image. Change the prompt.",
  rejected: "The model did not accept this request. Change the prompt or choose another model.",
  generator_unavailable: "This model cannot generate images right now. Try again later, or choose another.",
  busy: "The image generator has too many requests right now. Try again later.",
  unavailable: "The image generator failed. Try again.",
  invalid: "The image generator returned no usable image. Try again.",
  lost: "The image generator lost this image. Try again.",
  timed_out: "The image was not there in time. Try again.",
  interrupted: "The drive was interrupted while the image was being generated. Try again.",
  storage_full: "The account has no room for the image.",
  not_saved: "The image could not be saved. Try again.",
  not_allowed: "This account may not store files.",
  cancelled: "The generation was cancelled.",
  image_deleted: "The image was deleted."
}

/** As a sentence for people; nothing of the provider's own text. At most 300 characters. */
export const sentenceOf = (code: FailureCode): string => sentences[code]

const startsWith = (bytes: Uint8Array, text: string, at = 0): boolean =>
  bytes.length >= at + text.length && [...text].every((character, no) => bytes[at + no] === character.charCodeAt(0))

/** The kind of an image by its first bytes; null for none that is saved. */
export const kindOf = (
  { bytes }: GeneratedImage
): { readonly mimeType: string; readonly extension: string } | null =>
  startsWith(bytes, "\x89PNG\r\n\x1a\n")
    ? { mimeType: "image/png", extension: "png" }
    : startsWith(bytes, "\xff\xd8\xff")
    ? { mimeType: "image/jpeg", extension: "jpg" }
    : startsWith(bytes, "RIFF") && startsWith(bytes, "WEBP", 8)
    ? { mimeType: "image/webp", extension: "webp" }
    : null

const extensions: Readonly<Record<string, string>> = { "image/png": "png", "image/jpeg": "jpg", "image/webp": "webp" }

const slugMaxBytes = 120
const encoder = new TextEncoder()

/** Letters and digits of the prompt in small letters, with `-` between words; `image` when it has none. */
export const slugOf = (prompt: string): string => {
  const words = prompt.normalize("NFC").replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "").toLowerCase().match(
    /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
  ) ?? []
  let slug = ""
  let bytes = 0
  for (const character of words.join("-")) {
    bytes += encoder.encode(character).length
    if (bytes > slugMaxBytes) break
    slug += character
  }
  return slug.replace(/-+$/, "") || "image"
}

/** The name of its file. */
export const fileNameOf = ({ prompt, stored }: Pick<Generation, "prompt" | "stored">): FileName => {
  const name = `${slugOf(prompt)}.${extensions[stored?.mimeType ?? ""] ?? "png"}`
  return isFileName(name) ? name : ("image.png" as FileName)
}
const isFileName = Schema.is(FileName)

/** The prompt, as the description of its file. */
export const descriptionOf = ({ prompt }: Pick<Generation, "prompt">): Description => prompt as Description
