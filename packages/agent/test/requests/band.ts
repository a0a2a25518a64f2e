import type { Persona } from "./Request.ts"

export const band: Persona = {
  name: "a band",
  seeds: [
    {
      name: "Harbour Lights.wav",
      folder: "/Album/Mixes",
      tags: ["final"],
      size: 52_000_000,
      media: { title: "Harbour Lights", artists: ["The Ferries"], album: "Tide", duration: 241, tempo: 128, key: "Am" }
    },
    {
      name: "Slow Boat.wav",
      folder: "/Album/Mixes",
      size: 61_000_000,
      media: { title: "Slow Boat", artists: ["The Ferries"], album: "Tide", duration: 402, tempo: 74, key: "C" }
    },
    {
      name: "Night Shift.mp3",
      folder: "/Album/Demos",
      tags: ["demo"],
      size: 7_000_000,
      media: { title: "Night Shift", artists: ["The Ferries"], duration: 183, tempo: 140, key: "F#m" }
    },
    {
      name: "Rehearsal 2026-03-14.m4a",
      folder: "/Rehearsals",
      size: 90_000_000,
      time: "2026-03-14T21:00:00Z",
      media: { duration: 5400 }
    },
    {
      name: "Rehearsal 2026-03-17.m4a",
      folder: "/Rehearsals",
      size: 80_000_000,
      time: "2026-03-17T21:00:00Z",
      media: { duration: 4800 }
    },
    { name: "cover-draft.png", folder: "/Artwork", size: 3_000_000 },
    { name: "band-photo.jpg", folder: "/Artwork", tags: ["press"], isReal: true },
    { name: "live-at-the-dock.mp4", folder: "/Videos", size: 900_000_000, media: { duration: 3600 } },
    { name: "setlist.pdf" },
    { name: "rider.pdf" }
  ],
  requests: [
    {
      family: "finding",
      say: "which of our songs are faster than 120 bpm?",
      reply: /Harbour Lights\.wav[\s\S]*Night Shift\.mp3|Night Shift\.mp3[\s\S]*Harbour Lights\.wav/,
      not: /Slow Boat/
    },
    { family: "finding", say: "Anything in A minor?", reply: /Harbour Lights/, not: /Slow Boat/ },
    { family: "finding", say: "show me tracks longer than five minutes", reply: /Slow Boat/, not: /Night Shift/ },
    { family: "finding", say: "how many rehearsal recordings do we have?", reply: /\b2\b/ },
    { family: "finding", say: "where did I put the rider?", reply: /rider\.pdf/ },
    { family: "finding", say: "what tempo is Slow Boat?", reply: /74/ },
    { family: "finding", say: "Find songs by The Ferries", reply: /Harbour Lights/ },
    { family: "finding", say: "what's the key of Night Shift", reply: /F#m/ },
    {
      family: "playlists",
      say: "Make a playlist called Warm-up with all tracks over 120 bpm",
      changes: [
        "+playlist Warm-up: Night Shift.mp3, Harbour Lights.wav|+playlist Warm-up: Harbour Lights.wav, Night Shift.mp3"
      ]
    },
    {
      family: "playlists",
      say: "put Harbour Lights and Slow Boat into a new playlist named Tide",
      changes: ["+playlist Tide: Harbour Lights.wav, Slow Boat.wav"]
    },
    {
      family: "playlists",
      say: ["create a playlist called Gig", "add Slow Boat.wav to it"],
      changes: ["+playlist Gig: Slow Boat.wav"]
    },
    {
      family: "playlists",
      say: ["make a playlist called Set from everything in the Mixes folder", "now sort the playlist by tempo"],
      changes: ["+playlist Set: Slow Boat.wav, Harbour Lights.wav"]
    },
    {
      family: "playlists",
      say: ["make a playlist called Set from everything in the Mixes folder", "take Slow Boat off the playlist"],
      changes: ["+playlist Set: Harbour Lights.wav"]
    },
    {
      family: "playlists",
      say: ["make a playlist called Set from everything in the Mixes folder", "rename that playlist to Friday Set"],
      changes: [
        "+playlist Friday Set: Harbour Lights.wav, Slow Boat.wav|+playlist Friday Set: Slow Boat.wav, Harbour Lights.wav"
      ]
    },
    { family: "playlists", say: ["make a playlist called Set from everything in the Mixes folder", "delete it"] },
    {
      family: "several",
      say: "make a playlist of all tracks over 120 bpm and share it with bob",
      changes: [
        "+playlist Tracks over 120 bpm: Night Shift.mp3, Harbour Lights.wav|+playlist Tracks over 120 bpm: Harbour Lights.wav, Night Shift.mp3",
        "Harbour Lights.wav.shared: bob",
        "Night Shift.mp3.shared: bob"
      ]
    },
    {
      family: "tagging",
      say: "tag both rehearsal recordings as raw",
      changes: ["+tag raw", "Rehearsal 2026-03-14.m4a.tags: raw", "Rehearsal 2026-03-17.m4a.tags: raw"]
    },
    { family: "tagging", say: "Mark Slow Boat as final", changes: ["Slow Boat.wav.tags: final"] },
    { family: "tagging", say: "take the demo tag off Night Shift", changes: ["Night Shift.mp3.tags: "] },
    { family: "sharing", say: "give bob access to everything in Demos", changes: ["Night Shift.mp3.shared: bob"] },
    {
      family: "sharing",
      say: ["share setlist.pdf with bob and grace", "actually, stop sharing it with bob"],
      changes: ["setlist.pdf.shared: grace"]
    },
    { family: "links", say: "I need a link to the band photo", reply: /band-photo\.jpg: http/ },
    { family: "links", say: "make the press photos public", changes: ["band-photo.jpg.public: true"], reply: /http/ },
    { family: "covers", say: "use cover-draft.png as the cover for Harbour Lights", reply: /cover/i },
    {
      family: "folders",
      say: "move the rehearsals from last week to /Archive/2026",
      changes: ["+folder /Archive", "+folder /Archive/2026", "Rehearsal 2026-03-14.m4a.folder: /Archive/2026"]
    },
    {
      family: "reviews",
      say: "send Slow Boat out for review until Friday, asking \"Is the ending too long?\"",
      changes: ["+review Slow Boat.wav: open|2026-03-21|Is the ending too long?"],
      reply: /https:\/\/files\.example\.com\/reviews\//
    },
    {
      family: "requests",
      say: "create a file request for stems from the drummer into /Album/Stems",
      changes: ["+folder /Album/Stems", "+request Stems from the drummer: open|/Album/Stems|||"]
    },
    { family: "archives", say: "zip up the mixes folder", reply: /ZIP/ },
    { family: "usage", say: "how much space are we using?", reply: /GB|MB/ }
  ]
}
