/** The database that tests in memory begin with. Several schemas have a drive's tables, so several drives can start at once. */

/** `scripts/prepareDatabase.ts` makes it. */
export const preparedSchemas = new URL("./PreparedSchemas.br", import.meta.url)

export const schemaNames: ReadonlyArray<string> = Array.from({ length: 6 }, (_, at) => `prepared_${at + 1}`)
