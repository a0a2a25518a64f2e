import { assert, describe, it } from "@effect/vitest"
import { Bench } from "./Bench.ts"
import { changes, stateOf } from "./DriveState.ts"

describe("waiting", () => {
  it("PLAN-13 what follows a wait is done when it is over, with what came", async () => {
    const waits: Array<unknown> = []
    const bench = await Bench.make({
      seeds: [{ name: "song.wav" }, { name: "other.wav" }],
      fakes: {
        wait_for: async (args, { as }) => {
          waits.push(args)
          const { files } = await as.searchFiles({ text: "song" })
          return {
            woken: true,
            reason: "file",
            event: { files: files.map(({ fileName, id }: any) => ({ fileName, id })) }
          }
        }
      }
    })
    await bench.as.createFolder({ path: "/Inbox" })
    const before = await stateOf(bench)
    const { text } = await bench.say("when files land in /Inbox, tag them with new and move them to /Sorted")
    assert.deepStrictEqual(waits, [{ kind: "folder_files", folder: "/Inbox", text: "files in /Inbox" }])
    assert.match(text, /song\.wav landed in \/Inbox/)
    assert.deepStrictEqual(changes(before, await stateOf(bench)), [
      "+folder /Sorted",
      "+tag new",
      "song.wav.folder: /Sorted",
      "song.wav.tags: new"
    ])
    await bench.close()
  })

  it.each([
    ["tell me when somebody sends files to the request Demos", "request_files"],
    ["let me know as soon as bob opens song.mp4", "file_opened"],
    ["wait until there is a note on song.mp4 and then tell me", "review_note"],
    ["notify me once something arrives in the folder Inbox", "folder_files"],
    ["sag mir Bescheid, wenn jemand song.mp4 öffnet", "file_opened"],
    ["sobald neue Dateien in /Inbox liegen, sag mir Bescheid", "folder_files"]
  ])("PLAN-13 “%s” waits for %s", async (text, kind) => {
    const waits: Array<{ kind: string }> = []
    const bench = await Bench.make({
      seeds: [{ name: "song.mp4" }],
      fakes: {
        wait_for: (args) => {
          waits.push(args as { kind: string })
          return { woken: true, reason: "event", event: {} }
        }
      }
    })
    await bench.as.createFileRequest({ title: "Demos", folder: "/Inbox" })
    await bench.as.createFileReview({ fileId: (await bench.as.searchFiles({})).files[0].id })
    await bench.say(text)
    assert.deepStrictEqual(waits.map((wait) => wait.kind), [kind])
    await bench.close()
  })

  it.each([
    ["tell me when somebody sends files", "Grace sent a.jpg to “Demos”."],
    ["sag mir Bescheid, wenn jemand Dateien schickt", "Grace hat a.jpg für “Demos” geschickt."]
  ])("PLAN-13 “%s” waits at all requests", async (text, reply) => {
    const waits: Array<{ readonly kind: string; readonly id?: string }> = []
    const bench = await Bench.make({
      seeds: [],
      fakes: {
        wait_for: (args) => {
          waits.push(args as { kind: string })
          const event = {
            sender: { name: "Grace" },
            request: { title: "Demos" },
            files: [{ id: "1", fileName: "a.jpg" }]
          }
          return { woken: true, reason: "happened", event }
        }
      }
    })
    await bench.as.createFileRequest({ title: "Demos", folder: "/Inbox" })
    await bench.as.createFileRequest({ title: "Photos", folder: "/Photos" })
    const said = await bench.say(text)
    assert.deepStrictEqual(waits.map(({ id, kind }) => [kind, id]), [["request_files", undefined]])
    assert.include(said.text, reply)
    await bench.close()
  })

  it("PLAN-14 a wait whose thing is closed says so, and nothing that follows is done", async () => {
    const bench = await Bench.make({
      seeds: [{ name: "song.wav" }],
      fakes: { wait_for: () => ({ woken: true, reason: "closed", event: null }) }
    })
    await bench.as.createFileRequest({ title: "Demos" })
    const before = await stateOf(bench)
    const { text } = await bench.say("when somebody sends files to the request Demos, move them to /In")
    assert.match(text, /it was closed/)
    assert.match(text, /did not go on/)
    assert.deepStrictEqual(changes(before, await stateOf(bench)), [])
    await bench.close()
  })

  it("PLAN-19 a condition is looked up first", async () => {
    const bench = await Bench.make({ seeds: [{ name: "beach.jpg", tags: ["summer"] }, { name: "city.jpg" }] })
    const before = await stateOf(bench)
    assert.match((await bench.say("if there are more than 5 photos, tag them with many")).text, /did nothing/)
    assert.deepStrictEqual(changes(before, await stateOf(bench)), [])
    await bench.say("if there are more than 1 photos, tag them with many")
    assert.deepStrictEqual(changes(before, await stateOf(bench)), [
      "+tag many",
      "beach.jpg.tags: many, summer",
      "city.jpg.tags: many"
    ])
    await bench.close()
  })
})
