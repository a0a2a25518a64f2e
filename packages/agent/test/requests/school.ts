import type { Persona } from "./Request.ts"

export const teacher: Persona = {
  name: "a teacher",
  seeds: [
    { name: "worksheet fractions.docx", folder: "/Math", time: "2026-03-02T10:00:00Z" },
    { name: "worksheet decimals.docx", folder: "/Math", time: "2026-03-09T10:00:00Z" },
    { name: "test-april.docx", folder: "/Math/Tests" },
    { name: "syllabus.pdf" },
    { name: "class-photo.jpg", size: 6_000_000, media: { takenTime: new Date("2025-09-08T10:00:00Z") } },
    { name: "old grades 2023.xlsx", time: "2023-07-01T10:00:00Z" },
    { name: "old grades 2024.xlsx", time: "2024-07-01T10:00:00Z" },
    { name: "volcano.mp4", folder: "/Science", media: { duration: 480 } },
    { name: "notes.txt", text: "Parents' evening is on 14 May in room 12.\nBring the reports.\n" }
  ],
  requests: [
    {
      family: "finding",
      say: "which worksheets do I have",
      reply: /fractions[\s\S]*decimals|decimals[\s\S]*fractions/
    },
    { family: "finding", say: "anything older than a year?", reply: /old grades 2023/, not: /worksheet/ },
    { family: "finding", say: "show me the spreadsheets", reply: /old grades/, not: /worksheet/ },
    { family: "finding", say: "I'm looking for the syllabus", reply: /syllabus\.pdf/ },
    { family: "finding", say: "can you find my volcano vidoe", reply: /volcano\.mp4/ },
    { family: "trash", say: "delete all files older than two years", changes: ["old grades 2023.xlsx.trashed: true"] },
    {
      family: "trash",
      say: "I don't need old grades 2023.xlsx anymore",
      changes: ["old grades 2023.xlsx.trashed: true"]
    },
    {
      family: "folders",
      say: "Plese move the workshets to /Math/Worksheets",
      changes: [
        "+folder /Math/Worksheets",
        "worksheet decimals.docx.folder: /Math/Worksheets",
        "worksheet fractions.docx.folder: /Math/Worksheets"
      ]
    },
    {
      family: "requests",
      say: "Set up a place where students can hand in their homework until next Friday",
      changes: ["+folder *", "+request *"],
      reply: /requests\//
    },
    {
      family: "requests",
      say: "open a file request called Homework week 12, files go to /Homework, max 2 GB",
      changes: ["+folder /Homework", "+request Homework week 12: open|/Homework||2000000000|"]
    },
    { family: "sharing", say: "share the syllabus with grace and bob", changes: ["syllabus.pdf.shared: bob, grace"] },
    { family: "links", say: "send me a download link for the class photo", reply: /http/ },
    { family: "reading", say: "when is the parents' evening according to notes.txt?", reply: /14 May/ },
    { family: "reading", say: "what does notes.txt say about parents", reply: /14 May/ },
    {
      family: "describing",
      say: "add the description \"Class of 2025\" to class-photo.jpg",
      changes: ["class-photo.jpg.description: Class of 2025"]
    },
    {
      family: "describing",
      say: ["describe class-photo.jpg as Class of 2025", "remove the description of class-photo.jpg"]
    },
    { family: "references", say: ["find the worksheets", "zip them"], reply: /ZIP/ },
    {
      family: "references",
      say: ["where is test-april.docx?", "move it to /Archive"],
      changes: ["+folder /Archive", "test-april.docx.folder: /Archive"]
    },
    {
      family: "references",
      say: ["create a folder Term 2", "put the worksheets there"],
      changes: [
        "+folder /Term 2",
        "worksheet decimals.docx.folder: /Term 2",
        "worksheet fractions.docx.folder: /Term 2"
      ]
    }
  ]
}

export const photographer: Persona = {
  name: "a photographer",
  seeds: [
    {
      name: "wedding-001.jpg",
      folder: "/Weddings/Smith",
      tags: ["portrait"],
      size: 8_000_000,
      media: { takenTime: new Date("2026-02-14T14:00:00Z") }
    },
    {
      name: "wedding-002.jpg",
      folder: "/Weddings/Smith",
      size: 9_000_000,
      media: { takenTime: new Date("2026-02-14T15:00:00Z") }
    },
    {
      name: "wedding-003.dng",
      folder: "/Weddings/Smith",
      size: 40_000_000,
      media: { takenTime: new Date("2026-02-14T15:30:00Z") }
    },
    {
      name: "paris-street.jpg",
      size: 7_000_000,
      tags: ["street", "portfolio"],
      media: { takenTime: new Date("2024-05-03T15:00:00Z"), location: { latitude: 48.86, longitude: 2.35 } }
    },
    {
      name: "oslo-fjord.jpg",
      size: 7_500_000,
      tags: ["portfolio"],
      media: { takenTime: new Date("2024-07-03T15:00:00Z"), location: { latitude: 59.91, longitude: 10.75 } }
    },
    { name: "untitled.jpg", isReal: true },
    { name: "contract-smith.pdf" }
  ],
  requests: [
    { family: "finding", say: "photos I took in Paris", reply: /paris-street/, not: /oslo/ },
    { family: "finding", say: "images from 2024", reply: /oslo-fjord/, not: /wedding/ },
    { family: "finding", say: "show pictures without tags", reply: /untitled\.jpg/, not: /paris/ },
    { family: "finding", say: "how many photos are tagged portfolio", reply: /\b2\b/ },
    { family: "finding", say: "find raw files bigger than 30 MB", reply: /wedding-003\.dng/ },
    {
      family: "finding",
      say: "the three largest photos",
      reply: /wedding-003[\s\S]*wedding-002[\s\S]*wedding-001/,
      not: /oslo/
    },
    { family: "finding", say: "pictures of the Smith wedding", reply: /wedding-001/ },
    {
      family: "galleries",
      say: "create a public gallery called Portfolio with the portfolio images",
      changes: [
        "+gallery Portfolio: public: oslo-fjord.jpg, paris-street.jpg|+gallery Portfolio: public: paris-street.jpg, oslo-fjord.jpg"
      ]
    },
    {
      family: "galleries",
      say: [
        "make a gallery called Smith of all photos in /Weddings/Smith except the dng",
        "add paris-street.jpg to the gallery"
      ],
      changes: [
        "+gallery Smith: wedding-001.jpg, wedding-002.jpg, paris-street.jpg|+gallery Smith: wedding-002.jpg, wedding-001.jpg, paris-street.jpg"
      ]
    },
    { family: "links", say: "make the untitled picture publicly visible", changes: ["untitled.jpg.public: true"] },
    { family: "trash", say: "delete the photo I uploaded today", changes: ["untitled.jpg.trashed: true"] },
    { family: "trash", say: "remove all images smaller than 1 MB", changes: ["untitled.jpg.trashed: true"] },
    {
      family: "sharing",
      say: "share the wedding pictures except the raw one with anna",
      changes: ["wedding-001.jpg.shared: anna", "wedding-002.jpg.shared: anna"]
    },
    {
      family: "tagging",
      say: "tag paris-street.jpg and oslo-fjord.jpg with travel",
      changes: [
        "+tag travel",
        "oslo-fjord.jpg.tags: portfolio, travel",
        "paris-street.jpg.tags: portfolio, street, travel"
      ]
    },
    {
      family: "tagging",
      say: "delete the tag street everywhere",
      changes: ["-tag street", "paris-street.jpg.tags: portfolio"]
    },
    { family: "clarify", say: "rename the wedding photo to bride.jpg", asks: true },
    {
      family: "clarify",
      say: ["rename the wedding photo to bride.jpg", "the second one"],
      changes: ["+file bride.jpg: /Weddings/Smith|+file bride.dng: /Weddings/Smith", "-file wedding-00*"]
    },
    {
      family: "several",
      say: "make untitled.jpg public, tag it with press and move it to /Press",
      changes: [
        "+folder /Press",
        "+tag press",
        "untitled.jpg.folder: /Press",
        "untitled.jpg.public: true",
        "untitled.jpg.tags: press"
      ]
    }
  ]
}

export const german: Persona = {
  name: "ein Verein",
  seeds: [
    {
      name: "Protokoll Januar.txt",
      folder: "/Protokolle",
      text: "Protokoll vom 12. Januar 2026\nAnwesend: 9 Mitglieder\nDer Beitrag steigt auf 60 Euro im Jahr.\n"
    },
    {
      name: "Protokoll Februar.txt",
      folder: "/Protokolle",
      text: "Protokoll vom 9. Februar 2026\nAnwesend: 11 Mitglieder\n"
    },
    { name: "Sommerfest1.jpg", tags: ["Sommerfest"], media: { takenTime: new Date("2025-07-05T15:00:00Z") } },
    { name: "Sommerfest2.jpg", tags: ["Sommerfest"], media: { takenTime: new Date("2025-07-05T16:00:00Z") } },
    { name: "Rechnung Getränke.pdf", time: "2026-03-11T10:00:00Z" },
    { name: "Rechnung Zelt.pdf", time: "2026-03-12T10:00:00Z" },
    { name: "Satzung.pdf", isReal: true },
    { name: "Chorprobe.mp3", media: { duration: 3000, tempo: 92 } }
  ],
  requests: [
    { family: "german", say: "Zeig mir alle Fotos vom Sommerfest", reply: /Sommerfest1\.jpg/ },
    { family: "german", say: "Wie viele Rechnungen haben wir?", reply: /\b2\b/ },
    { family: "german", say: "Wo liegt die Satzung?", reply: /Satzung\.pdf/ },
    {
      family: "german",
      say: "Verschiebe die Rechnungen bitte in den Ordner Kasse",
      changes: ["+folder /Kasse", "Rechnung Getränke.pdf.folder: /Kasse", "Rechnung Zelt.pdf.folder: /Kasse"]
    },
    {
      family: "german",
      say: "Kannst du die Satzung mit anna und bob teilen?",
      changes: ["Satzung.pdf.shared: anna, bob"]
    },
    { family: "german", say: "Lösche Chorprobe.mp3", changes: ["Chorprobe.mp3.trashed: true"] },
    { family: "german", say: ["Lösch die Chorprobe", "Stell sie wieder her"] },
    { family: "german", say: "Was steht im Protokoll Januar über den Beitrag?", reply: /60 Euro/ },
    {
      family: "german",
      say: "Mach Satzung.pdf öffentlich und gib mir den Link",
      changes: ["Satzung.pdf.public: true"],
      reply: /http/
    },
    {
      family: "german",
      say: "Erstelle eine Galerie namens Sommerfest mit allen Fotos vom Sommerfest",
      changes: [
        "+gallery Sommerfest: Sommerfest2.jpg, Sommerfest1.jpg|+gallery Sommerfest: Sommerfest1.jpg, Sommerfest2.jpg"
      ]
    },
    {
      family: "german",
      say: "Benenne Satzung.pdf in Satzung 2026.pdf um",
      changes: ["+file Satzung 2026.pdf: /", "-file Satzung.pdf"]
    },
    {
      family: "german",
      say: "Leg einen neuen Ordner Presse an und verschieb die Sommerfest-Bilder dorthin",
      changes: ["+folder /Presse", "Sommerfest1.jpg.folder: /Presse", "Sommerfest2.jpg.folder: /Presse"]
    },
    {
      family: "german",
      say: "Tagge alle Protokolle mit Vorstand",
      changes: ["+tag Vorstand", "Protokoll Februar.txt.tags: Vorstand", "Protokoll Januar.txt.tags: Vorstand"]
    },
    { family: "german", say: "Wie viel Speicherplatz ist noch frei?", reply: /frei/ },
    {
      family: "german",
      say: "Erstelle eine Dateianfrage für Fotos vom Frühlingsfest bis Ende des Monats",
      changes: ["+folder *", "+request *"],
      reply: /requests\//
    },
    { family: "german", say: ["Leere den Papierkorb"], reply: /leer/ },
    { family: "german", say: "Pack die Protokolle in ein ZIP", reply: /ZIP/ }
  ]
}
