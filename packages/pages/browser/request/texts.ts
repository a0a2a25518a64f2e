import type { KeyOf } from "../../src/texts/PageTexts.ts"
import type { requestTexts } from "../../src/texts/requestTexts.ts"
import { textsOf } from "../foundation/texts.ts"

export type RequestText = KeyOf<typeof requestTexts>

export const t = textsOf<RequestText>()
