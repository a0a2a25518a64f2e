/** Playlists: lists of songs and videos. */
import type { Family } from "./Intent.ts"
import { listIntents } from "./ListIntents.ts"

export const Playlists: Family = {
  name: "playlists",
  examples: {
    en: [
      "make a playlist of all tracks over 120 bpm",
      "create a playlist called Workout from the songs in /Music",
      "add demo.wav to the playlist Workout",
      "remove demo.wav from the Workout playlist",
      "what's in the playlist Workout?",
      "which playlists do I have?",
      "sort the playlist Workout by tempo"
    ],
    de: [
      "erstelle eine Playlist aus allen Songs über 120 bpm",
      "füge demo.wav zur Playlist Sport hinzu",
      "was ist in der Playlist Sport?"
    ]
  },
  intents: listIntents("playlist")
}
