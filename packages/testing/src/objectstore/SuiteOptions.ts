/** Differences between stores that pass. */

export interface ObjectStoreSuiteOptions {
  /** Whether a form that stored its file is refused from then on. */
  readonly refusesReplay: boolean
  /** Smallest part, other than the last, that the store takes. Default 1. */
  readonly minPartBytes?: number
  /** Set where completing an upload must name every part it has, as Ceph requires. */
  readonly needsEveryPart?: boolean
  /** Set for an engine without POST policies: forms are left out. */
  readonly withoutForms?: boolean
}
