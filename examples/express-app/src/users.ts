/** The app's own users. A real app has a table; the drive only calls `find` on it. */
import { randomBytes, randomUUID, scryptSync, timingSafeEqual } from "node:crypto"

export interface User {
  readonly id: string
  readonly name: string
  /** Plans of the app: without a subscription nothing can be stored. */
  readonly subscription: "none" | "small" | "large"
  readonly blocked: boolean
}

interface Row extends User {
  readonly salt: Buffer
  readonly passwordHash: Buffer
}

export class Users {
  readonly #byId = new Map<string, Row>()

  add(name: string, password: string, subscription: User["subscription"]): User {
    const salt = randomBytes(16)
    const passwordHash = scryptSync(password, salt, 32)
    const row: Row = { id: randomUUID(), name, subscription, blocked: false, salt, passwordHash }
    this.#byId.set(row.id, row)
    return row
  }

  find(id: string): User | undefined {
    return this.#byId.get(id)
  }

  change(id: string, change: Partial<User>): void {
    const row = this.#byId.get(id)
    if (row !== undefined) this.#byId.set(id, { ...row, ...change, id })
  }

  signIn(name: string, password: string): User | undefined {
    const row = [...this.#byId.values()].find((row) => row.name === name)
    return row !== undefined && timingSafeEqual(row.passwordHash, scryptSync(password, row.salt, 32)) ? row : undefined
  }
}
