/** How the words of a language are written down. */

/** Phrases of a class, by commas; each is one word or several. */
export type Phrases = Readonly<Record<string, string>>

export interface Words {
  /** Classes of verbs: bare forms with their irregular forms. A request begins with one, or in German ends with one. */
  readonly verbs: Phrases
  /** Classes of nouns, in the singular and with irregular plurals. */
  readonly nouns: Phrases
  /** Classes of all other words, as they are. */
  readonly phrases: Phrases
  /** All forms of a verb, the first as it is given. */
  readonly verbForms: (verb: string) => ReadonlyArray<string>
  readonly nounForms: (noun: string) => ReadonlyArray<string>
  /** Nouns for files that mean a single one. */
  readonly singulars: string
  /** Words that say nothing where a form expects another one. */
  readonly fillers: string
  /** Words of the sentence around a request: they may stand between its parts, and are no words to search for. */
  readonly light: string
  /** What may stand before a request, and behind it. */
  readonly openings: string
  readonly closings: string
  readonly numbers: Phrases
  readonly ordinals: Phrases
}
