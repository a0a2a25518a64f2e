/** Tasks that an account's owner gives the agent, as they are listed. */
import { assert, describe, it } from "@effect/vitest"
import { memoryDrive } from "@filedrive/testing"

describe("the owner's tasks", () => {
  it("TASK-403 the list has the files of a task, and none where there are none", async () => {
    const drive = await memoryDrive()
    const ada = await drive.user({ handle: "ada" })
    const owner = drive.as(ada.userId)
    const id = await ada.upload({ fileName: "<b>report</b>.pdf", bytes: new TextEncoder().encode("hello") })
    const doTask = async (text: string) => {
      await owner.startAgentTask({ messageId: text, text })
      await drive.clock.advance("1 second")
      return (await owner.selectAgentTasks({ limit: 1 })).tasks[0]!
    }
    const found = await doTask("find report")
    assert.deepInclude(found, { text: "find report", state: "completed" })
    const [{ fileName } = { fileName: "" }] = await owner.selectUserFiles()
    assert.deepStrictEqual(found.files.map((file) => ({ ...file })), [{ id, fileName }])
    assert.deepStrictEqual((await doTask("how much storage do I use?")).files, [])
    await drive.close()
  })

  it("TASK-405 the list has the first 10,000 characters of what an app asked for, and nothing of what it said later", async () => {
    const drive = await memoryDrive()
    const ada = await drive.user()
    const { token } = await drive.tokens.create(ada.userId, { name: "app", permissions: ["agent"] })
    const send = async (message: object) => {
      const answer = await drive.fetch(`${drive.urls.site}/a2a`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "a2a-version": "1.0" },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "SendMessage",
          params: { message: { role: "ROLE_USER", ...message }, configuration: { returnImmediately: true } }
        })
      })
      return (await answer.json() as { readonly result: { readonly task: { readonly id: string } } }).result.task.id
    }
    const taskId = await send({ messageId: "1", parts: [{ text: `first ${"😀".repeat(40_000)}` }] })
    await send({ messageId: "2", taskId, parts: [{ text: "second" }] })
    const [task] = (await drive.as(ada.userId).selectAgentTasks()).tasks
    assert.strictEqual(task!.text, `first ${"😀".repeat(4_997)}…`)
    await drive.close()
  })
})
