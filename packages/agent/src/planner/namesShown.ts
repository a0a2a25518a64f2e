/** Names that an answer enumerates; the rest is counted. */
export const namesShown = 10
