/** The texts that all pages have. */
import type { commonTexts } from "../../src/texts/commonTexts.ts"
import type { KeyOf } from "../../src/texts/PageTexts.ts"
import { textsOf } from "./texts.ts"

export const common = textsOf<KeyOf<typeof commonTexts>>()
