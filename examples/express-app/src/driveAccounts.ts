/** The app's users as the drive sees them. */
import type { HostAccounts } from "@filedrive/adapter-node"
import type { User, Users } from "./users.ts"

const GB = 1_000_000_000
const plans = {
  none: { plan: null, quotaBytes: 0 },
  small: { plan: "basic", quotaBytes: 10 * GB },
  large: { plan: "pro", quotaBytes: 1_000 * GB }
} as const satisfies Record<User["subscription"], object>

export const driveAccounts = (users: Users): HostAccounts => ({
  find: (id) => {
    const user = users.find(id)
    return user === undefined ? null : { handle: user.name, suspended: user.blocked, ...plans[user.subscription] }
  }
})
