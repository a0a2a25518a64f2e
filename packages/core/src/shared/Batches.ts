/** Many things, some at a time. */

/**
 * The items in groups, in their order, whose sizes together are at most `most`; an item that is larger is a group of its
 * own. There is no group without an item.
 */
export const bySize = <A>(
  items: ReadonlyArray<A>,
  sizeOf: (item: A) => number,
  most: number
): ReadonlyArray<ReadonlyArray<A>> => {
  const groups: Array<Array<A>> = []
  let room = 0
  for (const item of items) {
    const size = sizeOf(item)
    const group = groups.at(-1)
    if (group !== undefined && size <= room) group.push(item)
    else {
      groups.push([item])
      room = most
    }
    room -= size
  }
  return groups
}
