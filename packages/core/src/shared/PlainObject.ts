/**
 * Constructors of plain objects, for answers with hundreds of them.
 *
 * Of objects that a literal makes by the hundred and that live for a moment, V8 may decide that all live long; then it makes them among the
 * old ones, where they keep what they refer to until the next full collection, and each of the short collections takes several times as
 * long. It decides nothing about what `new` makes.
 */
export type Writable<A> = { -readonly [Key in keyof A]: A[Key] }

/** A constructor of objects that `fill`, a `function`, gives their properties, always in the same order. They have no prototype of their own. */
export const constructorOf = <A extends object, Args extends ReadonlyArray<unknown>>(
  fill: (this: Writable<A>, ...args: Args) => void
): new(...args: Args) => A => {
  fill.prototype = Object.prototype
  return fill as unknown as new(...args: Args) => A
}
