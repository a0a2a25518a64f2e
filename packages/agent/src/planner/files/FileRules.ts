/** Everything that may be said of files, in the order in which it is tried. Each rule reads from one place of the sentence. */
import type { Rule } from "./FileRule.ts"
import { kinds, sharedBy } from "./KindRules.ts"
import { measures } from "./MeasureRules.ts"
import { places } from "./PlaceRules.ts"
import { sentToRequest } from "./SentRules.ts"

export const rules: ReadonlyArray<Rule> = [sentToRequest, ...measures, sharedBy, ...places, ...kinds]
