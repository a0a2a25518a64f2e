/** Texts of a page on which people sign in by an API token or once by a link. A host has its own; the example server has this one. */
import { pageTexts } from "./PageTexts.ts"

export const signInTexts = pageTexts({
  en: {
    "signIn.title": "Sign in",
    "signIn.token": "API token",
    "signIn.tokenHint":
      "Use a token without limits. The server prints its tokens when it starts; {command} on its machine makes a link that signs in once.",
    "signIn.submit": "Sign in",
    "signIn.ticket": "This link signs you in once.",
    "signIn.signedIn": "You are signed in",
    "signIn.goOn": "Go to your connections",
    "signIn.upload": "Upload files",
    "signIn.out": "Sign out",
    "signIn.noUploadTitle": "Uploading is not set up here",
    "signIn.noUpload":
      "This page is made of packages for development, which this server lacks. {command} in its workspace brings them. Files can be uploaded by the API meanwhile.",
    "signIn.docs": "How to use the API",
    "signIn.wrong": "The API token is wrong or has limits, or the link was used or is older than 15 minutes.",
    "signIn.tooMany": "Too many wrong tokens came from your address; wait a minute.",
    "signIn.otherSite": "The form came from a page of another site."
  },
  de: {
    "signIn.title": "Anmelden",
    "signIn.token": "API-Token",
    "signIn.tokenHint":
      "Benutzen Sie ein Token ohne Einschränkungen. Der Server gibt seine Token beim Start aus; {command} auf seinem Rechner macht einen Link, der einmal anmeldet.",
    "signIn.submit": "Anmelden",
    "signIn.ticket": "Dieser Link meldet Sie einmal an.",
    "signIn.signedIn": "Sie sind angemeldet",
    "signIn.goOn": "Zu Ihren Verbindungen",
    "signIn.upload": "Dateien hochladen",
    "signIn.out": "Abmelden",
    "signIn.noUploadTitle": "Hochladen ist hier nicht eingerichtet",
    "signIn.noUpload":
      "Diese Seite entsteht aus Paketen für die Entwicklung, die diesem Server fehlen. {command} in seinem Verzeichnis bringt sie. Bis dahin lassen sich Dateien über die API hochladen.",
    "signIn.docs": "Wie man die API benutzt",
    "signIn.wrong":
      "Das API-Token ist falsch oder hat Einschränkungen, oder der Link wurde schon benutzt oder ist älter als 15 Minuten.",
    "signIn.tooMany": "Von Ihrer Adresse kamen zu viele falsche Token; warten Sie eine Minute.",
    "signIn.otherSite": "Das Formular kam von einer Seite einer anderen Website."
  }
})
