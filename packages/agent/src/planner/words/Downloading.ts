/** Whether people may download what they review, in the ways that it is said. */

const each = (...parts: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> =>
  parts.reduce((all, some) => all.flatMap((lead) => some.map((word) => `${lead} ${word}`.trim().replace(/ +/g, " "))), [
    ""
  ])

const people = ["people", "they", "everyone", "reviewers", "viewers", "clients", "others", "you"]
const it = ["", "it", "them", "the file", "the video", "the track"]

export const allowedInEnglish: ReadonlyArray<string> = [
  ...each(
    ["", "and"],
    people,
    ["can", "may", "are allowed to", "is allowed to", "should be able to", "should be allowed to", "are welcome to"],
    ["download"],
    it
  ),
  ...each(["", "and", "with"], ["downloading", "downloads", "download"], [
    "is fine",
    "is ok",
    "is okay",
    "is allowed",
    "are fine",
    "are ok",
    "are okay",
    "are allowed",
    "is permitted",
    "permitted",
    "on",
    "enabled",
    "turned on"
  ]),
  ...each(["", "and"], ["let", "allow"], ["people", "them", "everyone", "reviewers", "clients"], [
    "download",
    "to download"
  ], it)
]

export const deniedInEnglish: ReadonlyArray<string> = [
  ...each(
    ["", "and", "but"],
    people,
    [
      "can't",
      "cannot",
      "can not",
      "may not",
      "must not",
      "mustn't",
      "should not",
      "shouldn't",
      "are not allowed to",
      "aren't allowed to"
    ],
    ["download"],
    it
  ),
  ...each(
    ["", "and", "but"],
    ["nobody", "no one"],
    ["can", "may", "should", "must", "is allowed to", "should be able to"],
    ["download"],
    it
  ),
  ...each(["", "and", "but"], ["downloading", "downloads", "download"], [
    "is not allowed",
    "isn't allowed",
    "are not allowed",
    "aren't allowed",
    "is forbidden",
    "are forbidden",
    "is off",
    "are off",
    "not allowed"
  ])
]

export const allowedInGerman: ReadonlyArray<string> = [
  ...each(["", "und"], ["herunterladen", "runterladen", "download", "downloads", "downloaden"], [
    "ist erlaubt",
    "sind erlaubt",
    "ist ok",
    "ist okay",
    "ist in ordnung",
    "erlaubt",
    "ist möglich",
    "darf man",
    "dürfen alle",
    "dürfen sie",
    "soll gehen",
    "soll möglich sein"
  ]),
  ...each(["", "und"], ["es", "sie", "man", "die datei"], ["darf", "kann"], [
    "heruntergeladen werden",
    "es herunterladen",
    "sie herunterladen",
    "herunterladen"
  ]),
  ...each(["", "und"], ["mit"], ["downloadmöglichkeit", "erlaubtem download", "download-erlaubnis"])
]

export const deniedInGerman: ReadonlyArray<string> = [
  ...each(["", "und", "aber"], ["herunterladen", "runterladen", "download", "downloads"], [
    "ist nicht erlaubt",
    "sind nicht erlaubt",
    "ist verboten",
    "nicht erlaubt",
    "verboten",
    "soll nicht gehen",
    "darf niemand",
    "darf keiner",
    "soll niemand können",
    "soll nicht möglich sein"
  ]),
  ...each(["", "und", "aber"], ["niemand", "keiner"], ["darf", "soll"], ["es", "sie", "das", "die datei", ""], [
    "herunterladen",
    "herunterladen können",
    "herunterladen dürfen"
  ])
]
