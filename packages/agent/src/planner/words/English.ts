/** The English words that the planner knows; verbs and nouns have files of their own. A word may be in several classes. */
import { allowedInEnglish, deniedInEnglish } from "./Downloading.ts"
import { EnglishNouns } from "./EnglishNouns.ts"
import { EnglishVerbs } from "./EnglishVerbs.ts"
import { keepFilesInEnglish } from "./KeepingFiles.ts"
import type { Words } from "./Words.ts"

const vowel = /[aeiou]/

/** Regular forms: moves, moving, moved; tag, tagging; copy, copies. */
const verbForms = (verb: string): ReadonlyArray<string> => {
  const [head, ...rest] = verb.split(" ")
  const tail = rest.length === 0 ? "" : ` ${rest.join(" ")}`
  const w = head!
  const doubled = /^[^aeiou]*[aeiou][bdglmnprt]$/.test(w) ? w + w.at(-1) : w
  const stem = w.endsWith("e") && !w.endsWith("ee") ? w.slice(0, -1) : doubled
  const y = w.endsWith("y") && !vowel.test(w.at(-2) ?? "")
  const s = y ? `${w.slice(0, -1)}ies` : /(?:s|x|ch|sh)$/.test(w) ? `${w}es` : `${w}s`
  return [w, s, `${stem}ing`, y ? `${w.slice(0, -1)}ied` : `${stem}ed`].map((form) => form + tail)
}

const nounForms = (noun: string): ReadonlyArray<string> => {
  const y = noun.endsWith("y") && !vowel.test(noun.at(-2) ?? "")
  return [noun, y ? `${noun.slice(0, -1)}ies` : /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`]
}

/** "from our trip to": only the place says which. */
const journeys = ["from", "of", "on", "during"].flatMap((lead) =>
  ["our", "my", "the", "a", "last"].flatMap((whose) =>
    ["trip", "holiday", "holidays", "vacation", "visit", "journey", "stay"].flatMap((noun) =>
      ["to", "in", "at"].map((to) => `${lead} ${whose} ${noun} ${to}`)
    )
  )
)

export const English: Words = {
  verbs: EnglishVerbs,
  nouns: EnglishNouns,
  phrases: {
    about:
      "mention, mentions, about, concerning, regarding, mentioning, on, with, for, related to, containing, that mention, matching, that contain, which contain, that contains, with the word, with the words, of",
    again: "again, once more",
    all:
      "all, every, each, everything, all of, all the, any, whole, entire, complete, both, both of the, both the, all my, all our, all of my",
    and: "and, &, plus, as well as, and also, along with, together with",
    as: "as, for, like, to",
    at: "at",
    back: "back",
    by: "by, from",
    called:
      "called, named, titled, entitled, with the name, with the title, by the name of, name it, call it, under the name",
    can: "can, could, may, is able to, are able to, is allowed to",
    case: "no matter",
    contains:
      "containing, contains, contain, that contain, that says, says, mentioning, mentions, with the text, with the word, with the words, about",
    due:
      "until, till, til, that ends, which ends, that ends on, open until, open till, closing on, that closes on, that closes, closes on, expiring, that expires, expires, that expires on, expiring on, deadline, with a deadline of, with deadline, due, due by, due on, valid until, valid till, valid for, that ends, ends on, ending on, ending, available until, by, up to, no later than, for, closing, closing in, expiring in, in, with an expiry of, open for, running until, which closes on, that is open until",
    empty: "empty",
    except:
      "but nothing that 's, but nothing that is, but nothing, but none of, except, except for, excluding, but not, apart from, other than, without, leave out, leaving out, aside from, minus, besides",
    featured: "featured, up front, highlighted, in front",
    field: "what is, what 's, whats, how much is, who is, when is, where is, what are",
    first:
      "to the very top, to the start, right at the top, to number one, to first place, as the first, first, to the top, to the front, to the beginning, at the top, at the start, at the beginning, up front, on top",
    forever:
      "for all time, so it can't be restored, so that nobody can restore it, permanently, for good, forever, irrevocably, completely, for ever, irreversibly, once and for all, for real, finally, and i mean permanently, beyond recovery",
    from: "from, out of, off, of, in, within, inside, on",
    frozen: "resolved, done, dealt with, finished, settled, complete, as done, as resolved, as dealt with, off",
    give: "give, send, get, show, need, want, create, make, copy, what is, what 's, have, fetch, provide",
    drive:
      "somewhere in here, somewhere on here, somewhere, anywhere, in here somewhere, around here, on the drive, on my drive, in my drive, in the drive, in my account, on our drive, in our drive, of the drive, of my drive, from my drive, on here, in here",
    has: "has, have, had, do, does, did, got, having",
    help:
      "help, help me, what can you do, what do you do, what can i ask, what can i say, how do you work, how does this work, who are you, what are you, commands, options, instructions, usage, what are you able to do, what do you know",
    howfar: "how far, status, progress, state, what is the status of, is ready, how is",
    howlong: "how long, how long is, what length, duration",
    howmany: "how many, what number of, the number of, number of, count",
    howmuch: "how much, what amount of, how big, how large, total size",
    if: "if, in case",
    in: [
      ...journeys,
      "near, around, close to, nearby, in the area of, in the vicinity of, in, inside, within, under, from, of, on, at, into, out of, that are in, which are in, that is in, located in, stored in, sitting in, living in, lying in, that live in, that sit in"
    ].join(", "),
    into: "to, into, in, inside, under, in to, over to, onto, within, there into, at, on",
    is: "is, are, was, were, 's, be, been, gets, get, got, has been, have been",
    it: "it, this, that, this one, that one, the file, this file, that file, the same, the result, the thing",
    latest: "latest, newest, most recent, last, recent, freshest",
    longer: "longer than, over, more than, at least, above, exceeding, longer, upwards of, minimum, min",
    me: "me, us, myself, i, we",
    message:
      "and add the message, add the message, and add a message, and add the note, and include the message, include the message, and put the message, and the message, the message is, the message should be, the message should say, and write, write, and tell reviewers, saying, with the message, with message, with a message, that says, message, with the text, with the note, with a note, with the words, asking, telling them, and tell them, and say, and ask, that reads, with the instruction, which says, with instructions",
    moved: "moved, put, dropped, uploaded, added, saved, placed",
    my: "my, mine, our, the, a, an, of mine, of ours",
    new: "new, fresh, another, brand new",
    no:
      "no, nope, nah, cancel, stop, don't, dont, do not, never mind, nevermind, forget it, abort, better not, rather not, no thanks, leave it, no way, keep them, keep it, not now",
    nodownload: [
      ...deniedInEnglish,
      "without download, no download, without downloads, no downloads, without downloading, but not download, not downloadable, nobody should be able to download it, nobody should download it, nobody can download it, nobody may download it, no one should be able to download it, no one can download it, no one may download it, they can't download it, they should not be able to download it, they shouldn't be able to download it, they can not download it, they cannot download it, viewers can't download it, people can't download it, downloads off, downloads disabled, with downloads off, with downloads disabled, with downloads turned off, with download disabled, downloading disabled, with downloading disabled, don't allow downloads, do not allow downloads, don't let anyone download it, don't let them download it, without letting anyone download it, watch only, view only, streaming only, nobody is allowed to download it, without the download, not for download"
    ].join(", "),
    allowdownload: [
      ...allowedInEnglish,
      "with download, with downloads, allow download, allow downloads, allowing download, allowing downloads, downloadable, let them download, download allowed, downloads allowed, and allow downloads, and allow download, that can be downloaded"
    ].join(", "),
    not: "not, n't, isnt, arent, never, no",
    notin:
      "untagged, not tagged, don't have a tag, don't have tags, don't have any tags, doesn't have a tag, have no tag, have no tags, has no tag, has no tags, haven't got a tag, are untagged, are not tagged, aren't tagged, isn't tagged, missing a tag, missing tags, are missing tags, lack tags, lacking tags, still need a tag, still need tags, need a tag, without labels, without a label, don't have a label, have no label, without tags, without any tags, without a tag, with no tags, that have no tags, that has no tags, no tags, that are not tagged, that aren't tagged, that arent tagged",
    of: "of, from, with, out of, for, containing, using, holding, about, that has, that contains, including, in",
    oldest: "oldest, earliest, first",
    or: "or",
    other: "other, rest, remaining",
    out: "out, out of, from, off",
    over:
      "over, above, more than, greater than, larger than, bigger than, exceeding, at least, faster than, quicker than, from, heavier than, upwards of, or more, minimum of, no less than",
    pages: "pages, page",
    password:
      "password, with password, with the password, password-protected with, protected by, protected with, with a password, passcode, pass phrase, passphrase, secured with, and password, protect it with the password, that needs the password",
    private:
      "private, not public, non-public, unlisted, hidden, for me only, only for me, visible only to me, just for me",
    public:
      "open to the public, viewable by anyone, viewable by everyone, visible to everybody, visible to all, visible to the world, accessible to all, visible for all, visible to the public, viewable by everybody, reachable by anyone, public, online, visible to everyone, visible for everyone, publicly available, available to everyone, available to anyone, visible to anyone, world readable, accessible to everyone, open to everyone, accessible to anyone, publicly visible, publicly accessible, public again",
    question: "what, who, when, where, which, how, how much, why",
    rest: "the rest, the others",
    shared:
      "shared, shared with me, that were shared with me, that was shared with me, that people shared with me, i was given, others shared with me, that are shared with me",
    sharedby: "i shared, i have shared, that i shared, i've shared, ive shared, that i have shared",
    since: "since, after, from, newer than, later than, starting, starting from, as of, not older than, no older than",
    before: "before, prior to, until, till, earlier than, up to, older than, more than, by",
    someone:
      "somebody, someone, anybody, anyone, people, a person, whoever, a sender, they, anyone else, he, she, a client, a customer, one",
    something:
      "something, anything, files, a file, some files, the files, their files, things, stuff, the first files, the first file, another file, new files, a new file, more files, any files, any file, his files, her files, his file, her file, their file, new things, new stuff, something new, photos, pictures, videos, tracks, songs, documents, a photo, a picture, a video, a track, a song, a document, new photos, new videos, new tracks, new documents, a pdf, pdfs",
    than: "than",
    that:
      "do i own, do we own, i own, we own, do i still have, do we still have, i still have, have i stored, have i saved, am i storing, that, which, who, do we have, do i have, did we shoot, did i take, did we take, did i upload, did we upload, did i make, did we make, did i record, did we record, did i save, did i add, did i put, i took, we shot, we took, i made, we made, i recorded, we recorded, i saved, i wrote, i got, we got, belonging to, belong to, there, have we got, that are, which are, that is, which is, that were, which were, that was, that have, which have, that has, i, we, i have, i've, ive, we have, that i, that we, which i",
    them:
      "them, these, those, they, the files, these files, those files, the results, all of them, all of these, all of those, these ones, those ones, each of them, every one of them, the found files, them all, both of them, both, those two, these two, the two of them, their, the found ones",
    afterwards:
      "then, and then, after that, afterwards, next, finally, after this, and afterwards, subsequently, and finally, and next, once that's done, when that's done, once done, when done, and after that, also, and also",
    should:
      "should, should now, should also, should please, shall, must, must now, has to, have to, needs to, need to, ought to, is to, are to, is supposed to, are supposed to, can, could, may, would have to",
    havewe:
      "do i have, do we have, have i got, have we got, are there, are there here, i have, we have, i've got, exist, that exist, there are, do i own, did i make, have i made, did i create, have i created, in my drive, in the drive, on my drive, on the drive, do we have here, i made, i have here, do i have so far, are in use, are there so far",
    notjust:
      "not just into the trash, not just in the trash, not just to the trash, not only into the trash, not only to the trash, not just trashed, don't just trash it, not merely into the trash, not just the bin, not just into the bin, without the trash, bypassing the trash, not only in the bin",
    unresolved: "open, unresolved, outstanding, pending, unanswered, not done, not resolved, left, to do, unsolved",
    there: "there, there is, there are, there's",
    ones: "one, ones",
    to: "to, with, for, at",
    under:
      "under, below, less than, smaller than, fewer than, up to, at most, slower than, shorter than, no more than, lighter than, maximum, max, not more than, within",
    until: "until, till",
    untag:
      "take off the label, get rid of the label, untag, remove the tag, remove tag, remove the tags, take the tag, take off the tag, unlabel, delete the tag, strip the tag, remove the label, take away the tag, drop the tag",
    up: "up",
    when:
      "when, as soon as, once, whenever, if, the moment, the minute, every time, after, when ever, immediately when, right when, right after, in case",
    where:
      "where, where is, where are, where 's, wheres, in which folder is, in which folder are, in what folder is, which folder is, what folder is",
    who: "who, by whom, which people, what people",
    yes:
      "yes, yep, yeah, yup, sure, ok, okay, do it, do that, go ahead, confirm, confirmed, please do, yes please, right, correct, exactly, of course, absolutely, definitely, i am sure, i'm sure, im sure, affirmative, y, go for it, go on, proceed",
    // Times
    ago: "ago",
    between: "between",
    day: "day, days",
    hour: "hour, hours, hr, hrs, h",
    last: "last, past, previous",
    minute: "minute, minutes, min, mins, m",
    month: "month, months",
    next: "next, coming, following",
    quarter: "quarter, quarters",
    season: "spring, summer, autumn, fall, winter",
    second: "second, seconds, sec, secs, s",
    this: "this, current",
    today: "today, this morning, tonight, this afternoon, this evening, earlier today",
    tomorrow: "tomorrow",
    week: "week, weeks, fortnight",
    weekend: "weekend, weekends",
    year: "year, years, yr, yrs",
    yesterday: "yesterday",
    lately: "recently, lately, recent",
    endof: "end of, the end of, end of the",
    uploaded:
      "uploaded, added, upload, that arrived, came in, arrived, received, that came in, put in, saved, imported, created, new, got, made",
    taken: "taken, shot, recorded, filmed, captured, photographed, took, snapped, from the trip, made in",
    tagged:
      "carrying the label, that carry the tag, carry the tag, have the tag, having the label, has the tag, with the keyword, carry the label, bearing the tag, tagged, tagged with, tagged as, labelled, labeled, labelled with, labeled with, with the tag, with tag, with tags, with the tags, marked, marked as, flagged, having the tag, that have the tag, that has the tag, carrying the tag, with the label, that are tagged, that are tagged with, flagged as, with a tag, which have the tag, tagged both, with both tags",
    taggedafter: "tagged, labelled, labeled",
    tempo: "bpm, beats per minute, beats a minute",
    withname:
      "with the name, whose name contains, whose name has, with names like, whose names contain, with a name like, whose title contains, in the name, in their name, in its name, in the title, in the filename, in their names, in the file name, in their filenames",
    startswith:
      "that starts with, which starts with, that begins with, which begin with, that have names starting with, whose filename starts with, starting with, beginning with, that start with, that begin with, whose name starts with, whose name begins with, whose names start with, which start with, that starts with, whose names begin with",
    endswith: "ending in, ending with, that end in, that end with, whose name ends in, whose name ends with",
    largest: "largest, biggest, heaviest, fattest, hugest",
    smallest: "smallest, tiniest, lightest, littlest",
    longest: "longest",
    shortest: "shortest",
    fastest: "fastest, quickest",
    slowest: "slowest",
    alphabetical:
      "in alphabetical order, from a to z, a-z, sorted alphabetically, ordered by name, in order of name, by filename, sorted by title, alphabetically, by name, in alphabetical order, by title, sorted by name, a to z",
    bysize:
      "ordered by size, in order of size, by file size, largest on top, from largest to smallest, by size, sorted by size, largest first, biggest first",
    bydate:
      "ordered by date, in order of date, most recent first, latest first, chronologically, in chronological order, by upload date, by date, newest first, sorted by date, by age",
    oldestfirst: "oldest first",
    bytempo: "sorted by tempo, sorted by bpm, slowest first, by tempo, by bpm, by speed",
    byduration: "sorted by length, sorted by duration, by playing time, shortest first, by length, by duration",
    reversed: "in reverse, reversed, reverse order, descending",
    size: "big, large, huge, size, heavy",
    views:
      "views, openings, opened, viewed, watched, seen, looked at, popular, clicks, hits, clicked, most viewed, most opened, most popular, downloaded",
    nodescription:
      "don't have a description, doesn't have a description, have no description, has no description, still need a description, without a description, without description, without descriptions, with no description, that have no description",
    nofolder:
      "aren't in a folder, aren't in any folder, are not in a folder, are not in any folder, not in any folders, are in no folder, isn't in a folder, not in a folder, not in any folder, without a folder, outside of folders, outside any folder, in no folder, that are not in a folder, at the top level, in the root, at the root, at the top, loose, on the top level, in the top level, at the top of the drive, in the root folder, not in folders, in the main folder, not sorted into a folder, that are in no folder, unsorted",
    toplevel:
      "top level of the drive, top level of my drive, very top, root of the drive, root of my drive, drive itself, main level, top level, root, root folder, top of the drive, top of my drive, main folder, top folder, the top, drive root, home folder",
    alsoFiles:
      "with its files, and its files, with everything in it, and everything in it, with all its files, with the files in it, and the files in it, including its files, with all files in it, including everything in it, and all the files in it, and all its contents, with its contents, and its contents, with all its contents, and everything inside, with everything inside, including the files, including its contents, with all files, and all files in it, and all its files, contents included, including all files, with all of its contents, and what is in it, and whatever is in it, together with its files, and everything inside it, with everything inside it",
    keepFiles: [
      ...keepFilesInEnglish,
      "but keep the files, but keep its files, keep the files, without deleting the files, but not the files, and keep the files, keep its files, without its files, but leave the files, but not its files, leaving the files, but keep the files in it, but not its contents, but keep what is in it, but keep the contents, and keep its files, not the files"
    ].join(", "),
    people:
      "all the world, anyone at all, everyone else, the whole world, everyone, everybody, the world, the public, anyone, anybody, all people, the internet",
    similar:
      "similar to, like, that sound like, identical to, copies of, duplicates of, other versions of, same as, duplicate of, same recording as, versions of, the same recording as"
  },
  verbForms,
  nounForms,
  singulars:
    "file, item, thing, song, track, audio file, sound, recording, tune, voice memo, document, doc, image, picture, photo, photograph, pic, snapshot, illustration, drawing, video, clip, movie, film, vid, one, pdf, spreadsheet, presentation, screenshot, zip, zip file, archive, text file, reel, upload, version, asset",
  fillers:
    "the, a, an, my, our, please, just, also, kindly, some, really, quickly, now, of, mine, for me, simply, all, new, those, these, this, that, up, whole, entire, currently",
  light:
    "i, we, you, your, me, us, want, wants, wanted, would, like, love, 'd, id, wed, need, should, shall, could, can, may, might, must, will, already, still, then, there, here, actually, maybe, perhaps, finally, kindly, own, myself, had, been, being, go, goes, going, today, tonight, though, however, well, too, else, even, ever, yet, so, quite, very, much, dear, sir, madam, is, are, be, was, were, do, does, did, have, has, got, please, instead, again, once, anyway, probably, exactly, together, of course, ones, them, it",
  openings:
    "please to, i wonder whether, i wonder if, i think, i believe, oh dear, dear helper, hello again, i'd be grateful if you could, i'd be glad if you could, it would be lovely if you could, it would be good if you could, it'd be great if you could, it'd be nice if you could, would you be so good as to, do me a favour, do me a favor, be a dear and, i would be happy if you could, could someone, can someone, can somebody, could somebody, what i need is, what i want is, what i'd like is, all i want is, all i need is, i would prefer, i'd prefer, i'd love, i would love, i could use, we could use, would it be possible to have, is it possible to have, any way to, is there a way to, is there any way to, let me, i'm going to, i am going to, i was hoping to, i was hoping you could, i was wondering whether you could, i wonder if you could, we'll need, i'll need, i will need, we will need, i think we should, i think you should, maybe, perhaps, dear filedrive, gimme, lemme, plese, plaese, kindly please, ok now, and now, so now, next up, after that, finally, lastly, secondly, i've got to, i got to, i gotta, i only need, i just need, i just want, i just want to, i need someone to, you'll need to, you need to, we still need, i still need, please also, also please, and please, can i have, could i have, may i have, could i get, can we have, can we get, could we have, could we get, can i get you to, can you just, could you just, could you maybe, can you maybe, could you quickly, can you quickly, can you also, could you also, will you please, would you also, hi, hello, hey, have a look, just a quick one, oh no, ugh, argh, oops, whoops, oopsie, no, hiya, yo, morning, evening, hello there, hey you, dear drive, dear assistant, quick one, quick question, fyi, btw, by the way, listen, ok so, right then, well then, anyway, oh and, oh, one last thing, another thing, last thing, hey can you, i'd appreciate it if you could, i would appreciate it if you could, would you be able to, are you able to, can you help me, could you help me, can you help me to, could you help me to, hey could you, please can you, please could you, maybe you can, maybe you could, perhaps you could, sorry but, excuse me, when you have a minute, when you have a moment, when you get a chance, if you have time, if possible, if you can, if you could, would it be ok to, is it ok to, it's time to, its time to, time to, it is time to, i'm trying to, im trying to, i am trying to, we would like to, we'd like to, we'd like you to, we want you to, remember to, don't forget to, make sure to, be sure to, feel free to, i need, we need, i want, we want, hey there, hi there, good morning, good evening, good afternoon, dear agent, ok, okay, so, well, alright, please, pls, plz, could you, can you, would you, will you, could you please, can you please, would you please, would you mind, would you be so kind as to, would you kindly, could you kindly, can we, could we, can i, could i, may i, i need you to, i want you to, i'd like you to, i would like you to, id like you to, i would like to, i'd like to, id like to, i want to, i need to, i wanna, i have to, we need to, we want to, we should, you should, you can, i would love to, i'd love to, i would like, i'd like, id like, help me, help me to, go ahead and, go and, let us, lets, let 's, kindly, quickly, just, do me a favor and, do me a favour and, be so kind as to, is it possible to, would it be possible to, it would be great if you could, it would be nice if you could, i was wondering if you could, do you think you could, try to, then, and, now, also, thanks, thank you, great, perfect, cool, nice, good, actually, sorry, um, hmm, yes, ah, right, ok great, one more thing, first, firstly, any chance you could, mind, any chance of, for me, next, tidy up, okay so, alright so, urgent, one question, sooo, man, dude, yeah, yes please, it's me, can u, could u, can ya, would u, no wait, hang on, wait no, oh wait",
  closings:
    "would be nice, would be good, would be lovely, would be perfect, would be helpful, would be fine, would be awesome, would be cool, that would be great, that would be nice, if that is possible, if that's possible, whenever you can, when you get round to it, if it's not too much trouble, much appreciated, appreciated, appreciate it, thanks heaps, tia, tysm, for good measure, in here, on here, is that possible, if you have a moment, before i forget, for a change, while you're at it, by the way, btw, all right, please, pls, plz, thanks, thank you, thank you very much, thanks a lot, many thanks, for me, if you can, if possible, when you have time, when you get a chance, when you can, asap, as soon as possible, right now, right away, immediately, cheers, will you, would you, ok, okay, for us, thx, if you don't mind, thanks in advance, will ya, would be great, now, my friend, again please, too, as well, at once, today please, straight away, somehow, instead, quickly, if you would, if you could, at the moment, so far, currently, from now on, at present, would you please, could you, can you, for now, these days, by now, up to now, at this point, dear, mate, thank you so much, thanks so much, as usual, in total, altogether, overall, yet, by any chance, if that's ok, if that's okay, when you're done, will you please, won't you, in future, going forward, anymore, any more, any longer, already, by mistake, by accident, accidentally, somewhere, anywhere, still, haha, lol, sorry, from you, if you don't mind me asking",
  numbers: {
    "1": "one, a single, single",
    "2": "two, a couple of, a couple, couple of",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "10": "ten",
    "12": "twelve, a dozen, dozen",
    "20": "twenty"
  },
  ordinals: {
    "1": "first, 1st, first one",
    "2": "second, 2nd",
    "3": "third, 3rd",
    "4": "fourth, 4th",
    "5": "fifth, 5th",
    "6": "sixth, 6th",
    "7": "seventh, 7th",
    "8": "eighth, 8th",
    "9": "ninth, 9th",
    "10": "tenth, 10th",
    "-1": "last, final",
    "-2": "second to last, penultimate"
  }
}
