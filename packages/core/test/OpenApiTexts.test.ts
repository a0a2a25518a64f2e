/** What the OpenAPI document says of texts, numbers and refusals, in all operations. */
import { assert, describe, it as test } from "@effect/vitest"
import { defaults } from "../src/http/HttpConfig.ts"
import * as OpenApiDocument from "../src/http/OpenApiDocument.ts"

// oxlint-disable-next-line no-explicit-any
type Json = any

const document: Json = JSON.parse(JSON.stringify(OpenApiDocument.make({ ...defaults, origin: "https://drive.test" })))
const operations: ReadonlyArray<readonly [string, Json]> = Object.entries<Json>(document.paths).flatMap((
  [path, item]
) => item.post === undefined ? [] : [[path, item.post]])

const resolve = (schema: Json): Json =>
  schema.$ref === undefined ? schema : resolve(document.components.schemas[schema.$ref.split("/").at(-1)])

const bodyOf = (content: Json): Json => content?.content?.["application/json"]?.schema

/** The texts in a schema: each with its path. */
const textsOf = (given: Json, at = ""): ReadonlyArray<readonly [path: string, text: Json]> => {
  const schema = resolve(given)
  return [
    ...schema.type === "string" ? [[at, schema] as const] : [],
    ...(schema.anyOf ?? []).flatMap((option: Json) => textsOf(option, at)),
    ...schema.items === undefined ? [] : textsOf(schema.items, `${at}[]`),
    ...Object.entries<Json>(schema.properties ?? {}).flatMap(([name, inner]) =>
      textsOf(inner, at === "" ? name : `${at}.${name}`)
    )
  ]
}

describe("texts in OpenAPI", () => {
  test("HOST-170 a text that the drive takes says how long it may be, but for secrets, cursors and tags", () => {
    /** Any text may be sent as these; only the lookup says whether it is one. Of a tag blanks at its ends don't count. */
    const anyText =
      /^(?:requestId|reviewId|token|cursor|since|key|(?:files\[\]\.)?creator\.id|tags\[\]|text of \/rename-tag)$/
    const unbounded = operations.flatMap(([path, operation]) =>
      textsOf(bodyOf(operation.requestBody) ?? {}).flatMap(([at, text]) =>
        ["maxLength", "enum", "format", "pattern", "const"].some((says) => says in text) ? [] : [[at, path]]
      )
    )
    const named = unbounded.filter(([at, path]) => !anyText.test(at!) && !anyText.test(`${at} of ${path}`))
    assert.deepStrictEqual(named, [])
    const lengthsOf = (path: string) =>
      Object.fromEntries(
        textsOf(bodyOf(document.paths[path].post.requestBody))
          .filter(([, { maxLength }]) => maxLength !== undefined)
          .map(([at, { maxLength, minLength }]) => [at, [minLength ?? 0, maxLength]])
      )
    assert.deepStrictEqual(lengthsOf("/create-file-request"), {
      title: [1, 200],
      message: [0, 2_000],
      folder: [1, 8_193],
      password: [1, 200]
    })
    assert.deepStrictEqual(lengthsOf("/start-drop"), { senderName: [1, 100], note: [0, 2_000] })
    assert.deepStrictEqual(lengthsOf("/leave-review-note"), {
      reviewer: [1, 100],
      text: [1, 4_000],
      reviewerToken: [0, 200]
    })
    assert.deepInclude(lengthsOf("/drop-file-urls"), { fileName: [1, 1_024], clientKey: [1, 200] })
  })

  test("HOST-171 no number of the document may be sent as \"Infinity\" or \"NaN\"", () => {
    assert.notMatch(JSON.stringify(document), /"(?:-?Infinity|NaN)"/)
  })

  test("HOST-172 refusals at a public link speak of the link, not of an account", () => {
    for (const [path, operation] of operations) {
      const { responses, security } = operation
      const isPublic = security.length === 0
      for (const status of ["403", "404"]) {
        const { description } = responses[status] ?? {}
        if (description !== undefined) assert.strictEqual(/link/.test(description), isPublic, `${path} ${status}`)
      }
    }
    assert.match(document.paths["/follow-file-review"].get.responses["404"].description, /link/)
  })
})
