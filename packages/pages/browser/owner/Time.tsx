import { dateTime } from "../foundation/format.ts"
import { locale } from "../foundation/texts.ts"

const short = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" })

/** A time as the reader writes it; in full when it is pointed at. */
export const Time = ({ iso }: { readonly iso: string }) => (
  <time dateTime={iso} title={dateTime(iso)}>{short.format(new Date(iso))}</time>
)
