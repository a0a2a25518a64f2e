/** The CRC-32 that archives are made with. The core brings its own; an adapter may give its platform's. */
import { Context } from "effect"
import * as FoldedCrc32 from "./FoldedCrc32.ts"
import { crc32, type CrcFunction } from "./TableCrc32.ts"

export const Crc32 = Context.Reference<CrcFunction>("@filedrive/core/archives/Crc32", {
  defaultValue: () => FoldedCrc32.make(crc32)
})

/** The same CRC, with most bytes folded away and `crc` for the remainder: for platforms whose own CRC uses tables. */
export const foldedCrc32 = FoldedCrc32.make
