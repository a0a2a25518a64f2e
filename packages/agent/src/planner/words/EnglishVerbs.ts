/** English verbs: what people want done, and what others do with files. */
import type { Phrases } from "./Words.ts"

export const EnglishVerbs: Phrases = {
  add: "add, append, include, attach, slip, insert, throw, attach, queue",
  answer: "answer, reply, respond, write back",
  change: "change, edit, adjust, update, modify, set, correct, fix",
  close: "close, shut, end, stop, lock, deactivate, disable",
  count: "count, tally",
  create:
    "throw together, knock up, whip up, put up, set me up, make up, establish, whip together, come up with, create, make, making, made, build, built, generate, start, set up, setting up, open, open up, prepare, put together, putting together, produce, begin, compile, assemble, need, want, get me, give me",
  delete:
    "junk, nuke, shred, obliterate, zap, axe, clear away, clean away, destroy, eliminate, throw, be rid of, put in the bin, put in the trash, delete, remove, trash, erase, discard, bin, get rid of, getting rid of, throw away, throwing away, throw out, toss, dump, clear, clear out, dispose of, scrap, drop, ditch, wipe, purge, take away, kill, clean up, clean out, chuck, move to trash, lose",
  describe: "describe, caption, annotate, comment, document",
  draw:
    "conjure up, whip up, dream up, make up, draw, paint, sketch, design, illustrate, generate, render, imagine, create, make, making",
  empty: "flush, take out, clear up, empty, clear, clear out, purge, wipe, clean out, clean",
  export: "export, download",
  find:
    "i'm after, i am after, we're after, i can't find, i cannot find, i can not find, i can't seem to find, i could not find, i couldn't find, i'm missing, i am missing, i've lost, i have lost, do you have, have you got, got any, let's see, hand me, spot, trace, unearth, browse, enumerate, bring me, point me to, run me through, take me to, show us, give us, find, im looking for, i am looking for, looking for, im searching for, search, search for, look for, look up, locate, show, show me, list, list out, display, get, getting, give, give me, get me, fetch, see, view, pull up, bring up, dig out, dig up, hunt down, track down, look through, which, where, where is, where are, where 's, what, tell me, check, name, print, send me, pick out",
  import:
    "pull down, bring, suck in, snag, take in, import, download, fetch, grab, bring in, pull in, pull, save, get, upload, copy, add, load",
  know: "know, do you know, can you see, find out, see, tell, tell me, check, show, show me, say",
  label: "tag, label, mark, flag, categorize, categorise, classify, keyword",
  leave: "leave, left, leaving, write, wrote, make, post, add",
  move:
    "pass, shove, stuff, push, put away, file away, reposition, rehome, migrate, slide, move, keep, put, putting, shift, transfer, relocate, drop, stick, sticking, stuck, place, bring, throw, dump, file, sort, send, store, stash, tuck, collect, gather, toss, drag, save, pop, organize, organise, archive, group, pile",
  notify:
    "give me a heads-up, give me a heads up, heads up, give me a ring, drop me a note, send me a message, send me a note, shoot me a message, keep me posted, i want to know, i'd like to know, i would like to know, hit me up, let me hear, update me, buzz me, keep me informed, keep me updated, write to me, write me, give us a shout, tell us, i need to know, message us, tell, tell me, let me know, letting me know, notify, notify me, ping, ping me, alert, alert me, inform, inform me, message me, remind me, give me a shout, let us know, drop me a line, warn me, say, shout, report, report back",
  open:
    "open up, have a look at, has a look at, take a look at, takes a look at, glance at, check out, checks out, checked out, read, hear, heard, seen, saw, watched, listened to, viewed, look into, access, open, view, watch, read, look at, looks at, looked at, see, sees, play, listen to, visit, download, access",
  pack: "zip, zip up, archive, pack, pack up, compress, bundle, bundle up, package, package up, pack together, export",
  publish:
    "put on the web, put on the internet, put up publicly, go public with, open up, publish, make public, making public, release, expose, put online, make available",
  read:
    "recite, go through, quote from, recap, read, read out, open, look in, look into, look inside, check, summarize, summarise, quote, show, show me",
  rename:
    "re-title, rechristen, rename, retitle, rebrand, relabel, call, name, change the name of, changing the name of, change the title of, change",
  reopen: "reopen, re-open, open, unlock, reactivate, start again, resume",
  reorder: "resort, re-sort, re-arrange, put in order, reorder, rearrange, re-order, sort, order, shuffle, arrange",
  resolve:
    "check off, clear, tick, sign off, close out, resolve, tick off, check off, mark, settle, close, finish, complete, deal with",
  restore:
    "have back, reinstate, resurrect, salvage, return, un-delete, take back, dig out, bring me back, restore, recover, undelete, untrash, bring back, bringing back, get back, getting back, put back, undo, rescue, retrieve, take out, take, pull out, fish out, give back",
  send: "send, sent, submit, upload, deliver, drop off, hand in, turn in, give, drop, add, share",
  share:
    "let have, pass on, hand over, pass along, hand, give access to, share, give, send, sent, show, grant, forward, pass, let",
  take: "take, took, taken, shoot, shot, record, capture, film, snap",
  unpublish:
    "take down, unlist, take off the internet, take off the web, pull, unpublish, make private, making private, hide, take offline, withdraw",
  unshare: "unshare, stop sharing, stop, revoke, remove access, take away access, remove, take away",
  use: "use, set, take, make, making, put",
  wait: "wait, wait for, wait until, wait till, watch, watch for, keep an eye on, look out for, keep watch",
  arrive:
    "arrive, come in, comes in, came in, come, comes, came, land, lands, appear, show up, get in, is uploaded, are uploaded, is added, are added, gets added, get added, lands in, are there, is there, turn up, is delivered, drop in, upload, add, put, puts, are dropped, is dropped, gets dropped, is put, are put, get uploaded, gets uploaded",
  other:
    "extend, prolong, limit, restrict, cap, protect, secure, feature, highlight, ask, invite, let, allow, keep, turn, switch, cancel, abort"
}
