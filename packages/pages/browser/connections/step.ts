/** Tokens and apps that are shown at once, and by which more are: programs may make thousands. */
export const step = 50
