import type { KeyOf } from "../../src/texts/PageTexts.ts"
import type { reviewTexts } from "../../src/texts/reviewTexts.ts"
import { textsOf } from "../foundation/texts.ts"

export type ReviewText = KeyOf<typeof reviewTexts>

export const t = textsOf<ReviewText>()
