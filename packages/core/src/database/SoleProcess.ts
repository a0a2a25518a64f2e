/**
 * Whether no other process can have the database open, as the lock on an embedded one ensures. Every lease that such a process finds
 * when it starts belongs to a process that is dead.
 */
import { Context } from "effect"

export const SoleProcess = Context.Reference<boolean>("@filedrive/core/database/SoleProcess", {
  defaultValue: () => false
})
