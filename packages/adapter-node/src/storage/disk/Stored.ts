/** The parts of a disk store that its operations and routes share. */
import type { DiskReserve } from "../../DiskReserve.ts"
import type { SigningStore } from "../Signature.ts"
import type { DiskUploads } from "./DiskUploads.ts"
import type { Layout } from "./Layout.ts"
import type { Locks } from "./Locks.ts"
import type { Objects } from "./Objects.ts"
import type { OpenForms } from "./OpenForms.ts"
import type { Room } from "./Room.ts"
import type { Sendings } from "./Sendings.ts"
import type { StallWatch } from "./StallWatch.ts"

export interface Stored {
  readonly layout: Layout
  readonly signing: SigningStore
  readonly objects: Objects
  readonly uploads: DiskUploads
  readonly forms: OpenForms
  /** Of forms, by {@link Layout.form}. */
  readonly formSendings: Sendings
  /** Of parts, by the upload's id and the part's number, with a dot between. */
  readonly partSendings: Sendings
  /** Sendings of parts that are stored already. */
  readonly replacements: Locks
  readonly stalls: StallWatch
  readonly room: Room
  /** For copies that move a file out of the public bucket. */
  readonly reserve: DiskReserve
  /** Now, by Effect's clock. */
  readonly nowMillis: () => number
}
