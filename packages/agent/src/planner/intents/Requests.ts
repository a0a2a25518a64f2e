/** File requests: links at which people without an account send files. */
import type { Family } from "./Intent.ts"
import { arrivals } from "./RequestArrivals.ts"
import { changes, closing } from "./RequestChanges.ts"
import { collecting, creation } from "./RequestCreation.ts"
import { requestState } from "./RequestState.ts"
import { senders } from "./Senders.ts"

export const Requests: Family = {
  name: "requests",
  examples: {
    en: [
      "make a file request called Wedding photos",
      "create an upload link for the mixes into /Mixes until Friday with the message \"WAV only, please\"",
      "close the request Wedding photos",
      "reopen the Wedding photos request",
      "what did people send to the request Wedding photos?",
      "which file requests are open?"
    ],
    de: [
      "erstelle eine Dateianfrage Hochzeitsfotos bis Freitag",
      "schließe die Anfrage Hochzeitsfotos",
      "welche Dateianfragen habe ich?"
    ]
  },
  intents: [creation, collecting, requestState, ...senders, ...closing, ...arrivals, ...changes]
}
