/** The note that is being written, and where it belongs. */
import { computed, signal } from "@preact/signals"
import { restOf } from "../foundation/Typed.ts"
import type { Kept } from "./Kept.ts"
import type { Player } from "./Player.ts"

/** In seconds; without an end a moment. */
export interface Span {
  readonly from: number
  readonly to: number | null
}

/**
 * Where a note belongs. `here`: at the moment that is shown, as long as nothing is written; what is written then stays at that moment while
 * the player goes on.
 */
export type Place = { readonly kind: "here" } | { readonly kind: "file" } | { readonly kind: "at"; readonly span: Span }

const here: Place = { kind: "here" }

export const makeDraft = ({ draft: kept }: Pick<Kept, "draft">, player: Player) => {
  const text = signal("")
  const place = signal<Place>(here)

  const was = kept.read()
  if (was !== null) {
    text.value = was.text
    if (was.text !== "") {
      place.value = was.seconds === null
        ? { kind: "file" }
        : { kind: "at", span: { from: was.seconds, to: was.endSeconds } }
    }
  }

  /** The span that is sent; null for the whole file. */
  const span = computed((): Span | null =>
    place.value.kind === "file"
      ? null
      : place.value.kind === "at"
      ? place.value.span
      : { from: player.position.value, to: null }
  )

  const keep = (): void => {
    const at = span.peek()
    kept.write(text.peek() === "" ? null : { text: text.peek(), seconds: at?.from ?? null, endSeconds: at?.to ?? null })
  }

  const put = (next: Place): void => {
    place.value = next
    keep()
  }

  const isMoment = () => place.peek().kind === "at" && span.peek()?.to === null

  return {
    text,
    place,
    span,

    write: (written: string): void => {
      text.value = written
      if (written === "" && isMoment()) place.value = here
      else if (written !== "" && place.peek().kind === "here") {
        place.value = { kind: "at", span: { from: player.position.peek(), to: null } }
      }
      keep()
    },

    /** On the whole file, or at the moment that is shown. */
    onFile: (): void => put({ kind: "file" }),
    atMoment: (): void =>
      put(text.peek() === "" ? here : { kind: "at", span: { from: player.position.peek(), to: null } }),

    /** From here on, and up to here. A span of no length is a moment. */
    select: (one: number, other: number): void => {
      const [from, to] = one <= other ? [one, other] : [other, one]
      put({ kind: "at", span: { from, to: to > from ? to : null } })
    },
    begin: (): void => {
      const at = player.position.peek()
      const end = place.peek().kind === "at" ? span.peek()?.to ?? null : null
      put({ kind: "at", span: { from: at, to: end !== null && end > at ? end : null } })
    },
    end: (): void => {
      const at = player.position.peek()
      const from = place.peek().kind === "at" ? span.peek()?.from ?? 0 : 0
      put(at > from ? { kind: "at", span: { from, to: at } } : { kind: "at", span: { from: at, to: null } })
    },

    /** It is on its way as it is now. To be called when it has arrived: what was typed or moved meanwhile is the next note. */
    sending: (): () => void => {
      const [sentText, sentPlace] = [text.peek(), place.peek()]
      return () => {
        text.value = restOf(sentText, text.peek())
        if (text.peek() === "" && (place.peek() === sentPlace || isMoment())) place.value = here
        keep()
      }
    }
  }
}

export type Draft = ReturnType<typeof makeDraft>
