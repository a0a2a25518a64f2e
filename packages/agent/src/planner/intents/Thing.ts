/** What is renamed, deleted or made public: a folder, a list, a tag, a request, a review, or files. */

/** Nouns that forms name: `@delete #playlist <name>`. */
export const thingNouns = ["folder", "playlist", "gallery", "tag", "request", "review", "archive"] as const
export type ThingNoun = typeof thingNouns[number]

/** Forms with every noun in the place of `#thing`. */
export const withNoun = (noun: ThingNoun, forms: ReadonlyArray<string>): ReadonlyArray<string> =>
  forms.map((text) => text.replaceAll("#thing", `#${noun}`))
