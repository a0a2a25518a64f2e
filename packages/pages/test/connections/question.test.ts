import { assert, describe, it } from "@effect/vitest"
import { isQuestion } from "../../browser/connections/question.ts"

describe("replies of the agent", () => {
  it.each([
    "Which request do you mean?\n1. Photos\n2. Demos",
    "I found two. Shall I delete both?",
    "I found two.\n\nShall I delete **both?**\n",
    "Meinst du „beide?“",
    "どちらですか？",
    "أيهما؟"
  ])("PAGE-164 a question is known as one: %s", (reply) => assert.isTrue(isQuestion(reply)))

  it.each([
    "",
    " \n",
    "You have 1,204 images.",
    "Grace left a note: “Is it late?”.",
    "I moved\nwhat.pdf?\nto /Reports."
  ])(
    "PAGE-164 other replies are none: %s",
    (reply) => assert.isFalse(isQuestion(reply))
  )
})
