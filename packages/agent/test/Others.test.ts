/** What others do on the drive: files that they send, notes that they leave, and waits for one of them. */
import { assert, describe, it } from "@effect/vitest"
import { Bench } from "./Bench.ts"
import { changes, stateOf } from "./DriveState.ts"

const drop = (id: string, senderName: string, files: ReadonlyArray<unknown>) => ({
  id,
  senderName,
  note: null,
  finishTime: null,
  files
})

const note = (id: string, name: string, text: string, resolved = false) => ({
  id,
  seconds: 3,
  timecode: "0:03",
  reviewer: { name },
  text,
  resolved,
  replies: []
})

/** What was asked of notes and waits, and who does what is waited for, one after the other. */
interface Others {
  readonly asked: Array<readonly [tool: string, args: Record<string, unknown>]>
  readonly senders: Array<string>
}

const benchOf = async (others: Others): Promise<Bench> => {
  const kept = (tool: string) => (args: Record<string, unknown>) => {
    others.asked.push([tool, args])
    return args
  }
  const bench = await Bench.make({
    people: ["bob", "carol"],
    seeds: [
      { name: "joe1.jpg", folder: "/Guest photos" },
      { name: "mia1.jpg", folder: "/Guest photos" },
      { name: "own.jpg", folder: "/Guest photos" },
      { name: "mix.mp3" },
      { name: "advert.mp4" },
      { name: "cut.mp4" },
      { name: "plan.pdf" }
    ],
    fakes: {
      select_file_requests: async (_, { as }) => {
        const { requests } = await as.selectFileRequests()
        const { files } = await as.searchFiles({ limit: 100 })
        const named = (name: string) => files.filter(({ fileName }: any) => fileName === name)
        return {
          requests: requests.map((request: any) => ({
            ...request,
            drops: request.title === "Guest photos"
              ? [drop("d1", "Joe Hill", named("joe1.jpg")), drop("d2", "Mia", named("mia1.jpg"))]
              : []
          }))
        }
      },
      select_file_reviews: async (_, { as }) => {
        const { reviews } = await as.selectFileReviews()
        const notes: Record<string, ReadonlyArray<unknown>> = {
          "mix.mp3": [note("n1", "Ruth", "Vocals are too quiet"), note("n2", "Sam", "Nice bass")],
          "advert.mp4": [
            note("n3", "Lee", "The logo is too small"),
            note("n4", "Lee", "The music is too loud"),
            note("n5", "Mona", "Der Ton knackt", true)
          ]
        }
        return {
          reviews: reviews.map((review: any) => ({
            ...review,
            notes: notes[review.file.fileName] ?? [],
            noteCount: (notes[review.file.fileName] ?? []).length
          }))
        }
      },
      reply_to_review_note: kept("reply"),
      set_review_note_resolved: kept("resolve"),
      end_wait: kept("end"),
      wait_for: async (args, { as }) => {
        others.asked.push(["wait", args])
        const { files } = await as.searchFiles({ text: "mia1" })
        const name = others.senders.shift() ?? "Nobody"
        return { woken: true, reason: "happened", event: { sender: { name }, note: null, files } }
      }
    }
  })
  const { files } = await bench.as.searchFiles({ limit: 100 })
  const id = (name: string): string => files.find(({ fileName }: any) => fileName === name).id
  await bench.as.createFileRequest({ title: "Guest photos", folder: "/Guest photos" })
  await bench.as.createFileRequest({ title: "Homework", folder: "/Homework" })
  await bench.as.createFileReview({ fileId: id("mix.mp3") })
  await bench.as.createFileReview({ fileId: id("advert.mp4") })
  return bench
}

const nobody = (): Others => ({ asked: [], senders: [] })

const moved = (folder: string, ...names: ReadonlyArray<string>): ReadonlyArray<string> => [
  `+folder ${folder}`,
  ...names.map((name) => `${name}.folder: ${folder}`)
]

describe("what others do", () => {
  it("PLAN-292 “everything Mia sent me” is what came in from Mia", async () => {
    const bench = await benchOf(nobody())
    const before = await stateOf(bench)
    await bench.say("move everything Mia sent me to /Mixes")
    assert.deepStrictEqual(changes(before, await stateOf(bench)), moved("/Mixes", "mia1.jpg"))
    await bench.close()
  })

  it.each([
    ["move everything that came in through the request Guest photos to /New", moved("/New", "joe1.jpg", "mia1.jpg")],
    ["put all the pictures people sent to Guest photos into /New", moved("/New", "joe1.jpg", "mia1.jpg")],
    [
      "Verschieb alles, was über die Anfrage Guest photos gekommen ist, nach /New",
      moved("/New", "joe1.jpg", "mia1.jpg")
    ],
    ["move what Mia sent to Guest photos into /New", moved("/New", "mia1.jpg")],
    ["tag the photos Joe Hill uploaded to Guest photos with joe", ["+tag joe", "joe1.jpg.tags: joe"]],
    ["Tagge die Fotos, die Mia bei Guest photos hochgeladen hat, mit mia", ["+tag mia", "mia1.jpg.tags: mia"]],
    ["share what came in via the Guest photos request with carol", [
      "joe1.jpg.shared: carol",
      "mia1.jpg.shared: carol"
    ]],
    [
      "make a gallery called Guests out of everything that was sent to the request Guest photos",
      ["+gallery Guests: mia1.jpg, joe1.jpg"]
    ],
    ["move everything that was handed in at the request Homework to /New", []]
  ])("PLAN-267 “%s”", async (text, wanted) => {
    const bench = await benchOf(nobody())
    const before = await stateOf(bench)
    await bench.say(text)
    assert.deepStrictEqual(changes(before, await stateOf(bench)), [...wanted].sort())
    await bench.close()
  })

  it.each([
    ["Set up a file request called \"Set\" so the crew can send me their stuff, and give me the link", "requests"],
    ["Mach mir eine Dateianfrage „Fest“ und gib mir den Link dazu", "requests"],
    ["open a review for cut.mp4 and send me the link to it", "reviews"]
  ])("PLAN-268 “%s” gives the page's link", async (text, page) => {
    const bench = await benchOf(nobody())
    const { decision, text: reply } = await bench.say(text)
    assert.strictEqual(decision._tag, "Reply")
    assert.match(reply.split("\n").at(-1)!, new RegExp(`https://files\\.example\\.com/${page}/`))
    await bench.close()
  })

  it.each([
    ["reply to Ruth's note on mix.mp3: fixed in the next version", [["reply", {
      noteId: "n1",
      text: "fixed in the next version"
    }]]],
    ["Antworte auf Sams Anmerkung zu mix.mp3: Danke", [["reply", { noteId: "n2", text: "Danke" }]]],
    ["Please answer the comment Ruth left on mix.mp3 with \"will do\"", [["reply", { noteId: "n1", text: "will do" }]]],
    ["Mark the note about the logo on advert.mp4 as done", [["resolve", { noteId: "n3", resolved: true }]]],
    ["tick off Lee's note about the music on advert.mp4", [["resolve", { noteId: "n4", resolved: true }]]],
    ["Hak die Anmerkung zum Logo bei advert.mp4 ab", [["resolve", { noteId: "n3", resolved: true }]]],
    ["I fixed the music on advert.mp4, so you can mark that note as done", [["resolve", {
      noteId: "n4",
      resolved: true
    }]]],
    [
      "Mark both of Lee's notes on advert.mp4 as done",
      [["resolve", { noteId: "n3", resolved: true }], ["resolve", { noteId: "n4", resolved: true }]]
    ],
    ["Markiere die Anmerkung von Ruth zu mix.mp3 als erledigt", [["resolve", { noteId: "n1", resolved: true }]]],
    ["mark the note of Sam on mix.mp3 as done", [["resolve", { noteId: "n2", resolved: true }]]],
    [
      "mark the notes on mix.mp3 as resolved",
      [["resolve", { noteId: "n1", resolved: true }], ["resolve", { noteId: "n2", resolved: true }]]
    ],
    ["mark all notes of Ruth on mix.mp3 as done", [["resolve", { noteId: "n1", resolved: true }]]],
    ["Alle Anmerkungen von Sam zu mix.mp3 sind erledigt", [["resolve", { noteId: "n2", resolved: true }]]],
    ["mark all of Ruth's notes on mix.mp3 as resolved", [["resolve", { noteId: "n1", resolved: true }]]],
    ["mark all notes of Zoe on mix.mp3 as done", []],
    ["reply to the note of Ruth on mix.mp3: ok", [["reply", { noteId: "n1", text: "ok" }]]],
    ["reopen the note of Mona on advert.mp4", [["resolve", { noteId: "n5", resolved: false }]]],
    ["reopen Mona's note on advert.mp4", [["resolve", { noteId: "n5", resolved: false }]]],
    ["Setz Monas Anmerkung zu advert.mp4 wieder auf offen", [["resolve", { noteId: "n5", resolved: false }]]],
    ["mark Lee's note on advert.mp4 as done", []],
    ["what did Ruth say about mix.mp3?", []]
  ])("PLAN-269 “%s”", async (text, wanted) => {
    const others = nobody()
    const bench = await benchOf(others)
    await bench.say(text)
    assert.deepStrictEqual(others.asked, wanted as never)
    await bench.close()
  })

  it.each(["delete the note of Ruth on mix.mp3", "Lösche Ruths Anmerkung zu mix.mp3"])(
    "PLAN-269 “%s” asks about her note, and leaves the file",
    async (text) => {
      const bench = await benchOf(nobody())
      const before = await stateOf(bench)
      assert.match((await bench.say(text)).text, /Ruth.*(?:for good|endgültig)/)
      assert.deepStrictEqual(changes(before, await stateOf(bench)), [])
      await bench.close()
    }
  )

  it("PLAN-270 a wait for somebody by name goes past what others do; a wait for a role takes anybody's", async () => {
    for (
      const [text, waits] of [
        ["as soon as Mia sends her pictures to Guest photos, move them to /Mia", 3],
        ["sobald Mia ihre Fotos an Guest photos geschickt hat, verschiebe sie nach /Mia", 3],
        ["once the client has uploaded his pictures to Guest photos, move them to /Mia", 1],
        ["When the next guest hands something in to the request Guest photos, move the files to /Mia", 1]
      ] as const
    ) {
      const others = { asked: [], senders: ["Joe Hill", "Ada", "Mia Stone"] } as Others
      const bench = await benchOf(others)
      const before = await stateOf(bench)
      await bench.say(text)
      assert.deepStrictEqual(others.asked.map(([tool]) => tool), Array.from({ length: waits }, () => "wait"), text)
      assert.deepStrictEqual(changes(before, await stateOf(bench)), moved("/Mia", "mia1.jpg"), text)
      await bench.close()
    }
  })

  it("PLAN-270 a wait that only others end gives up, and does nothing", async () => {
    const others = { asked: [], senders: Array.from({ length: 30 }, () => "Joe Hill") } as Others
    const bench = await benchOf(others)
    const before = await stateOf(bench)
    assert.match(
      (await bench.say("as soon as Mia sends her pictures to Guest photos, move them to /Mia")).text,
      /only others/
    )
    assert.deepStrictEqual(changes(before, await stateOf(bench)), [])
    await bench.close()
  })

  it.each([
    "stop waiting",
    "forget about it, you don't have to wait any longer",
    "Du brauchst nicht mehr zu warten",
    "hör auf zu warten"
  ])(
    "PLAN-271 “%s” ends the wait",
    async (text) => {
      const others = nobody()
      const bench = await benchOf(others)
      await bench.say(text)
      assert.deepStrictEqual(others.asked, [["end", {}]])
      await bench.close()
    }
  )

  it("PLAN-271 where nothing waits, it is said", async () => {
    const bench = await Bench.make()
    assert.match((await bench.say("stop waiting")).text, /not waiting/)
    await bench.close()
  })

  it.each([
    [
      "Make a file request \"Plans\". The files should land in /Incoming/Plans and it should be open until 1 May 2026.",
      ["+folder /Incoming", "+folder /Incoming/Plans", "+request Plans: open|/Incoming/Plans|2026-05-02||"]
    ],
    [
      "Erstelle eine Dateianfrage „Fotos“. Die Dateien sollen in /Gäste landen, höchstens 500 MB.",
      ["+folder /Gäste", "+request Fotos: open|/Gäste||500000000|"]
    ],
    [
      "I want my students to hand in their essays here until Friday. Call it Essays.",
      ["+folder /Essays", "+request Essays: open|/Essays|2026-03-21||"]
    ],
    [
      "I'd like feedback on cut.mp4. Make a review link for it, and people may download the video too",
      ["+review cut.mp4: open||"]
    ]
  ])("PLAN-272 “%s” makes one", async (text, wanted) => {
    const bench = await benchOf(nobody())
    const before = await stateOf(bench)
    const { calls } = await bench.say(text)
    assert.deepStrictEqual(changes(before, await stateOf(bench)), wanted)
    assert.lengthOf(calls.filter(({ name }) => name.startsWith("create_file_")), 1)
    await bench.close()
  })

  it("PLAN-273 a ZIP is not made public, nor are the files in it", async () => {
    const bench = await benchOf(nobody())
    await bench.say("zip plan.pdf")
    const before = await stateOf(bench)
    assert.match((await bench.say("make it public")).text, /ZIP archive itself/)
    assert.deepStrictEqual(changes(before, await stateOf(bench)), [])
    await bench.close()
  })
})
