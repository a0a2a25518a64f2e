/** Texts of the page on which files are sent to a request. */
import { pageTexts } from "./PageTexts.ts"

export const requestTexts = pageTexts({
  en: { "request.title": "Send files" },
  de: { "request.title": "Dateien senden" }
})
