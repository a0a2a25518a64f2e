/**
 * CRC-32 many times as fast as by tables: a few bytes decide what becomes of many.
 *
 * A CRC is what is left of a message divided by a polynomial, so adding a multiple of that polynomial changes nothing.
 * This one has a multiple of four terms only, x²⁴⁰⁴⁸ + x²²⁹²⁸ + x¹⁷⁷²⁰ + 1, all of them whole bytes. With it a byte
 * is taken out of the message by adding it to the bytes 140, 791 and 3,006 further on: three XORs, which WebAssembly
 * does for 16 bytes at a time. Only the last 3,006 bytes stay, and these are counted as ever. (Kadatch and Jenkins,
 * "Everything we know about CRC but afraid to forget"; Russell, "Chorba: A novel CRC32 implementation".)
 */
import type { CrcFunction } from "./TableCrc32.ts"

/** How far before a byte those are that are added to it. The farthest is as much as stays. */
const distances = [140, 791, 3006] as const
const kept = distances[2]

const pageBytes = 65_536
/** Where the message begins in memory; before it are zeros. */
const first = 4096
/** As much of a message as is counted at once: it fits into the processor's cache. */
const mostBytes = 2 * pageBytes
/** Where the bytes that stay are taken to, so that others are added to them and they to none. */
const aside = first + mostBytes + 4096
/** In a shorter message too much stays for folding to be worth it. */
const leastBytes = 4 * kept

/**
 * A module of one function `f` and its memory `m`, as the compiler takes it. From `at` up to `to`, 16 bytes at a
 * time, `f(at, to, a, b, c)` adds to each byte those that are `a`, `b` and `c` before it.
 */
const code = (() => {
  const [i32, loop, nothing, end] = [0x7f, 0x03, 0x40, 0x0b]
  const [get, tee, constant, add, subtract, isLess, repeatIf] = [0x20, 0x22, 0x41, 0x6a, 0x6b, 0x49, 0x0d]
  const [load, store, xor] = [[0xfd, 0x00, 0, 0], [0xfd, 0x0b, 0, 0], [0xfd, 0x51]]
  const [at, to, ...before] = [0, 1, 2, 3, 4]
  const sum = [get, at, load, ...before.map((distance) => [get, at, get, distance, subtract, load, xor])]
  const next = [get, at, constant, 16, add, tee, at, get, to, isLess, repeatIf, 0]
  const body = [0, loop, nothing, get, at, sum, store, next, end, end].flat(3)
  const [m, f] = [..."mf"].map((name) => name.charCodeAt(0))
  const [aFunction, aMemory] = [0, 2]
  const section = (id: number, ...bytes: ReadonlyArray<number | undefined>) => [id, bytes.length, ...bytes]
  return Uint8Array.from([
    [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    section(1, 1, 0x60, 5, i32, i32, i32, i32, i32, 0),
    section(3, 1, 0),
    section(5, 1, 0, Math.ceil((aside + first) / pageBytes)),
    section(7, 2, 1, m, aMemory, 0, 1, f, aFunction, 0),
    section(10, 1, body.length, ...body)
  ].flat() as ReadonlyArray<number>)
})()

interface Folding {
  readonly memory: Uint8Array
  readonly fold: (at: number, to: number, a: number, b: number, c: number) => void
}

/** Undefined where WebAssembly, its vectors or compiling at run time is not available. */
const start = (): Folding | undefined => {
  try {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code))
    const { f, m } = exports as unknown as { readonly f: Folding["fold"]; readonly m: WebAssembly.Memory }
    return { memory: new Uint8Array(m.buffer), fold: f }
  } catch {
    return undefined
  }
}

/** Computes the same CRC as `rest`, to which it passes short messages and the remainder of long ones. */
export const make = (rest: CrcFunction): CrcFunction => {
  let isStarted = false
  let folding: Folding | undefined

  const once = ({ fold, memory }: Folding, bytes: Uint8Array, before: number): number => {
    memory.set(bytes, first)
    // What came before is as if it were added to the first four bytes.
    for (let at = 0; at < 4; at++) memory[first + at]! ^= ~before >>> 8 * at
    const stays = first + ((bytes.length - kept) & ~15)
    const end = first + bytes.length
    fold(first, stays, ...distances)
    memory.copyWithin(aside, stays, end)
    memory.fill(0, stays, end)
    const [a, b, c] = distances
    const apart = aside - stays
    fold(aside, aside + end - stays, a + apart, b + apart, c + apart)
    return rest(memory.subarray(aside, aside + end - stays), 0xffffffff)
  }

  return (bytes, before = 0) => {
    if (bytes.length < leastBytes) return rest(bytes, before)
    if (!isStarted) folding = start()
    isStarted = true
    if (folding === undefined) return rest(bytes, before)
    let crc = before
    for (let at = 0; at < bytes.length; at += mostBytes) {
      const some = bytes.subarray(at, at + mostBytes)
      crc = some.length < leastBytes ? rest(some, crc) : once(folding, some, crc)
    }
    return crc
  }
}
