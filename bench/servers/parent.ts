/** What a server that is measured has of the process that started it. */

/** The options it was given. */
export const options = <A>(): A => JSON.parse(process.argv[2] ?? "{}") as A

/** Says that it is ready, with what its caller must know; it ends with that process. */
export const ready = (said: object): void => {
  process.once("disconnect", () => process.exit())
  process.send!(said)
}
