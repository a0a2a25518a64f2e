import { useMemo } from "preact/hooks"
import { FileRow } from "./FileRow.tsx"
import type { Item } from "./Item.ts"
import type { Sender } from "./Sender.ts"
import { t } from "./texts.ts"

/** The files of the delivery. It is drawn anew when one comes or goes; how far each is, its own row shows. */
export const FileList = (
  { onRemove, sender }: { readonly sender: Sender; readonly onRemove: (item: Item) => void }
) => {
  const actions = useMemo(() => ({ pause: sender.pause, resume: sender.resume, remove: onRemove }), [sender, onRemove])
  const items = sender.items.value
  return items.length === 0 ? null : (
    <section class="list" aria-label={t("request.chosen")}>
      <ul class="rows">{items.map((item) => <FileRow key={item.key} item={item} actions={actions} />)}</ul>
    </section>
  )
}
