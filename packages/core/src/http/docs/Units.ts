/** The unit of a number in the API, by the name of its field: a name means the same in all operations. */

const units: ReadonlyArray<readonly [unit: string, names: RegExp]> = [
  ["bytes", /(?:^bytes|^size|Size|Bytes)$/],
  ["seconds", /^(?:at|seconds|duration|expiresIn)$|(?:Duration|Seconds)$/],
  ["pixels", /^(?:width|height)$/],
  ["degrees", /^(?:latitude|longitude|north|east|south|west)$/],
  ["beats a minute", /^tempo$|Tempo$/],
  ["frames a second", /^frameRate$/],
  ["0 to 1", /^(?:similarity|progress)$/]
]

/** The unit of a field whose value is a number; undefined for counts and positions, which have none. */
export const unitOf = (field: string): string | undefined => units.find(([, names]) => names.test(field))?.[0]
