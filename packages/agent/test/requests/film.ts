import type { Persona } from "./Request.ts"

export const film: Persona = {
  name: "a film crew",
  seeds: [
    {
      name: "A001_C001.mov",
      folder: "/Footage/Day 1",
      size: 2_400_000_000,
      time: "2026-03-15T18:00:00Z",
      media: { duration: 62 }
    },
    {
      name: "A001_C002.mov",
      folder: "/Footage/Day 1",
      size: 800_000_000,
      time: "2026-03-15T18:05:00Z",
      media: { duration: 18 }
    },
    {
      name: "A002_C001.mov",
      folder: "/Footage/Day 2",
      size: 3_100_000_000,
      time: "2026-03-16T18:00:00Z",
      media: { duration: 130 }
    },
    {
      name: "rough-cut-v1.mp4",
      folder: "/Cuts",
      size: 500_000_000,
      time: "2026-03-16T20:00:00Z",
      media: { duration: 640 }
    },
    {
      name: "rough-cut-v2.mp4",
      folder: "/Cuts",
      size: 510_000_000,
      time: "2026-03-17T20:00:00Z",
      media: { duration: 612 }
    },
    { name: "boom-scene4.wav", folder: "/Sound", size: 120_000_000, media: { duration: 300 } },
    { name: "call sheet day 3.pdf", time: "2026-03-17T09:00:00Z" },
    { name: "script_final.pdf" },
    { name: "storyboard.png" }
  ],
  requests: [
    { family: "finding", say: "how many clips did we shoot on day 1?", reply: /\b2\b/ },
    {
      family: "finding",
      say: "Show all videos larger than 2 GB",
      reply: /A001_C001[\s\S]*A002_C001|A002_C001[\s\S]*A001_C001/,
      not: /C002/
    },
    { family: "finding", say: "what is the newest cut?", reply: /rough-cut-v2/, not: /v1/ },
    { family: "finding", say: "list clips shorter than 30 seconds", reply: /A001_C002/, not: /A001_C001/ },
    { family: "finding", say: "how long is rough-cut-v2.mp4?", reply: /10:12/ },
    { family: "finding", say: "what's in the Sound folder?", reply: /boom-scene4\.wav/ },
    { family: "finding", say: "total size of the footage", reply: /6\.3 GB/ },
    {
      family: "reviews",
      say: "set up a review for the second rough cut",
      changes: ["+review rough-cut-v2.mp4: open||"]
    },
    {
      family: "reviews",
      say: "Create a review link for rough-cut-v2.mp4 that expires on Friday, with password dailies",
      changes: ["+review rough-cut-v2.mp4: open|2026-03-21|"]
    },
    {
      family: "reviews",
      say: ["create a review for rough-cut-v1.mp4", "close the review"],
      changes: ["+review rough-cut-v1.mp4: closed||"]
    },
    {
      family: "reviews",
      say: ["create a review for rough-cut-v1.mp4", "what notes are there?"],
      changes: ["+review rough-cut-v1.mp4: open||"],
      reply: /no notes/i
    },
    {
      family: "folders",
      say: "move A001_C001.mov and A001_C002.mov to /Footage/Selects",
      changes: [
        "+folder /Footage/Selects",
        "A001_C001.mov.folder: /Footage/Selects",
        "A001_C002.mov.folder: /Footage/Selects"
      ]
    },
    {
      family: "folders",
      say: "move everything from Day 2 into Day 1",
      changes: ["A002_C001.mov.folder: /Footage/Day 1"]
    },
    {
      family: "folders",
      say: "Create folders Grading, Titles and Music in /Post",
      changes: ["+folder /Post", "+folder /Post/Grading", "+folder /Post/Music", "+folder /Post/Titles"]
    },
    {
      family: "folders",
      say: "move the folder Cuts into Footage",
      changes: [
        "+folder /Footage/Cuts",
        "-folder /Cuts",
        "rough-cut-v1.mp4.folder: /Footage/Cuts",
        "rough-cut-v2.mp4.folder: /Footage/Cuts"
      ]
    },
    {
      family: "folders",
      say: "remove the folder Sound but keep the files",
      changes: ["-folder /Sound", "boom-scene4.wav.folder: /"]
    },
    {
      family: "folders",
      say: "delete the folder Day 2 and everything in it",
      changes: ["-folder /Footage/Day 2", "A002_C001.mov.folder: /Footage", "A002_C001.mov.trashed: true"]
    },
    { family: "trash", say: "throw away the first rough cut, we only need v2", reply: /did not understand/ },
    { family: "trash", say: "delete rough-cut-v1", changes: ["rough-cut-v1.mp4.trashed: true"] },
    {
      family: "several",
      say: "tag rough-cut-v2.mp4 with client and share it with grace",
      changes: ["+tag client", "rough-cut-v2.mp4.shared: grace", "rough-cut-v2.mp4.tags: client"]
    },
    {
      family: "several",
      say: "find the call sheet, rename it to Call Sheet 3.pdf and give me a link",
      changes: ["+file Call Sheet 3.pdf: /", "-file call sheet day 3.pdf"],
      reply: /http/
    },
    {
      family: "tagging",
      say: "tag every clip from Day 1 with 'scene 4' and exterior",
      changes: [
        "+tag exterior",
        "+tag scene 4",
        "A001_C001.mov.tags: exterior, scene 4",
        "A001_C002.mov.tags: exterior, scene 4"
      ]
    },
    { family: "covers", say: "use storyboard.png as the thumbnail of rough-cut-v2.mp4", reply: /cover|thumbnail/i },
    { family: "archives", say: "pack the footage from day 1 into a zip called Dailies", reply: /Dailies/ },
    {
      family: "requests",
      say:
        "We need an upload link for the sound guys so they can send their recordings to /Sound, open until the end of the month, max 50 GB",
      reply: /https:\/\/files\.example\.com\/requests\//,
      changes: ["+request *: open|/Sound|2026-04-01|50000000000|"]
    },
    { family: "views", say: "who has watched rough-cut-v2.mp4?", reply: /Nobody/ },
    { family: "views", say: "which files were opened the most this week?", reply: /./ },
    { family: "views", say: "what happened on the drive since Monday?", reply: /./ }
  ]
}
