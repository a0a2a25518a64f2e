import type { RequestOf } from "@filedrive/client"
import { useSignal } from "@preact/signals"
import { Button } from "../components/Button.tsx"
import { notify, say } from "../foundation/announce.ts"
import { codeOf } from "../foundation/failure.ts"
import { refusalText } from "../owner/act.ts"
import type { Reviews } from "./reviews.ts"
import { t } from "./texts.ts"

type Format = RequestOf<"exportReviewNotes">["format"]

/** Called the same in every language. */
const formats = { csv: "CSV", edl: "EDL", fcpxml: "FCPXML" } as const satisfies Readonly<Record<Format, string>>

/** A file that is made here is kept until the browser has saved it. */
const keptMillis = 60_000

const save = (fileName: string, mimeType: string, text: string): void => {
  const anchor = document.createElement("a")
  anchor.href = URL.createObjectURL(new Blob([text], { type: mimeType }))
  anchor.download = fileName
  anchor.click()
  setTimeout(() => URL.revokeObjectURL(anchor.href), keptMillis)
}

/** The notes as a file for other programs. */
export const Export = ({ reviewId, reviews }: { readonly reviews: Reviews; readonly reviewId: string }) => {
  const busy = useSignal<Format | null>(null)
  const write = async (format: Format) => {
    busy.value = format
    try {
      const { fileName, mimeType, text } = await reviews.client.exportReviewNotes({ reviewId, format })
      save(fileName, mimeType, text)
      say(t("reviews.exported", { name: fileName }))
    } catch (error) {
      notify(codeOf(error) === "unavailable" ? t("reviews.notAnalysed") : refusalText(error), "error")
    } finally {
      busy.value = null
    }
  }
  return (
    <div class="export" role="group" aria-label={t("reviews.export")}>
      <span class="export-label" aria-hidden="true">{t("reviews.export")}</span>
      {(Object.keys(formats) as ReadonlyArray<Format>).map((format) => (
        <Button
          key={format}
          icon="download"
          busy={busy.value === format}
          onClick={() => void write(format)}
        >
          {formats[format]}
        </Button>
      ))}
    </div>
  )
}
