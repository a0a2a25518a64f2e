/** "but keep the files that are in it", "the images themselves should stay": what a folder or a list holds is not to go with it. */
import type { Span } from "./Sentence.ts"

const nouns =
  "(?:files?|songs?|tracks?|tunes?|photos?|pictures?|pics|images?|videos?|clips?|documents?|docs|pdfs?|stuff|things|contents?|content|recordings?|originals?)"

const where =
  "(?: (?:that|which|are|is|were|was|in|inside|of|on|it|there|them|the|this|that|folder|playlist|gallery|album|list|themselves|itself|please|though|course|however|drive|my|where|they|untouched|as|alone|safe|within|contained|all|so|ok|okay))*"

const germanNouns =
  "(?:dateien|fotos|bilder|videos|lieder|songs|titel|tracks|stucke|inhalt|inhalte|sachen|dokumente|aufnahmen|clips|filme|musik|pdfs)"

const germanWhere =
  "(?: (?:selbst|selber|darin|drin|da|dort|im|in|dem|der|ordner|playlist|galerie|album|davon|die|sind|liegen|ist|liegt|aber|bitte|naturlich|alle|noch|doch|ja|auch|erhalten|im|laufwerk|auf|ruhe|wo))*"

const patterns: ReadonlyArray<RegExp> = [
  `(?:(?:but|and|please|just|though|however|only|simply) )*(?:keep|leave|preserve|retain|save|(?:dont|do not|don't|without|not) (?:delete|deleting|touch|touching|remove|removing|lose|losing|trash|trashing)) (?:(?:all|the|its|their|any|of|my|our|actual|individual|everything|whatever|what) )*(?:${nouns}|them|everything|what 's|whats|what is|whatever is|whats)${where}`,
  `(?:(?:but|and|though|however) )*(?:(?:all|the|its|their|my|our|these|those|actual|individual) )*(?:${nouns}|they|everything)${where} (?:(?:should|must|can|may|shall|have to|has to|need to|needs to|are to|will|all|just|still|not) )*(?:stay|stays|remain|remains|be kept|kept|be deleted|go|be untouched|survive|be left)${where}`,
  `(?:(?:aber|und|doch|bitte|nur|jedoch) )*(?:(?:die|den|der|das|alle|deren|dessen|ihre|meine) )*${germanNouns}${germanWhere} (?:(?:sollen|soll|mussen|muss|sollten|mochte|will|konnen|durfen|ich|aber|naturlich|bitte|alle|noch|doch|nicht|erhalten|gerne|da|dort|trotzdem) )*(?:bleiben|bleibt|behalten|geloscht werden|loschen|weg|dableiben)${germanWhere}`,
  `(?:(?:aber|und|doch|bitte|nur|jedoch) )*(?:behalte?|lass(?:e|t)?|behaltet) (?:(?:aber|bitte|mir|nur|doch|die|den|alle|das|der|deren) )*(?:${germanNouns}|sie|alles|was)${germanWhere}`
].map((text) => new RegExp(`^${text}$`))

/** "but don't delete it", "ohne es zu löschen". */
const one =
  /^(?:(?:but|and|please|just|though) )*(?:dont|do not|don't|without) (?:delete|deleting|trash|trashing|throw|throwing)(?: away)? (?:it|that|this|the (?:file|song|track|photo|picture|image|video) ?(?:itself)?)(?: (?:itself|away|please|though|from|the|my|drive|of|course|altogether|completely|entirely))*$|^(?:(?:aber|und|doch|bitte|jedoch) )*(?:losche?|loscht|entferne?) (?:es|sie|ihn|das|die|den) (?:(?:aber|bitte|selbst|ganz|ja|bloss) )*nicht(?: ganz)?$|^(?:(?:aber|und|doch|bitte) )*ohne (?:es|sie|ihn|das|die) (?:ganz |selbst )?zu loschen$/

/** What goes must be denied to stay: "the files should not go". */
const going = /\b(?:be deleted|go|geloscht werden|loschen|weg)\b/
const denied = /\b(?:not|don't|dont|nicht|without)\b/

const wordsOf = ({ from, sentence, to }: Span): string =>
  sentence.tokens.slice(from, to).flatMap(({ kind, norm }) => kind === "mark" ? [] : [norm]).join(" ")

/** Whether words say that what was named itself is not to be deleted: no more than that it only leaves its place. */
export const isKeepingOne = (span: Span): boolean => one.test(wordsOf(span))

/** Whether words say that files stay, all of them. */
export const isKeeping = (span: Span): boolean => {
  const text = wordsOf(span)
  return one.test(text) || patterns.some((pattern) => pattern.test(text)) && (!going.test(text) || denied.test(text))
}
