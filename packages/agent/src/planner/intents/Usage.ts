/** How much storage is used. */
import { anyFile } from "../files/FileQuery.ts"
import { call, say } from "../PlanContext.ts"
import { bytes, filesCounted } from "../Speech.ts"
import { find } from "./Finding.ts"
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
      name: "what uses most storage",
      forms: [
        "(what|which|was|whats) [files|file|dateien] [@is] (using|taking|taking up|eating|eating up|hogging|filling|takes|uses|takes up|eats) [up] [the] (most|biggest part) [of] [the|my] #storage [here]",
        "(was|what) (frisst|verbraucht|kostet|belegt|braucht|nimmt) [hier] [den|am|das] meisten #storage [weg|ein]",
        "(welche|which) [dateien|files] (belegen|brauchen|verbrauchen|fressen|nehmen) [hier] [den|am|das] meisten #storage [weg|ein]"
      ],
      judge: () => 2.5,
      plan: (_, it) =>
        find(it, {
          ...anyFile,
          sort: "largest",
          count: 3,
          number: "many",
          said: say(it, "the largest files", "die größten Dateien")
        })
    },
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
        "(habe ich|haben wir|hab ich) [noch|uberhaupt] [genug|etwas|viel] #storage [noch] [frei|ubrig]",
        "@howmuch (have|did|do) (i|we) [already] (used|use|used up|store|stored)",
        "@howmuch (more|stuff|data) (can|could|may) (i|we) [still] (upload|store|save|add|put here)",
        "@howmuch @is [still|noch] (free|left|available|used|taken|frei|ubrig|belegt|verbraucht|in use)",
        "@howmuch (free|used|available) #storage (do|have|is|are) (i|we|there) [have|got|left]",
        "(do|have) (i|we) [still] [have|got] [still] [enough|any|some|much|plenty of] #storage [left|free|for more]",
        "@is [there] [still] (enough|any|some|much|noch|noch genug|genug) #storage [left|free|frei|da|ubrig]",
        "(what|how|hows|whats) @is [my|our|the] #storage [like|looking|situation|doing]",
        "@is (my|our|the|mein|meine|unser|das) (drive|account|#storage|laufwerk|konto) [almost|nearly|getting|bald|fast|schon|close to|about to be] (full|voll|used up|run out)",
        "(@howmany|@howmuch) (gb|mb|tb|gigabytes|megabytes|gigabyte|megabyte|bytes) (are|is|do|have|did|habe|hab|haben|sind|am) [i|we|ich|wir] [still|noch|have|have left|got] [left|free|available|used|using|use|frei|ubrig|belegt|verbraucht|have]",
        "#storage",
        "(was|what|wer) (frisst|verbraucht|kostet|belegt|braucht|nimmt|klaut) [den|am|das] [meisten|ganzen|so viel] #storage [weg|ein]",
        "(was|what) (frisst|verbraucht|belegt|braucht) am meisten #storage",
        "#storage (check|status|report|overview|stand|ubersicht|anzeigen)",
        "(will|wird) (my|mein) (drive|#storage|laufwerk) [bald] [be] (full|voll)",
        "wie (voll|belegt|gefullt) (ist|sind) (mein|meine|das|der|unser) (laufwerk|#storage|konto|drive|platte)",
        "(geht|geht mir|wird) [bald] [der|mir der] #storage [langsam] (aus|knapp|voll)",
        "@howmuch [of] [my] #storage [@is|have i|am i|did i] [already|schon] [used|using|taken|full|belegt|left|use]"
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
