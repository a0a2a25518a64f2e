/** Generated images. */
import { targetPath } from "../drive/Collections.ts"
import type { GenerationItem } from "../drive/Records.ts"
import { waitIfPossible } from "../drive/Waits.ts"
import { mention, mentionFiles } from "../Focus.ts"
import { type Plan, type PlanReply, Stopped } from "../Plan.ts"
import { call, type PlanContext, say } from "../PlanContext.ts"
import { quoted } from "../Speech.ts"
import type { Family } from "./Intent.ts"

interface ImageOptions {
  readonly prompt: string
  readonly model: string | null
  readonly aspectRatio: string | null
  readonly quality: string | null
  readonly folder: string | null
}

const models: ReadonlyArray<readonly [words: RegExp, model: string]> = [
  [/\bnano ?banana pro\b/i, "nanoBananaPro"],
  [/\bnano ?banana\b/i, "nanoBanana"],
  [/\bimagen ?4?(?: ?fast)?\b/i, "imagen4Fast"],
  [/\bseedream ?4?\b/i, "seedream4"],
  [/\bflux ?2 ?pro\b/i, "flux2Pro"],
  [/\bflux ?krea(?: ?dev)?\b/i, "fluxKreaDev"],
  [/\bgpt[- ]?image(?:[- ]?2)?\b/i, "gptImage2"]
]

const ratios: ReadonlyArray<readonly [words: RegExp, ratio: string]> = [
  [/\b(1:1|3:2|2:3|16:9|9:16|4:3|3:4)\b/, ""],
  [/\b(?:square|quadratisch\w*)\b/i, "1:1"],
  [/\b(?:wide-?screen(?: format)?|breitbild(?:format)?|16 zu 9|16 by 9)\b/i, "16:9"],
  [/\b(?:landscape format|landscape orientation|wide|im querformat|querformat|quer|in landscape|horizontal)\b/i, "3:2"],
  [
    /\b(?:portrait format|portrait orientation|im hochformat|hochformat|hochkant|upright|in portrait|vertical)\b/i,
    "2:3"
  ]
]

/** Behind what is to be seen: "in 16:9 with flux krea, high quality, into /Covers". */
const optionsOf = (text: string): ImageOptions => {
  let prompt = text
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const found = pattern.exec(prompt)
    if (found !== null) prompt = `${prompt.slice(0, found.index)} ${prompt.slice(found.index + found[0].length)}`
    return found
  }
  const folder = take(
    /,?\s*(?:and )?(?:(?:save|put|store) (?:it )?)?\b(?:in|into|to|nach)\s+(?:the folder\s+|den Ordner\s+)?(\/[^\s,;]+)/i
  )?.[1] ??
    take(/,?\s*(?:in|into) the (?:folder ([\w -]+)|([\w-]+) folder)/i)?.slice(1).find((one) => one !== undefined)
  const quality = take(
    /,?\s*(?:(?:in|with|at|mit)\s+)?\b(low|medium|high|niedriger|mittlerer|hoher)[- ](?:quality|Qualität)\b/i
  )?.[1]?.toLowerCase()
  let aspectRatio: string | null = null
  for (const [words, ratio] of ratios) {
    const found = take(
      new RegExp(
        `,?\\s*(?:\\b(?:in|as|with|im|aspect ratio|format|ratio)\\s+)*${words.source}(?:\\s*(?:format|aspect ratio|ratio))?`,
        "i"
      )
    )
    if (found !== null && aspectRatio === null) aspectRatio = ratio === "" ? found[1]! : ratio
  }
  let model: string | null = null
  for (const [words, name] of models) {
    const found = take(new RegExp(`,?\\s*(?:\\b(?:with|using|by|mit|model)\\s+)*${words.source}`, "i"))
    if (found !== null && model === null) model = name
  }
  return {
    prompt: prompt.replaceAll(/\s+/g, " ").trim().replace(
      /^(?:(?:im|in|in the|as)\s+)?(?:format|seitenverhältnis|aspect ratio|aspect|ratio|size)?\s*(?::\s*|,\s*)*(?:(?:von|mit|of|showing)\s+)?/i,
      ""
    ).replaceAll(/\s+(?:im|in)\s+(?:format|seitenverhältnis|aspect ratio)$/gi, "").trim().replaceAll(
      /^["“„]|["”“]$|[,;]+$/g,
      ""
    ).trim(),
    model,
    aspectRatio,
    quality: quality === undefined
      ? null
      : { low: "low", niedriger: "low", medium: "medium", mittlerer: "medium" }[quality] ?? "high",
    folder: folder ?? null
  }
}

/** How a generation ended, and its image as what "it" means. */
export function* generationDone(it: PlanContext, id: string): Plan<PlanReply> {
  const { generations } = yield* call<{ readonly generations: ReadonlyArray<GenerationItem> }>(
    it,
    "select_generations",
    { ids: [id] }
  )
  const [one] = generations
  if (one === undefined) throw new Stopped({ text: say(it, "The image is gone.", "Das Bild gibt es nicht mehr.") })
  if (one.status === "failed") {
    throw new Stopped({
      text: say(
        it,
        `The image could not be made: ${one.error ?? ""}`,
        `Das Bild ließ sich nicht erzeugen: ${one.error ?? ""}`
      )
    })
  }
  if (one.status === "working" || one.image === null) {
    return {
      text: say(it, `The image is being made (${id}).`, `Das Bild wird erzeugt (${id}).`),
      links: [{ kind: "image", id, name: one.prompt ?? "", url: null }]
    }
  }
  mentionFiles(it.focus, [one.image])
  return {
    text: say(
      it,
      `The image is ready: ${quoted(one.image.fileName)} (${one.image.id}).`,
      `Das Bild ist fertig: ${quoted(one.image.fileName)} (${one.image.id}).`
    ),
    links: [{ kind: "file", id: one.image.id, name: one.image.fileName, url: null }]
  }
}

function* generate(it: PlanContext, text: string): Plan<PlanReply> {
  const { aspectRatio, folder, model, prompt, quality } = optionsOf(text)
  if (prompt === "") throw new Stopped({ text: say(it, "What should the image show?", "Was soll auf dem Bild sein?") })
  const path = folder === null ? null : yield* targetPath(it, folder)
  const { id } = yield* call<{ readonly id: string }>(it, "generate_image", {
    prompt: prompt.slice(0, 4000),
    // Where no model is named, one is taken that makes images of that shape.
    ...(model === null && (aspectRatio === null || /^(?:1:1|3:2|2:3)$/.test(aspectRatio))
      ? {}
      : { model: model ?? "imagen4Fast" }),
    ...(aspectRatio === null ? {} : { aspectRatio }),
    ...(quality === null ? {} : { quality }),
    ...(path === null || path === "/" ? {} : { folder: path })
  })
  mention(it.focus, "image", { id, name: prompt })
  yield* waitIfPossible(it, {
    kind: "image",
    id,
    text: say(it, `the image of ${quoted(prompt)}`, `das Bild ${quoted(prompt)}`)
  })
  return yield* generationDone(it, id)
}

export const Images: Family = {
  name: "images",
  examples: {
    en: [
      "generate an image of a tram in the rain in 16:9",
      "draw a picture of a lighthouse at night with flux krea into /Covers",
      "how many images can I still generate this month?"
    ],
    de: [
      "erzeuge ein Bild von einer Straßenbahn im Regen",
      "male ein Bild von einem Leuchtturm",
      "wie viele Bilder darf ich noch erzeugen?"
    ]
  },
  intents: [
    {
      name: "generate an image",
      forms: [
        "(generate|draw|paint|create|make|design|render|illustrate|sketch|imagine|need|want|produce) [me] [square|portrait|landscape] (#image|illustration|drawing|artwork|painting|logo|poster) (of|showing|with|depicting|that shows|for|:) <text>",
        "(generate|draw|paint|illustrate|sketch|render|imagine) [me] <text>",
        "(erzeuge|generiere|male|zeichne|erstelle|mach|mache|mal) [mir] (#image|illustration|zeichnung|logo) (von|mit|das|auf dem|:) <text>",
        "(generate|draw|paint|create|make|design|render|sketch|need|want|produce|erzeuge|generiere|male|zeichne|erstelle|mach|mache|mal) [me|mir] (#image|illustration|drawing|painting|zeichnung|logo|poster) (in|im|as|als) <text>",
        "(generate|draw|paint|create|make|design|render|need|want|produce|erzeuge|generiere|male|zeichne|erstelle|mach|mache|mal) [me|mir] <text:format> (#image|illustration|drawing|painting|zeichnung) (of|von|mit|showing|:) <text>",
        "#image (von|mit) <text> (erzeugen|generieren|malen|zeichnen|erstellen)",
        "(generate|create|make) <text> as #image",
        "(male|malt|zeichne|zeichnet|generiere|mal|zeichnen|malen|generieren|entwirf|entwerfen|skizziere|illustriere|generier) [mir|uns|mal|bitte] <text>",
        "(@create|@draw) [me|us|mir|uns] (a|an|another|ein|eine|einen) <text:format> (#image|illustration|drawing|artwork|painting|logo|poster|zeichnung|gemalde) (of|showing|with|depicting|that shows|for|von|mit|das|auf dem) <text>",
        "(@create|@draw) [me|us|mir|uns] (a|an|another|some|ein|eine|einen) (#image|illustration|drawing|artwork|painting|logo|poster|zeichnung|gemalde) (of|showing|with|depicting|that shows|for|von|mit|das|auf dem|:) <text>",
        "(@create|@draw) [me|us|mir|uns] (a|an|another|some|ein|eine|einen) (#image|illustration|drawing|artwork|painting|zeichnung) (in|im|as|als) <text>",
        "<text> (malen|zeichnen|generieren|illustrieren)",
        "(ein|eine) (#image|illustration|zeichnung) (von|mit) <text> (generieren|erzeugen|malen)"
      ],
      judge: (slots) => {
        const text = slots.get("text")!
        // A gallery, zip or playlist of images is made of images that there are.
        return /\b(?:playlist|gallery|zip|archive|folder|galerie|ordner|archiv|link|request|review)\b/i.test(
            `${slots.get("text", "format") ?? ""} ${text.split(" ").slice(0, 3).join(" ")}`
          )
          ? null
          : 0.2
      },
      plan: (slots, it) =>
        generate(it, [slots.get("text")!, slots.get("text", "format")].filter((one) => one !== undefined).join(", "))
    },
    {
      name: "image allowance",
      forms: [
        "@howmany #image (can|may|could) i [still] (generate|make|create) [this month|left|more]",
        "@howmany (#image|#allowance|generations|image generations) (are|do i have|have i) (left|got left|remaining|ubrig)",
        "@howmany #image (do i have|are) left [to generate|this month]",
        "@howmany #image (darf|kann) ich [noch] (erzeugen|generieren|machen)",
        "@find #allowance",
        "(what|was) @is #allowance",
        "@howmany more #image can i (generate|make|create)"
      ],
      judge: () => 2,
      *plan(_, it) {
        const { limit, plan, renewTime, used } = yield* call<
          {
            readonly plan: string | null
            readonly used: number
            readonly limit: number | null
            readonly renewTime: string
          }
        >(it, "get_image_allowance")
        if (plan === null) {
          return { text: say(it, "This account has no plan for images.", "Dieses Konto hat keinen Tarif für Bilder.") }
        }
        if (limit === null) {
          return {
            text: say(
              it,
              `${used} images were generated this month; there is no limit.`,
              `Diesen Monat wurden ${used} Bilder erzeugt; es gibt keine Grenze.`
            )
          }
        }
        return {
          text: say(
            it,
            `${limit - used} of ${limit} images are left until ${renewTime.slice(0, 10)}.`,
            `Bis ${renewTime.slice(0, 10)} sind noch ${limit - used} von ${limit} Bildern übrig.`
          )
        }
      }
    },
    {
      name: "cancel an image",
      forms: [
        "(cancel|stop|abort|brich) [the] #image [generation|erzeugung] [ab]",
        "(cancel|stop|abort) generating [the] [#image]"
      ],
      judge: () => 1.5,
      *plan(_, it) {
        const { image } = it.focus
        if (image === null) {
          throw new Stopped({
            text: say(it, "No image is being made in this conversation.", "In diesem Gespräch wird kein Bild erzeugt.")
          })
        }
        const { cancelled } = yield* call<{ readonly cancelled: boolean }>(it, "cancel_generation", { id: image.id })
        return {
          text: cancelled
            ? say(it, "The image was cancelled.", "Das Bild wurde abgebrochen.")
            : say(it, "The image was finished already.", "Das Bild war schon fertig.")
        }
      }
    },
    {
      name: "how far an image is",
      forms: ["@is [the] #image (ready|done|finished|fertig) [yet|schon]", "@howfar @is [the] #image"],
      judge: () => 1.5,
      *plan(_, it) {
        const { image } = it.focus
        if (image === null) {
          throw new Stopped({
            text: say(
              it,
              "No image was asked for in this conversation.",
              "In diesem Gespräch wurde kein Bild verlangt."
            )
          })
        }
        return yield* generationDone(it, image.id)
      }
    }
  ]
}
