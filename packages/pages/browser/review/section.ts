/** Which part of a long list is in the page. */

export interface Section {
  readonly from: number
  readonly to: number
}

const length = 100

/** The other end is given up where more would be in the page. */
const maxLength = 300

export const start: Section = { from: 0, to: length }

/** More of the list, before or behind. */
export const grown = ({ from, to }: Section, count: number, direction: 1 | -1): Section => {
  if (direction > 0) {
    const end = Math.min(Math.max(count, length), to + length)
    return { from: Math.max(from, end - maxLength), to: end }
  }
  const begin = Math.max(0, from - length)
  return { from: begin, to: Math.min(to, begin + maxLength) }
}

/** As it is where the place is in it, else another part around the place. */
export const around = (section: Section, at: number): Section => {
  if (at >= section.from && at < section.to) return section
  const from = Math.max(0, at - length / 2)
  return { from, to: from + length }
}
