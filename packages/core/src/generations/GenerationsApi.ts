/** The HTTP contract of generated images. Declarations only; no handler code. Spec: "Images"; contract: "Image generation". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { FileRecord } from "../files/FileRecord.ts"
import * as ApiError from "../http/ApiError.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { Session } from "../http/Session.ts"
import * as Limits from "../limits/Limits.ts"
import { AspectRatio, ImageModel, ImageQuality } from "../ports/ImageGenerator.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import { FolderId, GenerationId } from "../shared/Ids.ts"
import { Choice, failureCodes } from "./Generation.ts"

const { generationsPage, generationsPerCall } = Limits
const time = Schema.String.annotate({ format: "date-time" })

const settled = {
  id: GenerationId,
  model: ImageModel,
  aspectRatio: AspectRatio,
  /** Null for every model but gptImage2. */
  quality: Schema.NullOr(ImageQuality)
}

const GenerationItem = Schema.Struct({
  id: GenerationId,
  status: Schema.Literals(["working", "done", "failed"]),
  /** There and true when the image is in trash. */
  trashed: Schema.optionalKey(Schema.Literal(true)),
  /** Why it failed, as a sentence for people. */
  error: Schema.NullOr(Schema.String),
  /** Why it failed, for programs (extension). */
  code: Schema.NullOr(Schema.Literals(failureCodes)),
  model: ImageModel,
  aspectRatio: AspectRatio,
  quality: Schema.NullOr(ImageQuality),
  prompt: Schema.String,
  /** The saved image; null until it is done, and when it has been deleted since. */
  image: Schema.NullOr(FileRecord),
  insertTime: time
}).annotate({ identifier: "Generation" })

const choice = { model: "gptImage2", aspectRatio: "3:2", quality: "medium" } as const
const prompt = "A tram on a hill in Lisbon, in the evening sun"
const done = {
  id: Examples.generationId,
  status: "done",
  error: null,
  code: null,
  ...choice,
  prompt,
  image: {
    ...Examples.photo,
    fileName: "a-tram-on-a-hill-in-lisbon-in-the-evening-sun.png",
    mimeType: "image/png",
    description: prompt,
    tags: []
  },
  insertTime: Examples.insertTime
}

export class GenerationsApi extends HttpApiGroup.make("generations")
  .add(
    HttpApiEndpoint.post("generateImage", "/generate-image", {
      payload: Schema.Struct({
        ...Choice.fields,
        folder: Schema.optionalKey(FolderPath.Path),
        folderId: Schema.optionalKey(Schema.NullOr(FolderId))
      }),
      success: Schema.Struct(settled),
      error: [ApiError.NotFound, ...ApiError.ofStorage]
    }).annotateMerge(operation({
      description:
        "Generates an image from `prompt` and saves it privately to your drive. The call answers at once; `/select-generations` tells when " +
        "the image is done. `model` is gptImage2 by default. `aspectRatio` is 1:1 by default; gptImage2 takes only 1:1, 3:2 and 2:3. `quality` is for " +
        "gptImage2 alone: low by default on the basic plan, medium on the pro plan. The image goes to the `folder` path, whose missing folders are " +
        "made, or to `folderId` (null: the top of the drive); with neither, to `/Generated images`, or to the folder that the token is " +
        "limited to. It is named for the prompt, and the prompt is its description. Each image is taken from the calendar month's allowance, and given back " +
        "when it fails or is cancelled. 403: `no_subscription` " +
        "without a plan, `pro_only` for nanoBananaPro, and for gptImage2 at medium or high, on the basic plan, `storage_full`, `no_images_left`, and " +
        "`not_allowed` with 100 images under way. 404: you have no folder `folderId`. 502 `generator_unavailable`: this model can't be asked now.",
      permissions: ["generate"],
      effect: "changes",
      isRepeatable: false,
      tool:
        "Generates an image from a text prompt and saves it to the drive. It returns an id at once; call select_generations with it until the image is " +
        "done or failed. Each image counts against a monthly allowance.",
      example: { request: { prompt, ...choice }, answer: { id: Examples.generationId, ...choice } }
    })),
    HttpApiEndpoint.post("selectGenerations", "/select-generations", {
      payload: Schema.Struct({
        ids: Schema.Array(GenerationId).check(Schema.isBetweenLength(generationsPerCall.min, generationsPerCall.max))
      }),
      success: Schema.Struct({ generations: Schema.Array(GenerationItem) })
    }).annotateMerge(operation({
      description:
        "Returns the states of generations, by the `ids` that `/generate-image` returned, in the order asked: `working`, `done` with the `image`, or " +
        "`failed` with the reason in `error`, for people, and in `code`, for programs. `trashed` is there, and true, when the image is in trash. A " +
        "generation whose image was deleted for good is failed, 15 minutes after it succeeded at the earliest. Ids that are not yours are left out. A " +
        "limited token needs `generate` or `read`.",
      permissions: ["generate", "read"],
      effect: "reads",
      isRepeatable: true,
      tool:
        "Returns the states of generated images: working, done with the image's file, or failed with the reason. `ids` are those that " +
        "generate_image returned.",
      example: { request: { ids: [Examples.generationId] }, answer: { generations: [done] } }
    })),
    HttpApiEndpoint.post("selectGenerationHistory", "/select-generation-history", {
      payload: [
        Schema.Struct({
          limit: Schema.optionalKey(
            Schema.Int.check(Schema.isBetween({ minimum: generationsPage.min, maximum: generationsPage.max }))
          ),
          cursor: Schema.optionalKey(Schema.String)
        }),
        Schema.Null
      ],
      success: Schema.Struct({ generations: Schema.Array(GenerationItem), nextCursor: Schema.NullOr(Schema.String) })
    }).annotateMerge(operation({
      description:
        "Your generations, newest first, as `/select-generations` shows them. `limit` is 50 by default. Pass `nextCursor` back as `cursor` for the next " +
        "page; null on the last page. Those that ended without an image, and those whose image was deleted for good, are forgotten after 30 days. " +
        "A limited token needs `generate` or `read`.",
      permissions: ["generate", "read"],
      effect: "reads",
      isRepeatable: true,
      tool: "Lists the images that were generated, newest first, with their prompts, states and files.",
      example: { request: { limit: 1 }, answer: { generations: [done], nextCursor: Examples.generationId } }
    })),
    HttpApiEndpoint.post("cancelGeneration", "/cancel-generation", {
      payload: Schema.Struct({ id: GenerationId }),
      success: Schema.Struct({ cancelled: Schema.Boolean })
    }).annotateMerge(operation({
      description:
        "Ends a generation of yours that is `working`: it is failed from then on, and its image is given back to the month's allowance. `cancelled` is " +
        "false when none with this id exists, or it has ended. A limited token that may not `delete` cancels the generations that it began " +
        "itself; another's is 403 `token_limit`.",
      permissions: ["generate"],
      effect: "changes",
      isRepeatable: true,
      tool: "Cancels the generation of an image that is still working. It does not count against the allowance then.",
      example: { request: { id: Examples.generationId }, answer: { cancelled: true } }
    })),
    HttpApiEndpoint.post("getImageAllowance", "/get-image-allowance", {
      success: Schema.Struct({
        plan: Schema.NullOr(Schema.Literals(["basic", "pro"])),
        used: Schema.Int,
        limit: Schema.NullOr(Schema.Int),
        renewTime: time
      }),
      error: ApiError.ofStorage
    }).annotateMerge(operation({
      description:
        "How many images of this calendar month (UTC) are `used`, of how many: `limit`, which is null without a limit. `renewTime` is the " +
        "beginning of the next month. A limited token needs `generate` or `read`.",
      permissions: ["generate", "read"],
      effect: "reads",
      isRepeatable: true,
      tool: "Tells how many images may still be generated this month.",
      example: { answer: { plan: "pro", used: 12, limit: 500, renewTime: "2026-10-01T00:00:00.000Z" } }
    }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({ title: "Images", description: "Images generated from prompts." }))
{}
