/** The word on every sample, in letters of five by seven squares. */

const letters = [
  [".###.", "#....", "#....", ".###.", "....#", "....#", "####."],
  [".###.", "#...#", "#...#", "#####", "#...#", "#...#", "#...#"],
  ["#...#", "##.##", "#.#.#", "#.#.#", "#...#", "#...#", "#...#"],
  ["####.", "#...#", "#...#", "####.", "#....", "#....", "#...."],
  ["#....", "#....", "#....", "#....", "#....", "#....", "#####"],
  ["#####", "#....", "#....", "####.", "#....", "#....", "#####"]
]

/** The word's rows, a square a letter's width apart. */
const rows = Array.from({ length: 7 }, (_, row) => letters.map((letter) => letter[row]).join("."))

/** Squares of the word, in width and height. */
export const wordWidth = rows[0]!.length
export const wordHeight = rows.length

/** Whether the square at this column and row is a part of a letter; false outside. */
export const isInk = (column: number, row: number): boolean => rows[row]?.[column] === "#"
