/** A drive with something of everything, and what people of many kinds ask of it: most of it names no noun, or not the drive's. */
import type { Bench, Seed } from "../Bench.ts"

const track = (name: string, folder: string, tempo: number, tags: ReadonlyArray<string> = []): Seed => ({
  name,
  folder,
  tags,
  size: 5_000_000 + tempo,
  media: { title: name.replace(/\..*/, ""), tempo, duration: 200 }
})

export const seeds: ReadonlyArray<Seed> = [
  track("Slow Boat.mp3", "/Album", 74),
  track("Harbour Lights.mp3", "/Album", 128),
  track("Night Shift.mp3", "/Album", 155, ["demo", "old"]),
  track("Intro.mp3", "/Music", 90),
  track("Run Run.wav", "/Music", 162),
  { name: "logo.png", isReal: true },
  { name: "old logo.png", folder: "/Brand" },
  { name: "budget.xlsx", isReal: true },
  { name: "trailer.mp4" },
  { name: "report.pdf", tags: ["draft"], folder: "/Work", isReal: true },
  { name: "plan.pdf" },
  { name: "notes.txt" },
  { name: "Screenshot 1.png" },
  { name: "Screenshot 2.png" },
  { name: "rome-1.jpg", folder: "/Photos/Rome", tags: ["holiday"] },
  { name: "rome-2.jpg", folder: "/Photos/Rome", tags: ["holiday"] },
  { name: "tmp1.bin", folder: "/Temp" },
  { name: "Contract Smith.pdf", folder: "/Contracts", time: "2026-02-03T10:00:00Z" },
  { name: "Contract Jones.pdf", folder: "/Contracts", time: "2025-05-03T10:00:00Z" }
]

/** Lists, shares, a request and a review. */
export const furnish = async ({ as, people }: Bench): Promise<void> => {
  const files: ReadonlyArray<{ readonly id: string; readonly fileName: string }> = await as.selectUserFiles()
  const id = (name: string): string => files.find(({ fileName }) => fileName === name)!.id
  await as.createFolder({ path: "/Empty" })
  await as.createPlaylist({ title: "Workout", fileIds: [id("Slow Boat.mp3"), id("Harbour Lights.mp3")] })
  await as.createPlaylist({ title: "Gig", fileIds: [id("Intro.mp3"), id("Night Shift.mp3")] })
  await as.createGallery({ title: "Family", fileIds: [id("rome-1.jpg")] })
  await as.shareFiles({ fileIds: [id("budget.xlsx")], userIds: [people.get("bob"), people.get("grace")] })
  await as.createFileRequest({ title: "Season photos", expireTime: "2026-04-10T00:00:00.000Z" })
  await as.trashFiles([{ id: id("plan.pdf") }])
}

/** What is said, and what changes; `?` at the end of the list: the answer is a question. */
export const spoken: Readonly<
  Record<string, ReadonlyArray<readonly [say: string, ...changes: ReadonlyArray<string>]>>
> = {
  "PLAN-101": [
    ["remove Slow Boat from Workout", "playlist Workout: Harbour Lights.mp3"],
    ["kick Intro off the Gig playlist pls", "playlist Gig: Night Shift.mp3"],
    ["nimm Slow Boat aus Workout raus", "playlist Workout: Harbour Lights.mp3"],
    ["take rome-1.jpg out of Family", "gallery Family: "],
    ["remove bob from budget.xlsx", "budget.xlsx.shared: grace"],
    ["remove demo from Night Shift.mp3", "Night Shift.mp3.tags: old"],
    ["take rome-1.jpg out of Photos", "rome-1.jpg.folder: /"],
    [
      "put Run Run into Workout and take Harbour Lights out",
      "playlist Workout: Slow Boat.mp3, Run Run.wav"
    ],
    ["drop the tag \"old\" from every file", "Night Shift.mp3.tags: demo"]
  ],
  "PLAN-102": [
    ["move report.pdf to Brand >> undo that"],
    ["rename notes.txt to ideas.txt >> change it back"],
    ["delete logo.png >> undo"],
    ["make a playlist of songs over 150 bpm >> undo that"],
    ["share report.pdf with bob >> mach das rückgängig"],
    ["remove Slow Boat from Workout >> undo that", "playlist Workout: Harbour Lights.mp3, Slow Boat.mp3"],
    ["tag report.pdf with old >> no wait, undo that"],
    ["undo that"]
  ],
  "PLAN-103": [
    ["make logo.png public", "logo.png.public: true"],
    ["rename the file notes.txt to Meeting notes.txt", "+file Meeting notes.txt: /", "-file notes.txt"],
    ["delete logo.png", "logo.png.trashed: true"]
  ],
  "PLAN-104": [
    ["send an email to bob"],
    ["make a copy of report.pdf"],
    ["don't delete report.pdf"],
    ["remove duplicate files"]
  ],
  "PLAN-105": [
    ["Bob shouldn't be able to see budget.xlsx anymore", "budget.xlsx.shared: grace"],
    ["Gib Bob keinen Zugriff mehr auf budget.xlsx", "budget.xlsx.shared: grace"],
    ["Bob soll budget.xlsx nicht mehr sehen", "budget.xlsx.shared: grace"],
    ["stop bob from seeing the budget", "budget.xlsx.shared: grace"],
    ["nobody should see budget.xlsx anymore", "budget.xlsx.shared: "]
  ],
  "PLAN-106": [
    ["Don't accept any more files for Season photos", "request Season photos: closed|/Season photos|2026-04-10||"],
    ["close Season photos", "request Season photos: closed|/Season photos|2026-04-10||"],
    ["Extend Season photos by a week", "request Season photos: open|/Season photos|2026-04-17||"],
    ["Verlängere Season photos um eine Woche", "request Season photos: open|/Season photos|2026-04-17||"],
    ["give people two more weeks for Season photos", "request Season photos: open|/Season photos|2026-04-24||"],
    [
      "Open a request so that my clients can upload their logos",
      "+folder /Logos",
      "+request Logos: open|/Logos|||"
    ],
    [
      "open a file request called Invoices Q1 that ends next friday",
      "+folder /Invoices Q1",
      "+request Invoices Q1: open|/Invoices Q1|2026-03-21||"
    ]
  ],
  "PLAN-107": [
    ["Delete the empty folders", "-folder /Empty"],
    [
      "please tidy up: move all screenshots to a new folder called Screenshots",
      "+folder /Screenshots",
      "Screenshot 1.png.folder: /Screenshots",
      "Screenshot 2.png.folder: /Screenshots"
    ],
    [
      "Put notes.txt into /A and report.pdf into /B",
      "+folder /A",
      "+folder /B",
      "notes.txt.folder: /A",
      "report.pdf.folder: /B"
    ],
    ["Label the contracts from this year as active", "+tag active", "Contract Smith.pdf.tags: active"],
    ["I deleted a file called plan.pdf by mistake, can you get it back?", "plan.pdf.trashed: false"],
    ["Make me a playlist for running with songs above 150 bpm", "+playlist running: Run Run.wav, Night Shift.mp3"],
    ["Lösch den Ordner Temp", "-folder /Temp", "tmp1.bin.folder: /", "tmp1.bin.trashed: true"],
    ["can u tag everything in Music with live", "+tag live", "Intro.mp3.tags: live", "Run Run.wav.tags: live"]
  ]
}

/** Questions, and what their answers say. */
export const asked: ReadonlyArray<readonly [say: string, reply: RegExp, not?: RegExp]> = [
  ["Which of my songs don't have a tag yet?", /Intro\.mp3/, /Night Shift/],
  ["Welche Lieder haben keinen Tag?", /Intro\.mp3/, /Night Shift/],
  ["What's the total length of the Album folder?", /10:00/, /Intro/],
  ["how long is the playlist Gig in total?", /6:40/],
  ["I'd like to see the pictures from our trip to Rome", /rome-1\.jpg/, /logo/],
  ["Is logo.png public?", /private/, /old logo/],
  ["Who did I share the budget with?", /bob and grace/],
  ["mit wem hab ich das budget geteilt", /bob und grace/],
  ["Show me what came in for Season photos", /Nobody has sent anything/],
  ["Has Grace sent her files yet?", /Grace has not sent anything/],
  ["How many files have been uploaded to the Season photos request?", /Nobody has sent anything/],
  ["what is opened most", /Nothing was opened/],
  ["Which video got the most views this month?", /Nothing was opened/],
  ["How many people looked at trailer.mp4?", /Nobody else has opened/],
  ["find report.pdf and tell me who opened it", /Nobody else has opened/],
  ["What did I delete this week?", /plan\.pdf/],
  ["How full is my storage?", /of 1 TB/],
  ["what tags are on report.pdf", /draft/],
  ["documents from last year", /Contract Jones/, /Contract Smith/],
  ["Wie viel Platz hab ich noch?", /sind frei/]
]
