/** How much storage is used. */
import { call, say } from "../Situation.ts"
import { bytes, filesCounted } from "../Speech.ts"
import type { Family } from "./Intent.ts"

interface StorageUsage {
  readonly usedBytes: number
  readonly quotaBytes: number | null
  readonly objectCount: number
  readonly buckets: ReadonlyArray<
    { readonly kinds: ReadonlyArray<{ readonly type: string; readonly bytes: number; readonly objects: number }> }
  >
  readonly trashedBytes: number
  readonly pendingBytes: number
}

export const Usage: Family = {
  name: "usage",
  examples: {
    en: ["how much storage am I using?", "how full is my drive?", "how much space is left?"],
    de: ["wie viel Speicher verbrauche ich?", "wie voll ist mein Drive?", "wie viel Platz habe ich noch?"]
  },
  intents: [
    {
      name: "storage usage",
      forms: [
        "@howmuch #storage (am|do|have|is|are|did|does|verbrauche|habe|brauche|ist|nutze|belege|belegen|wird) [i|we|ich|wir|my drive|there|it] [using|use|used|left|free|available|taken|taken up|consume|noch|ubrig|frei|have left|have|got left|belegt|verbraucht|remaining|in use]",
        "(how full|how big|how large|wie voll|wie gross) (is|ist) [my|the|mein|das] (drive|account|#storage)",
        "(what|which|was) [files|file|dateien] [@is] (using|taking|taking up|eating|eating up|hogging|filling|takes|uses|takes up) [up] [the] [most|so much|all|biggest part] [of] [my] #storage",
        "(where|wo) (is|did|ist|bleibt) [all] [my] #storage [go|gone|hin|geblieben]",
        "@find #storage [usage|use|used|statistics|stats|info]",
        "(what|was) @is #storage [usage|use]",
        "#storage (usage|used|left|use|verbrauch)",
        "(what|which|was) (takes|uses|takes up|is using|is taking up|nimmt|braucht|belegt|eats|is eating|eats up) [the] [most|so much|all|am meisten|meisten] [of my] #storage [ein|weg]",
        "(am|are) (i|we) (running out of|low on) #storage",
        "(do|have) (i|we) (have|got) [enough|any|much] #storage [left|free]",
        "@howmuch #storage (hab|habe|haben|bleibt) (ich|wir|mir) [noch] [ubrig|frei]",
        "(habe ich|haben wir) [noch] [genug] #storage [frei]"
      ],
      judge: () => 1.5,
      *plan(_, it) {
        const { buckets, objectCount, quotaBytes, trashedBytes, usedBytes } = yield* call<StorageUsage>(
          it,
          "get_user_storage_usage"
        )
        const kinds = new Map<string, { bytes: number; objects: number }>()
        for (const { bytes, objects, type } of buckets.flatMap((bucket) => bucket.kinds)) {
          const kind = kinds.get(type) ?? { bytes: 0, objects: 0 }
          kinds.set(type, { bytes: kind.bytes + bytes, objects: kind.objects + objects })
        }
        const lines = [...kinds].toSorted(([, a], [, b]) => b.bytes - a.bytes).map(([type, kind]) =>
          `- ${type}: ${bytes(it, kind.bytes)} (${kind.objects})`
        )
        const of = quotaBytes === null
          ? ""
          : say(
            it,
            ` of ${bytes(it, quotaBytes)}; ${bytes(it, Math.max(0, quotaBytes - usedBytes))} are left`,
            ` von ${bytes(it, quotaBytes)}; ${bytes(it, Math.max(0, quotaBytes - usedBytes))} sind frei`
          )
        const trash = trashedBytes > 0
          ? say(
            it,
            ` ${bytes(it, trashedBytes)} of it are in trash.`,
            ` ${bytes(it, trashedBytes)} davon liegen im Papierkorb.`
          )
          : ""
        return {
          text: [
            say(
              it,
              `You use ${bytes(it, usedBytes)}${of} for ${filesCounted(it, objectCount)}.${trash}`,
              `Belegt sind ${bytes(it, usedBytes)}${of}, für ${filesCounted(it, objectCount)}.${trash}`
            ),
            ...lines
          ].join("\n")
        }
      }
    }
  ]
}
