import { useSignal } from "@preact/signals"
import { common } from "../foundation/common.ts"
import { Button } from "./Button.tsx"
import "./longText.css"

const longLines = 12
const longCharacters = 600

/** What somebody wrote, with its lines. Of a long text the beginning is shown, and the rest at a press. */
export const LongText = ({ class: kind, text }: { readonly class: string; readonly text: string }) => {
  const isWhole = useSignal(false)
  const isLong = text.length > longCharacters || text.split("\n").length > longLines
  if (!isLong) return <p class={kind} dir="auto">{text}</p>
  return (
    <div class="long-text">
      <p class={isWhole.value ? kind : `${kind} long-text-cut`} dir="auto">{text}</p>
      <Button kind="quiet" onClick={() => void (isWhole.value = !isWhole.value)}>
        {common(isWhole.value ? "common.showLess" : "common.showAll")}
      </Button>
    </div>
  )
}
