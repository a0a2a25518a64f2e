/** The bare form of a verb by its participle: "moved" is "move", "verschoben" is "verschieben". */
import { fold } from "./Token.ts"
import { type LanguageCode, vocabularies } from "./Vocabulary.ts"

const pairs = (list: string): ReadonlyArray<readonly [participle: string, verb: string]> =>
  list.split(" ").map((pair) => {
    const [participle, verb] = pair.split(":")
    return [participle!, verb!]
  })

const irregular: Readonly<Record<LanguageCode, string>> = {
  en:
    "put:put made:make taken:take thrown:throw given:give sent:send brought:bring got:get gotten:get set:set kept:keep hidden:hide " +
    "shown:show cut:cut built:build drawn:draw written:write stuck:stick shut:shut begun:begin gone:delete",
  de:
    "verschoben:verschieben gelegt:legen abgelegt:ablegen gegeben:geben freigegeben:freigeben genommen:nehmen rausgenommen:rausnehmen " +
    "herausgenommen:herausnehmen aufgenommen:aufnehmen weggeworfen:wegwerfen geworfen:werfen umbenannt:umbenennen genannt:nennen " +
    "geschlossen:schliessen abgeschlossen:abschliessen gebracht:bringen zuruckgebracht:zuruckholen geschoben:verschieben getan:tun " +
    "beschrieben:beschreiben geschrieben:schreiben umgezogen:umziehen verborgen:verbergen entzogen:entziehen angelegt:anlegen " +
    "gesendet:senden versendet:senden beantwortet:beantworten geleert:leeren hochgeladen:hochladen heruntergeladen:herunterladen " +
    "gezogen:verschieben einsortiert:einsortieren zusammengestellt:zusammenstellen zusammengefasst:zusammenfassen"
}

const prefixes =
  /^(ab|an|auf|aus|ein|heraus|herunter|hinzu|hoch|raus|runter|um|weg|wieder|wiederher|zu|zuruck|zusammen|her|frei)(?=\p{L}{4})/u

const inseparable = /^(?:be|ver|er|ent|zer|ge|uber|unter|wider)|ieren$/

/** "loschen" is "geloscht", "hinzufugen" is "hinzugefugt", "entfernen" is "entfernt". */
const germanParticiple = (verb: string): string => {
  const [prefix = ""] = prefixes.exec(verb) ?? []
  const stem = verb.slice(prefix.length).replace(/(?:en|n)$/, "")
  const t = /[td]$/.test(stem) ? "et" : "t"
  return `${prefix}${inseparable.test(verb.slice(prefix.length)) ? "" : "ge"}${stem}${t}`
}

const make = (code: LanguageCode): ReadonlyMap<string, string> => {
  const { words } = vocabularies[code]
  const verbs = Object.values(words.verbs).flatMap((list) => list.split(",").map((verb) => fold(verb.trim())))
  return new Map([
    ...verbs.filter((verb) => !verb.includes(" ")).flatMap((verb): ReadonlyArray<readonly [string, string]> =>
      code === "en"
        ? [[words.verbForms(verb).at(-1)!, verb]]
        : /[^\s]{3,}(?:en|rn|ln)$/.test(verb)
        ? [[germanParticiple(verb), verb]]
        : []
    ),
    ...pairs(irregular[code])
  ])
}

const known = new Map<LanguageCode, ReadonlyMap<string, string>>()

/** The verb of a participle, folded; null for another word. */
export const verbOfParticiple = (code: LanguageCode, word: string): string | null => {
  const all = known.get(code) ?? make(code)
  known.set(code, all)
  return all.get(word) ?? null
}
