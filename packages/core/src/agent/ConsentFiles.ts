/**
 * Which files a message is about, where it says so by their names: "publish logo.png" asks for no other file. Pure.
 *
 * A bound and no understanding: a message that also speaks of several files, of a range, or of an exception is not held to the names in it.
 */
import { mentions, wordsOf } from "./ConsentText.ts"

const extensions =
  "pdf|png|jpe?g|gif|webp|heic|avif|tiff?|bmp|svg|mp3|wav|flac|m4a|aac|ogg|opus|aiff?|mp4|mov|mkv|webm|avi|m4v|txt|md|csv|json|xml|" +
  "html?|docx?|xlsx?|pptx?|odt|ods|odp|rtf|epub|zip|rar|7z|tar|gz|psd|ai|indd|eps|raw|cr2|cr3|nef|arw|dng|srt|vtt|key|pages|numbers|dwg|blend|sql|log"

const fileName = new RegExp(`[\\p{L}\\p{N}_)\\]-]\\.(?:${extensions})(?![\\p{L}\\p{N}_@-]|\\.[\\p{L}\\p{N}])`, "iu")

/** Words for several files, for a range of them, and for all but some: of English, German and a few other languages. */
const several = new RegExp(
  "^(?:all|alle|allen|alles|every|everything|each|any|both|beide|beiden|them|they|those|these|others?|ones|rest|restlichen|anderen?|sie|diese|" +
    "jede[nrs]?|samtliche[nrs]?|files|dateien|documents|dokumente|photos|fotos|pictures|pics|images|bilder|songs|tracks|lieder|videos|filme|" +
    "folders?|ordner|playlists?|galler(?:y|ies)|galerien?|lists?|listen?|tags?|tagged|through|until|till|bis|" +
    "not|except|but|without|nicht|kein(?:e[nrms]?)?|ausser|ohne|aber|tous|toutes|fichiers|sauf|todos|todas|archivos|excepto|tutti|tutte|salvo|" +
    `bestanden|behalve|(?:${extensions})s)$`,
  "u"
)

/** "a1.jpg to a9.jpg" */
const range = new RegExp(`\\.(?:${extensions})\\s*(?:-|–|to|a|à|tot)\\s*\\S+\\.(?:${extensions})`, "iu")

/** Whether a message asks for the files that it names, and no others. */
export const isOfNamed = (text: string): boolean =>
  fileName.test(text) && !range.test(text) && !wordsOf(text).some((word) => several.test(word))

/** The files that such a message does not name. `mentions` takes a name without its extension too. */
export const othersThan = (text: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter((name) => !mentions(text, name) && !mentions(text, name.replace(/\.[^.]{1,8}$/, "")))
