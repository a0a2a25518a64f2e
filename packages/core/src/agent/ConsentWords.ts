/**
 * Words by which people ask for the acts of {@link "./Consent.ts"}, in many languages. A term is a word, a stem (`delet*`), or several of
 * them that follow each other; `..` stands for up to eight words between. Accents and capital letters don't count.
 */
import type { ConsentKind } from "../http/Operation.ts"

/** To put away or delete. */
const remove: ReadonlyArray<string> = [
  // English
  "delet*, remov*, trash*, bin, binned, erase*, discard*, get .. rid of, throw*, toss*, chuck*, dump*, purg*, wip*, clear*, clean*, drop*, cancel*, empty*, " +
  "eliminat*, scrap*, kill*, dispos*, take .. out, take .. away, take .. off, take .. down, n't need, not need, don't .. need, no longer .. need*, rubbish, " +
  "garbage, recycle*, destroy*, shred*, undo, revert, no .. use for, don't want, can go, must go, should go, ditch*, nuke*, forget about, unneeded",
  // German
  "lösch*, loesch*, gelösch*, geloesch*, entfern*, entferne*, papierkorb*, wegwerf*, weggeworf*, werf*, wirf*, weg, schmeiß*, schmeiss*, wegschmeiß*, " +
  "verwerf*, verwirf*, leer*, entleer*, entsorg*, müll*, muell*, tonne, räum*, aufräum*, beseitig*, tilg*, loswerden, raus, rausschmeiß*, rauswerf*, " +
  "rausnehm*, nicht mehr, brauch* .. nicht, aussortier*, ausmist*, streich*, abbrech*, abbruch, rückgängig, kann weg, können weg, vernicht*",
  // French, Spanish, Italian, Portuguese, Romanian
  "supprim*, efface*, effacer, corbeille*, poubelle*, enlev*, enlève*, jete*, jette*, vide*, vider, retir*, débarrass*, borr*, bórra*, elimin*, papelera, " +
  "quita*, vacia*, vacía*, tira*, desech*, descart*, cancell*, cestin*, rimuov*, rimoz*, svuot*, butta*, togli*, apag*, exclu*, lixeira, remov*, esvazi*, " +
  "sterg*, șterge*, gunoi, goleste*",
  // Dutch, Swedish, Danish, Norwegian, Finnish
  "verwijder*, wis, wissen, gewist, prullenbak*, prullenmand*, weggooi*, gooi*, leegmaak*, leeg, opruim*, ta bort, radera*, slet*, fjern*, papirkurv*, " +
  "papperskorg*, söppel*, søppel*, töm*, tøm*, kasta*, kast*, smid*, poista*, roskakori*, roskiin, tyhjenn*, hävit*",
  // Polish, Czech, Slovak, Hungarian, Turkish, Greek, Indonesian, Vietnamese
  "usuń*, usun*, kosz*, skasuj*, kasuj*, wyrzuc*, wyrzuć*, opróżn*, smaz*, smaž*, odstran*, odstraň*, vymaz*, vymaž*, vyprázdn*, koš*, töröl*, lomtár*, " +
  "kuka*, ürít*, sil, silin*, silme*, silebil*, çöp*, kaldır*, boşalt*, διαγρα*, διέγραψ*, σβησ*, σβήσ*, κάδο*, άδειασ*, hapus*, buang*, kosongkan, xoá, " +
  "xóa, thùng rác",
  // Russian, Ukrainian, Bulgarian
  "удал*, стер*, стёр*, сотр*, корзин*, очист*, выброс*, выкин*, убер*, видал*, видали*, кошик*, изтри*, кошче*, премахн*",
  // Languages without spaces, or with words that are joined
  "削除, 消して, 消去, 消す, ゴミ箱, 捨て, 空に, 删除, 刪除, 删掉, 刪掉, 清空, 回收站, 垃圾, 扔掉, 移除, 삭제, 지워, 지우, 휴지통, 비우, 비워, 제거, حذف, احذف, امسح, سلة, מחק, מחיק, הסר, " +
  "אשפה, हटा, मिटा, डिलीट, ลบ, ถังขยะ"
]

/** That it can't be restored. */
const forever: ReadonlyArray<string> = [
  "permanent*, for good, forever, for ever, irrevocabl*, irreversibl*, complete*, entirel*, for real, once and for all, beyond recovery, purg*, eras*, wip*, " +
  "shred*, destroy*, hard delete, final*, empty .. trash, empty .. bin, clear .. trash, clear .. bin, trash .. empt*, delet* .. trash, delet* .. bin, " +
  "remov* .. trash, trash .. delet*, clean .. trash, purge .. trash, dump .. trash, take .. trash out, recycle bin",
  "endgültig*, endgueltig*, für immer, fuer immer, dauerhaft*, unwiderruf*, unwiderbring*, komplett*, vollständig*, vollstaendig*, ein für alle mal, vernicht*, " +
  "papierkorb .. leer*, leer* .. papierkorb*, papierkorb* .. lösch*, lösch* .. papierkorb*, müll .. leer*, leer* .. müll*, lösch* .. müll*, tonne .. leer*, " +
  "leer* .. tonne, mülleimer .. leer*, papierkorb .. ausleer*, entleer*",
  "définitiv*, pour toujours, vide* .. corbeille, vider .. corbeille, para siempre, definitiv*, vaci* .. papelera, vacía* .. papelera, per sempre, svuot* .. cestino, " +
  "para sempre, esvazi* .. lixeira, definitief, voorgoed, voor altijd, leeg* .. prullen*, prullen* .. leeg*, för alltid, permanent*, töm .. papperskorg*, for altid, " +
  "tøm .. papir*, tøm .. søppel*, pysyväst*, lopullis*, tyhjenn* .. roskakori*, na zawsze, trwale, na stałe, opróżn* .. kosz*, navždy, natrvalo, trvale, " +
  "vyprázdn* .. koš*, örökre, végleg*, ürít* .. lomtár*, kalıcı*, tamamen, sonsuza, çöp* .. boşalt*, οριστικ*, μόνιμ*, selamanya, permanen*, vĩnh viễn",
  "навсегда, окончательн*, безвозвратн*, полностью, очист* .. корзин*, корзин* .. очист*, назавжди, остаточно, завинаги",
  "完全, 永久, 永遠, 永远, 彻底, 徹底, ゴミ箱を空, 清空, 영구, 완전, 휴지통, نهائي, للأبد, לצמיתות, לתמיד, हमेशा, स्थायी, ถาวร"
]

/** Who may see a file, in general. */
const anyone =
  "to everyone, for everyone, with everyone, by everyone, to everybody, for everybody, with everybody, to anyone, for anyone, with anyone, by anyone, to anybody, " +
  "for anybody, let anyone, let everyone, let anybody, let everybody, anyone can, everyone can, anybody can, anyone with .. link, the world, world readable, " +
  "nobody .. see, no one .. see, nobody .. open, only me, only i, just me, just for me, only for me, only visible to me"

const publish: ReadonlyArray<string> = [
  "public*, publish*, publi, unpublish*, privat*, visib*, invisib*, hide, hides, hidden, hiding, online, expos*, unlist*, offline, " +
  anyone,
  "shar* .. link, link .. shar*, give .. link, get .. link, create .. link, make .. link, want .. link, need .. link, send .. link, generate .. link, " +
  "revok* .. link, remov* .. link, open .. up, lock .. down, off the internet, on the internet, on the web",
  "öffentlich*, oeffentlich*, veröffentlich*, veroeffentlich*, freigeb*, freigab*, freigeg*, gib .. frei, gebe .. frei, schalt* .. frei, freischalt*, privat*, sichtbar*, " +
  "unsichtbar*, verberg*, verbirg*, versteck*, publizier*, für jeden, für jedermann, fuer alle, für alle, alle .. sehen, jeder .. sehen, ins netz, nur für mich, " +
  "nur ich, nur mir, gib .. link, link .. erstell*, erstell* .. link, mach .. link, brauch* .. link, schick .. link, offline",
  "publi*, privé*, rend* .. accessible*, visible*, caché*, tout le monde, público*, pública*, privad*, oculta*, pubblic*, nascond*, openba*, privé, publicer*, " +
  "offentli*, offentlig*, julkis*, yksity*, publiczn*, opublik*, udostępn*, prywatn*, veřejn*, zveřejn*, soukrom*, nyilvános*, közzé*, herkese, yayınla*, gizli, " +
  "δημόσι*, δημοσι*, ιδιωτικ*, publik*, umum, công khai, riêng tư",
  "публич*, опублик*, общедоступ*, приват*, закрыт*, открой*, доступ*, публіч*, загальнодоступ*",
  "公開, 非公開, 共有リンク, 公开, 公開, 私有, 发布, 發布, 공개, 비공개, عام, نشر, ציבורי, פרטי, सार्वजनिक, निजी, สาธารณะ"
]

const share: ReadonlyArray<string> = [
  "shar*, send*, sent, show*, give*, giv, grant*, access*, let, lets, allow*, forward*, invit*, pass, hand, see, view, available, visib*, add, open .. to, open .. for, " +
  "collaborat*, too, as well, deliver*, get, have, with, for",
  "teil*, geteil*, freigeb*, freigab*, freigeg*, frei, gib*, gebe*, geben, zugriff*, zugang*, schick*, send*, zeig*, sehen, bekomm*, haben, weiterleit*, weitergeb*, " +
  "zugänglich*, lad* .. ein, auch, mit, für",
  "partag*, envoi*, envoy*, donn*, montr*, accès, compart*, envi*, da, dale, dar, muestr*, condivid*, manda*, invia*, mostra*, delen, deel*, gedeeld, stuur*, geef, " +
  "toon, dela*, skicka*, ge, visa, del, gi, vis, jaa, jaka*, lähet*, anna, udostępn*, wyślij*, pokaż*, daj, sdíl*, pošli*, ukaž*, oszd*, megoszt*, küldd*, paylaş*, " +
  "gönder*, göster*, μοιρ*, κοινοποι*, στείλ*, bagi*, kirim*, chia sẻ, gửi",
  "подел*, расшар*, отправ*, дай, дать, доступ*, покаж*, поширюй*, поділ*, надішл*, сподел*",
  "共有, 送って, 送る, 見せ, 分享, 共享, 发给, 發給, 공유, 보내, مشاركة, شارك, أرسل, שתף, שלח, साझा, शेयर, भेज, แชร์, ส่ง"
]

/** Ways to say who may not do what with a file, as terms: "nobody should see", "stop bob from opening". */
const denials: ReadonlyArray<string> = [
  ...["should not", "shouldn't", "must not", "mustn't", "may not", "nobody", "no one", "noone"].flatMap((who) =>
    ["see", "open", "view", "read", "access", "download", "watch", "edit", "have"].map((verb) => `${who} .. ${verb}`)
  ),
  ...["stop*", "prevent*", "block*", "keep*"].flatMap((verb) =>
    ["seeing", "opening", "viewing", "reading", "downloading", "watching", "editing"].map((what) =>
      `${verb} .. ${what}`
    )
  ),
  ...["see", "open", "view", "access"].flatMap((verb) => [`n't let .. ${verb}`, `not let .. ${verb}`]),
  ...["soll*", "darf*", "dürf*"].flatMap((may) =>
    ["sehen", "öffnen", "lesen", "haben"].map((verb) => `${may} .. nicht ${verb}`)
  ),
  "niemand .. sehen, niemand .. öffnen, niemand .. lesen, niemand .. haben"
]

const unshare: ReadonlyArray<string> = [
  ...denials,
  "unshar*, shar*, revok*, withdraw*, access*, privat*, remov* .. from, kick*, lock .. out, no longer, any more, anymore, any longer, not .. see, n't .. see, n't .. have, " +
  "take .. away, take .. back, exclud*, uninvit*, permission*, n't shar*, not shar*",
  "teil*, geteil*, freigab*, freigeb*, entzieh*, entzog*, zugriff*, zugang*, widerruf*, zurücknehm*, nicht mehr, nimm .. weg, privat*, ausschließ*, ausschliess*, wegnehm*",
  "partag*, accès, retir*, compart*, acceso, quita*, condivid*, accesso, acesso, delen, deel*, toegang*, dela*, del, adgang, tilgang, jaka*, dostęp*, udostępn*, sdíl*, " +
  "přístup*, megoszt*, paylaş*, erişim*, κοινοποι*, πρόσβασ*, akses*, chia sẻ",
  "доступ*, подел*, расшар*, доступу, сподел*",
  "共有, 分享, 共享, 공유, مشاركة, שיתוף, साझा, แชร์"
]

/** That others may send files, or no more of them: asks for a request without any other word. */
const sending: ReadonlyArray<string> = [
  ...["can", "could", "should", "must", "may", "able to"].flatMap((may) =>
    ["upload", "send", "submit", "hand in", "turn in", "drop off"].map((verb) => `${may} ${verb}`)
  ),
  // With what is not to be taken: "don't accept orders from this file" is something else.
  ...["n't", "not", "no longer", "stop*"].flatMap((no) =>
    ["accept*", "collect*", "take", "taking"].flatMap((verb) =>
      ["files", "photos", "uploads", "submissions"].map((what) => `${no} ${verb} .. ${what}`)
    )
  ),
  "no more files, no more photos, no more uploads, no more submissions, keine dateien mehr, keine fotos mehr, keine bilder mehr, keine uploads mehr"
]

/** To make or change something. */
const change: ReadonlyArray<string> = [
  "make, create, set, new, open*, reopen*, clos*, shut*, stop*, end, ends, ending, extend*, chang*, updat*, allow*, let, lets, collect*, ask*, want*, need*, start*, give, " +
  "get, put, add, expire*, password*, limit*, deadline, rename*, send, turn, switch, prepare, generate, have, protect*, lock*, pause*, accept*, gather*, request, invite, " +
  "deactivat*, activat*, reactivat*, disabl*, enabl*, finish*, remove, no more, edit, prolong*, lengthen*, push, call, review, use, build*, built, making, made, setting, " +
  "putting, produc*, compil*, assembl*, begin*, resum*, restart*, unlock*, restrict*, cap, secur*, adjust*, modif*, correct, fix, keep .. open, leave .. open, " +
  "mach*, erstell*, leg*, anleg*, neu*, öffn*, aufmach*, schließ*, schliess*, zumach*, beend*, stopp*, verläng*, änder*, lass*, sammel*, sammle*, bitt*, brauch*, möcht*, " +
  "abschließ*, abschliess*, wiedereröffn*, schütz*, aktualisier*, anpass*, stell*, zusammenstell*, erzeug*, eröffn*, bearbeit*, " +
  "will, start*, gib, richt*, einricht*, setz*, passwort, frist, begrenz*, sperr*, fordere, anforder*, hol*, schick*, erlaub*, bau*, deaktivier*, " +
  "aktivier*, keine .. mehr, " +
  "crée*, créer, ouvre*, ferme*, crea*, abre*, cierra*, apri*, chiudi*, cria*, fecha*, maak*, sluit*, skapa*, stäng*, opret*, luk, lag, utwórz*, zamknij*, vytvoř*, " +
  "zavři*, oluştur*, kapat*, δημιούργ*, buat*, tutup*, tạo, đóng, созда*, сдела*, закр*, откр*, створ*, 作って, 作成, 閉じ, 创建, 建立, 关闭, 만들, 닫, أنشئ, أغلق, צור, סגור, बना, बंद"
]

/**
 * To change until when others may send or write something. Who names a request or a review by its title ("close Season photos", "give people
 * another week") need not say what it is.
 */
const until: ReadonlyArray<string> = [
  "close, closes, closing, shut, reopen*, re open*, extend*, prolong*, lengthen*, deadline*, expir*, end date, more time, more day*, more week*, " +
  "more month*, another day, another week, another month, extra day*, extra week*, give people .. day*, give people .. week*, give them .. day*, give them .. week*, " +
  "give everyone .. day*, give everyone .. week*, " +
  "schließ*, schliess*, beende*, wiedereröffn*, verläng*, verlaeng*, frist*, enddatum, ablauf*, mehr zeit, weitere tag*, weitere woche*, noch eine woche, gib allen .. tag*, " +
  "gib allen .. woche*, gib leuten .. tag*, gib leuten .. woche*, gib den leuten .. tag*, gib den leuten .. woche*"
]

const request: ReadonlyArray<string> = [
  ...until,
  "request*, upload*, collect*, submit*, submission*, drop, dropbox, drops, drop off, hand in, handed in, turn in, inbox, intake, send .. me, send .. us, send .. files, " +
  "send .. photos, send .. their, link*, url, deliver*, gather*, ask .. for, ask .. send, invite .. send, let .. send, " +
  "anfrag*, dateianforder*, dateianfrag*, sammel*, hochlad*, hochzulad*, abgab*, abgeb*, einreich*, einsend*, schick*, briefkast*, anforder*, " +
  "demande*, dépôt, envoy*, solicitud*, pedido*, richiest*, verzoek*, aanvraag*, begäran, anmodning*, forespørsel*, pyyntö*, prośb*, żądan*, žádost*, kérés*, istek, αίτημα*, permintaan*, yêu cầu, запрос*, " +
  "запит*, リクエスト, 依頼, 请求, 請求, 收集, 요청, طلب, בקש, अनुरोध"
]

const review: ReadonlyArray<string> = [
  ...until,
  "review*, feedback*, comment*, notes, remark*, approv*, annotat*, critique*, link, " +
  "rückmeld*, notiz*, anmerkung*, bemerkung*, kommentar*, kommentier*, prüf*, sichtung*, abnahm*, durchsicht*, besprech*, bewert*, freigab*, " +
  "avis, commentair*, révision*, comentari*, reseña*, revisi*, recension*, comment*, beoordel*, granskning*, anmeldels*, arviointi*, recenzj*, hodnocen*, vélemény*, inceleme*, " +
  "yorum*, κριτικ*, ulasan*, nhận xét, отзыв*, рецензи*, комментар*, відгук*, レビュー, 感想, 评论, 評論, 审阅, 리뷰, 검토, مراجعة, ביקורת, समीक्षा"
]

const reply: ReadonlyArray<string> = [
  "repl*, answer*, respond*, respons*, write*, tell, tells, say, says, comment*, message, post*, note, let .. know, " +
  "antwort*, beantwort*, geantwort*, erwider*, schreib*, sag*, kommentier*, richte .. aus, " +
  "répon*, écri*, respond*, contest*, escrib*, rispond*, scriv*, antwoord*, beantwoord*, schrijf*, zeg, svar*, skriv*, vastaa*, odpowied*, napisz*, odpov*, napiš*, válaszol*, " +
  "írd*, cevap*, yanıt*, yaz*, απάντησ*, γράψε*, balas*, jawab*, tulis*, trả lời, отвe*, ответ*, напиш*, відпов*, 返信, 返事, 答え, 回复, 回覆, 回答, 답장, 답변, رد, أجب, ענה, השב, जवाब, उत्तर"
]

/** By the kind: one of each of these lists. `fetch` has none: the address itself must be named. */
export const wordsFor: Readonly<Record<Exclude<ConsentKind, "fetch">, ReadonlyArray<ReadonlyArray<string>>>> = {
  publish: [publish],
  request: [[...change, ...sending], [...request, ...sending]],
  review: [[...change, "shar*, teil*"], review],
  reply: [reply],
  share: [share],
  unshare: [unshare],
  remove: [remove],
  deleteForGood: [forever]
}

/** Messages that are a yes by their first word. */
export const yes: ReadonlyArray<string> = [
  "yes, yep, yeah, yea, yup, yess, aye, sure, ok, okay, okey, k, y, do it, do that, do so, go ahead, go for it, go on, confirm*, please do, right, correct, exactly, of course, " +
  "absolutely, definitely, certainly, affirmative, proceed, i am sure, i'm sure, i do, i confirm, fine, all right, alright, agreed, approved, for good, permanently, forever, " +
  "ja, ja*, jo, jep, jup, jawohl, klar, sicher, natürlich, genau, richtig, stimmt, bestätig*, mach das, mach es, mach*, tu es, tu das, gerne, unbedingt, in ordnung, einverstanden, " +
  "passt, los, endgültig, " +
  "oui, ouais, d'accord, bien sûr, vas y, si, sí, claro, vale, de acuerdo, adelante, hazlo, certo, va bene, fallo, sim, pode, confirmo, faz isso, da, graag, zeker, doe maar, " +
  "doe het, jazeker, absolut, gärna, joo, kyllä, toki, tak, oczywiście, zgoda, dobrze, ano, jasně, áno, igen, persze, evet, tamam, olur, elbette, ναι, βεβαίως, εντάξει, iya, ya, " +
  "boleh, vâng, có, đồng ý, да, конечно, хорошо, давай, так, звичайно, はい, うん, お願い, いいよ, 是, 是的, 好, 好的, 确定, 可以, 對, 对, 네, 예, 응, 그래, نعم, أجل, כן, בטח, हाँ, हां, जी, ใช่, ตกลง"
]

/** Messages that are a no by their first word. */
export const no: ReadonlyArray<string> = [
  "no, nope, nah, cancel, stop, don't, dont, do not, never, not, abort, forget it, leave it, keep, wait, " +
  "nein, nee, nö, nicht, stopp, abbrechen, abbruch, lass, vergiss, lieber nicht, halt, behalt*, " +
  "non, não, nao, nem, nei, nej, ei, nie, ne, hayır, όχι, tidak, không, нет, не, ні, いいえ, だめ, やめて, 不, 否, 아니, لا, לא, नहीं, ไม่"
]

/** A clause that begins with one of these asks for words, not for an act. */
export const question: ReadonlyArray<string> = [
  "who, whom, whose, what, what's, whats, which, when, where, why, how, is, are, was, were, did, does, has, with whom, have i, have we, am i, list, summari*, count, " +
  "wer, wen, wem, was, welche*, wann, wo, warum, wieso, wie, ist, sind, war, waren, hat, hab ich, habe ich, haben wir, mit wem, von wem, für wen, zähl*, fass, liste, " +
  "qui, que, quoi, quel*, quand, où, combien, est, sont, qué, quién*, cuál*, cuándo, dónde, cuánt*, chi, che, cosa, quale*, quando, dove, quant*, quem, qual, onde, wie, wat, welke"
]

/** A message with one of these goes on with what was done before. */
export const continuing: ReadonlyArray<string> = [
  "it, its, that, this, these, those, them, one, ones, too, also, as well, and, same, again, back, undo, other*, another, rest, " +
  "es, sie, ihn, das, diese*, auch, und, noch, wieder, ander*, rest, ebenso, " +
  "aussi, les, le, la, también, tambien, los, las, anche, também, tambem, ook, också, også, też, také, тоже, также, ещё, їх, их, это"
]
