import type { ownerTexts } from "../../src/texts/ownerTexts.ts"
import type { KeyOf } from "../../src/texts/PageTexts.ts"
import { textsOf } from "../foundation/texts.ts"

export type OwnerText = KeyOf<typeof ownerTexts>

export const ownerText = textsOf<OwnerText>()
