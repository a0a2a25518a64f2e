/** What the planner says of itself, and when it does not understand. */
import type { PlanReply } from "../Plan.ts"
import { type PlanContext, say } from "../PlanContext.ts"
import { quoted } from "../Speech.ts"

/** What may be asked for, by example. */
export const abilities = (it: PlanContext): string =>
  say(
    it,
    [
      "I work on your drive. For example:",
      "- “find the photos of Lisbon from last summer”, “how many tracks over 120 bpm are there?”, “where is report.pdf?”",
      "- “move all PDFs to /Reports”, “tag them with tax”, “rename draft.txt to final.txt”, “delete the screenshots”",
      "- “make a playlist of all tracks over 120 bpm and share it with bob”, “zip the folder Client Work”",
      "- “make logo.png public”, “give me a link to report.pdf”, “who opened report.pdf?”",
      "- “what does contract.pdf say about termination?”, “how much storage am I using?”",
      "- “make a file request for the wedding photos until Friday”, “create a review for cut.mp4”, “tell me when somebody sends files”",
      "- “import https://example.com/a.pdf into /Papers”, “generate an image of a tram in the rain”"
    ].join("\n"),
    [
      "Ich arbeite auf deinem Drive. Zum Beispiel:",
      "- „finde die Fotos von Lissabon vom letzten Sommer“, „wie viele Songs über 120 bpm gibt es?“, „wo ist vertrag.pdf?“",
      "- „verschiebe alle PDFs nach /Berichte“, „tagge sie mit Steuer“, „benenne entwurf.txt in fertig.txt um“, „lösche die Screenshots“",
      "- „erstelle eine Playlist aus allen Songs über 120 bpm und teile sie mit bob“, „packe den Ordner Kunden in ein ZIP“",
      "- „mach logo.png öffentlich“, „gib mir einen Link zu vertrag.pdf“, „wer hat vertrag.pdf geöffnet?“",
      "- „was steht in vertrag.pdf über Kündigung?“, „wie viel Speicher verbrauche ich?“",
      "- „erstelle eine Dateianfrage Hochzeitsfotos bis Freitag“, „sag mir Bescheid, wenn jemand Dateien schickt“",
      "- „importiere https://example.com/a.pdf in den Ordner Berichte“, „erzeuge ein Bild von einer Straßenbahn im Regen“"
    ].join("\n")
  )

/** For a request that was not understood, wholly or in part. Nothing of it was done. */
export const helpText = (it: PlanContext, unknown: ReadonlyArray<string>): PlanReply => {
  const [first] = unknown
  const lead = first === undefined
    ? ""
    : say(
      it,
      `I did not understand ${quoted(first.slice(0, 200))}, so I did nothing.\n`,
      `Ich habe ${quoted(first.slice(0, 200))} nicht verstanden und deshalb nichts getan.\n`
    )
  return { text: lead + abilities(it) }
}
