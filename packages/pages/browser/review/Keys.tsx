import { Button } from "../components/Button.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { common } from "../foundation/common.ts"
import { areOn, switchKeys } from "./keys.ts"
import { t } from "./texts.ts"

const rows = ({ hasFrames, isVideo }: { readonly isVideo: boolean; readonly hasFrames: boolean }) =>
  [
    [["Space"], t("review.keys.toggle")],
    [["J", "K", "L"], t("review.keys.shuttle")],
    [["←", "→"], t(hasFrames ? "review.keys.frame" : "review.keys.second")],
    [["⇧ ←", "⇧ →"], t(hasFrames ? "review.keys.frames" : "review.keys.seconds")],
    [["M"], t("review.keys.note")],
    [["I", "O"], t("review.keys.span")],
    [["N", "P"], t("review.keys.next")],
    ...isVideo ? [[["F"], t("review.grow")] as const] : [],
    [["Ctrl Enter"], t("review.keys.send")]
  ] as const

/** Which key does what. */
export const Keys = (
  { hasFrames, isVideo, onClose }: {
    readonly isVideo: boolean
    readonly hasFrames: boolean
    readonly onClose: () => void
  }
) => (
  <Dialog
    title={t("review.keys")}
    onClose={onClose}
    actions={<Button kind="primary" onClick={onClose}>{common("common.close")}</Button>}
  >
    <dl class="keys">
      {rows({ hasFrames, isVideo }).map(([keys, what]) => (
        <div key={what}>
          <dt>{keys.map((key) => <kbd key={key}>{key}</kbd>)}</dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
    <label class="keys-on">
      <input
        type="checkbox"
        checked={areOn.value}
        onChange={(event) => switchKeys(event.currentTarget.checked)}
      />
      {t("review.keysOn")}
    </label>
  </Dialog>
)
