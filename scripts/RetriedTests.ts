/** Names the tests that passed at their second try only: each is a fault of the test or of what it tests. A reporter of Vitest. */
import type { Reporter, TestCase } from "vitest/node"

export default class RetriedTests implements Reporter {
  readonly #names: Array<string> = []

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky === true) this.#names.push(`${test.module.relativeModuleId} > ${test.fullName}`)
  }

  onTestRunEnd(): void {
    for (const name of this.#names) console.log(`passed at the second try: ${name}`)
  }
}
