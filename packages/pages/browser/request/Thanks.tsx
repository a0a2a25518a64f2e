import { Button } from "../components/Button.tsx"
import { Notable } from "../components/Notable.tsx"
import { shown, size } from "../foundation/format.ts"
import { FileRow } from "./FileRow.tsx"
import type { OpenRequest } from "./OpenRequest.ts"
import type { Sender } from "./Sender.ts"
import { t } from "./texts.ts"

/** What was sent, for whoever wants to look. */
export const SentFiles = ({ sender }: { readonly sender: Sender }) => {
  const sent = sender.items.value.filter(({ fileId }) => fileId !== null)
  if (sent.length === 0) return null
  return (
    <section class="list sent">
      <h2>{t("request.whatSent")}</h2>
      <ul class="rows">{sent.map((item) => <FileRow key={item.key} item={item} actions={null} />)}</ul>
    </section>
  )
}

export const Thanks = ({ request, sender }: { readonly sender: Sender; readonly request: OpenRequest }) => {
  const { sentFiles: count, sentBytes } = sender.sums.value
  const { owner: { displayName }, takesFiles } = request
  const bytes = size(sentBytes)
  return (
    <>
      <Notable
        icon="check"
        kind="good"
        title={t("request.thanks")}
        actions={takesFiles ? <Button icon="plus" onClick={sender.again}>{t("request.again")}</Button> : undefined}
      >
        <p>
          {count === 0
            ? t("request.thanksNothing")
            : displayName === null
            ? t("request.thanksTextNobody", { count, size: bytes })
            : t("request.thanksText", { count, size: bytes, name: shown(displayName) })}
        </p>
      </Notable>
      <SentFiles sender={sender} />
    </>
  )
}
