import type { Persona } from "./Request.ts"

export const family: Persona = {
  name: "a family",
  seeds: [
    {
      name: "IMG_2041.jpg",
      folder: "/Holidays/Lisbon",
      size: 3_000_000,
      media: { takenTime: new Date("2025-08-12T10:00:00Z"), location: { latitude: 38.71, longitude: -9.13 } }
    },
    {
      name: "IMG_2042.jpg",
      folder: "/Holidays/Lisbon",
      size: 3_100_000,
      media: { takenTime: new Date("2025-08-13T10:00:00Z"), location: { latitude: 38.72, longitude: -9.14 } }
    },
    {
      name: "beach.mp4",
      folder: "/Holidays/Lisbon",
      size: 200_000_000,
      media: { duration: 95, recordedTime: new Date("2025-08-13T15:00:00Z") }
    },
    { name: "birthday-cake.jpg", tags: ["emma"], size: 2_000_000, time: "2026-03-17T10:00:00Z" },
    {
      name: "emma-first-steps.mp4",
      tags: ["emma"],
      size: 50_000_000,
      time: "2026-02-01T10:00:00Z",
      media: { duration: 22 }
    },
    { name: "Screenshot 2026-03-01.png", time: "2026-03-01T08:00:00Z" },
    { name: "Screenshot 2026-03-02.png", time: "2026-03-02T08:00:00Z" },
    { name: "electricity bill march.pdf", time: "2026-03-05T08:00:00Z" },
    { name: "water bill 2025.pdf", time: "2025-12-05T08:00:00Z" },
    {
      name: "Grandma's apple pie.txt",
      text: "Apple pie\nIngredients: 6 apples, 200 g flour, 100 g butter\nBake for 45 minutes at 180 degrees.\n"
    },
    { name: "passport-anna.jpg" }
  ],
  requests: [
    {
      family: "finding",
      say: "show me our photos from Lisbon",
      reply: /IMG_2041[\s\S]*IMG_2042|IMG_2042[\s\S]*IMG_2041/,
      not: /beach\.mp4/
    },
    { family: "finding", say: "pictures taken last summer", reply: /IMG_2041/, not: /cake/ },
    { family: "finding", say: "what did I upload yesterday?", reply: /birthday-cake/, not: /Screenshot/ },
    { family: "finding", say: "find everything about Emma", reply: /emma-first-steps[\s\S]*|birthday/ },
    { family: "finding", say: "do we have a video of the beach?", reply: /beach\.mp4/ },
    { family: "finding", say: "whats the biggest file on the drive", reply: /beach\.mp4/ },
    {
      family: "finding",
      say: "list the bills",
      reply: /electricity bill march\.pdf[\s\S]*water bill 2025\.pdf|water bill 2025\.pdf[\s\S]*electricity/
    },
    { family: "finding", say: "where's Anna's passport?", reply: /passport-anna\.jpg/ },
    {
      family: "trash",
      say: "please delete all the screenshots",
      changes: ["Screenshot 2026-03-01.png.trashed: true", "Screenshot 2026-03-02.png.trashed: true"]
    },
    { family: "trash", say: ["get rid of the water bill", "oh no, bring it back"] },
    {
      family: "trash",
      say: ["delete the screenshots", "empty the trash", "yes"],
      changes: ["-file Screenshot 2026-03-01.png", "-file Screenshot 2026-03-02.png"]
    },
    {
      family: "trash",
      say: ["delete the screenshots", "empty the trash"],
      changes: ["Screenshot 2026-03-01.png.trashed: true", "Screenshot 2026-03-02.png.trashed: true"],
      asks: true
    },
    { family: "trash", say: "delete everything", asks: true },
    {
      family: "trash",
      say: ["permanently delete water bill 2025.pdf", "yes please"],
      changes: ["-file water bill 2025.pdf"]
    },
    {
      family: "folders",
      say: "Could you put all the bills into a folder called Bills, please?",
      changes: ["+folder /Bills", "electricity bill march.pdf.folder: /Bills", "water bill 2025.pdf.folder: /Bills"]
    },
    { family: "folders", say: "make a new folder Recipes", changes: ["+folder /Recipes"] },
    {
      family: "several",
      say: "make a folder Recipes and move the apple pie recipe there",
      changes: ["+folder /Recipes", "Grandma's apple pie.txt.folder: /Recipes"]
    },
    {
      family: "folders",
      say: "rename the Lisbon folder to Portugal 2025",
      changes: [
        "+folder /Holidays/Portugal 2025",
        "-folder /Holidays/Lisbon",
        "IMG_2041.jpg.folder: /Holidays/Portugal 2025",
        "IMG_2042.jpg.folder: /Holidays/Portugal 2025",
        "beach.mp4.folder: /Holidays/Portugal 2025"
      ]
    },
    {
      family: "renaming",
      say: "rename IMG_2041.jpg to Tram 28",
      changes: ["+file Tram 28.jpg: /Holidays/Lisbon", "-file IMG_2041.jpg"]
    },
    {
      family: "renaming",
      say: ["find the birthday cake picture", "call it Emma's cake.jpg"],
      changes: ["+file Emma's cake.jpg: /", "-file birthday-cake.jpg"]
    },
    {
      family: "tagging",
      say: "add the tag summer to the Lisbon pictures",
      changes: ["+tag summer", "IMG_2041.jpg.tags: summer", "IMG_2042.jpg.tags: summer"]
    },
    { family: "tagging", say: "what tags do we have", reply: /emma/ },
    {
      family: "galleries",
      say: "make a photo album of the Lisbon photos",
      changes: ["+gallery Lisbon photos: IMG_2042.jpg, IMG_2041.jpg|+gallery Lisbon photos: IMG_2041.jpg, IMG_2042.jpg"]
    },
    {
      family: "galleries",
      say: ["create a gallery called Lisbon from the pictures in the Lisbon folder", "make it public"],
      changes: [
        "+gallery Lisbon: public: IMG_2041.jpg, IMG_2042.jpg|+gallery Lisbon: public: IMG_2042.jpg, IMG_2041.jpg"
      ]
    },
    {
      family: "sharing",
      say: "share the Lisbon folder with anna",
      changes: ["IMG_2041.jpg.shared: anna", "IMG_2042.jpg.shared: anna", "beach.mp4.shared: anna"]
    },
    {
      family: "sharing",
      say: "send grace the video of Emma's first steps",
      changes: ["emma-first-steps.mp4.shared: grace"]
    },
    {
      family: "describing",
      say: "describe birthday-cake.jpg as \"Emma turns two\"",
      changes: ["birthday-cake.jpg.description: Emma turns two"]
    },
    { family: "reading", say: "how long do I bake the apple pie?", reply: /45 minutes/ },
    { family: "reading", say: "what does the apple pie recipe say about butter?", reply: /100 g butter/ },
    { family: "usage", say: "is there any space left?", reply: /left|of/ },
    { family: "help", say: "what can you do?", reply: /find/ }
  ]
}
