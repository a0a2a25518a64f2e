/** What people ask of a drive that it can't do: an honest answer, and what comes near. */
import { say } from "../PlanContext.ts"
import type { Family } from "./Intent.ts"

export const Cannot: Family = {
  name: "what can't be done",
  examples: {
    en: ["send an email to bob", "make a copy of report.pdf", "print report.pdf"],
    de: ["schreib bob eine Mail", "mach eine Kopie von vertrag.pdf"]
  },
  intents: [
    {
      name: "send a message",
      forms: [
        "(send|write|schick|schreib|schreibe) [<people>] [a|an|eine] (email|e-mail|mail|message|sms|whatsapp|nachricht) [<text>]",
        "(email|e-mail|mail) <text>",
        "(call|phone|ring) <people>"
      ],
      judge: (slots) => slots.get("people")?.some((name) => name.includes(".")) === true ? null : 1,
      *plan(_, it) {
        return {
          text: say(
            it,
            "I can't send messages. I can share files with people of this drive, or give you a link that you send.",
            "Nachrichten kann ich nicht schicken. Ich kann Dateien teilen oder dir einen Link geben, den du schickst."
          )
        }
      }
    },
    {
      name: "copy or edit",
      forms: [
        "@create [a|another] (copy|duplicate|backup|kopie|sicherungskopie) (of|from|von) <files>",
        "(copy|duplicate|clone|kopiere|kopier|dupliziere) <files> [<text>]",
        "(edit|crop|resize|rotate|convert|translate|transcribe|print|bearbeite|drucke|konvertiere|ubersetze) <files> [<text>]",
        "<files> (kopieren|drucken|bearbeiten|konvertieren|ubersetzen)"
      ],
      judge: (slots) => slots.get("files")!.said.includes("://") ? null : 0.2,
      *plan(_, it) {
        return {
          text: say(
            it,
            "I can't copy, edit or print files. I can move, rename, tag, share or zip them, or give you a link to one.",
            "Kopieren, bearbeiten oder drucken kann ich Dateien nicht. Ich kann sie verschieben, umbenennen, taggen, teilen, " +
              "in ein ZIP packen oder dir einen Link geben."
          )
        }
      }
    }
  ]
}
