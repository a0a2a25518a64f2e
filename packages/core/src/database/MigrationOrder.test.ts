import { assert, describe, it } from "@effect/vitest"
import { ordered } from "./MigrationOrder.ts"

/** Steps that end at 0030, as the drive's own do. */
const earlier = Object.fromEntries(
  Array.from({ length: 30 }, (_, index) => index + 1)
    .filter((number) => ![11, 15, 16, 21, 22, 25].includes(number))
    .map((number) => [`${String(number).padStart(4, "0")}_step`, number])
)

type Features = ReadonlyArray<readonly [name: string, ...steps: ReadonlyArray<string>]>

const withFeatures = (...features: Features) =>
  ordered([
    { name: "database", migrations: earlier },
    ...features.map(([name, ...steps]) => ({
      name,
      migrations: Object.fromEntries(steps.map((step) => [step, Number.parseInt(step, 10)]))
    })),
    { name: "library" }
  ])

describe("the order of migrations", () => {
  it("DB-78 steps of all features are taken by their numbers", () => {
    const steps = withFeatures(["notes", "0032_notes", "0034_more_notes"], ["tasks", "0031_tasks", "0033_more_tasks"])
    assert.deepStrictEqual(Object.keys(steps).slice(-5), [
      "0030_step",
      "0031_tasks",
      "0032_notes",
      "0033_more_tasks",
      "0034_more_notes"
    ])
    assert.deepStrictEqual(Object.values(steps).slice(-2), [33, 34])
  })

  it.each<{ readonly features: Features; readonly says: string }>([
    {
      features: [["notes", "0031_notes", "0032_more_notes"], ["tasks", "0031_tasks"]],
      says:
        "The migrations 0031_notes (notes) and 0031_tasks (tasks) have the same number. The next free number is 0033."
    },
    {
      features: [["notes", "0031_notes"], ["tasks", "0031_notes"]],
      says:
        "The migrations 0031_notes (notes) and 0031_notes (tasks) have the same number. The next free number is 0032."
    },
    {
      features: [["notes", "0030_notes"]],
      says:
        "The migrations 0030_step (database) and 0030_notes (notes) have the same number. The next free number is 0031."
    },
    {
      features: [["notes", "0025_notes"]],
      says:
        "The migrations 0025_notes (notes) and 0026_step (database) are out of order: a database that has the second never "
        + "takes the first. The next free number is 0031."
    },
    {
      features: [["notes", "0031_notes"], ["tasks", "0033_tasks"]],
      says:
        "The migrations 0031_notes (notes) and 0033_tasks (tasks) leave out a number between them. The next free number is "
        + "0032."
    }
  ])("DB-90 refuses $features", ({ features, says }) => {
    assert.throws(() => withFeatures(...features), says)
  })
})
