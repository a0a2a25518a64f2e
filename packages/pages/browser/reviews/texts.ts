import type { KeyOf } from "../../src/texts/PageTexts.ts"
import type { reviewsTexts } from "../../src/texts/reviewsTexts.ts"
import { textsOf } from "../foundation/texts.ts"

export type ReviewsText = KeyOf<typeof reviewsTexts>

export const t = textsOf<ReviewsText>()
