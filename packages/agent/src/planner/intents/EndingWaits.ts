/** "Stop waiting": ends what the task waits for. */
import { call, say } from "../PlanContext.ts"
import type { Family } from "./Intent.ts"

export const EndingWaits: Family = {
  name: "ending waits",
  examples: {
    en: ["stop waiting", "you don't have to wait any longer"],
    de: ["du brauchst nicht mehr zu warten", "hör auf zu warten"]
  },
  intents: [
    {
      name: "end the wait",
      forms: [
        "(stop|quit|cancel|end|abort|drop|finish) (waiting|the wait|that wait|this wait|watching|the watch|listening|looking out|checking|that task|this task|the task) [for (that|it|them|this|him|her)] [now]",
        "(stop|quit|cancel|end) (waiting|watching) [for] <text>",
        "(no need|theres no need|there is no need|no point|its not necessary|it is not necessary) (to|in) (wait|waiting|watch) [for (it|that)] [any longer|any more|anymore|longer]",
        "[you] (dont|do not|needn't|neednt|need not|don't|no longer) [have to|need to|must] (wait|watch|tell me|let me know|notify me) [for (it|that)] [any longer|any more|anymore|longer]",
        "(forget about|forget|never mind|nevermind) (it|that|the wait|waiting|about it|about the wait) [you (dont|do not|don't|neednt|needn't) [have to|need to] (wait|watch|tell me) [any longer|any more|anymore]]",
        "(hor|hore) [bitte] auf [damit] [zu warten|mit dem warten|zu beobachten]",
        "(warte|wart) nicht (mehr|langer|weiter) [darauf|auf (sie|das|ihn|es)]",
        "[du] (brauchst|musst) nicht [mehr|langer|weiter] [darauf] [zu] (warten|wartest) [mehr]",
        "[du] (kannst|darfst) aufhoren [zu warten]",
        "(brich|stopp|stoppe|beende) [das] (warten|aufgabe) [ab]",
        "(vergiss es|lass es|lass gut sein|lass das) [du (brauchst|musst) nicht [mehr] [zu] warten]",
        "(das warten|warten) (abbrechen|beenden|stoppen)",
        "(it|that|das|es) (is|ist|has|hat) [all] (settled|no longer needed|not needed|not needed any more|erledigt|sich erledigt|nicht mehr notig)",
        "i no longer (need|want) (to know|to be told|that)"
      ],
      judge: () => 2,
      *plan(_, it) {
        if (!it.tools.has("end_wait")) {
          return { text: say(it, "I am not waiting for anything here.", "Ich warte hier auf nichts.") }
        }
        yield* call(it, "end_wait")
        return {
          text: say(
            it,
            "All right, I no longer wait for that. What was to follow is not done.",
            "In Ordnung, ich warte nicht mehr darauf. Was danach kommen sollte, mache ich nicht."
          )
        }
      }
    }
  ]
}
