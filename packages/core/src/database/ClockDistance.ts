/** How far this machine's clock is ahead of the database's, in milliseconds; 0 where nothing measures it. For `/readyz`. */
import { Context } from "effect"

export const ClockDistance = Context.Reference<() => number>("@filedrive/core/database/ClockDistance", {
  defaultValue: () => () => 0
})
