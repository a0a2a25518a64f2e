import { useEffect } from "preact/hooks"
import { say } from "../foundation/announce.ts"
import type { Sender } from "./Sender.ts"
import { t } from "./texts.ts"

/** A delivery that was begun is not there any more. What is still chosen can be sent anew. */
export const Gone = ({ sender }: { readonly sender: Sender }) => {
  const isGone = sender.isGone.value
  useEffect(() => isGone ? say(t("request.gone")) : undefined, [isGone])
  if (!isGone) return null
  return (
    <div class="hint hint-bad gone">
      <div>
        <p class="hint-title">{t("request.gone")}</p>
        {sender.items.value.length === 0 ? null : <p>{t("request.goneHint")}</p>}
      </div>
    </div>
  )
}
