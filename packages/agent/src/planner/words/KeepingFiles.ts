/** "but keep the songs": what is in a folder or a list stays, in the ways that people say it. */

const each = (...parts: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> =>
  parts.reduce((all, some) => all.flatMap((lead) => some.map((word) => `${lead} ${word}`.trim().replace(/ +/g, " "))), [
    ""
  ])

const english = ["files", "songs", "tracks", "photos", "pictures", "videos", "contents"]
const german = [
  "die dateien",
  "die lieder",
  "die songs",
  "die fotos",
  "die bilder",
  "die videos",
  "den inhalt",
  "der inhalt"
]

export const keepFilesInEnglish: ReadonlyArray<string> = [
  ...each(
    ["", "but", "and"],
    ["keep", "leave", "don't delete", "do not delete", "not", "without", "without deleting"],
    ["the", "its", "all"],
    english,
    [
      "",
      "in it",
      "that are inside",
      "inside"
    ]
  ),
  ...each(["", "but"], ["the"], english, [
    "stay",
    "should stay",
    "must stay",
    "remain",
    "should remain",
    "can stay",
    "should be kept",
    "must be kept",
    "need to stay",
    "are to stay"
  ])
]

export const keepFilesInGerman: ReadonlyArray<string> = [
  ...each(["", "aber", "und"], german, [
    "bleiben",
    "bleiben aber",
    "sollen bleiben",
    "sollen aber bleiben",
    "soll bleiben",
    "soll aber bleiben",
    "müssen bleiben",
    "müssen aber bleiben",
    "bleibt",
    "behalten",
    "sollen erhalten bleiben",
    "sollen nicht gelöscht werden",
    "nicht löschen"
  ]),
  ...each(["", "aber", "und"], ["behalte", "behalt", "lass"], german, ["", "da", "drin"])
]
