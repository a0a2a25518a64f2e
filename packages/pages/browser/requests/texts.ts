import type { KeyOf } from "../../src/texts/PageTexts.ts"
import type { requestsTexts } from "../../src/texts/requestsTexts.ts"
import { textsOf } from "../foundation/texts.ts"

export type RequestsText = KeyOf<typeof requestsTexts>

export const t = textsOf<RequestsText>()
