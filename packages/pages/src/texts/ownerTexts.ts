/** Texts that the pages of file requests and of reviews have in common, for their owner. */
import { pageTexts } from "./PageTexts.ts"

export const ownerTexts = pageTexts({
  en: {
    "owner.open": "Open",
    "owner.full": "Full",
    "owner.closed": "Closed",
    "owner.expired": "Ended",
    "owner.isOpen": "The link is open again.",
    "owner.isClosed": "The link is closed.",
    "owner.until": "Until {time}",
    "owner.ended": "Ended on {time}",
    "owner.hasPassword": "With a password",

    "owner.link": "Link",
    "owner.copyLink": "Copy link",
    "owner.copyLinkOf": "Copy the link of {name}",
    "owner.openLink": "Open the link in a new tab",
    "owner.linkEnded": "Whoever opens this link is told that it is not open any more.",
    "owner.copied": "The link was copied.",
    "owner.copyFailed": "The link could not be copied. Select it and copy it yourself.",

    "owner.edit": "Edit",
    "owner.save": "Save",
    "owner.saved": "Your changes were saved.",
    "owner.close": "Close the link",
    "owner.reopen": "Open again",
    "owner.delete": "Delete",
    "owner.deleted": "“{name}” was deleted.",
    "owner.deleteWhat": "Delete {what}",
    "owner.moreOf": "More about {name}",
    "owner.nameProves":
      "A name proves nothing: whoever it was can come back under another one. To keep them away, close the link or set a password.",

    "owner.message": "Message (optional)",
    "owner.messageWrong": "This message can’t be taken. It has at most 2,000 characters.",
    "owner.expire": "Open until (optional)",
    "owner.expireWrong": "Choose a day and a time in the future.",
    "owner.password": "Password (optional)",
    "owner.passwordHint": "Nobody opens the link without it.",
    "owner.passwordOther": "Another password (optional)",
    "owner.passwordKept":
      "Leave it empty to keep the one there is. With another one everybody who has the link open has to enter it.",
    "owner.passwordRemove": "Remove the password",
    "owner.passwordWrong": "This password can’t be taken. It has 1 to 200 characters.",

    "owner.pages": "Pages of the list",
    "owner.newer": "Newer",
    "owner.older": "Older",
    "owner.stale": "What you see may be out of date.",
    "owner.gone": "It was deleted meanwhile.",
    "owner.notAllowed": "You are not allowed to do this, or have as many as you can have."
  },
  de: {
    "owner.open": "Offen",
    "owner.full": "Voll",
    "owner.closed": "Geschlossen",
    "owner.expired": "Beendet",
    "owner.isOpen": "Der Link ist wieder offen.",
    "owner.isClosed": "Der Link ist geschlossen.",
    "owner.until": "Bis {time}",
    "owner.ended": "Beendet am {time}",
    "owner.hasPassword": "Mit Passwort",

    "owner.link": "Link zum Weitergeben",
    "owner.copyLink": "Link kopieren",
    "owner.copyLinkOf": "Link von {name} kopieren",
    "owner.openLink": "Link in einem neuen Tab öffnen",
    "owner.linkEnded": "Wer diesen Link öffnet, erfährt, dass er nicht mehr offen ist.",
    "owner.copied": "Der Link wurde kopiert.",
    "owner.copyFailed": "Der Link konnte nicht kopiert werden. Markieren und kopieren Sie ihn selbst.",

    "owner.edit": "Bearbeiten",
    "owner.save": "Speichern",
    "owner.saved": "Ihre Änderungen wurden gespeichert.",
    "owner.close": "Link schließen",
    "owner.reopen": "Wieder öffnen",
    "owner.delete": "Löschen",
    "owner.deleted": "„{name}“ wurde gelöscht.",
    "owner.deleteWhat": "{what} löschen",
    "owner.moreOf": "Mehr zu {name}",
    "owner.nameProves":
      "Ein Name beweist nichts: Wer es war, kann unter einem anderen wiederkommen. Um das zu verhindern, schließen Sie den Link oder setzen Sie ein Passwort.",

    "owner.message": "Nachricht (optional)",
    "owner.messageWrong": "Diese Nachricht geht nicht. Sie hat höchstens 2.000 Zeichen.",
    "owner.expire": "Offen bis (optional)",
    "owner.expireWrong": "Wählen Sie einen Tag und eine Uhrzeit in der Zukunft.",
    "owner.password": "Passwort (optional)",
    "owner.passwordHint": "Ohne das Passwort öffnet niemand den Link.",
    "owner.passwordOther": "Anderes Passwort (optional)",
    "owner.passwordKept":
      "Lassen Sie das Feld leer, um das bisherige zu behalten. Ein anderes müssen alle eingeben, die den Link geöffnet haben.",
    "owner.passwordRemove": "Passwort entfernen",
    "owner.passwordWrong": "Dieses Passwort geht nicht. Es hat 1 bis 200 Zeichen.",

    "owner.pages": "Seiten der Liste",
    "owner.newer": "Neuere",
    "owner.older": "Ältere",
    "owner.stale": "Was Sie sehen, ist vielleicht nicht mehr aktuell.",
    "owner.gone": "Es wurde inzwischen gelöscht.",
    "owner.notAllowed": "Das dürfen Sie nicht, oder Sie haben schon so viele, wie möglich sind."
  }
})
