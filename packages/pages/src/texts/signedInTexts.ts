/** Texts around the pages of people who are signed in. */
import { pageTexts } from "./PageTexts.ts"

export const signedInTexts = pageTexts({
  en: {
    "signedIn.navigation": "Your drive",
    "signedIn.page.connections": "Connections",
    "signedIn.page.requests": "Requests",
    "signedIn.page.reviews": "Reviews",
    "signedIn.as": "Signed in as {name}",
    "signedIn.out": "Sign out",
    "signedIn.outFailed": "You could not be signed out. Please try again.",
    "signedIn.endedTitle": "You are signed out",
    "signedIn.ended": "Sign in again to go on.",
    "signedIn.again": "Sign in",
    "signedIn.typed":
      "You are signed out. What is on this page is still here: sign in in another tab, come back, and go on.",
    "signedIn.refusedTitle": "This account is not in use",
    "signedIn.refused": "It can’t be used at the moment. Ask whoever runs this site."
  },
  de: {
    "signedIn.navigation": "Ihre Ablage",
    "signedIn.page.connections": "Verbindungen",
    "signedIn.page.requests": "Anfragen",
    "signedIn.page.reviews": "Abnahmen",
    "signedIn.as": "Angemeldet als {name}",
    "signedIn.out": "Abmelden",
    "signedIn.outFailed": "Sie konnten nicht abgemeldet werden. Bitte versuchen Sie es noch einmal.",
    "signedIn.endedTitle": "Sie sind abgemeldet",
    "signedIn.ended": "Melden Sie sich wieder an, um weiterzumachen.",
    "signedIn.again": "Anmelden",
    "signedIn.typed":
      "Sie sind abgemeldet. Was auf dieser Seite steht, ist noch da: Melden Sie sich in einem anderen Tab an und kommen Sie zurück.",
    "signedIn.refusedTitle": "Dieses Konto ist nicht in Betrieb",
    "signedIn.refused": "Es kann gerade nicht benutzt werden. Wenden Sie sich an den Betreiber dieser Seite."
  }
})
