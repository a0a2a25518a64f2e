/** What an account holds, in bytes. */
export interface Balance {
  /** Bytes of its files, those in trash included, derivatives not. */
  readonly usedBytes: number
  /** Bytes planned by uploads that are not files yet. */
  readonly heldBytes: number
}

/** Of an account that has no row yet. */
export const nothing: Balance = { usedBytes: 0, heldBytes: 0 }

export const plus = (one: Balance, other: Balance): Balance => ({
  usedBytes: one.usedBytes + other.usedBytes,
  heldBytes: one.heldBytes + other.heldBytes
})

/** Whether `bytes` more fit an account with this quota (null: no limit). */
export const fits = (balance: Balance, quotaBytes: number | null, bytes: number): boolean =>
  quotaBytes === null || balance.usedBytes + balance.heldBytes + bytes <= quotaBytes
