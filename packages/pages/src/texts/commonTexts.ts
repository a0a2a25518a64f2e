/** Texts that all pages have. */
import { pageTexts } from "./PageTexts.ts"

export const commonTexts = pageTexts({
  en: {
    "common.noScript": "This page needs JavaScript. Please switch it on, or open the link in another browser.",
    "common.loading": "Loading …",
    "common.slow": "This takes longer than usual.",
    "common.retry": "Try again",
    "common.cancel": "Cancel",
    "common.close": "Close",
    "common.offline": "You are offline. It goes on by itself as soon as the network is back.",
    "common.failedTitle": "That didn’t work",
    "common.failed": "Something went wrong on our side. Please try again in a moment.",
    "common.unreachable": "The server can’t be reached. Check your connection and try again.",
    "common.noSpace": "The server has no room at the moment. Please try again later.",
    "common.tooManyCalls": "There are too many requests at the moment. Please try again in {time}.",
    "common.notFoundTitle": "There is nothing at this link",
    "common.notFound":
      "The link is incomplete, or what it led to was deleted. Ask the person who sent it to you for a new one.",
    "common.passwordTitle": "This link is protected",
    "common.passwordHint": "Enter the password that you were given together with the link.",
    "common.password": "Password",
    "common.passwordShow": "Show the password",
    "common.passwordWrong": "This is not the right password.",
    "common.passwordNeeded": "Please enter the password.",
    "common.open": "Open",
    "common.showAll": "Show all of it",
    "common.showLess": "Show less"
  },
  de: {
    "common.noScript":
      "Diese Seite braucht JavaScript. Bitte schalten Sie es ein, oder öffnen Sie den Link in einem anderen Browser.",
    "common.loading": "Wird geladen …",
    "common.slow": "Das dauert länger als sonst.",
    "common.retry": "Erneut versuchen",
    "common.cancel": "Abbrechen",
    "common.close": "Schließen",
    "common.offline": "Keine Verbindung. Es geht von selbst weiter, sobald das Netz wieder da ist.",
    "common.failedTitle": "Das hat nicht geklappt",
    "common.failed": "Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es gleich noch einmal.",
    "common.unreachable":
      "Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.",
    "common.noSpace": "Der Server hat gerade keinen Platz. Bitte versuchen Sie es später noch einmal.",
    "common.tooManyCalls": "Im Moment gibt es zu viele Anfragen. Bitte versuchen Sie es in {time} noch einmal.",
    "common.notFoundTitle": "Unter diesem Link gibt es nichts",
    "common.notFound":
      "Der Link ist unvollständig, oder sein Ziel wurde gelöscht. Bitten Sie die Person, die ihn geschickt hat, um einen neuen.",
    "common.passwordTitle": "Dieser Link ist geschützt",
    "common.passwordHint": "Geben Sie das Passwort ein, das Sie zusammen mit dem Link bekommen haben.",
    "common.password": "Passwort",
    "common.passwordShow": "Passwort anzeigen",
    "common.passwordWrong": "Das ist nicht das richtige Passwort.",
    "common.passwordNeeded": "Bitte geben Sie das Passwort ein.",
    "common.open": "Öffnen",
    "common.showAll": "Alles zeigen",
    "common.showLess": "Weniger zeigen"
  }
})
