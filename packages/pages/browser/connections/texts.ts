import type { connectionsTexts } from "../../src/texts/connectionsTexts.ts"
import type { KeyOf } from "../../src/texts/PageTexts.ts"
import { textsOf } from "../foundation/texts.ts"

export type ConnectionsText = KeyOf<typeof connectionsTexts>

export const t = textsOf<ConnectionsText>()
