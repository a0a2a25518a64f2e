/** Help, greetings and thanks. */
import { say } from "../PlanContext.ts"
import { abilities, helpText } from "./helpText.ts"
import type { Family } from "./Intent.ts"

export const Help: Family = {
  name: "help",
  examples: { en: ["help", "what can you do?", "hello", "thanks"], de: ["hilfe", "was kannst du?", "danke"] },
  intents: [
    {
      name: "help",
      forms: [
        "@help",
        "@help @me",
        "(what|was) (can|kannst|could) (you|du|i) (do|ask|tun|machen) [alles|for me|here|hier]"
      ],
      judge: () => 1,
      *plan(_, it) {
        return helpText(it, [])
      }
    },
    {
      name: "thanks",
      forms: [
        "(thanks|thank you|thx|cheers|danke|vielen dank|great|perfect|super|nice|cool|prima|toll|awesome|bye|tschuss|good|gut|well done) [a lot|very much|so much|job|work|schon|dir|gemacht|you]"
      ],
      judge: () => 0.2,
      *plan(_, it) {
        return { text: say(it, "You’re welcome.", "Gern geschehen.") }
      }
    },
    {
      name: "hello",
      forms: [
        "(hi|hello|hey|good morning|good evening|good afternoon|hallo|guten tag|guten morgen|moin|servus) [there|zusammen|you]"
      ],
      *plan(_, it) {
        return { text: `${say(it, "Hello!", "Hallo!")} ${abilities(it)}` }
      }
    },
    {
      name: "not to do",
      forms: [
        "(don't|dont|do not|never|please don't) (delete|remove|trash|move|rename|publish|touch|tag|change) <text>"
      ],
      judge: () => 1,
      *plan(_, it) {
        return { text: say(it, "All right, I leave it as it is.", "In Ordnung, ich lasse es, wie es ist.") }
      }
    },
    {
      name: "never mind",
      forms: ["@no", "@no @no"],
      judge: () => -0.5,
      *plan(_, it) {
        return { text: say(it, "All right, I did nothing.", "In Ordnung, ich habe nichts getan.") }
      }
    }
  ]
}
