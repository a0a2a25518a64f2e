/** Positions as this file writes them: frames of a video, tenths of a second of a track. */
import { clock, timecode } from "../foundation/FrameRate.ts"
import type { Span } from "./Draft.ts"
import type { Player } from "./Player.ts"
import { t } from "./texts.ts"

export const written = ({ rate }: Pick<Player, "rate">, seconds: number): string =>
  rate.value === null ? clock(seconds) : timecode(seconds, rate.value)

export const writtenSpan = (player: Pick<Player, "rate">, { from, to }: Span): string =>
  to === null ? written(player, from) : `${written(player, from)} – ${written(player, to)}`

/** Where a note belongs, as a sentence has it. */
export const placeOf = (player: Pick<Player, "rate">, span: Span | null): string =>
  span === null ? t("review.onFile") : t("review.at", { time: writtenSpan(player, span) })
